"""A window of a table, one row of it selected."""

from __future__ import annotations

from dataclasses import dataclass

from textual import events
from textual.message import Message

from tui.theme.look import Line, blank, fit, width, wrap
from tui.views.table import ColumnView, TableView
from tui.views.words import Words
from tui.widgets.pane import Pane

ABOVE = 2
"""Lines above the first row: the border and the titles."""


class TablePane(Pane[TableView]):
    """Titles and rows; columns give way by their rank where there is no room for all."""

    @dataclass
    class RowChosen(Message):
        """A row was clicked."""

        row: int
        """Its number in the window."""

    @dataclass
    class Scrolled(Message):
        """The wheel was turned."""

        by: int
        """Rows, down or up."""

    def lines(self, view: TableView, columns: int, rows: int) -> list[Line]:
        """The frame, the titles and the rows."""
        inside = columns - 2
        kept = self._kept(view.columns, inside - 1)
        body: list[Line] = []
        if kept:
            body.append((*blank(1), *self._titles(view.columns, kept)))
        if view.message:
            said = self.look.line(view.message, "dim")
            body += [(*blank(1), *line) for line in wrap(said, inside - 2)]
        for number, cells in enumerate(view.rows):
            body.append(self._row(view, kept, cells, inside, number == view.cursor))
        return self.framed(view, columns, rows, body, footer=view.footer, air=0)

    def on_click(self, event: events.Click) -> None:
        """Say which row is under the pointer."""
        row = event.y - ABOVE
        if self.view is not None and 0 <= row < len(self.view.rows):
            self.post_message(self.RowChosen(row))

    def on_mouse_scroll_down(self) -> None:
        """Say that the wheel was turned down."""
        self.post_message(self.Scrolled(3))

    def on_mouse_scroll_up(self) -> None:
        """Say that the wheel was turned up."""
        self.post_message(self.Scrolled(-3))

    def _kept(self, columns: tuple[ColumnView, ...], room: int) -> list[int]:
        """The numbers of the columns for which there is room, from left to right."""
        kept: list[int] = []
        for number in sorted(range(len(columns)), key=lambda number: columns[number].rank):
            if columns[number].width < room:
                room -= columns[number].width + 1
                kept.append(number)
        return sorted(kept)

    def _titles(self, columns: tuple[ColumnView, ...], kept: list[int]) -> Line:
        line: Line = ()
        for number in kept:
            column = columns[number]
            words = ((column.title, "dim"), (column.sorted, "key"))
            line = (*line, *self._fitted(words, column), *blank(1))
        return line

    def _row(
        self, view: TableView, kept: list[int], cells: tuple[Words, ...], inside: int, is_on: bool
    ) -> Line:
        line: Line = (self.look.piece("▸" if is_on else " ", "key"),)
        for number in kept:
            line = (*line, *self._fitted(cells[number], view.columns[number]), *blank(1))
        line = fit(line, inside)
        return self.look.select(line) if is_on else line

    def _fitted(self, words: Words, column: ColumnView) -> Line:
        line = self.look.line(words)
        if width(line) > column.width:
            return fit(line, column.width)
        return fit(line, column.width, "left" if column.left else "right")
