"""Files and folders: what is made is its owner's alone, what is read is an ordinary file."""

from __future__ import annotations

import errno
import os
import stat
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, Final

from learners.errors import UsageError, shown

PRIVATE_FOLDER: Final = 0o700
PRIVATE_FILE: Final = 0o600
OTHERS: Final = 0o077
WITHOUT_WAITING: Final = getattr(os, "O_NONBLOCK", 0)
"""Opens a pipe that nobody writes into at once, instead of never."""
NO_LINK: Final = getattr(os, "O_NOFOLLOW", 0)
BYTES: Final = getattr(os, "O_BINARY", 0)

_mask = threading.Lock()


class NoPlainFileError(OSError):
    """What is there is a folder, a pipe or a device."""

    def __init__(self, path: Path) -> None:
        super().__init__(errno.EINVAL, "it is no ordinary file", str(path))


def opened(path: Path) -> BinaryIO:
    """An ordinary file, or a link to one, open for reading; nothing else is even waited for.

    Raises:
        NoPlainFileError: it is something else.
        OSError: it cannot be opened.
        ValueError: it is no path.
    """
    # Asked before it is opened too: opening a device can do something to it.
    check_plain(path, path.stat())
    file = os.open(path, os.O_RDONLY | WITHOUT_WAITING | BYTES)
    try:
        check_plain(path, os.fstat(file))
        return os.fdopen(file, "rb")
    except BaseException:
        os.close(file)
        raise


def opened_to_append(path: Path) -> int:
    """A file of the owner's alone, made where there is none; a link is not followed elsewhere.

    Returns:
        Its descriptor, for reading and appending.

    Raises:
        NoPlainFileError: it is no ordinary file.
        OSError: it cannot be opened.
    """
    flags = os.O_RDWR | os.O_CREAT | os.O_APPEND | NO_LINK | WITHOUT_WAITING | BYTES
    try:
        file = os.open(path, flags, PRIVATE_FILE)
    except OSError as error:
        if error.errno == errno.ELOOP:
            raise NoPlainFileError(path) from None
        raise
    try:
        check_plain(path, os.fstat(file))
    except BaseException:
        os.close(file)
        raise
    return file


def check_plain(path: Path, found: os.stat_result) -> None:
    """Refuse what is no ordinary file.

    Raises:
        NoPlainFileError: it is none.
    """
    if not stat.S_ISREG(found.st_mode):
        raise NoPlainFileError(path)


def make_folder(path: Path) -> None:
    """Make a folder, and those above it that are not there, for their owner only.

    Raises:
        OSError: it cannot be made.
    """
    missing = [path]
    while not os.path.lexists(missing[-1].parent):
        missing.append(missing[-1].parent)
    for folder in reversed(missing):
        folder.mkdir(mode=PRIVATE_FOLDER, exist_ok=True)


@contextmanager
def private_files() -> Iterator[None]:
    """While this lasts, all that is made by code that is not ours is its owner's alone."""
    with _mask:
        before = os.umask(OTHERS)
        try:
            yield
        finally:
            os.umask(before)


def is_private(folder: Path) -> bool:
    """Whether nobody but its owner, who is the user, can put anything into a folder."""
    if not hasattr(os, "geteuid"):
        return True
    found = folder.stat()
    return found.st_uid == os.geteuid() and not found.st_mode & 0o022


def path_of(text: str) -> Path:
    """The path that a user typed, `~` being the home folder.

    Raises:
        UsageError: it is none.
    """
    try:
        return Path(text.strip()).expanduser()
    except (RuntimeError, ValueError):
        raise UsageError(f"there is no home folder for {shown(text)}") from None
