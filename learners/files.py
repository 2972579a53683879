"""Files and folders: private when created, regular when opened, and where the user's data is."""

from __future__ import annotations

import errno
import os
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO, Final

from afterstate_lab.learners.errors import RuleFileError, UsageError, reason, shown, shown_path

PRIVATE_FOLDER: Final = 0o700
PRIVATE_FILE: Final = 0o600
SHARED_FILE: Final = 0o666
"""As private as the user's mask makes every file."""
WITHOUT_WAITING: Final = getattr(os, "O_NONBLOCK", 0)
"""Makes opening a pipe without a writer return at once."""
NO_LINK: Final = getattr(os, "O_NOFOLLOW", 0)
BYTES: Final = getattr(os, "O_BINARY", 0)

LOCK: Final = "AFTERSTATE_LOCKED"
"""Environment variable: if set, the program uses only files in the data folder."""
TRUST: Final = "AFTERSTATE_TRUST"
"""Environment variable: if set, code runs even from files that other users can write to."""
STANDARD: Final = {"data": ".local/share", "cache": ".cache", "config": ".config"}
"""Folders in the home folder, on Linux."""
LARGEST_SOURCE: Final = 1_000_000
"""Maximum number of bytes of a Python file to run."""


class NoPlainFileError(OSError):
    """The path is a folder, a pipe or a device."""

    def __init__(self, path: Path) -> None:
        super().__init__(errno.EINVAL, "it is not a regular file", str(path))


class LockedError(OSError):
    """The path leads out of the folder to which the lab is locked."""

    def __init__(self, path: Path) -> None:
        why = "this lab is locked and uses only files in its own folder"
        super().__init__(errno.EACCES, why, str(path))


def is_locked() -> bool:
    """Return whether the lab is locked to its data folder (`--locked`, `AFTERSTATE_LOCKED=1`)."""
    return bool(os.environ.get(LOCK))


def check_lock(path: Path) -> None:
    """Raise LockedError if the lab is locked and a path leads out of its folder, links included."""
    if is_locked() and not path.resolve().is_relative_to(data_folder().resolve()):
        raise LockedError(path)


def is_only_ours(path: Path, found: os.stat_result | None = None) -> bool:
    """Return whether only the user and root can have written a file, or put it into its folder.

    Args:
        path: the file.
        found: what it is, where it is open already: another may have taken its place since.
    """
    if not hasattr(os, "geteuid"):
        return True
    file = path.resolve()
    found, folder = found or file.stat(), file.parent.stat()
    if not {found.st_uid, folder.st_uid} <= {os.geteuid(), 0}:
        return False
    is_shared_safely = bool(folder.st_mode & stat.S_ISVTX)
    return not others_write(found) and (is_shared_safely or not others_write(folder))


def is_file(text: str) -> bool:
    """Return whether a text is the path of a file that the lab can use."""
    try:
        check_lock(Path(text))
        return Path(text).is_file()
    except (OSError, ValueError):
        return False


def check_trust(path: Path, what: str, found: os.stat_result | None = None) -> None:
    """Check that other users could not have written a file whose code is to run.

    Raises:
        RuleFileError: others could have written it.
        OSError: it cannot be looked at.
    """
    if not (is_only_ours(path, found) or os.environ.get(TRUST)):
        raise RuleFileError(
            f"refusing to run {what} {shown_path(path)}: other users can write "
            "to it or to its folder. Fix its permissions, or pass --trust"
        )


def source_of(path: Path, what: str) -> bytes:
    """Read a Python file that is to run.

    Args:
        path: the file.
        what: what a message calls it.
    """
    with reading(path, RuleFileError, f"{what} ") as file:
        check_trust(path, what, os.fstat(file.fileno()))
        source = file.read(LARGEST_SOURCE + 1)
    if len(source) > LARGEST_SOURCE:
        raise RuleFileError(f"{what} {shown_path(path)} is larger than a megabyte")
    return source


def others_write(found: os.stat_result) -> bool:
    """Return whether another user can write to it; a group with the user's name and no other
    member does not count."""
    if found.st_mode & stat.S_IWOTH:
        return True
    if sys.platform == "win32" or not found.st_mode & stat.S_IWGRP:
        return False
    import grp
    import pwd

    try:
        group, user = grp.getgrgid(found.st_gid), pwd.getpwuid(os.geteuid())
    except KeyError:
        return True
    return group.gr_name != user.pw_name or not set(group.gr_mem) <= {user.pw_name}


@contextmanager
def reading(path: Path, kind: type[UsageError], what: str = "") -> Iterator[BinaryIO]:
    """Open a file to read it; what cannot be read is an error of this kind.

    Args:
        path: the file.
        kind: the error.
        what: what the message calls it, and a blank.
    """
    try:
        with opened(path) as file:
            yield file
    except UsageError:
        raise
    except (OSError, ValueError) as error:
        raise kind(f"cannot read {what}{shown_path(path)}: {reason(error)}") from None


def opened(path: Path) -> BinaryIO:
    """Open a regular file, or a link to one, for reading; never blocks on anything else.

    Raises:
        LockedError: the lab is locked, and the path leads out of its folder.
        NoPlainFileError: it is something else.
        OSError: it cannot be opened.
        ValueError: it is not a path.
    """
    check_lock(path)
    return opened_plain(path)


def opened_plain(path: Path) -> BinaryIO:
    """Open a file that the program itself named, even in a locked lab."""
    # Checked also before opening, as opening a device can have an effect on it.
    check_plain(path, path.stat())
    return os.fdopen(plain_descriptor(path, os.O_RDONLY), "rb")


def append(path: Path, lines: bytes) -> None:
    """Append whole lines to a file and sync them; after an incomplete line, start a new line.

    Creates the file, private, if it is missing. Follows no link.

    Raises:
        NoPlainFileError: it is not a regular file.
        OSError: it cannot be written.
    """
    check_lock(path)
    try:
        descriptor = plain_descriptor(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | NO_LINK)
    except OSError as error:
        if error.errno == errno.ELOOP:
            raise NoPlainFileError(path) from None
        raise
    with os.fdopen(descriptor, "r+b") as file:
        if file.seek(0, os.SEEK_END):
            file.seek(-1, os.SEEK_END)
            if file.read(1) != b"\n":
                lines = b"\n" + lines
        file.write(lines)
        file.flush()
        os.fsync(file.fileno())


def plain_descriptor(path: Path, flags: int) -> int:
    """Return a descriptor of a regular file; a created file is private."""
    file = os.open(path, flags | WITHOUT_WAITING | BYTES, PRIVATE_FILE)
    try:
        check_plain(path, os.fstat(file))
    except BaseException:
        os.close(file)
        raise
    return file


def own_command(module: str) -> tuple[list[str], dict[str, str]]:
    """Return a command that runs one of our modules, and its environment variables.

    -P: a folder `learners` in the working directory is not ours.
    """
    folders = [str(Path(__file__).absolute().parents[2]), *filter(None, sys.path)]
    return [sys.executable, "-P", "-m", module], {"PYTHONPATH": os.pathsep.join(folders)}


def check_new(path: Path, way: str, *, force: bool = False) -> None:
    """Check that there is no file yet where one is to be written.

    Args:
        path: the file.
        way: what the user can do if there is.
        force: take a regular file that is there, but no folder, pipe or device.
    """
    if os.path.lexists(path) and not (force and path.is_file()):
        other = "is a folder" if path.is_dir() else "is not a regular file"
        problem = f"already exists. {way}" if path.is_file() else other
        raise UsageError(f"{shown_path(path)} {problem}")


def check_plain(path: Path, found: os.stat_result) -> None:
    if not stat.S_ISREG(found.st_mode):
        raise NoPlainFileError(path)


def make_folder(path: Path) -> None:
    """Create a private folder, and private ones above it that are missing."""
    if not os.path.lexists(path.parent):
        make_folder(path.parent)
    path.mkdir(mode=PRIVATE_FOLDER, exist_ok=True)


def can_lock(folder: Path) -> bool:
    """Return whether the disk of a folder can lock files; some over a network cannot."""
    if sys.platform == "win32":
        return True
    import fcntl
    import tempfile

    try:
        # Another file, since closing a locked one would end the locks of this process on it.
        with tempfile.TemporaryFile(dir=folder) as file:
            fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        return error.errno not in (errno.ENOLCK, errno.EOPNOTSUPP, errno.ENOSYS)
    return True


def replace_file(path: Path, content: str | bytes, *, mode: int = PRIVATE_FILE) -> None:
    """Write a file atomically, by default a private one; never in place of a folder or device."""
    make_folder(path.parent)
    with suppress(FileNotFoundError):
        check_plain(path, path.stat())
    part = path.with_name(f".{path.name}.{os.getpid()}")
    part.unlink(missing_ok=True)
    try:
        part.touch(mode=mode, exist_ok=False)
        with part.open("wb") as file:
            file.write(content.encode() if isinstance(content, str) else content)
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def is_private(folder: Path) -> bool:
    """Return whether a folder belongs to the user and only the user can write to it."""
    if not hasattr(os, "geteuid"):
        return True
    found = folder.stat()
    return found.st_uid == os.geteuid() and not found.st_mode & 0o022


def path_of(text: str) -> Path:
    """Return the path that a user typed; `~` is the home folder.

    A locked lab does not expand `~name`, which would reveal whether a user exists.
    """
    path = Path(text.strip())
    if is_locked() and path.parts[:1] != ("~",):
        return path
    try:
        return path.expanduser()
    except (RuntimeError, ValueError):
        raise UsageError(f"no home folder for {shown(text)}") from None


def data_folder() -> Path:
    """Return the folder of the user's data: `AFTERSTATE_DATA`, or the standard one. It may not
    exist.
    """
    return user_folder("data")


def user_folder(kind: str) -> Path:
    """Return the folder of the user's data, cache or config: by our variable, such as
    `AFTERSTATE_CACHE`, by the standard one, or where the system has it.
    """
    if named := os.environ.get(f"AFTERSTATE_{kind.upper()}"):
        return Path(named).absolute()
    base = Path(os.environ.get(f"XDG_{kind.upper()}_HOME", ""))
    if base.is_absolute() or sys.platform not in ("darwin", "win32"):
        return (base if base.is_absolute() else Path.home() / STANDARD[kind]) / "afterstate"
    import platformdirs  # loads for 10 ms

    folders = platformdirs.PlatformDirs("afterstate", appauthor=False)
    return Path(getattr(folders, f"user_{kind}_dir"))


def store_file() -> Path:
    return data_folder() / "runs.sqlite"
