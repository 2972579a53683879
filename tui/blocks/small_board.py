"""A small board: one state of an update."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from afterstate_lab.game import Board
from afterstate_lab.tui.blocks.block import Block, Room
from afterstate_lab.tui.blocks.canvas import Canvas
from afterstate_lab.tui.blocks.marks import draw_mark, lattice
from afterstate_lab.tui.blocks.meaning import Quantity, Selectable
from afterstate_lab.tui.blocks.span import EMPTY, Line, Meant, Pen, blank, fit
from afterstate_lab.tui.blocks.speech import board_words, joined, spoken

SPACED = 5
"""Minimum rows of a board with lines between its rows."""


@dataclass(frozen=True)
class SmallBoard(Selectable):
    """Nine cells with the last moves lit."""

    cells: str
    moved: tuple[int, ...] = ()
    """The cells played last."""
    placed: int | None = None
    """The empty cell of the valued move, shown by its number."""
    meanings: tuple[Quantity | None, ...] = (None,) * 9
    """The meaning of each cell's move, if valued."""

    def draw(self, columns: int, rows: int, pen: Pen) -> list[Line]:
        canvas = Canvas(columns, rows)
        left, top, cell, tall, gap = self._places(columns, rows)
        lattice(canvas, left, top, cell, tall, gap, pen)
        for index in range(9):
            row, column = divmod(index, 3)
            x, y = left + column * (cell + 1), top + row * (tall + gap)
            self._cell(canvas, (x, y, cell, tall), index, pen)
        return canvas.lines()

    def _places(self, columns: int, rows: int) -> tuple[int, int, int, int, int]:
        """Return left and top of the first cell, columns and rows of each, and the rows between
        two: spaced if there is room, and larger with more.
        """
        gap = int(rows >= SPACED)
        broadest = max(1, (columns - 2) // 3)
        tall = max(1, min((rows - 2 * gap) // 3, (broadest + 1) // 2))
        cell = min(broadest, 2 * tall + 5) if tall > 1 else max(1, min(6, (columns - 4) // 3))
        cell -= tall > 1 and cell % 2 == 0  # a number stands in the middle
        top = int(rows > 3 * (tall + gap))
        return max(0, (columns - 3 * cell - 2) // 2), top, cell, tall, gap

    def _cell(self, canvas: Canvas, place: tuple[int, int, int, int], index: int, pen: Pen) -> None:
        mark, means, (x, y, cell, tall) = self.cells[index], self.meanings[index], place
        selected = self.has(means)
        lit = index in self.moved or index == self.placed
        ink = {"X": "x_strong", "O": "o_strong"}.get(mark, "faint")
        text = mark.replace(".", " ")
        ground = " on selection" if lit and pen.paints else ""
        if index == self.placed:
            text, ink, ground = str(index + 1), "key", " on selection"
        elif selected:
            text = str(index + 1)

        def style(role: str) -> str:
            return Meant(f"{role}{ground}", (means,))

        canvas.fill(x, y, cell, tall, style("text"))
        is_drawn = text in "XO" and tall > 1
        if is_drawn:
            draw_mark(canvas, mark, x, y, cell, tall, pen, style(ink))
        y += tall // 2
        if not is_drawn:
            canvas.put(x + cell // 2, y, text, style("picked key" if selected else ink))
        if selected and cell >= 3:
            pointer, role = self.pointer(pen, True)
            canvas.put(x + cell // 2 - 1, y, pointer, style(role))
        if lit and not pen.paints and cell >= 5 - 2 * (not selected):
            canvas.put(x, y, "[", style(ink))
            canvas.put(x + cell - 1, y, "]", style(ink))


NARROWEST = 11
WIDEST = 28
"""Columns of a board in a row of boards."""
SIZES = (11, 8, 5, 3)
"""Rows of such a board."""


@dataclass(frozen=True, kw_only=True)
class BoardRow(Block):
    """Boards side by side under their names, above their values; without room, the newest."""

    boards: Sequence[SmallBoard]
    values: Sequence[Sequence[str]]
    """The values of each board, as they are written."""

    def room(self, columns: int, pen: Pen) -> Room:
        return Room(4 + self._below, 12 + self._below)

    @property
    def _below(self) -> int:
        return max(map(len, self.values))

    def draw(self, columns: int, rows: int, pen: Pen) -> list[Line]:
        many = max(1, min(len(self.boards), columns // NARROWEST))
        wide, room = min(WIDEST, columns // many), rows - 1 - self._below
        high = next(size for size in SIZES if size <= room or size == SIZES[-1])
        top = max(0, room - high) // 2
        lines: list[Line] = [blank((columns - many * wide) // 2)] * rows
        for board, values in list(zip(self.boards, self.values, strict=True))[-many:]:
            body: list[Line] = [EMPTY] * top + [
                (pen.piece(f"{joined(board.title):^{wide}}", "key"),)
            ]
            drawn = board.draw(wide - 2, high, pen)
            body += [(*blank(1), *fit(line, wide - 1)) for line in drawn]
            body += [(pen.piece(f"{value:^{wide}}", "strong"),) for value in values]
            body += [EMPTY] * rows
            lines = [(*line, *fit(more, wide)) for line, more in zip(lines, body, strict=False)]
        return lines

    def say(self) -> Iterator[str]:
        for board, values in zip(self.boards, self.values, strict=True):
            said = board_words(Board.parse(board.cells))
            yield spoken(f"{joined(board.title)}: {said} {', '.join(values)}".rstrip(" .") + ".")
