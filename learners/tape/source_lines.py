"""A line of a rule's own file, read from the file itself; `learners.tape.watched` finds which."""

from __future__ import annotations

import linecache
from dataclasses import dataclass
from pathlib import Path
from typing import Final

PACKAGE: Final = Path(__file__).parents[1]


@dataclass(frozen=True)
class SourceLine:
    """A line of code and where it stands."""

    text: str
    """Without the space around it."""
    file: str
    """From the package on, such as `learners/rules/td.py`; a user's own file by its name."""
    number: int


def source_line(file: str, number: int) -> SourceLine | None:
    """A line of a file; None where there is no such file or line."""
    text = linecache.getline(file, number).strip()
    if not text:
        return None
    path = Path(file)
    inside = path.is_relative_to(PACKAGE.parent)
    name = path.relative_to(PACKAGE.parent).as_posix() if inside else path.name
    return SourceLine(text, name, number)
