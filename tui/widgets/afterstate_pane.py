"""A small board with its value: one state of an update."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from rich.style import Style

from tui.blocks.canvas import big_mark
from tui.theme.canvas import Canvas
from tui.theme.look import Line, crop, width
from tui.theme.numerals import decimals
from tui.views.update import AfterstateView, ValueView
from tui.widgets.pane import SelectablePane, Zone

LARGE = 3
"""Rows of a cell from which on its mark is drawn."""


class Places(NamedTuple):
    """Where a board and its values lie inside a frame."""

    left: int
    top: int
    cell: int
    """Columns of a cell; there is one between two."""
    tall: int
    """Rows of a cell."""
    gap: int
    """Rows between cells."""
    bottom: int
    """The row of the values."""

    def corner(self, index: int) -> tuple[int, int]:
        row, column = divmod(index, 3)
        return self.left + column * (self.cell + 1), self.top + row * (self.tall + self.gap)


def places_of(view: AfterstateView, columns: int, rows: int) -> Places:
    """The places inside a frame of this size, spaced where there is room; with more, larger."""
    inside, height = columns - 2, max(0, rows - 2)
    below = 2 if height >= 5 else 1 if view.values else 0
    spaced = height - below >= 6
    gap = 1 if spaced else 0
    broadest = max(1, (inside - 2) // 3)
    tall = min((height - below - 2 * gap) // 3, (broadest + 1) // 2)
    tall -= 1 - tall % 2
    if spaced and tall >= LARGE:
        cell = min(broadest, 2 * tall + 4)
    else:
        tall, cell = 1, max(1, min(6, (inside - 4) // 3))
    left = max(0, (inside - 3 * cell - 2) // 2)
    high = 3 * tall + 2 * gap
    top = 1 if height - below > high + gap else 0
    bottom = height - below
    if spaced:
        bottom = min(bottom, top + high + 2)
    return Places(left, top, cell, tall, gap, bottom)


class AfterstatePane(SelectablePane[AfterstateView]):
    """Nine cells, the ones played last lit, and the values below."""

    def lines(self, view: AfterstateView, columns: int, rows: int) -> list[Line]:
        canvas = Canvas(columns - 2, rows - 2)
        places = places_of(view, columns, rows)
        for index in range(9):
            self._cell(canvas, places, view, index)
        left = max(0, places.left - 1) if places.tall > 1 else 0
        room = canvas.columns - 1 - left
        if view.values:
            canvas.line(left, places.bottom, crop(self._values(view, room), room))
        if view.note:
            canvas.line(left + 1, places.bottom + 1, self._note(view, room - 1))
        return self.framed(view, columns, rows, canvas.lines(), air=0)

    def zones(self, view: AfterstateView, columns: int, rows: int) -> list[Zone]:
        """The cells, and the first value with its row."""
        places = places_of(view, columns, rows)
        found: list[Zone] = []
        for index, quantity in enumerate(view.quantities):
            x, y = places.corner(index)
            found += (
                Zone(y + 1 + row, x + 1, x + 1 + places.cell, quantity)
                for row in range(places.tall)
            )
        quantities = [value.quantity for value in view.values if value.quantity is not None]
        return [
            *found,
            *(Zone(places.bottom + 1, 0, columns, quantity) for quantity in quantities[:1]),
        ]

    def _cell(self, canvas: Canvas, places: Places, view: AfterstateView, index: int) -> None:
        look, palette = self.look, self.look.palette
        mark, cell, tall = view.cells[index], places.cell, places.tall
        x, y = places.corner(index)
        lit = index in view.moved
        ground = palette.selection if lit and palette.paints else palette.cell
        style = ground + self._mark_style(mark)
        text = mark if mark in "XO" else look.glyphs.cell("·")
        selected = index in view.selected
        if index == view.chosen:
            text, style = str(index + 1), palette.selected(palette.key)
            ground, lit = palette.selection, True
        elif selected:
            text = str(index + 1)
        canvas.fill(x, y, cell, tall, ground)
        art = big_mark(mark, cell, tall, look.glyphs) if text in "XO" else None
        for row, line in enumerate(art or ()):
            canvas.put(x + (cell - len(line) + 1) // 2, y + row, line, style)
        y += tall // 2
        if art is None:
            canvas.put(x + cell // 2, y, text, self.picked(style, selected))
        if selected and cell >= 3:
            pointer, pointer_style = self.pointer(True)
            canvas.put(x + cell // 2 - 1, y, pointer, ground + pointer_style)
        if lit and not palette.paints and cell >= 5 - 2 * (not selected):
            canvas.put(x, y, "[", style)
            canvas.put(x + cell - 1, y, "]", style)

    def _note(self, view: AfterstateView, columns: int) -> Line:
        """The note, without its first pieces where there is no room for them."""
        line = self.look.line(view.note, "dim")
        while len(line) > 1 and width(line) > columns:
            line = line[1:]
        return crop(line, columns)

    def _mark_style(self, mark: str) -> Style:
        palette = self.look.palette
        return {"X": palette.x_strong, "O": palette.o_strong}.get(mark, palette.faint)

    def _values(self, view: AfterstateView, columns: int) -> Line:
        """As many decimals as fit; else the first label gives way, then the last number."""
        least = min(view.places, 3)
        for places in range(view.places, least - 1, -1):
            line = self._row(view.values, places)
            if width(line) <= columns:
                return line
        values = (replace(view.values[0], label=""), *view.values[1:])
        while values and width(self._row(values, least)) > columns:
            values = values[:-1]
        return self._row(values, least)

    def _row(self, values: tuple[ValueView, ...], places: int) -> Line:
        line: Line = ()
        for value in values:
            most = min(value.places, 5 if line else 9)
            line = (*line, *self._value(value, min(places, most), bool(line)))
        return line

    def _value(self, value: ValueView, places: int, is_later: bool) -> Line:
        """A value with its label, after a gap that the pointer may stand in."""
        style = self.look.palette.style(value.role)
        text = self.look.glyphs.text(decimals(value.value, places))
        return (
            self.look.piece(" " if is_later else "", "dim"),
            self.pointer(value.selected),
            self.look.piece(f"{value.label} " if value.label else "", "dim"),
            (text, self.picked(style, value.selected)),
        )
