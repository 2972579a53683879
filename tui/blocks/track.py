"""A whole run in one line: the milestones on it, and where one is."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from afterstate_lab.tui.blocks.block import Block, Room
from afterstate_lab.tui.blocks.span import Line, Pen


@dataclass(frozen=True, kw_only=True)
class Track(Block):
    """A click on the line is `clicked` with the part of it, 0 to 1."""

    at: float
    """0…1, where one is."""
    marks: tuple[tuple[float, str], ...]
    """0…1, and the sign of what happened there."""
    said: str
    """The game."""
    games: int
    clicked: Callable[[float], Any] | None = None
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
        """The thousandth of the run at a place of the line."""
        long = self._long(columns)
        return round(1000 * (x - 2) / (long - 1)) if 2 <= x < 2 + long else None

    def choose(self, row: int) -> Any:
        return None if self.clicked is None else self.clicked(row / 1000)

    def _long(self, columns: int) -> int:
        """The columns of the line: the words keep their room, as long as the last game's."""
        words = max(len(self.said), len(f"game {self.games:,} of {self.games:,}"))
        return max(2, columns - 5 - words)
