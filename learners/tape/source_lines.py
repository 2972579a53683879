"""The very line of a rule's own file that made each backup of a game, found as it runs.

Nothing is copied and nothing is guessed: the game is played again by the interpreter, and each
event is asked which line of the rule was at work (`learners.tape.watched`). The text is read from
the file itself.
"""

from __future__ import annotations

import linecache
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from learners.tape.watched import watch

if TYPE_CHECKING:
    from learners.tape.recording import Recording
    from learners.tape.run import Run

PACKAGE: Final = Path(__file__).parents[1]


@dataclass(frozen=True)
class SourceLine:
    """A line of code and where it stands."""

    text: str
    """Without the space around it."""
    file: str
    """From the package on, such as `learners/rules/td.py`; a user's own file by its name."""
    number: int


def source_lines(run: Run, recording: Recording, game: int) -> list[SourceLine | None]:
    """The lines that a recorded game comes from, one for each of its events.

    Args:
        run: the run that it is a game of; it may be the one that is being played.
        recording: events of the run.
        game: the number of a game in it.

    Returns:
        For a backup or no-backup, the line of the rule that called for it; None for other events,
        and where the source is not at hand.
    """
    return [source_line(origin.file, origin.line) for origin in watch(run, recording, game)]


def source_line(file: str, number: int) -> SourceLine | None:
    """A line of a file; None where there is no such file or line."""
    text = linecache.getline(file, number).strip()
    if not text:
        return None
    path = Path(file)
    inside = path.is_relative_to(PACKAGE.parent)
    name = path.relative_to(PACKAGE.parent).as_posix() if inside else path.name
    return SourceLine(text, name, number)
