"""One entry of the table: its board, its numbers as bars, and its images by symmetry."""

from __future__ import annotations

from typing import Final

from tui.theme.look import Line, blank, fit, width
from tui.views.table import BarView, EntryView
from tui.widgets.bars import bar
from tui.widgets.pane import Pane

BOARD: Final = 11
"""Columns of the board and what sets it off."""


class EntryPane(Pane[EntryView]):
    """The board with a few facts beside it, bars on one scale, and the symmetry class."""

    def lines(self, view: EntryView, columns: int, rows: int) -> list[Line]:
        """The frame and its parts; the last images give way, then the lines between."""
        look = self.look
        inside = columns - 4
        parts: list[list[Line]] = [
            self._board(view),
            [self._bar(one, inside) for one in view.bars],
            [look.line(view.moves)] if view.moves else [],
            [look.line(view.head), *(look.line(words) for words in view.images)],
        ]
        parts = [part for part in parts if part]
        room = rows - 2 - sum(map(len, parts))
        aired = sorted(range(1, len(parts)), key=lambda part: (part < len(parts) - 1, part))
        body: list[Line] = []
        for number, part in enumerate(parts):
            body += [(), *part] if number in aired[: max(0, room)] else part
        if len(body) > rows - 2:
            hidden = len(body) - (rows - 2) + 1
            body = [*body[: rows - 3], look.line(((f"{hidden} more", "dim"),))]
        return self.framed(view, columns, rows, body, footer=view.footer)

    def _board(self, view: EntryView) -> list[Line]:
        """Three lines, each with a fact beside it."""
        look, palette = self.look, self.look.palette
        lines: list[Line] = []
        for row in range(3):
            line: Line = ()
            for column in range(3):
                cell = 3 * row + column
                mark = view.cells[cell]
                role = {"X": "x_strong", "O": "o_strong"}.get(mark, "faint")
                text = mark if mark in "XO" else look.glyphs.cell("·")
                style = palette.style(role)
                if cell == view.lit:
                    piece = ((f"[{look.glyphs.cell('×')}]", palette.key),)
                else:
                    piece = ((f" {text} ", style),)
                line = (*line, *piece)
            line = (*line, *blank(BOARD - width(line)))
            fact = view.facts[row] if row < len(view.facts) else ""
            lines.append((*line, *look.line(fact)))
        return lines

    def _bar(self, view: BarView, inside: int) -> Line:
        look = self.look
        line: Line = (
            look.piece(f"{view.label:<2} ", "dim"),
            look.piece(f"{view.number:>7} ", view.role if view.role == "truth" else "text"),
        )
        room = inside - width(line)
        drawn = bar(view.share, room, look.palette.style(view.role), look.glyphs)
        return (*line, *fit(drawn, max(0, room)))
