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
        wide = max([9, *(len(row.board) for row in view.rows)])
        gap = "  " if inside >= wide + 25 else " "
        head = f" {'board':<{wide}}{gap}{'old':<6}{gap}{'new':<6}{gap}v*"
        table: list[Line] = [(self.look.piece(head, "dim"),)]
        table += [self._row(row, wide, gap, inside) for row in view.rows]
        notes = [(self.look.piece(" "), *self.look.line(words, "dim")) for words in view.notes]
        table = table[: max(2, room - len(notes))]
        air: list[Line] = [()] if len(table) + len(notes) < room else []
        body = table + air + notes
        return self.framed(view, columns, rows, body, air=0)

    def _row(self, row: EntryRow, wide: int, gap: str, inside: int) -> Line:
        look = self.look
        line = fit(
            (
                look.piece(f" {row.board:<{wide}}{gap}", row.role),
                look.piece(f"{decimals(row.old, 5):<6}{gap}", "dim"),
                look.piece(f"{decimals(row.new, 5):<6}{gap}", "written" if row.lit else "text"),
                look.piece(decimals(row.truth), "truth"),
            ),
            inside,
        )
        return self.look.select(line) if row.lit else line
