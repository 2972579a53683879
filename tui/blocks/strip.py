"""Many numbers, or games, in a few lines."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from afterstate_lab.tui.blocks.block import Block, Room
from afterstate_lab.tui.blocks.canvas import Canvas
from afterstate_lab.tui.blocks.span import Line, Pen

LABEL = 9
SHADES = {"ascii": ".:-=+%#", "linux": "·░▒▓█", "unicode": "▁▂▃▄▅▆▇█"}
"""Shades from nothing to the maximum, by set of characters."""


class Heats(NamedTuple):
    """The contents of a strip."""

    lines: Sequence[tuple[str, Sequence[float | None]]]
    """Name, and the heat 0…1 of each column; None if empty."""
    marks: Sequence[tuple[int, str]] = ()
    """The column and sign of each mark below."""
    cursor: int | None = None


@dataclass(frozen=True)
class Strip(Block):
    heats: Callable[[int], Heats]
    """Makes the contents for a number of columns."""
    below: str = ""
    said: str = ""

    def draw(self, columns: int, rows: int, pen: Pen) -> list[Line]:
        heats = self.heats(columns - LABEL - 1)
        return [
            (pen.piece(f" {name:<{LABEL - 1}}", "dim"), *shaded(line, pen))
            for name, line in heats.lines
        ]

    def border(self, border: Line, columns: int, pen: Pen) -> Line:
        heats = self.heats(columns - LABEL - 3)
        axis = Canvas(columns, 1)
        axis.line(0, 0, border)
        axis.put(2, 0, f" {self.below} ", "dim")
        for column, mark in heats.marks:
            axis.put(1 + LABEL + column, 0, mark, "dim")
        if heats.cursor is not None:
            axis.put(1 + LABEL + heats.cursor, 0, pen.glyphs.cell("▲"), "key")
        return axis.lines()[0]

    def room(self, columns: int, pen: Pen) -> Room:
        return Room(2, 2)

    def say(self) -> Iterator[str]:
        if self.said:
            yield self.said


def shaded(heats: Sequence[float | None], pen: Pen) -> Line:
    shades = SHADES[pen.glyphs.name]
    steps = len(shades) - 1
    pieces: list[tuple[str, str]] = []
    for heat in heats:
        level = 0 if not heat else min(steps, 1 + int(heat * steps))
        text, role = " " if heat is None else shades[level], "text" if level else "faint"
        if pieces and pieces[-1][1] == role:
            pieces[-1] = (pieces[-1][0] + text, role)
        else:
            pieces.append((text, role))
    return tuple(pieces)


@dataclass(frozen=True, kw_only=True)
class Track(Block):
    """A line; a click calls `clicked` with its position, 0 to 1."""

    at: float
    """The current position, 0…1."""
    marks: tuple[tuple[float, str], ...]
    """Position 0…1 and sign of each mark."""
    said: str
    games: int
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
        """Return the thousandth of the run at a point of the line."""
        long = self._long(columns)
        return round(1000 * (x - 2) / (long - 1)) if 2 <= x < 2 + long else None

    def choose(self, row: int) -> Any:
        return None if self.clicked is None else self.clicked(row / 1000)

    def _long(self, columns: int) -> int:
        """Return the columns of the line, next to room for the longest words."""
        words = max(len(self.said), len(f"game {self.games:,} of {self.games:,}"))
        return max(2, columns - 5 - words)
