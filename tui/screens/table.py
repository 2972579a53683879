"""The table: every entry of what a player knows, sorted, filtered, and one from every side."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from textual.containers import Container
from textual.timer import Timer
from textual.widget import Widget

from learners.tape.recording import TapePosition
from tui.lab.list_commands import TABLE_COMMANDS
from tui.lab.outcomes import Open, Outcome
from tui.lab.panes import mode_view
from tui.lab.session import Session
from tui.lab.table.controller import TableController
from tui.lab.table.view import entry_view, shown_columns, strip_view, table_view
from tui.screens.base import RunScreen
from tui.screens.list_screen import ListScreen
from tui.theme.look import Look
from tui.widgets.table_pane import (
    ABOVE,
    AROUND,
    EntryPane,
    HeatStrip,
    TablePane,
    block_columns,
    blocks_of,
)

if TYPE_CHECKING:
    from tui.screens.lab import LabScreen

STRIP_ROWS = 4
ENTRY_COLUMNS = 28
"""The least that an entry's details take."""
TABLE_COLUMNS = 84
"""What all columns of the table take."""
REST_SECONDS = 0.2
"""The cursor rests when it stood still for this long."""
REFRESH_SECONDS = 1.0
"""While it is trained, the numbers are taken over this often."""


class TableScreen(RunScreen, ListScreen[TapePosition | None]):
    """The table at the place that the lab looks at.

    It answers where the entry was written last whose history is wanted.

    Args:
        session: the lab.
        look: colours and characters.
        board: the board to show, with `?` for any mark; else where the session stands.
    """

    commands = TABLE_COMMANDS
    help_title = "table"

    def __init__(self, session: Session, look: Look, board: str = "") -> None:
        self.session = session
        self.controller = TableController(session)
        if board:
            self.controller.show_board(board)
        super().__init__(self.controller, look)
        self.strip = HeatStrip(look=look, id="strip")
        self.table = TablePane(look=look)
        self.entry = EntryPane(look=look, id="entry")
        self._resting: Timer | None = None

    def panes(self) -> Iterator[Widget]:
        """The strip of all entries above the table, the selected one beside it."""
        yield self.strip
        yield Container(self.table, self.entry, id="rows", classes="row")

    def on_mount(self) -> None:
        """Keep up with a training."""
        self.strip.styles.height = STRIP_ROWS
        if self.session.is_training:
            self.set_interval(REFRESH_SECONDS, self.refresh_numbers)

    def lay_out(self, columns: int, rows: int) -> None:
        """The entry has the columns that the table does not need."""
        shown = shown_columns(self.controller)
        many = blocks_of(shown, columns - ENTRY_COLUMNS)
        taken = TABLE_COLUMNS if many == 1 else many * block_columns(shown) + 2
        self.entry.styles.width = max(ENTRY_COLUMNS, columns - taken)

    def blocks(self, columns: int) -> int:
        """How many blocks of rows the table has room for."""
        room = columns if self.zoom.pane is self.table else columns - ENTRY_COLUMNS
        return blocks_of(shown_columns(self.controller), room)

    def window_changed(self, columns: int, rows: int) -> None:
        """The table shows as many rows as it has room for."""
        high = self.rows_of(self.table, rows, rows - STRIP_ROWS) - ABOVE - 1
        self.controller.window.resize(high * self.blocks(columns))

    def draw(self, columns: int, rows: int) -> None:
        """The strip, the window of rows, and the selected entry."""
        # the other player's table may have other columns
        self.lay_out(columns, rows)
        self.window_changed(columns, rows)
        top = mode_view(self.session)
        self.mode_line.view = top._replace(mode="TABLE", phases=(), phase=None, status="")
        self.strip.view = strip_view(self.controller, columns - AROUND)
        self.table.view = replace(table_view(self.controller), blocks=self.blocks(columns))
        self.entry.view = entry_view(self.controller)
        self.look_up_when_resting()

    def show_outcome(self, outcome: Outcome) -> None:
        """Show what came of a command; a matchbox in front of the table."""
        if isinstance(outcome, Open):
            from tui.screens.matchbox import MatchboxScreen

            self.app.push_screen(MatchboxScreen(outcome.data, self.look))
        super().show_outcome(outcome)

    def refresh_numbers(self) -> None:
        """Show the numbers of the latest snapshot."""
        self.session.look_at_training()
        self.controller.refresh()
        self.redraw()

    def look_up_when_resting(self) -> None:
        """Look up where the selected entry was written last, once the cursor rests."""
        if self._resting is not None:
            self._resting.stop()
            self._resting = None
        if self.controller.row_to_look_up is not None:
            self._resting = self.set_timer(REST_SECONDS, self._look_up_selected)

    def _look_up_selected(self) -> None:
        row = self.controller.row_to_look_up
        if row is not None:
            self.look_up(row)

    def look_up(self, row: int) -> None:
        """Look up in the background where a row was written last."""
        self.run_in_background(self.controller.look_up(row))


def open_on(lab: LabScreen, board: str | None) -> None:
    """Open it from the lab, at a board if one is given."""
    lab.app.push_screen(
        TableScreen(lab.session, lab.look, board or ""), lab.taking(lab.controller.go_to_last_write)
    )
