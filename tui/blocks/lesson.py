"""The card of a lesson: what to see, and what to press."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from afterstate_lab.tui.blocks.block import Block, Room
from afterstate_lab.tui.blocks.span import EMPTY, Line, Pen, blank, wrap
from afterstate_lab.tui.blocks.speech import joined, spoken
from afterstate_lab.tui.views.words import Words

ROWS = 5
"""Number of rows, frame included."""
MEASURE = 76
"""Maximum number of columns, for legibility."""


@dataclass(frozen=True, kw_only=True)
class LessonCard(Block):
    text: str
    todo: Words
    rank: int = -1
    spot: bool = True

    def draw(self, columns: int, rows: int, pen: Pen) -> list[Line]:
        said = wrap(pen.line(self.text), min(columns - 2, MEASURE))
        said += [EMPTY] * (rows - 1 - len(said))
        body = [*said, (pen.piece("» ", "key"), *pen.line(self.todo))]
        return [(*blank(1), *line) for line in body]

    def room(self, columns: int, pen: Pen) -> Room:
        return Room(ROWS - 2, ROWS - 2)

    def say(self) -> Iterator[str]:
        yield spoken(self.text)
        yield spoken(joined(self.todo))
