"""The candidates of a move: what each was worth, and which was taken."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import Final, NamedTuple

from afterstate_lab.tui.blocks.canvas import bar
from afterstate_lab.tui.blocks.meaning import Quantity, Selectable, Value, about
from afterstate_lab.tui.blocks.span import Line, Pen, blank, fit, on, width
from afterstate_lab.tui.blocks.speech import figure, joined, listed, spoken
from afterstate_lab.tui.theme.numerals import count_in, decimals
from afterstate_lab.tui.views.words import Words

WIDE: Final = 40
"""Columns inside the frame from which there is room."""
NARROW: Final = 24
"""Columns below which visits and details give way to the exact value, or all to a share."""
SCALED: Final = 6
"""Columns from which marks show the share of the beads; below it one shows their colour."""
TIGHT: Final = 4
"""Width of a value that has details beside it, where there is none."""


class ChoiceRow(NamedTuple):
    """A candidate cell."""

    cell: str
    value: float | None
    visits: int | None = None
    truth: float | None = None
    best: bool = False
    taken: bool = False
    note: str = ""
    """What a taken candidate is called, if not `taken`."""
    share: float | None = None
    """Its probability, or its share of the beads; shown instead of the visits."""
    details: tuple[Value, ...] = ()
    """Beside the value, e.g. what each of two tables says."""
    colour: int | None = None
    """0-8: the colour of its beads."""
    about: tuple[int, ...] = ()
    """The entries that the row tells of, as indices into memory."""
    quantity: Quantity | None = None
    """What the value stands for."""

    @property
    def cells(self) -> list[int]:
        return [int(cell) - 1 for cell in self.cell.split()]

    @property
    def worth(self) -> str:
        """What is known of it in words: a value, beads, or how likely it is drawn."""
        if self.colour is not None and self.value is not None:
            return f"with {self.value:,.0f} {'bead' if self.value == 1 else 'beads'}"
        if self.value is not None:
            return f"at {figure(self.value, 3)}"
        return "" if self.share is None else f"with a chance of {self.share:.0%}"


@dataclass(frozen=True)
class Choice(Selectable):
    """A row for each candidate, best first: value, visits, exact value, a bar, a star for the
    greedy; the dice are its `right`."""

    rows: Sequence[ChoiceRow] = ()
    title: Words = field(default="choice", kw_only=True)
    value_label: str = "V"
    count_label: str = "n"
    """Above the visits, or the shares."""
    scale: tuple[float, float] = (0.0, 1.0)
    """The values of an empty bar and of a full one."""
    places: int = 5
    """Decimals of the values."""

    def quantities(self) -> Iterator[Quantity | None]:
        for row in self.rows:
            yield from (row.quantity, *(detail.quantity for detail in row.details))

    def say(self) -> Iterator[str]:
        """Every candidate from all sides, and the dice."""
        for row in self.rows:
            facts = [row.worth] if row.worth else []
            if row.truth is not None:
                facts.append(f"exact value {figure(row.truth, 3)}")
            if row.visits is not None:
                facts.append(f"{row.visits:,} {'visit' if row.visits == 1 else 'visits'}")
            facts += ["its best"] * row.best + [row.note or "taken"] * row.taken
            yield f"{listed(row.cells)} {', '.join(facts)}."
        dice = spoken(joined(self.right))
        if dice:
            yield f"Dice: {dice}."

    def ranking(self) -> Iterator[str]:
        """What is known of the candidates in a sentence, best first; equal ones together."""
        told = [
            f"{listed([cell for row in rows for cell in row.cells])} {worth}"
            for worth, rows in groupby(self.rows, key=lambda row: row.worth)
            if worth
        ]
        if told:
            order = "Most likely" if self.rows[0].value is None else "Best"
            yield f"{order} first: {'; '.join(told)}."

    def head(self, columns: int, rows: int, pen: Pen) -> Words:
        """In few columns without the ply: `X's choice at ply 3`."""
        if columns >= NARROW:
            return self.title
        words = ((self.title, "title"),) if isinstance(self.title, str) else self.title
        return tuple((text.partition(" at ")[0], role) for text, role in words)

    def draw(self, columns: int, rows: int, pen: Pen) -> list[Line]:
        """The heads and the rows; the last row says how many do not fit."""
        if columns < NARROW:
            self = replace(self, rows=[row._replace(details=()) for row in self.rows])
        shown = self._fitting(rows)
        body: list[Line] = [fit(self._heads(columns, pen), columns)]
        body += [about(self._row(row, columns, pen), row.quantity) for row in shown]
        if len(shown) < len(self.rows):
            body.append((pen.piece(f"  {len(self.rows) - len(shown)} more", "dim"),))
        return body

    def _fitting(self, rows: int) -> Sequence[ChoiceRow]:
        """The rows that fit; what was taken and what is selected are among them."""
        if len(self.rows) <= rows - 1:
            return self.rows
        many = max(0, rows - 2)
        first, others = self.rows[:many], self.rows[many:]
        wanted = [row for row in others if row.taken or self.points_at(row.about)][:many]
        return (*first[: many - len(wanted)], *wanted)

    def _heads(self, columns: int, pen: Pen) -> Line:
        cell, value, visits = self._widths(columns)
        wide, narrow = columns >= WIDE, columns < NARROW
        details = next((row.details for row in self.rows), ())
        label = f"{self.value_label:<{value}}"
        many = f"{self.count_label:>{max(visits, len(self.count_label))}}  "
        if details:
            names = "".join(f" {detail.label:<{len(decimals(detail.value))}}" for detail in details)
            label = (label if wide else f"{self.value_label:<{TIGHT}}") + names
            many = many if wide else ""
        if narrow:
            has_shares = any(row.share is not None for row in self.rows)
            text = f" {'':<{cell}} {label} {many.strip() if has_shares else 'v*'}"
        else:
            text = f" {'cell':<{cell}} {label} {many}v*"
        return (pen.piece(text, "dim"),)

    def _row(self, row: ChoiceRow, columns: int, pen: Pen) -> Line:
        cell, value, visits = self._widths(columns)
        narrow = columns < NARROW
        truth = "" if row.truth is None else decimals(row.truth)
        tight = bool(row.details) and columns < WIDE
        number = "" if row.value is None else decimals(row.value, 3 if tight else self.places)
        many = count_in(row.visits, visits) if row.share is None else f"{100 * row.share:.0f}%"
        style = "strong" if row.taken else "dim"
        line: Line = (
            self.pointer(pen, self.points_at(row.about)),
            pen.piece(row.cell, "written" if row.taken else "dim"),
            *blank(cell + 1 - len(row.cell)),
            *self.number(pen, number, TIGHT if tight else value, style, row.quantity),
            *self._details(row, pen),
            pen.piece(" ", "dim"),
        )
        if not (tight or (narrow and row.share is None)):
            line = (*line, pen.piece(f"{many:>{max(visits, len(self.count_label))}}  ", "dim"))
        if not (narrow and row.share is not None):
            line = (*line, pen.piece(f"{truth:<4}{' ' if narrow else '  '}", "truth"))
        note = (row.note or "taken") if row.taken else ""
        star = "★" if row.best else " "
        end = f"{star} {note:<5} " if columns - width(line) >= 8 else star
        tail = pen.piece(end, "better" if row.best else "text")
        room = columns - width(line) - len(tail[0])
        drawn: Line = ()
        if row.colour is not None and room >= 2:
            longest = room - 1 if room >= SCALED else 1
            beads = max(1, round((row.share or 0.0) * longest)) if row.value else 0
            drawn = ((pen.bead(row.colour) * beads, f"bead {row.colour}"),)
        elif row.colour is None and room >= 5:
            level = self._level(row)
            drawn = bar(level, room - 1, "better" if row.taken else "meter", pen.glyphs)
        whole = fit((*line, *fit(drawn, max(0, room)), tail), columns)
        return on(whole, "selection") if row.taken else whole

    def _details(self, row: ChoiceRow, pen: Pen) -> Line:
        """What stands beside the value."""
        line: Line = ()
        for detail in row.details:
            text = decimals(detail.value)
            pointer = self.pointer(pen, self.chosen is not None and detail.quantity == self.chosen)
            number = self.number(pen, text, len(text), detail.role, detail.quantity)
            line = (*line, pointer, *number)
        return line

    def _level(self, row: ChoiceRow) -> float | None:
        """How full the bar of a candidate is, 0…1."""
        low, high = self.scale
        if row.share is not None or row.value is None or high <= low:
            return row.share
        return (row.value - low) / (high - low)

    def _widths(self, columns: int) -> tuple[int, int, int]:
        """The columns of a row; cells that share a bead and long numbers get theirs."""
        wide = columns >= WIDE
        cell, value, visits = (5, 7, 7) if wide else (4, 6, 5) if columns >= NARROW else (1, 5, 4)
        cell = max([cell, *(len(row.cell) for row in self.rows)])
        known = (row.value for row in self.rows if row.value is not None)
        numbers = [len(decimals(number, self.places)) for number in known]
        if not self.places:
            value = max([len(self.value_label), *numbers]) + 2 * wide
        return cell, max([value, *numbers]), visits
