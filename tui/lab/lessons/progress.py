"""How far the user has come in each lesson of the package: a small file in the data folder."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Final

from learners.errors import UsageError
from learners.files import data_folder, opened, replace_file
from learners.toml_reader import TomlText, whole
from tui.lab.lessons import NAMES
from tui.lab.lessons.lesson_file import MOST_STEPS

FILE: Final = "lessons.toml"
LARGEST: Final = 10_000


def progress_file() -> Path:
    """The file; it may not exist.

    Raises:
        RuntimeError: there is no home folder.
    """
    return data_folder() / FILE


def read_progress() -> dict[str, int]:
    """The step, from 1, that was reached in each lesson; what cannot be read is left out."""
    try:
        with opened(progress_file()) as file:
            return progress_of(file.read(LARGEST))
    except (OSError, RuntimeError, ValueError):
        return {}


def progress_of(data: bytes) -> dict[str, int]:
    """The same, of the bytes of a file."""
    source = TomlText(FILE, data.decode(errors="replace"))
    found: dict[str, int] = {}
    try:
        table = source.table()
    except UsageError:
        return {}
    for name in NAMES:
        with suppress(KeyError, UsageError):
            found[name] = whole(table[name], 1, MOST_STEPS)
    return found


def keep_progress(name: str, step: int) -> None:
    """Write down how far a lesson of the package has come, if that is farther than before."""
    known = read_progress()
    if name not in NAMES or known.get(name, 0) >= step:
        return
    known[name] = step
    with suppress(OSError, RuntimeError):  # a lesson goes on without it
        replace_file(progress_file(), "".join(f"{key} = {value}\n" for key, value in known.items()))
