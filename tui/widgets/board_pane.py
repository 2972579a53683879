"""The board: nine cells with marks, or with what the learner thinks of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple

from rich.style import Style
from textual import events
from textual.message import Message

from tui.blocks.canvas import big_mark
from tui.theme.canvas import Canvas
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


def caption_rows(rows: int) -> int:
    """The rows below the board that are kept free for what is said about it."""
    height = rows - 2
    spare = (height - 2) % 3 if height >= 5 else 0
    return spare or (1 if height >= 14 else 0)


def grid_of(columns: int, rows: int) -> Grid:
    """The largest well-proportioned grid inside a frame of this size, above the caption."""
    inside, height = columns - 2, rows - 2 - caption_rows(rows)
    gap = 1 if height >= 5 else 0
    cell_rows = max(1, (height - 2 * gap) // 3)
    cell_columns = max(1, min((inside - 2) // 3, max(7, 2 * cell_rows + 4)))
    cell_rows = min(cell_rows, max(1, (cell_columns + 1) // 2))
    x = 1 + (inside - 3 * cell_columns - 2) // 2
    y = 1 + max(0, height - 3 * cell_rows - 2 * gap) // 2
    return Grid(x, y, cell_columns, cell_rows, gap)


UNITS: Final = tuple(nice * int(10**power) for power in range(20) for nice in (1, 2, 5))


def beads_a_mark(view: BoardView, grid: Grid) -> int:
    """How many beads a mark stands for, so that the fullest cell has room for them; 0 without."""
    counts = [cell.beads for cell in view.cells if cell.beads is not None]
    if not counts or grid.rows < 2:
        return 0
    across, down = room_for_beads(grid)
    return next(unit for unit in UNITS if unit * across * down >= max(counts))


def room_for_beads(grid: Grid) -> tuple[int, int]:
    """Columns and rows of marks in a cell, beside its label and above its number."""
    return max(1, grid.columns - 3), max(1, grid.rows - 1)


class BoardPane(Pane[BoardView]):
    """Nine cells; a click on one posts `CellClicked`."""

    @dataclass
    class CellClicked(Message):
        cell: int
        """0-8, row by row."""

    def lines(self, view: BoardView, columns: int, rows: int) -> list[Line]:
        """The frame, the cells, and the messages below them or in the lower border."""
        grid = grid_of(columns, rows)
        messages, footer = self._messages(view, columns, rows)
        footer = footer or self._scale(view, grid)
        unit = beads_a_mark(view, grid)
        canvas = Canvas(columns - 2, rows - 2)
        self._lattice(canvas, grid)
        for index, cell in enumerate(view.cells):
            self._cell(canvas, grid, index, cell, unit)
        for row, message in enumerate(messages):
            canvas.line(1, rows - 2 - caption_rows(rows) + row, message)
        return self.framed(view, columns, rows, canvas.lines(), footer=footer, air=0)

    def on_click(self, event: events.Click) -> None:
        if self.view is None:
            return
        index = grid_of(*self.size).cell_at(event.x, event.y)
        if index is not None:
            event.prevent_default()
            self.post_message(self.CellClicked(index))

    def _messages(self, view: BoardView, columns: int, rows: int) -> tuple[list[Line], Words]:
        """The lines below the board, or else in the lower border; else the log has the message."""
        free = caption_rows(rows)
        lines = [
            line
            for words in view.messages
            for line in wrap(self.look.line(words, "dim"), columns - 4)
        ]
        if len(lines) > free:
            words = self.look.line(view.messages[0], "dim")
            return [], view.messages[0] if width(words) <= columns - 6 else ""
        return lines, ""

    def _scale(self, view: BoardView, grid: Grid) -> Words:
        """What the backgrounds of the cells mean, or how many beads a mark stands for."""
        palette, scale = self.look.palette, view.scale
        unit = beads_a_mark(view, grid)
        if unit:
            mark = "●" if self.look.has_beads else "letter"
            return f"{mark} = {unit:,} bead{'s' * (unit != 1)}"
        if scale is None or not palette.has_heat:
            return ""
        fill = " " if palette.paints else "█"
        shades = (
            ("=" if place == scale.draw else fill, f"heat {heat:.2f}")
            for place, heat in enumerate(scale.heats)
        )
        low, high = decimals(scale.low), decimals(scale.high)
        return ((f"{low} ", "dim"), *shades, (f" {high}", "dim"))

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

    def _cell(self, canvas: Canvas, grid: Grid, index: int, cell: CellView, unit: int) -> None:
        x, y = grid.corner(index)
        x, y = x - 1, y - 1
        if cell.mark:
            self._mark(canvas, grid, x, y, cell)
        elif cell.beads is not None:
            self._beads(canvas, grid, x, y, cell, unit)
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
        reads = not palette.paints or self.look.glyphs.name == "ascii"
        if cell.rank is not None and reads and grid.rows > 1:
            rank = f"#{cell.rank}"
            canvas.put(x + grid.columns - len(rank), y, rank, dim)
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

    def _beads(self, canvas: Canvas, grid: Grid, x: int, y: int, cell: CellView, unit: int) -> None:
        """Marks of `unit` beads each, one at least for any, and their number."""
        look, palette = self.look, self.look.palette
        is_chosen = cell.drawn or bool(cell.came)

        def styled(style: Style) -> Style:
            return palette.selected(style) if is_chosen else palette.cell + style

        canvas.fill(x, y, grid.columns, grid.rows, styled(Style.null()))
        beads = cell.beads or 0
        number = f"{beads:,}"
        if grid.rows == 1:
            texts = (f"{cell.label[:1]} {look.bead(cell.colour)}{number}", f"{beads}", "")
            text = next(text for text in texts if len(text) <= grid.columns)
            canvas.put(x, y, text, styled(palette.bead(cell.colour)))
            return
        canvas.put(x, y, cell.label[:2], styled(palette.dim))
        across, down = room_for_beads(grid)
        for place, (bead, style) in enumerate(self._marks(cell, unit)[: across * down]):
            canvas.put(x + 2 + place % across, y + place // across, bead, styled(style))
        bottom = y + grid.rows - 1
        strong = palette.strong if cell.best else palette.text
        note = look.line(cell.note, "dim")
        if cell.came:
            told = look.glyphs.text(f"{beads - cell.came:,}→{number}")
            number = told if len(told) < grid.columns else number
            strong = palette.written
        elif cell.drawn:
            said = "drawn " if grid.columns >= len(number) + 10 else ""
            style = palette.bead(cell.colour) + palette.strong
            note = ((said, palette.strong), (look.bead(cell.colour), style))
        left = x + (1 if len(number) < grid.columns else 0)
        canvas.put(left, bottom, number, styled(strong))
        if width(note) < grid.columns - len(number) - 2:
            place = x + grid.columns - 1 - width(note)
            canvas.line(place, bottom, tuple((text, styled(own)) for text, own in note))
        if cell.best and grid.columns >= 3:
            star = look.glyphs.cell("★")
            canvas.put(x + grid.columns - 1, y, star, styled(palette.better))

    def _marks(self, cell: CellView, unit: int) -> list[tuple[str, Style]]:
        """The marks for the beads of a cell, those that came or left the last ones."""
        palette, look, beads = self.look.palette, self.look, cell.beads or 0
        bead, own = look.bead(cell.colour), palette.bead(cell.colour)
        gone = (look.glyphs.cell("·"), palette.text)
        was, left = (max(1, round(n / unit)) if n else 0 for n in (beads - cell.came, beads))
        if cell.drawn and unit == 1:
            return [*[(bead, own)] * (left - 1), gone]
        came = [(bead, own + palette.written)] * (left - was)
        return [*[(bead, own)] * min(was, left), *came, *[gone] * (was - left)]

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
