"""Boards: nine cells with marks, or with values and their heat; or drawn, with solid marks."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import cache
from math import hypot
from typing import Any, Final, NamedTuple

from afterstate_lab.game import Board
from afterstate_lab.game.constants import LINES
from afterstate_lab.learners import lean_dataclass
from afterstate_lab.tui.blocks.block import Block, Room
from afterstate_lab.tui.blocks.span import (
    HALVES,
    Canvas,
    Line,
    Pen,
    Piece,
    Words,
    alike,
    crop,
    width,
)
from afterstate_lab.tui.blocks.speech import board_words, joined, spoken
from afterstate_lab.tui.theme.numerals import count_in, decimals

LEAST_SPAN: Final = 0.02
"""The smallest span shown in full contrast, as a share of the span from loss to win."""
SAMPLES: Final = 10
"""Shades of the scale."""
COOLEST: Final = 0.2
"""The most that the coolest of several values on one side of a draw moves towards the draw."""


class HeatScale:
    """The heat of each value of a board: 0 for a draw, 1 or −1 for the value farthest from it.

    If all values are on one side of a draw, their differences get nearly the whole scale; several
    equal values have none.

    Args:
        values: the values on the board, at least one.
        rewards: what a win, a draw and a loss are worth.
    """

    def __init__(self, values: Collection[float], rewards: tuple[float, float, float]) -> None:
        win, self.draw, loss = rewards
        self.low, self.high = min(values), max(values)
        away = [abs(value - self.draw) for value in values]
        is_between = self.low <= self.draw <= self.high
        self._far = max(away)
        near = 0.0 if is_between else min(away)
        least = LEAST_SPAN * abs(win - loss) or LEAST_SPAN
        self._start = min(COOLEST, near / self._far) if self._far else 0.0
        self._span = max(self._far - near, least)
        is_even = len(values) > 1 and self.low == self.high
        self._most = 0.0 if is_even else min(1.0, self._far / least)

    def heat(self, value: float) -> float:
        away = value - self.draw
        if not away:
            return 0.0
        share = 1.0 - (1.0 - self._start) * (self._far - abs(away)) / self._span
        return max(0.0, self._most * share) * (1.0 if away > 0 else -1.0)

    def shades(self) -> list[float]:
        """Return heats from the lowest to the highest value, 0 for a draw; none if all are equal.

        A draw has its place where a sample is nearest to it.
        """
        step = (self.high - self.low) / (SAMPLES - 1)
        draw = round((self.draw - self.low) / step) if step else None
        values = (self.low + place * step for place in range(SAMPLES if step else 0))
        return [0.0 if place == draw else self.heat(v) for place, v in enumerate(values)]


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


class Grid(NamedTuple):
    """The layout of nine cells."""

    x: int
    y: int
    columns: int
    """Columns of a cell."""
    rows: int
    gap: int
    """Blank rows between cells; the columns between them are always one."""

    def corner(self, index: int) -> tuple[int, int]:
        row, column = divmod(index, 3)
        return self.x + column * (self.columns + 1), self.y + row * (self.rows + self.gap)

    @property
    def room_for_beads(self) -> tuple[int, int]:
        """Return columns and rows of marks in a cell, next to its label and above its number."""
        return max(1, self.columns - 3), max(1, self.rows - 1)

    def draw(self, canvas: Canvas) -> None:
        """Draw the lines between the cells."""
        for column in (self.columns, 2 * self.columns + 1):
            for row in range(3 * self.rows + 2 * self.gap):
                canvas.put(self.x + column, self.y + row, "│", "faint")
        for row in (self.rows, 2 * self.rows + self.gap) if self.gap else ():
            canvas.put(self.x, self.y + row, "┼".join(("─" * self.columns,) * 3), "faint")


class Size(NamedTuple):
    """Columns and rows of a mark."""

    columns: int = 5
    rows: int = 2

    @property
    def wide(self) -> int:
        return 3 * self.columns + 2

    @property
    def high(self) -> int:
        return 3 * self.rows + 2 * (self.rows > 1)


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
    return alike(shown)


def won_lines(cells: Sequence[str]) -> list[tuple[int, ...]]:
    """Return the lines that are won on a board of nine marks."""
    return [line for line in LINES if {cells[cell] for cell in line} in ({"X"}, {"O"})]


def winning(cells: Sequence[str]) -> set[int]:
    """Return the cells of the lines that are won."""
    return {cell for line in won_lines(cells) for cell in line}


def strike(canvas: Canvas, grid: Grid, first: int, last: int, pen: Pen) -> None:
    """Draw the line through the marks from one cell's middle to another's."""
    (x, y), (x2, y2) = grid.corner(first), grid.corner(last)
    wide, high = x2 - x, y2 - y
    slope = "━" if not high else "┃" if not wide else "\\" if wide > 0 else "/"
    is_fine = bool(wide and high) and pen.glyphs.name != "ascii"
    steps = abs(high) if high and not is_fine else max(abs(wide), 2 * abs(high))
    beyond = steps // 7
    x, y = x + grid.columns // 2, y + (grid.rows - 1) // 2
    for step in range(-beyond, steps + beyond + 1):
        half = round(2 * high * step / steps) + is_fine
        glyph = HALVES[1 + half % 2] if is_fine else slope
        canvas.strike(x + round(wide * step / steps), y + half // 2, glyph)


def is_thin(size: Size, pen: Pen) -> bool:
    """Return whether a mark is drawn in strokes too thin to fade."""
    return size == LETTERS or pen.glyphs.name == "ascii"


def art(mark: str, size: Size, pen: Pen) -> Sequence[str]:
    """Return the rows of a mark, or a digit."""
    if size == LETTERS or mark not in STROKES:
        return (mark,)
    strokes = STROKES[mark].get(size.rows) if pen.glyphs.name == "ascii" else None
    return strokes or solid(mark, *size)


UNITS: Final = tuple(nice * int(10**power) for power in range(20) for nice in (1, 2, 5))
"""Possible numbers of beads per mark."""


class CellView(NamedTuple):
    mark: str = ""
    """X, O, or the digit of a move that is shown."""
    label: str = ""
    """The key that plays here."""
    value: float | None = None
    """The learner's value of playing here."""
    beads: int | None = None
    """Beads of the cell's colour in the open matchbox, instead of a value."""
    colour: int = 0
    heat: float | None = None
    """−1…1 for the background, 0 for a draw; None leaves it unpainted."""
    note: Words = ""
    """A second line: the exact value, a hint, the share of beads."""
    best: bool = False
    cursor: bool = False
    last: bool = False
    old: bool = False
    """Whether it is not the newest mark, nor part of a win."""
    changed: bool = False
    """Whether its value is being written."""
    faded: bool = False
    """Whether the game is over, so that the value no longer matters."""


SCALED: Final = 24
"""Columns of a board from which on its border has room for the scale."""


def grid_of(columns: int, height: int) -> Grid:
    """Return the largest well-proportioned grid in a frame, a row above its lower border."""
    gap = 1 if height >= 5 else 0
    height -= gap * ((height - 2) % 3) or height >= 14
    cell_rows = max(1, (height - 2 * gap) // 3)
    cell_columns = max(1, min((columns - 2) // 3, max(7, 2 * cell_rows + 4)))
    cell_rows = min(cell_rows, max(1, (cell_columns + 1) // 2))
    x = (columns - 3 * cell_columns - 2) // 2
    y = max(0, height - 3 * cell_rows - 2 * gap) // 2
    return Grid(x, y, cell_columns, cell_rows, gap)


@lean_dataclass(kw_only=True)
class Cells(Block):
    """A board of nine cells, as large as there is room."""

    title: Words = "board"
    cells: Sequence[CellView]
    scale: HeatScale | None = None
    """The scale in the lower border."""
    said: str = ""
    """What to read out instead of the cells."""
    needs = Room(3)

    def draw(self, columns: int, rows: int, pen: Pen) -> list[Line]:
        grid, canvas = grid_of(columns, rows), Canvas(columns, rows)
        grid.draw(canvas)
        unit = self._unit(grid)
        for index, cell in enumerate(self.cells):
            canvas.paste(*grid.corner(index), drawn_cell(cell, grid, unit, pen).lines())
        for first, _, last in won_lines([cell.mark for cell in self.cells]):
            strike(canvas, grid, first, last, pen)
        return canvas.lines()

    def foot(self, columns: int, rows: int, pen: Pen) -> Words:
        """Return the scale."""
        unit, scale = self._unit(grid_of(columns, rows)), self.scale
        if unit:
            mark = "●" if pen.colours else "letter"
            return f"{mark} = {unit:,} bead{'s' * (unit != 1)}"
        if scale is None or not pen.colours or columns < SCALED or not (heats := scale.shades()):
            return ""
        fill = " " if pen.paints else "█"
        shades = ((fill if heat else "=", f"heat {heat:.2f}") for heat in heats)
        low, high = decimals(scale.low), decimals(scale.high)
        return ((f"{low} ", "dim"), *shades, (f" {high}", "dim"))

    def say(self) -> Iterator[str]:
        if self.said:
            yield self.said
            return
        told = []
        for cell in self.cells:
            said = cell.label if cell.value is None else decimals(cell.value).replace("−", "-")
            said = cell.mark or (said if cell.beads is None else f"{cell.beads:,}")
            is_noted = cell.note and not cell.mark
            told.append(f"{said} ({joined(cell.note)})" if is_noted else said)
        yield from ("  ".join(told[row : row + 3]) for row in (0, 3, 6))

    def row_at(self, x: int, y: int, columns: int, rows: int) -> int | None:
        grid = grid_of(columns, rows)
        for cell in range(9):
            left, top = grid.corner(cell)
            if left <= x < left + grid.columns and top <= y < top + grid.rows:
                return cell
        return None

    def _unit(self, grid: Grid) -> int:
        """Return the number of beads per mark, so that the fullest cell fits; 0 without beads."""
        counts = [cell.beads for cell in self.cells if cell.beads is not None]
        if not counts or grid.rows < 2:
            return 0
        across, down = grid.room_for_beads
        return next(unit for unit in UNITS if unit * across * down >= max(counts))


def marked(board: str, *lit: int | None, is_named: bool = True, **more: Any) -> Cells:
    """Return a board of nine characters with its newest marks lit, and moves as their digits.

    `more` are other fields of the block.
    """
    moves = {n: str(n + 1) for n in range(9) if n in lit and board[n] == "."}
    newest = {n for n in range(9) if n in lit and board[n] != "."}
    bright = newest | winning(board) if newest else range(9)
    told = board_words(Board.parse(board)).removesuffix(".")
    return Cells(
        **more,
        said=f"{'; move '.join((told, *moves.values()))}.",
        cells=[
            CellView(
                moves.get(n, mark.strip(".")),
                str(n + 1) if is_named or n in lit else "",
                cursor=n in moves,
                last=n in newest,
                old=n not in bright,
            )
            for n, mark in enumerate(board)
        ],
    )


HEATS: Final = ("heatdim", "heatlight", "heat")
"""Roles of a cell's ground and label, of its number, and of its best number."""
NARROWEST, WIDEST = 11, 28
"""Columns of a board in a row of boards."""
HEIGHTS = (11, 8, 5, 3)
"""Rows of such a board."""


@lean_dataclass(kw_only=True)
class BoardRow(Block):
    """Boards side by side under their names, above their values; without room, the newest."""

    boards: Sequence[Cells]
    values: Sequence[Sequence[str]]
    """The values of each board, as they are written."""

    def room(self, columns: int, pen: Pen) -> Room:
        below = max(map(len, self.values))
        return Room(4 + below, 12 + below)

    def draw(self, columns: int, rows: int, pen: Pen) -> list[Line]:
        many = max(1, min(len(self.boards), columns // NARROWEST))
        wide, room = min(WIDEST, columns // many), rows - 1 - max(map(len, self.values))
        high = next(size for size in HEIGHTS if size <= room or size == HEIGHTS[-1])
        x, top = (columns - many * wide) // 2, max(0, room - high) // 2
        canvas = Canvas(columns, rows)
        for board, values in list(zip(self.boards, self.values, strict=True))[-many:]:
            canvas.line(x, top, (pen.piece(f"{joined(board.title):^{wide}}", "key"),))
            canvas.paste(x + 1, top + 1, board.draw(wide - 2, high, pen))
            for row, value in enumerate(values, top + 1 + high):
                canvas.line(x, row, (pen.piece(f"{value:^{wide}}", "strong"),))
            x += wide
        return canvas.lines()

    def say(self) -> Iterator[str]:
        for board, values in zip(self.boards, self.values, strict=True):
            said = f"{joined(board.title)}: {board.said} {', '.join(values)}"
            yield spoken(f"{said.rstrip(' .')}.")


def drawn_cell(cell: CellView, grid: Grid, unit: int, pen: Pen) -> Canvas:
    """Draw a cell of a board; a mark in a matchbox stands for `unit` beads.

    The cursor is drawn as brackets around it: corners, if it is high enough.
    """
    if cell.mark:
        canvas = drawn_mark(cell, grid, pen)
    elif cell.beads is not None:
        canvas = drawn_beads(cell, cell.beads, grid, unit, pen)
    else:
        canvas = drawn_value(cell, grid, pen)
    right, bottom = grid.columns - 1, grid.rows - 1
    corners = [(0, 0, "┌"), (right, 0, "┐"), (0, bottom, "└"), (right, bottom, "┘")]
    if bottom < 2:
        corners = [(0, bottom // 2, "["), (right, bottom // 2, "]")]
    for column, row, sign in corners if cell.cursor else ():
        if sign not in "└┘" or canvas.is_blank(column, row, 1):  # never over a number
            canvas.put(column, row, sign, "key")
    return canvas


def drawn_mark(cell: CellView, grid: Grid, pen: Pen) -> Canvas:
    canvas, mark = Canvas(grid.columns, grid.rows), cell.mark.lower()
    high = min(grid.rows, (grid.columns - 1) // 2)
    size = Size(2 * high + 1, high) if high > 1 else LETTERS
    bright, old = f"{mark}_strong", mark if is_thin(size, pen) else f"{mark}_old"
    role = "key" if mark.isdecimal() else old if cell.old else bright
    drawn = art(cell.mark, size, pen)
    left, top = (grid.columns - len(drawn[0]) + 1) // 2, (grid.rows - len(drawn)) // 2
    canvas.paste(left, top, [((text, role),) for text in drawn])
    if cell.last and grid.columns >= 3:
        canvas.put(0, 0, cell.label[:1], role)
    if grid.rows >= 3:
        draw_note(canvas, cell.note, pen)
    return canvas


def drawn_value(cell: CellView, grid: Grid, pen: Pen) -> Canvas:
    columns, rows = grid.columns, grid.rows
    dim = light = strong = "dim"
    if not cell.faded:
        light, strong = "text", "strong"
        if cell.heat is not None:
            dim, light, strong = (f"{kind} {cell.heat:.2f}" for kind in HEATS)
    canvas = Canvas(columns, rows, dim)
    text = "" if cell.value is None else decimals(cell.value)[:columns]
    if rows > 1 or not text or columns >= 6:
        canvas.put(0, 0, cell.label[: 1 + (rows > 1 or not text)], dim)
    middle, left = (rows - 1) // 2, (columns - len(text) + 1) // 2
    role = strong if cell.best else light
    canvas.put(left, middle, text, "written" if cell.changed else role)
    if cell.best:
        after = left + len(text) + 1
        place = (after, middle) if after < columns else (columns - 1, 0)
        canvas.put(*place, "★", strong)
    if rows >= 2:
        draw_note(canvas, cell.note, pen)
    return canvas


def drawn_beads(cell: CellView, beads: int, grid: Grid, unit: int, pen: Pen) -> Canvas:
    """Draw marks of `unit` beads each, at least one, and their number."""
    columns, bottom, canvas = grid.columns, grid.rows - 1, Canvas(grid.columns, grid.rows, "text")
    own, bead, number = f"bead {cell.colour}", pen.bead(cell.colour), count_in(beads, columns)
    if not bottom:
        texts = (f"{cell.label[:1]} {bead}{beads:,}", f"{beads}", "")
        canvas.put(0, 0, next(text for text in texts if len(text) <= columns), own)
        return canvas
    canvas.put(0, 0, cell.label[:2], "dim")
    across, down = grid.room_for_beads
    for place in range(min(max(1, round(beads / unit)) if beads else 0, across * down)):
        canvas.put(2 + place % across, place // across, bead, own)
    note = pen.line(cell.note, "dim")
    strong = "strong" if cell.best else "text"
    canvas.put(1 if len(number) < columns else 0, bottom, number, strong)
    if width(note) < columns - len(number) - 2:
        canvas.line(columns - 1 - width(note), bottom, note)
    if cell.best and columns >= 3:
        canvas.put(columns - 1, 0, "★", "better")
    return canvas


def draw_note(canvas: Canvas, note: Words, pen: Pen) -> None:
    """Draw a cell's last line, on the page's ground to keep its colours legible."""
    columns, bottom = canvas.columns, canvas.rows - 1
    if line := crop(pen.line(note, "dim"), columns):
        canvas.put(0, bottom, " " * columns, "text")
        canvas.line((columns - width(line) + 1) // 2, bottom, line)
