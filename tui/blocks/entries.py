"""The entries of the memory that an update changed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from afterstate_lab.tui.blocks.meaning import Quantity, Selectable, about
from afterstate_lab.tui.blocks.span import Line, Pen, fit, on
from afterstate_lab.tui.theme.numerals import decimals
from afterstate_lab.tui.views.words import Words

VALUE = 6
"""Columns of a value."""


class EntryRow(NamedTuple):
    """A changed entry of the memory."""

    board: str
    old: float | None
    new: float | None
    truth: float | None = None
    extra: str = ""
    """A further column: a trace, a table, the change in beads."""
    places: int = 5
    """Decimals of old and new."""
    player: str = ""
    """X or O, whose entry it is; empty where the title says so."""
    role: str = "text"
    lit: bool = False
    about: tuple[int, ...] = ()
    """The entries that the row tells of, as indices into memory."""
    old_quantity: Quantity | None = None
    new_quantity: Quantity | None = None


class Columns(NamedTuple):
    """How wide the columns are."""

    player: int
    """Of the player and a blank; 0 where there is none, or no room."""
    board: int
    old: int
    """Of the old values; 0 where there is no room for them."""
    exact: int
    """Of the exact values; 0 where there are none."""
    gap: int


@dataclass(frozen=True)
class Entries(Selectable):
    """A row for each entry: board, old, new and exact value; then notes, where there is room."""

    rows: Sequence[EntryRow] = ()
    notes: tuple[Words, ...] = ()
    board_width: int = 9
    """Columns of the widest entry to come."""
    truth_label: str = "v*"
    """Above the exact values; empty where there are none."""
    extra_label: str = ""
    """Above the further column."""

    def quantities(self) -> Iterator[Quantity | None]:
        yield from (one for row in self.rows for one in (row.old_quantity, row.new_quantity))

    def draw(self, columns: int, rows: int, pen: Pen) -> list[Line]:
        wide = self._columns(columns)
        heads = [
            f"{'':{wide.player}}{'board':<{wide.board}}",
            *(["old   "] if wide.old else []),
            "new   ",
            *([f"{self.truth_label:<{wide.exact}}"] if wide.exact else []),
            self.extra_label,
        ]
        head = " " + (" " * wide.gap).join(heads)
        notes = [(pen.piece(" "), *pen.line(words, "dim")) for words in self.notes]
        notes = notes[: max(0, rows - 2)]
        shown = self._page(rows - 1 - len(notes))
        table = [(pen.piece(head, "dim"),), *(self._row(row, wide, columns, pen) for row in shown)]
        air: list[Line] = [()] if len(table) + len(notes) < rows else []
        return table + air + notes

    def _row(self, row: EntryRow, wide: Columns, columns: int, pen: Pen) -> Line:
        gap = " " * wide.gap
        new = "" if row.new is None else decimals(row.new, row.places)
        truth = "" if row.truth is None else decimals(row.truth)
        old: Line = ()
        if wide.old:
            told = decimals(row.old, row.places)
            old = *self.number(pen, told, VALUE, "dim", row.old_quantity), pen.piece(gap, "dim")
        line = (
            self.pointer(pen, self.points_at(row.about)),
            pen.piece(f"{row.player:<{wide.player}}" if wide.player else "", row.role),
            pen.piece(f"{row.board:<{wide.board}}{gap}", row.role),
            *old,
            *self.number(pen, new, VALUE, "written" if row.lit else "text", row.new_quantity),
            pen.piece(gap, "dim"),
            pen.piece(f"{truth:<{wide.exact}}{gap}" if wide.exact else "", "truth"),
            pen.piece(row.extra, "dim"),
        )
        whole = about(fit(line, columns), row.new_quantity or row.old_quantity)
        return on(whole, "selection") if row.lit else whole

    def _columns(self, columns: int) -> Columns:
        """Set apart where there is room."""
        board = max([self.board_width, *(len(row.board) for row in self.rows)])
        extra = max([len(self.extra_label), *(len(row.extra) for row in self.rows)])
        exact = 4 if self.truth_label else 0
        old = VALUE if columns >= 3 + board + 2 * VALUE else 0
        player = 2 if old and any(row.player for row in self.rows) else 0
        gap = 2 if columns >= player + board + extra + exact + 21 else 1
        return Columns(player, board, old, exact if old else 0, gap)

    def _page(self, room: int) -> Sequence[EntryRow]:
        """The rows that fit, moved by half a page; the selected one, the lit one, or else the last
        is among them."""
        if len(self.rows) <= room:
            return self.rows
        room = max(1, room)
        marks = [self.points_at(row.about) for row in self.rows]
        marks = marks if any(marks) else [row.lit for row in self.rows]
        lit = marks.index(True) if True in marks else len(self.rows) - 1
        half = max(1, room // 2)
        first = max(0, -(-(lit + 1 - room) // half) * half)
        return self.rows[first : first + room]
