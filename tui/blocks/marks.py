"""A drawn board: solid marks on a grid of lines."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from itertools import groupby
from math import hypot
from operator import itemgetter
from typing import NamedTuple

from afterstate_lab.game.constants import LINES
from afterstate_lab.tui.blocks.canvas import Canvas
from afterstate_lab.tui.blocks.span import Pen, Piece

HALVES = " ▀▄█"


@cache
def solid(mark: str, columns: int, rows: int) -> tuple[str, ...]:
    """Return the rows of a mark in half blocks: two strokes, or a ring."""
    stroke = 0.26 if rows > 3 else 0.30
    inner, outer = (0.70, 1.05) if rows < 3 else (0.58, 1.12) if rows < 5 else (0.66, 1.12)

    def is_on(column: int, half: int) -> bool:
        across = abs((column + 0.5) / columns * 2 - 1)
        down = abs((half + 0.5) / rows - 1)
        if mark == "X":
            return abs(across - down) < stroke
        return inner < hypot(across, down) <= outer

    return tuple(
        "".join(
            HALVES[is_on(column, 2 * row) + 2 * is_on(column, 2 * row + 1)]
            for column in range(columns)
        )
        for row in range(rows)
    )


STROKES = {
    "X": {2: (" \\ / ", " / \\ "), 3: (" \\   / ", "   X   ", " /   \\ ")},
    "O": {2: ("/---\\", "\\---/"), 3: (" .---. ", "(     )", " '---' ")},
}
"""Marks in ASCII, by their rows."""


class Size(NamedTuple):
    """Columns and rows of a mark, and the blank columns on both sides of it."""

    columns: int = 5
    rows: int = 2
    air: int = 0

    @property
    def wide(self) -> int:
        return 3 * (self.columns + 2 * self.air) + 2

    @property
    def gap(self) -> int:
        """The rows of the lines between two cells."""
        return int(self.rows > 1)

    @property
    def high(self) -> int:
        return 3 * self.rows + 2 * self.gap


LETTERS = Size(1, 1)
"""The smallest board, with letters as marks."""


def in_a_row(board: str, move: int | None = None, *, is_dim: bool = False) -> tuple[Piece, ...]:
    """Return a board of nine characters in one row, `X·O│·5·│··O`, with a move as its number."""
    shown: list[Piece] = []
    for cell, mark in enumerate(board):
        shown += [("│", "faint")] * (cell in (3, 6))
        is_empty = mark == "." and cell != move
        role = "faint" if is_empty else "dim" if is_dim else "key" if cell == move else mark.lower()
        shown.append((str(cell + 1) if cell == move else mark.replace(".", "·"), role))
    alike = groupby(shown, key=itemgetter(1))
    return tuple(("".join(text for text, _ in pieces), role) for role, pieces in alike)


def won_lines(cells: Sequence[str]) -> list[tuple[int, ...]]:
    """Return the lines that are won on a board of nine marks."""
    return [line for line in LINES if {cells[cell] for cell in line} in ({"X"}, {"O"})]


def winning(cells: Sequence[str]) -> set[int]:
    """Return the cells of the lines that are won."""
    return {cell for line in won_lines(cells) for cell in line}


def strike(
    canvas: Canvas, start: tuple[int, int], end: tuple[int, int], part: float, pen: Pen
) -> None:
    """Draw a part of the line through the marks from one cell's middle to another's."""
    (x, y), (wide, high) = start, (end[0] - start[0], end[1] - start[1])
    slope = "━" if not high else "┃" if not wide else "\\" if wide > 0 else "/"
    is_fine = bool(wide and high) and pen.glyphs.name != "ascii"
    steps = abs(high) if high and not is_fine else max(abs(wide), 2 * abs(high))
    beyond = steps // 7
    for step in range(-beyond, round(part * (steps + 2 * beyond)) - beyond + 1):
        half = round(2 * high * step / steps) + is_fine
        glyph = HALVES[1 + half % 2] if is_fine else slope
        place = x + round(wide * step / steps), y + half // 2
        canvas.overlay(*place, pen.glyphs.cell(glyph), "strong", under=("x_", "o_"))


def fitting(columns: int, rows: int) -> Size | None:
    """Return the largest mark in a cell; None for a letter."""
    high = min(rows, (columns - 1) // 2)
    return Size(2 * high + 1, high) if high > 1 else None


def is_thin(size: Size | None, pen: Pen) -> bool:
    """Return whether a mark is drawn in strokes too thin to fade."""
    return size in (None, LETTERS) or pen.glyphs.name == "ascii"


def draw_mark(
    canvas: Canvas, mark: str, x: int, y: int, columns: int, rows: int, pen: Pen, role: str
) -> None:
    """Draw a mark in the middle of a cell."""
    size = fitting(columns, rows) if mark in "XO" else None
    drawn = [mark] if size is None else art(mark, size, pen)
    left = x + (columns - len(drawn[0]) + 1) // 2
    for row, text in enumerate(drawn, y + (rows - len(drawn)) // 2):
        canvas.put(left, row, text, role)


def lattice(
    canvas: Canvas, x: int, y: int, columns: int, rows: int, gap: int, pen: Pen, role: str = "faint"
) -> None:
    """Draw the lines between nine cells of a size."""
    down, across, both = (pen.glyphs.cell(part) for part in "│─┼")
    for column in (columns, 2 * columns + 1):
        for row in range(3 * rows + 2 * gap):
            canvas.put(x + column, y + row, down, role)
    for row in (rows, 2 * rows + gap) if gap else ():
        canvas.put(x, y + row, both.join((across * columns,) * 3), role)


def draw_board(
    canvas: Canvas,
    x: int,
    y: int,
    cells: str,
    size: Size,
    pen: Pen,
    role: Callable[[int], str],
    grid: str = "faint",
) -> None:
    """Draw a board of nine characters; `role` gives the role of each mark by its cell."""
    wide = size.columns + 2 * size.air
    lattice(canvas, x, y, wide, size.rows, size.gap, pen, grid)
    for cell, mark in enumerate(cells):
        if mark in "XO":
            row, column = divmod(cell, 3)
            for part, text in enumerate(art(mark, size, pen)):
                left = x + column * (wide + 1) + size.air
                canvas.put(left, y + row * (size.rows + size.gap) + part, text, role(cell))


def art(mark: str, size: Size, pen: Pen) -> Sequence[str]:
    if size == LETTERS:
        return (mark,)
    if pen.glyphs.name != "ascii":
        return solid(mark, size.columns, size.rows)
    return STROKES[mark].get(size.rows) or [
        text.replace("█", "#").replace("▀", "'").replace("▄", ".")
        for text in solid(mark, size.columns, size.rows)
    ]
