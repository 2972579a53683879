"""A line with marks and the current position."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from afterstate_lab.tui.blocks.block import Block, Room
from afterstate_lab.tui.blocks.span import Line, Pen


@dataclass(frozen=True, kw_only=True)
class Track(Block):
    """A line; a click calls `clicked` with its position, 0 to 1."""

    at: float
    """The current position, 0…1."""
    marks: tuple[tuple[float, str], ...]
    """Position 0…1 and sign of each mark."""
    said: str
    longest: str = ""
    """The longest words, for which there is room."""
    framed = False

    def draw(self, columns: int, rows: int, pen: Pen) -> list[Line]:
        long = self._long(columns)
        signs = {round(part * (long - 1)): sign for part, sign in self.marks}
        here = round(self.at * (long - 1))
        pieces: list[tuple[str, str]] = [(" ├", "dim")]
        for column in range(long):
            if column == here:
                pieces.append(("┃", "selection" if pen.paints else "strong"))
            elif column in signs:
                pieces.append((signs[column], "key"))
            else:
                pieces.append(("─", "dim" if column < here else "faint"))
        return [pen.line((*pieces, ("┤ ", "dim"), (self.said, "text")))]

    def room(self, columns: int, pen: Pen) -> Room:
        return Room(1, 1)

    def say(self) -> Iterator[str]:
        yield f"{self.said[:1].upper()}{self.said[1:]}."

    def row_at(self, x: int, y: int, columns: int, rows: int) -> int | None:
        """Return the thousandth of the line at a point."""
        long = self._long(columns)
        return round(1000 * (x - 2) / (long - 1)) if 2 <= x < 2 + long else None

    def choose(self, row: int) -> Any:
        return None if self.clicked is None else self.clicked(row / 1000)

    def _long(self, columns: int) -> int:
        """Return the columns of the line, next to room for the longest words."""
        return max(2, columns - 5 - max(len(self.said), len(self.longest)))
