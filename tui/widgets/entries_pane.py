"""The entries of the memory that an update changed."""

from __future__ import annotations

from typing import NamedTuple

from tui.theme.look import Line, fit
from tui.theme.numerals import decimals
from tui.views.update import EntriesView, EntryRow
from tui.widgets.pane import SelectablePane, Zone

VALUE = 6
"""Columns of a value."""


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


class EntriesPane(SelectablePane[EntriesView]):
    """A row for each entry: board, old, new and exact value; then notes."""

    def lines(self, view: EntriesView, columns: int, rows: int) -> list[Line]:
        """The frame, the table, and the notes, set off where there is room."""
        inside, room = columns - 2, rows - 2
        wide = columns_of(view, inside)
        gap = " " * wide.gap
        heads = [
            f"{'':{wide.player}}{'board':<{wide.board}}",
            *(["old   "] if wide.old else []),
            "new   ",
            *([f"{view.truth_label:<{wide.exact}}"] if wide.exact else []),
            view.extra_label,
        ]
        head = " " + gap.join(heads)
        notes = [(self.look.piece(" "), *self.look.line(words, "dim")) for words in view.notes]
        notes = notes[: max(0, room - 2)]
        shown = page(view, room - 1 - len(notes))
        table = [(self.look.piece(head, "dim"),), *(self._row(row, wide, inside) for row in shown)]
        air: list[Line] = [()] if len(table) + len(notes) < room else []
        return self.framed(view, columns, rows, table + air + notes, air=0)

    def zones(self, view: EntriesView, columns: int, rows: int) -> list[Zone]:
        """Old and new where they stand, and else the row."""
        wide = columns_of(view, columns - 2)
        old = 2 + wide.player + wide.board + wide.gap
        new = old + wide.old + wide.gap * (wide.old > 0)
        found: list[Zone] = []
        notes = min(len(view.notes), max(0, rows - 4))
        for y, row in enumerate(page(view, rows - 3 - notes), 2):
            found += [
                Zone(y, old, old + wide.old, row.old_quantity),
                Zone(y, new, new + VALUE, row.new_quantity),
                Zone(y, 0, columns, row.new_quantity or row.old_quantity),
            ]
        return found

    def _row(self, row: EntryRow, wide: Columns, inside: int) -> Line:
        look, palette = self.look, self.look.palette
        gap = " " * wide.gap
        new = "" if row.new is None else decimals(row.new, row.places)
        truth = "" if row.truth is None else decimals(row.truth)
        written = palette.written if row.lit else palette.text
        old: Line = ()
        if wide.old:
            told = decimals(row.old, row.places)
            old = *self.number(told, VALUE, palette.dim, row.old_selected), look.piece(gap, "dim")
        line = fit(
            (
                self.pointer(row.pointed),
                look.piece(f"{row.player:<{wide.player}}" if wide.player else "", row.role),
                look.piece(f"{row.board:<{wide.board}}{gap}", row.role),
                *old,
                *self.number(new, VALUE, written, row.new_selected),
                look.piece(gap, "dim"),
                look.piece(f"{truth:<{wide.exact}}{gap}" if wide.exact else "", "truth"),
                look.piece(row.extra, "dim"),
            ),
            inside,
        )
        return look.select(line) if row.lit else line


def columns_of(view: EntriesView, inside: int) -> Columns:
    """The columns of a view, set apart where there is room."""
    board = max([view.board_width, *(len(row.board) for row in view.rows)])
    extra = max([len(view.extra_label), *(len(row.extra) for row in view.rows)])
    exact = 4 if view.truth_label else 0
    old = VALUE if inside >= 3 + board + 2 * VALUE else 0
    player = 2 if old and any(row.player for row in view.rows) else 0
    gap = 2 if inside >= player + board + extra + exact + 21 else 1
    return Columns(player, board, old, exact if old else 0, gap)


def page(view: EntriesView, room: int) -> tuple[EntryRow, ...]:
    """The rows that fit, moved by half a page; the selected one, the lit one, or else the last is
    among them."""
    table = view.rows
    if len(table) <= room:
        return table
    room = max(1, room)
    wanted = [row.pointed for row in table] if any(row.pointed for row in table) else []
    marks = wanted or [row.lit for row in table]
    lit = marks.index(True) if True in marks else len(table) - 1
    half = max(1, room // 2)
    first = max(0, -(-(lit + 1 - room) // half) * half)
    return table[first : first + room]
