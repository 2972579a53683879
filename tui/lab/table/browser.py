"""A walk through the table: which player's, in which order, what of it, and where one is."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from game import space
from learners.tape.events import Backup, NoBackup
from tui.lab.table.filter import Filter, FilterError, parse_filter
from tui.lab.table.rows import BY_SIZE, TableRows, sorted_rows, table_rows

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from learners.tape.recording import TapePosition
    from tui.lab.session import Session


class TableBrowser:
    """The table at the place that a session looks at.

    The window stands still while the cursor moves in it, and jumps by half its height where the
    cursor leaves it.

    Args:
        session: the lab; while it trains, what was known at its latest snapshot is shown.
    """

    def __init__(self, session: Session) -> None:
        self.session = session
        self.side = 0
        self.rows: TableRows | None = None
        """None where the player is no learner."""
        self.order: NDArray[np.int64] = np.zeros(0, dtype=np.int64)
        """The rows that are shown, from the first to the last."""
        self.column = "board"
        self.reverse = False
        self.filter_text = ""
        self._filter = Filter()
        self.height = 10
        """Rows of the window."""
        self.top = 0
        self.cursor = 0
        self.written: dict[int, TapePosition | None] = {}
        """Of the rows that were asked about, where they were written last."""
        self.note = ""
        """One sentence for the user, until the next thing happens."""
        self._start()

    def _start(self) -> None:
        """Begin where the session stands: at the entry of its event, if that is about one."""
        event = self.session.timeline.event
        layout = self.session.run.layout
        if isinstance(event, Backup | NoBackup) and not self.session.is_training:
            self.show_player("XO".index(event.player))
            table = layout.o if self.side else layout.x
            entry = (event.entry - table.base) % len(table.entries.boards)
            if self.rows is not None:
                self.select(int(self.rows.index()[entry]))
        else:
            self.show_player(0 if layout.x.spec.rule.learns or not layout.o.spec.rule.learns else 1)

    @property
    def memory(self) -> NDArray[np.float64]:
        """float64[2N], what is known at the place that is looked at."""
        session = self.session
        if session.is_training and session.snapshot is not None:
            return session.snapshot.memory
        return session.timeline.v

    @property
    def game(self) -> int:
        """The number of the game that is looked at."""
        session = self.session
        if session.is_training and session.snapshot is not None:
            return session.snapshot.games
        return session.timeline.game

    @property
    def selected(self) -> int | None:
        """The row of the table on which the cursor is."""
        return int(self.order[self.cursor]) if len(self.order) else None

    def refresh(self) -> None:
        """Take over the numbers of now; the order stays as it is, so that nothing jumps about."""
        self.written = {}
        self.rows = table_rows(self.session.run.layout, self.memory, self.side, self.game)

    def show_player(self, side: int) -> None:
        """Show a player's table from its start; a filter that means nothing there is dropped."""
        self.side = side
        self.refresh()
        if self.rows is not None and self.column not in self.rows.columns:
            self.column, self.reverse = "board", False
        try:
            self._arrange()
        except FilterError as error:
            self.filter_text, self._filter = "", Filter()
            self.note = f"No filter here: {error}."
            self._arrange()
        self.top = self.cursor = 0

    def _arrange(self) -> None:
        """Put the rows that are shown in order; the cursor stays on its entry where it is shown."""
        selected = self.selected
        if self.rows is None:
            self.order = np.zeros(0, dtype=np.int64)
            return
        shown = self._filter.matches(self.rows)
        self.order = sorted_rows(self.rows, shown, self.column, self.reverse)
        self.select(selected)

    def select(self, row: int | None) -> None:
        """Go to a row of the table, to the first one shown if it is not."""
        found = [] if row is None else np.flatnonzero(self.order == row).tolist()
        self.cursor = found[0] if found else 0
        self._follow()

    def sort_by(self, column: str) -> None:
        """Sort by a column; by the one that it is sorted by already, the other way round."""
        self.reverse = not self.reverse if column == self.column else False
        self.column = column
        self._arrange()
        self.go_to(0)

    def sort_by_number(self, number: int) -> None:
        """Sort by the column with this number, from 1."""
        if self.rows is not None and number <= len(self.rows.columns):
            self.sort_by(self.rows.columns[number - 1])

    def sort_by_next(self) -> None:
        """Sort by the next column, round and round."""
        if self.rows is not None:
            columns = self.rows.columns
            self.sort_by(columns[(columns.index(self.column) + 1) % len(columns)])

    def reverse_order(self) -> None:
        """The other way round."""
        self.sort_by(self.column)

    @property
    def is_falling(self) -> bool:
        """Whether the largest comes first."""
        return (self.column in BY_SIZE) != self.reverse

    def filter_by(self, text: str) -> None:
        """Show what a filter lets through.

        Raises:
            FilterError: it cannot be used; everything stays as it is.
        """
        chosen = parse_filter(text)
        if self.rows is not None:
            chosen.matches(self.rows)
        self._filter, self.filter_text = chosen, " ".join(text.split())
        self._arrange()

    def filter_class(self) -> None:
        """Show what is the same as the selected entry but for a symmetry of the board."""
        row = self.selected
        if row is None or self.rows is None:
            return
        cell = int(self.rows.cells[row])
        board = space().text(int(self.rows.boards[row]))
        self.filter_by(f"{board}{f'@{cell + 1}' if cell >= 0 else ''} class")

    def move(self, by: int) -> None:
        """Move the cursor by so many rows."""
        self.go_to(self.cursor + by)

    def turn(self, by: int) -> None:
        """Move window and cursor by so many pages."""
        pages = by * max(1, self.height - 1)
        last = max(0, len(self.order) - self.height)
        self.top = min(max(self.top + pages, 0), last)
        self.go_to(self.cursor + pages)

    def go_to(self, place: int) -> None:
        """Put the cursor on the row at a place of the order."""
        self.cursor = min(max(place, 0), max(0, len(self.order) - 1))
        self._follow()

    def resize(self, height: int) -> None:
        """Give the window another height."""
        self.height = max(1, height)
        self._follow()

    def _follow(self) -> None:
        """Let the window jump to where the cursor is."""
        last = max(0, len(self.order) - self.height)
        half = max(1, self.height // 2)
        if self.cursor >= self.top + self.height:
            over = self.cursor - self.top - self.height
            self.top += half * (over // half + 1)
        elif self.cursor < self.top:
            under = self.top - self.cursor - 1
            self.top -= half * (under // half + 1)
        self.top = min(max(self.top, 0), last)
