"""The backup diagram: the states of a game, and which was backed up from which."""

from __future__ import annotations

from tui.look import Line, crop, fit
from tui.numerals import decimals
from tui.views.update import DiagramRow, DiagramView
from tui.widgets.pane import Pane


class DiagramPane(Pane[DiagramView]):
    """States from top to bottom, with an arrow from each backed-up state's successor."""

    def lines(self, view: DiagramView, columns: int, rows: int) -> list[Line]:
        """The frame and the states, a row apart where there is room; the lit one stays in sight."""
        room, inside = rows - 2, columns - 2
        spaced = 2 * len(view.rows) - 1 <= room
        body: list[Line] = []
        centre = 0
        for index, row in enumerate(view.rows):
            if row.lit:
                centre = len(body)
            body.append(self._row(row, inside))
            if spaced and index + 1 < len(view.rows):
                body.append(self._between(row, inside))
        first = max(0, min(centre - room // 2, len(body) - room))
        return self.framed(view, columns, rows, body[first : first + room], air=0)

    def _arrow(self, row: DiagramRow) -> str:
        if row.written:
            return "◂┤" if row.read else "◂╮"
        return " ╯" if row.read else "  "

    def _row(self, row: DiagramRow, inside: int) -> Line:
        look = self.look
        value = "" if row.value is None else decimals(row.value, 4)
        arrow = "".join(map(look.glyphs.cell, self._arrow(row)))
        line: Line = (
            look.piece(f" {row.label:<2} ", "strong"),
            look.piece(f"{value:<5} ", "text"),
            look.piece(f"{row.board:<9} ", row.role),
            (arrow, look.palette.key if row.lit else look.palette.dim),
            look.piece(" "),
            *look.line(row.words, "dim"),
        )
        line = fit(crop(line, inside), inside)
        return self.look.select(line) if row.lit else line

    def _between(self, row: DiagramRow, inside: int) -> Line:
        """The stem of an arrow between two states."""
        stem = self.look.glyphs.cell("│") if row.written else " "
        style = self.look.palette.key if row.lit else self.look.palette.dim
        return fit(((" " * 21, style), (stem, style)), inside)
