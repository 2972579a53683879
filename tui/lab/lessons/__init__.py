"""Lessons: TOML files of steps, each done in the lab itself. Those of the package lie here."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Final

from learners.errors import UsageError, shown, shown_path

NAMES: Final = ("tour", "chapter-1", "menace", "sarsa-and-q", "credit", "museum")
"""The lessons of the package, in the order in which they are offered."""
LARGEST: Final = 400_000
"""Maximum number of bytes of a file."""


@cache
def packaged(name: str) -> str:
    """The text of a lesson of the package."""
    return files(__name__).joinpath(f"{name}.toml").read_text(encoding="utf-8")


def lesson_text(name: str) -> str:
    """The text of a lesson: one of the package, or a file.

    Raises:
        UsageError: there is neither.
    """
    if name in NAMES:
        return packaged(name)
    if not name.endswith(".toml"):
        raise UsageError(
            f"there is no lesson {shown(name)} (lessons: {', '.join(NAMES)}; or a FILE.toml)"
        )
    from learners.files import check_lock, opened

    try:
        check_lock(Path(name))
        with opened(Path(name)) as file:
            data = file.read(LARGEST + 1)
        if len(data) > LARGEST:
            raise UsageError(f"{shown_path(name)} is too large for a lesson")
        return data.decode()
    except UnicodeDecodeError:
        raise UsageError(f"{shown_path(name)} is no text in UTF-8") from None
    except (OSError, ValueError) as error:
        why = (getattr(error, "strerror", None) or "it is no path").lower()
        raise UsageError(f"the lesson {shown_path(name)} cannot be read: {why}") from None
