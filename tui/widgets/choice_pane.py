"""The candidates of a move: what each was worth, and which was taken."""

from __future__ import annotations

from typing import Final

from tui.look import Line, fit, width
from tui.numerals import count, decimals
from tui.views.update import ChoiceRow, ChoiceView
from tui.widgets.bars import bar
from tui.widgets.pane import Pane

_COLUMNS: Final = {True: (5, 7, 5), False: (4, 6, 4)}
"""Widths of cell, value and visits, where there is room and where not."""


class ChoicePane(Pane[ChoiceView]):
    """A row for each candidate cell: value, visits, exact value, a bar, a star for the greedy."""

    def lines(self, view: ChoiceView, columns: int, rows: int) -> list[Line]:
        """The frame, the heads and the rows; the last row says how many do not fit."""
        inside = columns - 2
        wide = inside >= 40
        body: list[Line] = [fit(self._head(view, wide), inside)]
        room = rows - 3
        shown = view.rows if len(view.rows) <= room else view.rows[: max(0, room - 1)]
        body += [self._row(row, view, inside, wide) for row in shown]
        if len(shown) < len(view.rows):
            body.append((self.look.piece(f"  {len(view.rows) - len(shown)} more", "dim"),))
        return self.framed(view, columns, rows, body, air=0)

    def _head(self, view: ChoiceView, wide: bool) -> Line:
        cell, value, visits = _COLUMNS[wide]
        detail = max((len(row.detail) for row in view.rows), default=0)
        label = f"{view.value_label:<{value}}"
        many = f"{view.count_label:>{max(visits, len(view.count_label))}}  "
        if detail:
            label = f"{label if wide else view.value_label:<4} {'Q₁   Q₂':<{detail}}"
            many = many if wide else ""
        text = f" {'cell':<{cell}} {label} {many}v*"
        return (self.look.piece(text, "dim"),)

    def _row(self, row: ChoiceRow, view: ChoiceView, inside: int, wide: bool) -> Line:
        look, palette = self.look, self.look.palette
        cell, value, visits = _COLUMNS[wide]
        truth = "" if row.truth is None else decimals(row.truth, 5 if wide else 3)
        tight = bool(row.detail) and not wide
        places = 3 if tight else view.places
        number = "" if row.value is None else decimals(row.value, places)
        many = count(row.visits) if row.share is None else f"{100 * row.share:.0f}%"
        bead = palette.text if row.colour is None else palette.bead(row.colour)
        detail = f" {row.detail}" if row.detail else ""
        line: Line = (
            look.piece(f" {row.cell:<{cell}} ", "written" if row.taken else "dim"),
            look.piece(f"{number:<{4 if tight else value}}", "strong" if row.taken else "dim"),
            look.piece(f"{detail} ", "dim"),
            look.piece("" if tight else f"{many:>{max(visits, len(view.count_label))}}  ", "dim"),
            look.piece(f"{truth:<{6 if wide else 4}}  ", "truth"),
        )
        note = (row.note or "taken") if row.taken else ""
        star = "★" if row.best else " "
        tail = look.piece(f"{star} {note:<5} ", "better" if row.best else "text")
        room = inside - width(line) - len(tail[0])
        style = palette.better if row.taken else palette.meter
        drawn: Line = ()
        if row.colour is not None and room >= 2:
            beads = look.glyphs.cell("●") * min(room - 1, round(row.value or 0.0))
            drawn = ((beads, bead),)
        elif room >= 5:
            level = row.share if row.share is not None else row.value
            drawn = bar(level, room - 1, style, look.glyphs)
        whole = fit((*line, *fit(drawn, max(0, room)), tail), inside)
        return self.look.select(whole) if row.taken else whole
