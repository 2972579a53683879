"""The map: a cell for each class of positions, a band for each ply, and one board next to it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import ClassVar, Final, NamedTuple

from afterstate_lab.game import Board
from afterstate_lab.tui.blocks.block import Block, Room
from afterstate_lab.tui.blocks.canvas import Canvas
from afterstate_lab.tui.blocks.marks import lattice
from afterstate_lab.tui.blocks.small_board import SmallBoard
from afterstate_lab.tui.blocks.span import Line, Pen, crop
from afterstate_lab.tui.blocks.speech import board_words, joined, spoken
from afterstate_lab.tui.views.words import Words

WIDTH: Final = 58
"""Cells of the widest row."""
LABEL: Final = 3
"""Columns of the ply."""
BESIDE: Final = 17
"""Columns of the board next to the map."""


class Band(NamedTuple):
    """A row of the map."""

    ply: int
    cells: Sequence[int]
    """The shade of each cell: 0 for a draw, the largest for a win; below the smallest, unknown."""


@dataclass(frozen=True, kw_only=True)
class Map(Block):
    bands: Sequence[Band]
    shades: int
    """Shades on each side of a draw."""
    heading: str
    legend: Sequence[Words]
    """What it shows, and its numbers; a line each."""
    said: str = ""
    """The same in a sentence."""
    board: SmallBoard | None = None
    """The position under the cursor."""
    facts: Sequence[Words] = ()
    cursor: int | None = None
    """The number of the cell under the cursor, in the order of the rows."""
    framed: ClassVar[bool] = False

    @cached_property
    def _starts(self) -> list[int]:
        return list(accumulate((len(band.cells) for band in self.bands), initial=0))

    def _layout(self, columns: int, rows: int) -> tuple[int, int, int, int, bool]:
        """Return the width and height of a cell, left and top, and whether the board is below."""
        wide = max(1, min(3, (columns - LABEL) // WIDTH))
        below = wide > 1 and columns < LABEL + wide * WIDTH + BESIDE + 8
        room = rows - 2 - len(self.legend)
        tall = 2 if wide > 2 and room >= 2 * len(self.bands) + 12 * below else 1
        spare = columns - LABEL - wide * WIDTH - (0 if below else BESIDE)
        left = LABEL + max(0, spare // 2 if below else min(2, spare))
        return wide, tall, left, 2 if room > tall * len(self.bands) else 1, below

    def draw(self, columns: int, rows: int, pen: Pen) -> list[Line]:
        canvas = Canvas(columns, rows)
        wide, tall, left, top, below = self._layout(columns, rows)
        canvas.line(left - LABEL + 1, 0, (pen.piece(self.heading, "strong"),))
        before = -1
        for number, band in enumerate(self.bands):
            y, x = top + number * tall, left + self._pad(band) * wide
            if band.ply != before:
                canvas.put(left - LABEL, y, f"{band.ply:>2}", "dim")
            before = band.ply
            for column, shade in enumerate(band.cells):
                is_here = self._starts[number] + column == self.cursor
                text, role = self._cell(shade, is_here, pen)
                for row in range(tall):
                    shown = " " if row else text
                    canvas.put(x + column * wide, y + row, shown.ljust(wide), role)
        y = top + len(self.bands) * tall + 1
        self._beside(canvas, wide, left, y, below, pen)
        for number, words in enumerate(self.legend):
            at = rows - len(self.legend) + number if below is False else y + number
            canvas.line(left - LABEL + 1, at, crop(pen.line(words), columns - left))
        return canvas.lines()

    def _beside(self, canvas: Canvas, wide: int, left: int, y: int, below: bool, pen: Pen) -> None:
        """Draw the board under the cursor and its facts, next to the map or below it."""
        if self.board is None:
            return
        if below:
            x, y = left - LABEL + 1, y + len(self.legend) + 1
            high = min(15, canvas.rows - y)
            columns, facts = 2 * high + 6, (x + 2 * high + 10, y + 1)
        else:
            x, y = left + wide * WIDTH + 2, 2
            columns = canvas.columns - x - 1
            high = 5 if columns < 26 else min(13, columns // 2)
            facts = x, y + high + 1
        if columns < 26:
            lattice(canvas, x, y, 3, 1, 1, pen)
            for cell, mark in enumerate(self.board.cells.replace(".", " ")):
                place = x + 1 + cell % 3 * 4, y + cell // 3 * 2
                canvas.put(*place, mark, f"{mark.lower()}_strong" if mark.strip() else "faint")
        elif high >= 3:
            for row, line in enumerate(self.board.draw(columns, high, pen)):
                canvas.line(x, y + row, line)
        for row, words in enumerate(self.facts):
            canvas.line(facts[0], facts[1] + row, crop(pen.line(words), canvas.columns - facts[0]))

    def _pad(self, band: Band) -> int:
        return (WIDTH - len(band.cells)) // 2

    def _cell(self, shade: int, is_here: bool, pen: Pen) -> tuple[str, str]:
        """Return a cell: a shade; without backgrounds a digit, 9 for a win."""
        if shade < -self.shades:
            return pen.glyphs.cell("◆" if is_here else "·"), "key" if is_here else "faint"
        heat = f"{shade / self.shades:.1f}"
        if pen.paints:
            return (pen.glyphs.cell("◆"), f"heat {heat}") if is_here else (" ", f"shade {heat}")
        text = str(round(9 * (shade + self.shades) / (2 * self.shades)))
        return text, "selection" if is_here else f"heat {heat}" if pen.heats else "text"

    def room(self, columns: int, pen: Pen) -> Room:
        return Room(10)

    def row_at(self, x: int, y: int, columns: int, rows: int) -> int | None:
        wide, tall, left, top, _ = self._layout(columns + 2, rows + 2)
        number = (y + 1 - top) // tall
        if not 0 <= number < len(self.bands):
            return None
        column = (x + 1 - left) // wide - self._pad(self.bands[number])
        inside = 0 <= column < len(self.bands[number].cells)
        return self._starts[number] + column if inside else None

    def say(self) -> Iterator[str]:
        yield spoken(f"{self.heading}.")
        yield spoken(self.said)
        for ply in sorted({band.ply for band in self.bands}):
            cells = [cell for band in self.bands if band.ply == ply for cell in band.cells]
            counts = [("win", 1), ("draw", 0), ("loss", -1)]
            seen = [cell for cell in cells if cell >= -self.shades]
            told = [f"{sum(round(cell / self.shades) == sign for cell in seen)} near a {name}"
                    for name, sign in counts]  # fmt: skip
            rest = f", {len(cells) - len(seen)} never visited" if len(seen) < len(cells) else ""
            yield f"Ply {ply}: {', '.join(told)}{rest}."
        if self.board is not None:
            yield board_words(Board.parse(self.board.cells))
            yield f"{', '.join(spoken(joined(words)) for words in self.facts)}."
