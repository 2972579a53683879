"""A table of any length: it makes only the rows that are seen or said."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from afterstate_lab.tui.blocks.block import NO_END, Block, Room, Window
from afterstate_lab.tui.blocks.span import Line, Pen, blank, fit, on, whole_words, width, wrap
from afterstate_lab.tui.blocks.speech import joined, spoken
from afterstate_lab.tui.views.words import Words

APART = 2
"""Blank columns between blocks of rows that stand side by side."""
FEWEST = 4
"""Rows that a table has at least, where it has them."""


class Cell(NamedTuple):
    words: Words
    said: str | None = None
    """What is said of it, where that is not the text; empty: nothing."""


class Column(NamedTuple):
    head: str
    width: int
    rank: int = 0
    """Where there is no room for all, the largest give way first."""
    left: bool = True
    """Text, at the left of its column; numbers are at the right."""
    say: str = "{}"
    """How a row speaks of its cell; empty where it is silent."""
    sign: str = ""
    """`▲` or `▼` behind the head of the column that gives the order."""
    grows: bool = False
    """Whether it has what the others leave."""


@dataclass(frozen=True)
class Table(Block):
    columns: Sequence[Column]
    count: int
    row: Callable[[int], Sequence[Cell]]
    at: Window | None = field(default_factory=Window)
    """Which row is selected; None where none is."""
    folds: bool = False
    """Whether rows stand side by side where the table is wide enough."""
    message: str = ""
    """Instead of rows."""
    heads: bool = True
    chosen: Callable[[int], Any] | None = None
    """What a click on a row does, where that is not to select it."""

    def __post_init__(self) -> None:
        if self.at is not None:
            self.at.hold(self.count)

    @property
    def window(self) -> Window | None:
        return self.at

    def room(self, columns: int, pen: Pen) -> Room:
        if self.message:
            return Room(3, NO_END if self.folds else 3)
        above = 1 if self.heads else 0
        return Room(min(self.count, FEWEST) + above, self.count + above)

    def wide(self, columns: int) -> int:
        kept = self._kept(columns - 3)
        side_by_side = self._blocks(columns - 2)
        if side_by_side > 1:
            return side_by_side * self._block + 2
        return 3 + sum(self.columns[n].width + 1 for n in kept)

    def draw(self, columns: int, rows: int, pen: Pen) -> list[Line]:
        if self.message:
            said = wrap(pen.line(self.message, "dim"), columns - 2)
            return [(*blank(1), *line) for line in said]
        many = self._blocks(columns)
        wide = columns // many
        kept = self._kept(wide - 1 - (APART if many > 1 else 0))
        high = rows - 1 if self.heads else rows
        seen = self._seen(high * many)
        drawn = [self._row(n, kept, wide, pen) for n in seen]
        filled = max(1, -(-len(drawn) // max(1, high)))
        head = [self._heads(kept, wide, pen) * min(many, filled)] if self.heads else []
        if many == 1:
            return [*head, *drawn]
        return [*head, *(sum(drawn[n::high], ()) for n in range(min(high, len(drawn))))]

    def say(self) -> Iterator[str]:
        if self.message:
            yield self.message
        for n in range(self.count):
            yield f"{n + 1}. {self.said(n)}"

    def said(self, n: int) -> str:
        """A row in a sentence."""
        told = []
        for column, cell in zip(self.columns, self.row(n), strict=True):
            text = spoken(joined(cell.words)) if cell.said is None else cell.said
            if column.say and text.strip():
                told.append(column.say.format(text))
        return f"{', '.join(told)}."

    def row_at(self, x: int, y: int, columns: int, rows: int) -> int | None:
        many = self._blocks(columns)
        high = rows - 1 if self.heads else rows
        line = y - 1 if self.heads else y
        if self.at is None or not 0 <= line < high:
            return None
        number = self.at.top + line + high * min(x // max(1, columns // many), many - 1)
        return number if number < self.count else None

    def choose(self, row: int) -> Any:
        return super().choose(row) if self.chosen is None else self.chosen(row)

    @property
    def _block(self) -> int:
        return 1 + sum(column.width + 1 for column in self.columns) + APART

    def _blocks(self, columns: int) -> int:
        return max(1, (columns + APART) // self._block) if self.folds else 1

    def _seen(self, rows: int) -> range:
        return range(min(rows, self.count)) if self.at is None else self.at.fit(self.count, rows)

    def _kept(self, room: int) -> list[int]:
        """The numbers of the columns for which there is room, from left to right."""
        kept: list[int] = []
        for n in sorted(range(len(self.columns)), key=lambda n: self.columns[n].rank):
            if self.columns[n].width <= room:
                room -= self.columns[n].width + 1
                kept.append(n)
        return sorted(kept)

    def _grown(self, n: int, kept: list[int], wide: int) -> Column:
        column = self.columns[n]
        if not column.grows:
            return column
        taken = sum(self.columns[other].width + 1 for other in kept if other != n)
        return column._replace(width=wide - 2 - taken)

    def _heads(self, kept: list[int], wide: int, pen: Pen) -> Line:
        line: Line = blank(1)
        for n in kept:
            column = self._grown(n, kept, wide)
            words = ((column.head, "dim"), (column.sign, "key"))
            line = (*line, *fitted(pen.line(words), column, pen), *blank(1))
        return fit(line, wide)

    def _row(self, number: int, kept: list[int], wide: int, pen: Pen) -> Line:
        is_on = self.at is not None and number == self.at.cursor
        cells = self.row(number)
        line: Line = (pen.piece("▸" if is_on else " ", "key"),)
        for n in kept:
            column = self._grown(n, kept, wide)
            line = (*line, *fitted(pen.line(cells[n].words), column, pen), *blank(1))
        line = fit(line, wide)
        return on(line, "selection") if is_on else line


def fitted(line: Line, column: Column, pen: Pen) -> Line:
    if width(line) > column.width > 1:
        kept = whole_words(line, column.width - 1) if column.left else ()
        line = (*kept, pen.piece("…", "dim"))
    return fit(line, column.width, "left" if column.left else "right")


def plain_cell(text: Any, role: str = "text", said: str | None = None) -> Cell:
    return Cell(((str(text), role),), said)
