"""The board: nine cells with marks, or with what the learner thinks of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from rich.style import Style
from textual import events
from textual.message import Message

from tui.theme.canvas import Canvas
from tui.theme.glyphs import Glyphs
from tui.theme.look import Line, crop, width, wrap
from tui.theme.numerals import decimals
from tui.views.lab import BoardView, CellView
from tui.views.words import Words
from tui.widgets.pane import Pane


class Grid(NamedTuple):
    """Where the nine cells lie within a pane."""

    x: int
    y: int
    columns: int
    """Of one cell."""
    rows: int
    gap: int
    """Blank rows between cells; the columns between them are always one."""

    def corner(self, index: int) -> tuple[int, int]:
        """The upper left corner of a cell."""
        row, column = divmod(index, 3)
        return self.x + column * (self.columns + 1), self.y + row * (self.rows + self.gap)

    def cell_at(self, x: int, y: int) -> int | None:
        for index in range(9):
            left, top = self.corner(index)
            if left <= x < left + self.columns and top <= y < top + self.rows:
                return index
        return None


def grid_of(columns: int, rows: int, messages: int) -> Grid:
    """The largest well-proportioned grid inside a frame of this size, above the message rows."""
    inside, height = columns - 2, rows - 2 - (messages + 1 if messages else 0)
    gap = 1 if height >= 5 else 0
    cell_rows = max(1, (height - 2 * gap) // 3)
    cell_columns = max(1, min((inside - 2) // 3, max(7, 2 * cell_rows + 4)))
    cell_rows = min(cell_rows, max(1, (cell_columns + 1) // 2))
    x = 1 + (inside - 3 * cell_columns - 2) // 2
    y = 1 + max(0, height - 3 * cell_rows - 2 * gap) // 2
    return Grid(x, y, cell_columns, cell_rows, gap)


class BoardPane(Pane[BoardView]):
    """Nine cells; a click on one posts `CellClicked`."""

    @dataclass
    class CellClicked(Message):
        cell: int
        """0-8, row by row."""

    def lines(self, view: BoardView, columns: int, rows: int) -> list[Line]:
        """The frame, the cells, and the messages below them or in the lower border."""
        messages, footer = self._messages(view, columns, rows)
        grid = grid_of(columns, rows, len(messages))
        canvas = Canvas(columns - 2, rows - 2)
        self._lattice(canvas, grid)
        for index, cell in enumerate(view.cells):
            self._cell(canvas, grid, index, cell)
        for row, message in enumerate(messages):
            canvas.line(1, rows - 2 - len(messages) + row, message)
        return self.framed(view, columns, rows, canvas.lines(), footer=footer, air=0)

    def on_click(self, event: events.Click) -> None:
        if self.view is None:
            return
        messages, _ = self._messages(self.view, *self.size)
        index = grid_of(*self.size, len(messages)).cell_at(event.x, event.y)
        if index is not None:
            self.post_message(self.CellClicked(index))

    def _messages(self, view: BoardView, columns: int, rows: int) -> tuple[list[Line], Words]:
        """The message lines below the board, or else the words for the lower border."""
        lines = [
            line
            for words in view.messages
            for line in wrap(self.look.line(words, "dim"), columns - 4)
        ]
        if lines and rows - 3 - len(lines) < 11:
            return [], view.messages[0]
        return lines, ""

    def _lattice(self, canvas: Canvas, grid: Grid) -> None:
        """Lines between the cells, where no background tells them apart."""
        look = self.look
        if look.palette.paints:
            return
        down, across, both = (look.glyphs.cell(part) for part in "│─┼")
        left, top = grid.x - 1, grid.y - 1
        height = 3 * grid.rows + 2 * grid.gap
        for column in (grid.columns, 2 * grid.columns + 1):
            for y in range(height):
                canvas.put(left + column, top + y, down, look.palette.faint)
        if grid.gap:
            piece = across * grid.columns
            for row in (grid.rows, 2 * grid.rows + 1):
                canvas.put(left, top + row, both.join((piece,) * 3), look.palette.faint)

    def _cell(self, canvas: Canvas, grid: Grid, index: int, cell: CellView) -> None:
        x, y = grid.corner(index)
        x, y = x - 1, y - 1
        if cell.mark:
            self._mark(canvas, grid, x, y, cell)
        elif cell.beads is not None:
            self._beads(canvas, grid, x, y, cell)
        else:
            self._value(canvas, grid, x, y, cell)
        if cell.cursor:
            self._cursor(canvas, grid, x, y)

    def _mark(self, canvas: Canvas, grid: Grid, x: int, y: int, cell: CellView) -> None:
        palette = self.look.palette
        mine = palette.x_strong if cell.mark == "X" else palette.o_strong
        chosen = cell.winning or (cell.last and palette.paints)
        ground = palette.selection if chosen else palette.cell
        style = palette.selected(mine) if chosen else ground + mine
        canvas.fill(x, y, grid.columns, grid.rows, ground)
        art = big_mark(cell.mark, grid.columns, grid.rows, self.look.glyphs) or [cell.mark]
        left = x + (grid.columns - len(art[0]) + 1) // 2
        top = y + (grid.rows - len(art)) // 2
        for row, text in enumerate(art):
            canvas.put(left, top + row, text, style)
        if cell.last and grid.columns >= 3:
            canvas.put(x, y, cell.label[:1], style)
        if cell.note and grid.rows >= 3:
            self._note(canvas, grid, x, y, cell, ground)

    def _value(self, canvas: Canvas, grid: Grid, x: int, y: int, cell: CellView) -> None:
        palette = self.look.palette
        heat = None if cell.faded else cell.heat
        strong, dim = palette.heated(heat), palette.heated(heat, dim=True)
        canvas.fill(x, y, grid.columns, grid.rows, dim)
        text = decimals(cell.value)[: grid.columns] if cell.value is not None else ""
        if grid.rows > 1 or not text:
            canvas.put(x, y, cell.label[:2], dim)
        elif grid.columns >= 6:
            canvas.put(x, y, cell.label[:1], dim)
        style = dim if cell.faded else strong if cell.best else _light(strong)
        if cell.changed:
            style = palette.ground + palette.written
        middle = y + (grid.rows - 1) // 2
        left = x + (grid.columns - len(text) + 1) // 2
        canvas.put(left, middle, text, style)
        if cell.best:
            star = self.look.glyphs.cell("★")
            after = left + len(text) + 1
            roomy = after < x + grid.columns
            canvas.put(
                after if roomy else x + grid.columns - 1, middle if roomy else y, star, strong
            )
        if cell.note and grid.rows >= 2:
            self._note(canvas, grid, x, y, cell, palette.ground)

    def _beads(self, canvas: Canvas, grid: Grid, x: int, y: int, cell: CellView) -> None:
        """Beads in rows, as many as there is room for, and their number."""
        look, palette = self.look, self.look.palette
        ground = palette.cell
        canvas.fill(x, y, grid.columns, grid.rows, ground)
        count = cell.beads or 0
        number = f"{count:,}"
        if grid.rows == 1:
            text = f"{cell.label[:1]} {look.glyphs.cell('●')}{number}"
            canvas.put(x, y, text[: grid.columns], ground + palette.bead(cell.colour))
            return
        canvas.put(x, y, cell.label[:2], ground + palette.dim)
        across = max(1, grid.columns - 3)
        rows = max(1, grid.rows - 1 - (1 if grid.rows >= 3 else 0))
        style = ground + palette.bead(cell.colour)
        left = min(count, across * rows)
        for row in range(rows):
            piece = look.glyphs.cell("●") * min(left, across)
            canvas.put(x + 2, y + row, piece, style)
            left -= len(piece)
        bottom = y + grid.rows - 1
        strong = ground + (palette.strong if cell.best else palette.text)
        canvas.put(x + 1, bottom if grid.rows >= 3 else y + 1, number, strong)
        note = look.line(cell.note, "dim")
        room = grid.columns - len(number) - 2
        if width(note) < room:
            place = x + grid.columns - 1 - width(note)
            canvas.line(place, bottom, tuple((text, ground + own) for text, own in note))
        if cell.best and grid.columns >= 3:
            canvas.put(x + grid.columns - 1, y, look.glyphs.cell("★"), ground + palette.better)

    def _note(
        self, canvas: Canvas, grid: Grid, x: int, y: int, cell: CellView, ground: Style
    ) -> None:
        """The cell's second line, on the ground of the pane so that its colours can be read."""
        line = crop(self.look.line(cell.note, "dim"), grid.columns)
        bottom = y + grid.rows - 1
        canvas.fill(x, bottom, grid.columns, 1, ground)
        left = x + (grid.columns - width(line) + 1) // 2
        canvas.line(left, bottom, tuple((text, ground + style) for text, style in line))

    def _cursor(self, canvas: Canvas, grid: Grid, x: int, y: int) -> None:
        """Brackets around a cell: corners where it is high enough."""
        look = self.look
        right, bottom = x + grid.columns - 1, y + grid.rows - 1
        places: tuple[tuple[int, int, str], ...]
        if grid.rows < 3:
            middle = y + (grid.rows - 1) // 2
            places = ((x, middle, "["), (right, middle, "]"))
        else:
            places = ((x, y, "┌"), (right, y, "┐"), (x, bottom, "└"), (right, bottom, "┘"))
        for column, row, glyph in places:
            canvas.over(column, row, look.glyphs.cell(glyph), look.palette.key)


def _light(style: Style) -> Style:
    return style + Style(bold=False)


def big_mark(mark: str, columns: int, rows: int, glyphs: Glyphs) -> list[str] | None:
    """The rows of a mark that fills a cell of this size; None if it is too small for one."""
    size = min(rows, (columns + 1) // 2 if columns < 14 else columns // 2 - 1)
    size -= 1 - size % 2
    if size < 3 or columns < 7:
        return None
    return _cross(size, glyphs) if mark == "X" else _ring(size, columns, glyphs)


def _cross(size: int, glyphs: Glyphs) -> list[str]:
    down, up, middle = (glyphs.cell(part) for part in "╲╱╳")
    lines: list[str] = []
    for row in range(size):
        cells = [" "] * size
        cells[row], cells[size - 1 - row] = (middle, middle) if 2 * row == size - 1 else (down, up)
        lines.append("".join(cells))
    return lines


def _ring(size: int, columns: int, glyphs: Glyphs) -> list[str]:
    corners = [glyphs.cell(part) for part in "╭╮╰╯"]
    across, down = glyphs.cell("─"), glyphs.cell("│")
    outside = min(2 * size - 2, columns - 2)
    outside += (outside - columns) % 2 * (1 if outside + 1 <= columns - 2 else -1)
    inside = outside - 2
    middle = [down + " " * inside + down] * (size - 2)
    return [
        corners[0] + across * inside + corners[1],
        *middle,
        corners[2] + across * inside + corners[3],
    ]
