"""The entries of the memory that an update changed."""

from __future__ import annotations

from tui.look import Line, fit
from tui.numerals import decimals
from tui.views.update import EntriesView, EntryRow
from tui.widgets.pane import Pane


class EntriesPane(Pane[EntriesView]):
    """A row for each entry: board, old, new and exact value; then notes."""

    def lines(self, view: EntriesView, columns: int, rows: int) -> list[Line]:
        """The frame, the table, and the notes, set off where there is room."""
        inside, room = columns - 2, rows - 2
        wide = max([view.board_width, *(len(row.board) for row in view.rows)])
        extra = max([len(view.extra_label), *(len(row.extra) for row in view.rows)])
        exact = 4 if view.truth_label else 0
        gap = "  " if inside >= wide + extra + exact + 21 else " "
        heads = [f"{'board':<{wide}}", f"{'old':<6}", f"{'new':<6}", view.extra_label]
        if exact:
            heads.insert(3, f"{view.truth_label:<{exact}}")
        head = " " + gap.join(heads)
        notes = [(self.look.piece(" "), *self.look.line(words, "dim")) for words in view.notes]
        table = [self._row(row, wide, exact, gap, inside) for row in view.rows]
        table = [(self.look.piece(head, "dim"),), *page(table, view, room - 1 - len(notes))]
        air: list[Line] = [()] if len(table) + len(notes) < room else []
        return self.framed(view, columns, rows, table + air + notes, air=0)

    def _row(self, row: EntryRow, wide: int, exact: int, gap: str, inside: int) -> Line:
        look = self.look
        new = "" if row.new is None else decimals(row.new, row.places)
        truth = "" if row.truth is None else decimals(row.truth)
        line = fit(
            (
                look.piece(f" {row.board:<{wide}}{gap}", row.role),
                look.piece(f"{decimals(row.old, row.places):<6}{gap}", "dim"),
                look.piece(f"{new:<6}{gap}", "written" if row.lit else "text"),
                look.piece(f"{truth:<{exact}}{gap}" if exact else "", "truth"),
                look.piece(row.extra, "dim"),
            ),
            inside,
        )
        return self.look.select(line) if row.lit else line


def page(table: list[Line], view: EntriesView, room: int) -> list[Line]:
    """The rows that fit, the lit one (or else the last) among them; they move by half a page."""
    if room <= 0 or len(table) <= room:
        return table[: max(1, room)]
    lit = next((at for at, row in enumerate(view.rows) if row.lit), len(table) - 1)
    half = max(1, room // 2)
    first = max(0, -(-(lit + 1 - room) // half) * half)
    return table[first : first + room]
