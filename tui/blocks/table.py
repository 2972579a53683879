"""A table of any length, which makes only visible rows."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, NamedTuple

from afterstate_lab.game import Board as Position
from afterstate_lab.tui.blocks.block import NO_END, Block, Room, Window
from afterstate_lab.tui.blocks.marks import in_a_row
from afterstate_lab.tui.blocks.span import (
    Line,
    Pen,
    Words,
    blank,
    fit,
    on,
    whole_words,
    width,
    wrap,
)
from afterstate_lab.tui.blocks.speech import board_words, joined, spoken
from afterstate_lab.tui.theme.numerals import NONE

APART = 2
"""Blank columns between blocks of rows."""
FEWEST = 4
"""Minimum number of rows, if there are as many."""


class Cell(NamedTuple):
    """Words that are read out differently; empty for silence."""

    words: Words
    said: str


class Column(NamedTuple):
    head: str
    width: int
    rank: int = 0
    """Without room, the highest rank is hidden first."""
    left: bool = True
    """Whether its text is left-aligned; numbers are not."""
    say: str = "{}"
    """The sentence for a cell; empty for silence."""
    sign: str = ""
    """`▲` or `▼` after the head of the sorted column."""
    grows: bool = False
    """Whether it takes the remaining columns."""
    role: str = "text"
    """The role of plain text."""
    ends_early: bool = False
    """Whether a text without room ends after a clause, if one fits."""


@dataclass(frozen=True)
class Table(Block):
    columns: Sequence[Column]
    items: Sequence[Any]
    cells: Callable[[Any], Sequence[Cell | Words]]
    """Returns an item's cells by column."""
    at: Window | None = field(default_factory=Window)
    """The selected row, if any."""
    folds: bool = False
    """Whether a wide table has several blocks of rows."""
    message: str = ""
    """The text if there are no rows."""
    heads: bool = True

    def __post_init__(self) -> None:
        if self.at is not None:
            self.at.hold(self.count)

    @property
    def count(self) -> int:
        return len(self.items)

    @property
    def window(self) -> Window | None:
        return self.at

    def room(self, columns: int, pen: Pen) -> Room:
        if self.message:
            return Room(3, NO_END if self.folds else 3)
        return Room(min(self.count, FEWEST) + self.heads, self.count + self.heads)

    def wide(self, columns: int) -> int:
        side_by_side = self._blocks(columns - 2)
        if side_by_side > 1:
            return side_by_side * self._block + 2
        return 3 + sum(self.columns[n].width + 1 for n in self._kept(columns - 3))

    def draw(self, columns: int, rows: int, pen: Pen) -> list[Line]:
        if self.message:
            said = wrap(pen.line(self.message, "dim"), columns - 2)
            return [(*blank(1), *line) for line in said]
        many = self._blocks(columns)
        wide, high = columns // many, max(0, rows - self.heads)
        kept = self._kept(wide - 1 - (APART if many > 1 else 0))
        seen = (
            range(min(high * many, self.count))
            if self.at is None
            else self.at.fit(self.count, high * many)
        )
        drawn = [self._row(n, kept, wide, pen) for n in seen]
        lines: list[Line] = []
        if self.heads:
            heads = [((column.head, "dim"), (column.sign, "key")) for column in self.columns]
            blocks = min(many, max(1, -(-len(drawn) // max(1, high))))
            lines = [self._line(heads, kept, wide, " ", pen) * blocks]
        return [*lines, *(sum(drawn[n::high], ()) for n in range(min(high, len(drawn))))]

    def say(self) -> Iterator[str]:
        if self.message:
            yield self.message
        for n in range(self.count):
            yield f"{n + 1}. {self.said(n)}"

    def said(self, n: int) -> str:
        """Return a row as a sentence, without unknown values."""
        told = []
        for column, cell in zip(self.columns, self.cells(self.items[n]), strict=True):
            text = cell.said if isinstance(cell, Cell) else joined(cell).replace(NONE, "")
            if column.say and text.strip():
                told.append(column.say.format(spoken(text)))
        return f"{', '.join(told).removesuffix('.')}."

    def row_at(self, x: int, y: int, columns: int, rows: int) -> int | None:
        many, high, line = self._blocks(columns), rows - self.heads, y - self.heads
        if self.at is None or not 0 <= line < high:
            return None
        number = self.at.top + line + high * min(x // max(1, columns // many), many - 1)
        return number if number < self.count else None

    @property
    def _block(self) -> int:
        return 1 + sum(column.width + 1 for column in self.columns) + APART

    def _blocks(self, columns: int) -> int:
        return max(1, (columns + APART) // self._block) if self.folds else 1

    def _kept(self, room: int) -> list[int]:
        """Return the indices of the columns that fit, from left to right."""
        kept: list[int] = []
        for n in sorted(range(len(self.columns)), key=lambda n: self.columns[n].rank):
            if self.columns[n].width <= room:
                room -= self.columns[n].width + 1
                kept.append(n)
        return sorted(kept)

    def _row(self, number: int, kept: list[int], wide: int, pen: Pen) -> Line:
        cells = self.cells(self.items[number])
        words = [cell.words if isinstance(cell, Cell) else cell for cell in cells]
        if self.at is None or number != self.at.cursor:
            return self._line(words, kept, wide, " ", pen)
        return on(self._line(words, kept, wide, "▸", pen), "selection")

    def _line(
        self, words: Sequence[Words], kept: list[int], wide: int, mark: str, pen: Pen
    ) -> Line:
        line: Line = (pen.piece(mark, "key"),)
        taken = sum(self.columns[n].width + 1 for n in kept)
        for n in kept:
            column = self.columns[n]
            room = wide - 1 - taken + column.width if column.grows else column.width
            text = pen.line(words[n], column.role)
            if width(text) > room > 1:
                start = whole_words(text, room - 1) if column.left else ()
                clause = re.match(rf".{{1,{room}}}(?=[,:]| (as|by|over|with)\b)", joined(text))
                if clause and column.ends_early:
                    text = pen.line(clause[0], column.role)
                else:
                    text = (*start, pen.piece("…", "dim"))
            line = (*line, *fit(text, room, "left" if column.left else "right"), *blank(1))
        return fit(line, wide)


@lru_cache(8192)
def board_cell(board: str, never: bool = False) -> Cell:
    """Return a board of nine characters for a table."""
    said = board_words(Position.parse(board)).removesuffix(".")
    return Cell(in_a_row(board, is_dim=never), said)
