"""A board, as large as there is room for, with facts beside or below it; and bars on one scale."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from afterstate_lab.game import Board as Position
from afterstate_lab.tui.blocks.block import Block, Room
from afterstate_lab.tui.blocks.canvas import Canvas, bar, big_mark
from afterstate_lab.tui.blocks.span import Line, Pen, Piece, blank, fit, width
from afterstate_lab.tui.blocks.speech import board_words, joined, spoken
from afterstate_lab.tui.blocks.table import Cell
from afterstate_lab.tui.views.words import Words

SMALL = 11
"""Columns of the small board and of what sets it off."""
SMALLEST_DRAWN, LARGEST = 3, 9
"""Rows of a cell whose mark is drawn."""
NARROWEST = 7
"""Columns of such a cell."""
STRONG = {"X": "x_strong", "O": "o_strong"}


@lru_cache(8192)
def board_cell(board: str, never: bool = False) -> Cell:
    """A board of nine characters in a table, the marks in their players' colours."""
    roles = ("faint" if mark == "." else "dim" if never else mark.lower() for mark in board)
    said = board_words(Position.parse(board)).removesuffix(".")
    return Cell(tuple(zip(board, roles, strict=True)), said)


@dataclass(frozen=True)
class Board(Block):
    cells: str
    """Nine characters: `X`, `O` or `.`."""
    lit: int | None = None
    """A cell 0-8 that is looked at."""
    facts: Sequence[Words] = ()

    def draw(self, columns: int, rows: int, pen: Pen) -> list[Line]:
        tall = self._tall(columns, rows - len(self.facts) - 3)
        return self._large(tall, pen) if tall else self._small(pen)

    def room(self, columns: int, pen: Pen) -> Room:
        tall = self._tall(columns, 3 * LARGEST)
        return Room(3, 3 * tall + 3 + len(self.facts) if tall else 3)

    def say(self) -> Iterator[str]:
        cell = "" if self.lit is None else f"; move {self.lit + 1}"
        yield f"{board_words(Position.parse(self.cells)).removesuffix('.')}{cell}."
        yield from (f"{spoken(joined(fact))}." for fact in self.facts)

    def _tall(self, columns: int, rows: int) -> int:
        """Rows of a cell, an odd number; 0 where marks have no room to be drawn."""
        tall = min(rows // 3, (columns - 6) // 6, LARGEST)
        return 0 if tall < SMALLEST_DRAWN else tall - 1 + tall % 2

    def _small(self, pen: Pen) -> list[Line]:
        lines = []
        for row in range(3):
            line: Line = blank(1)
            for cell in range(3 * row, 3 * row + 3):
                line = (*line, self._cell(cell, pen))
            line = (*line, *blank(SMALL + 1 - width(line)))
            fact = self.facts[row] if row < len(self.facts) else ""
            lines.append((*line, *pen.line(fact)))
        return lines

    def _cell(self, cell: int, pen: Pen) -> Piece:
        if cell == self.lit:
            return pen.piece("[×]", "key")
        mark = self.cells[cell]
        return pen.piece(f" {mark if mark in 'XO' else '·'} ", STRONG.get(mark, "faint"))

    def _large(self, tall: int, pen: Pen) -> list[Line]:
        wide = max(NARROWEST, 2 * tall)
        canvas = Canvas(3 * wide + 3, 3 * tall + 2)
        for cell, mark in enumerate(self.cells):
            x, y = cell % 3 * (wide + 1) + 1, cell // 3 * (tall + 1)
            role = "key" if cell == self.lit else STRONG.get(mark, "faint")
            role = f"{role} on cell"
            canvas.fill(x, y, wide, tall, "text on cell")
            sign = "[×]" if cell == self.lit else "·"
            art = big_mark(mark, wide, tall, pen.glyphs) if mark in "XO" else None
            for row, line in enumerate(
                art or [pen.glyphs.text(sign)], (tall - len(art or "1")) // 2
            ):
                canvas.put(x + (wide - len(line) + 1) // 2, y + row, line, role)
        return [*canvas.lines(), (), *((*blank(1), *pen.line(fact)) for fact in self.facts)]


@dataclass(frozen=True)
class Bar:
    label: str
    number: str
    share: float
    """0…1 of the bar's length."""
    role: str
    said: str = ""


@dataclass(frozen=True)
class Bars(Block):
    bars: Sequence[Bar]

    def draw(self, columns: int, rows: int, pen: Pen) -> list[Line]:
        lines = []
        wide = max((len(one.label) for one in self.bars), default=0)
        for one in self.bars:
            role = one.role if one.role == "truth" else "text"
            head = (*blank(1), pen.piece(f"{one.label:<{wide}} ", "dim"))
            head = (*head, pen.piece(f"{one.number:>7} ", role))
            room = max(0, columns - 1 - width(head))
            drawn = bar(one.share, room, one.role, pen.glyphs)
            lines.append((*head, *fit(drawn, room)))
        return lines

    def room(self, columns: int, pen: Pen) -> Room:
        return Room(len(self.bars), len(self.bars))

    def say(self) -> Iterator[str]:
        told = (f"{one.said or spoken(one.label)} {spoken(one.number)}" for one in self.bars)
        yield f"{', '.join(told)}."
