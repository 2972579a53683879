"""A small board with its value: one state of an update."""

from __future__ import annotations

from rich.style import Style

from tui.canvas import Canvas
from tui.look import Line, crop
from tui.numerals import decimals
from tui.views.update import AfterstateView
from tui.widgets.pane import Pane


class AfterstatePane(Pane[AfterstateView]):
    """Nine small cells, the ones played last lit, and the values below."""

    def lines(self, view: AfterstateView, columns: int, rows: int) -> list[Line]:
        """The frame, the board (spaced where there is room) and the values."""
        look, palette = self.look, self.look.palette
        canvas = Canvas(columns - 2, rows - 2)
        below = 2 if canvas.rows >= 5 else 1 if view.values else 0
        spaced = canvas.rows - below >= 6
        gap = 1 if spaced else 0
        cell = max(1, min(6, (canvas.columns - 4) // 3))
        left = max(0, (canvas.columns - 3 * cell - 2) // 2)
        top = 1 if canvas.rows - below >= 3 * (1 + gap) + 1 else 0
        for index, mark in enumerate(view.cells):
            row, column = divmod(index, 3)
            x, y = left + column * (cell + 1), top + row * (1 + gap)
            lit = index in view.moved
            ground = palette.selection if lit and palette.paints else palette.cell
            style = ground + self._mark_style(mark)
            text = mark if mark in "XO" else look.glyphs.cell("·")
            if index == view.chosen:
                text, style = str(index + 1), palette.selected(palette.key)
                ground, lit = palette.selection, True
            canvas.fill(x, y, cell, 1, ground)
            canvas.put(x + cell // 2, y, text, style)
            if lit and not palette.paints and cell >= 3:
                canvas.put(x, y, "[", style)
                canvas.put(x + cell - 1, y, "]", style)
        bottom = canvas.rows - below
        if spaced and bottom > top + 7:
            bottom = top + 7
        if view.values:
            canvas.line(1, bottom, crop(self._values(view, canvas.columns - 2), canvas.columns - 2))
        if view.note:
            canvas.line(1, bottom + 1, self._note(view, canvas.columns - 2))
        return self.framed(view, columns, rows, canvas.lines(), air=0)

    def _note(self, view: AfterstateView, columns: int) -> Line:
        """The note, without its first pieces where there is no room for them."""
        line = self.look.line(view.note, "dim")
        while len(line) > 1 and sum(len(text) for text, _ in line) > columns:
            line = line[1:]
        return crop(line, columns)

    def _mark_style(self, mark: str) -> Style:
        palette = self.look.palette
        return {"X": palette.x_strong, "O": palette.o_strong}.get(mark, palette.faint)

    def _values(self, view: AfterstateView, columns: int) -> Line:
        """Labels and values with as many decimals as fit."""
        for places in range(view.places, min(view.places, 3) - 1, -1):
            line: Line = ()
            for label, value, role in view.values:
                gap = "  " if line else ""
                line = (
                    *line,
                    self.look.piece(f"{gap}{label} ", "dim"),
                    self.look.piece(decimals(value, min(places, 5) if line else places), role),
                )
            if sum(len(text) for text, _ in line) <= columns:
                break
        return line
