"""The candidates of a move: what each was worth, and which was taken."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from tui.theme.canvas import bar
from tui.theme.look import Line, blank, fit, width
from tui.theme.numerals import count_in, decimals
from tui.views.update import ChoiceRow, ChoiceView
from tui.views.words import Words
from tui.widgets.pane import SelectablePane, Zone

WIDE: Final = 40
"""Columns inside the frame from which there is room."""
NARROW: Final = 24
"""Columns below which visits and details give way to the exact value, or all to a share."""
SCALED: Final = 6
"""Columns from which marks show the share of the beads; below it one shows their colour."""
TIGHT: Final = 4
"""Width of a value that has details beside it, where there is none."""


class ChoicePane(SelectablePane[ChoiceView]):
    """A row for each candidate cell: value, visits, exact value, a bar, a star for the greedy."""

    def lines(self, view: ChoiceView, columns: int, rows: int) -> list[Line]:
        """The frame, the heads and the rows; the last row says how many do not fit."""
        inside = columns - 2
        if inside < NARROW:
            view = narrowed(view)
        body: list[Line] = [fit(self._head(view, inside), inside)]
        shown = self._fitting(view, rows)
        body += [self._row(row, view, inside) for row in shown]
        if len(shown) < len(view.rows):
            body.append((self.look.piece(f"  {len(view.rows) - len(shown)} more", "dim"),))
        return self.framed(view, columns, rows, body, air=0)

    def zones(self, view: ChoiceView, columns: int, rows: int) -> list[Zone]:
        """Each detail where it stands, and else the row."""
        found: list[Zone] = []
        if columns - 2 < NARROW:
            view = narrowed(view)
        cell, value, _ = widths(view, columns - 2)
        for y, row in enumerate(self._fitting(view, rows), 2):
            x = 3 + cell + (value if columns - 2 >= WIDE else TIGHT)
            for detail in row.details:
                length = len(decimals(detail.value))
                found.append(Zone(y, x + 1, x + 1 + length, detail.quantity))
                x += 1 + length
            found.append(Zone(y, 0, columns, row.quantity))
        return found

    def _fitting(self, view: ChoiceView, rows: int) -> Sequence[ChoiceRow]:
        """The rows that fit; what was taken and what is selected are among them."""
        room = rows - 3
        if len(view.rows) <= room:
            return view.rows
        many = max(0, room - 1)
        first, others = view.rows[:many], view.rows[many:]
        wanted = [row for row in others if row.taken or row.pointed][:many]
        return (*first[: many - len(wanted)], *wanted)

    def _head(self, view: ChoiceView, inside: int) -> Line:
        cell, value, visits = widths(view, inside)
        wide, narrow = inside >= WIDE, inside < NARROW
        details = next((row.details for row in view.rows), ())
        label = f"{view.value_label:<{value}}"
        many = f"{view.count_label:>{max(visits, len(view.count_label))}}  "
        if details:
            names = "".join(f" {detail.label:<{len(decimals(detail.value))}}" for detail in details)
            label = (label if wide else f"{view.value_label:<{TIGHT}}") + names
            many = many if wide else ""
        if narrow:
            has_shares = any(row.share is not None for row in view.rows)
            text = f" {'':<{cell}} {label} {many.strip() if has_shares else 'v*'}"
        else:
            text = f" {'cell':<{cell}} {label} {many}v*"
        return (self.look.piece(text, "dim"),)

    def _row(self, row: ChoiceRow, view: ChoiceView, inside: int) -> Line:
        look, palette = self.look, self.look.palette
        cell, value, visits = widths(view, inside)
        wide, narrow = inside >= WIDE, inside < NARROW
        truth = "" if row.truth is None else decimals(row.truth)
        tight = bool(row.details) and not wide
        places = 3 if tight else view.places
        number = "" if row.value is None else decimals(row.value, places)
        many = count_in(row.visits, visits) if row.share is None else f"{100 * row.share:.0f}%"
        bead = palette.text if row.colour is None else palette.bead(row.colour)
        style = palette.strong if row.taken else palette.dim
        line: Line = (
            self.pointer(row.pointed),
            look.piece(row.cell, "written" if row.taken else "dim"),
            *blank(cell + 1 - len(row.cell)),
            *self.number(number, TIGHT if tight else value, style, row.selected),
            *self._details(row),
            look.piece(" ", "dim"),
        )
        if not (tight or (narrow and row.share is None)):
            line = (*line, look.piece(f"{many:>{max(visits, len(view.count_label))}}  ", "dim"))
        if not (narrow and row.share is not None):
            line = (*line, look.piece(f"{truth:<4}{' ' if narrow else '  '}", "truth"))
        note = (row.note or "taken") if row.taken else ""
        star = "★" if row.best else " "
        end = f"{star} {note:<5} " if inside - width(line) >= 8 else star
        tail = look.piece(end, "better" if row.best else "text")
        room = inside - width(line) - len(tail[0])
        style = palette.better if row.taken else palette.meter
        drawn: Line = ()
        if row.colour is not None and room >= 2:
            longest = room - 1 if room >= SCALED else 1
            beads = max(1, round((row.share or 0.0) * longest)) if row.value else 0
            drawn = ((look.bead(row.colour) * beads, bead),)
        elif row.colour is None and room >= 5:
            drawn = bar(level_of(row, view), room - 1, style, look.glyphs)
        whole = fit((*line, *fit(drawn, max(0, room)), tail), inside)
        return look.select(whole) if row.taken else whole

    def _details(self, row: ChoiceRow) -> Line:
        """What stands beside the value."""
        line: Line = ()
        for detail in row.details:
            text = decimals(detail.value)
            style = self.look.palette.style(detail.role)
            line = (
                *line,
                self.pointer(detail.selected),
                *self.number(text, len(text), style, detail.selected),
            )
        return line


def level_of(row: ChoiceRow, view: ChoiceView) -> float | None:
    """How full the bar of a candidate is, 0…1."""
    low, high = view.scale
    if row.share is not None or row.value is None or high <= low:
        return row.share
    return (row.value - low) / (high - low)


def narrowed(view: ChoiceView) -> ChoiceView:
    """The view without the ply of its title (`X's choice at ply 3`) and without details."""
    title: Words = tuple(
        (text.partition(" at ")[0], role)
        for text, role in ([(view.title, "title")] if isinstance(view.title, str) else view.title)
    )
    rows = tuple(replace(row, details=()) for row in view.rows)
    return replace(view, title=title, rows=rows)


def widths(view: ChoiceView, inside: int) -> tuple[int, int, int]:
    """Columns of cell, value and visits; cells that share a bead and long numbers get theirs."""
    wide = inside >= WIDE
    cell, value, visits = (5, 7, 7) if wide else (4, 6, 5) if inside >= NARROW else (1, 5, 4)
    cell = max([cell, *(len(row.cell) for row in view.rows)])
    numbers = [len(decimals(row.value, view.places)) for row in view.rows if row.value is not None]
    if not view.places:
        value = max([len(view.value_label), *numbers]) + 2 * wide
    return cell, max([value, *numbers]), visits
