"""The table: every entry of what a player knows, sorted, filtered, and one from every side."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import ClassVar

from textual import events, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container
from textual.geometry import Size
from textual.timer import Timer
from textual.worker import Worker, WorkerState, get_current_worker

from learners.tape.recording import TapePosition
from tui.lab.commands import hinted, hints
from tui.lab.mode import mode_view
from tui.lab.session import Session
from tui.lab.table.browser import TableBrowser
from tui.lab.table.commands import TABLE_COMMANDS
from tui.lab.table.entry import entry_view
from tui.lab.table.last_writer import last_written
from tui.lab.table.rows import TableRows
from tui.lab.table.view import strip_view, table_view
from tui.screens.base import PacedScreen
from tui.screens.lab_panes import SMALLEST
from tui.screens.table_asking import TableAsking
from tui.theme.look import Look
from tui.views.mode import KeysView
from tui.widgets.entry_pane import EntryPane
from tui.widgets.heat_strip import AROUND, HeatStrip
from tui.widgets.key_bar import KeyBar
from tui.widgets.mode_line import ModeLine
from tui.widgets.table_pane import ABOVE, TablePane
from tui.widgets.too_small import TooSmall

STRIP_ROWS = 4
ENTRY_COLUMNS = 28
"""The least that an entry's details take."""
REST_SECONDS = 0.2
"""The cursor rests when it stood still for so long."""
REFRESH_SECONDS = 1.0
"""While it is trained, the numbers are taken over so often."""


def bindings() -> list[BindingType]:
    """A binding for every key of every command."""
    return [
        Binding(
            key, f"ask({command.name!r}, {key!r})", command.label, show=False, priority=key == "tab"
        )
        for command in TABLE_COMMANDS
        for key in command.keys
    ]


class TableScreen(TableAsking, PacedScreen[TapePosition | None]):
    """The table at the place that the lab looks at.

    It answers where the entry was written last whose history is wanted.

    Args:
        session: the lab.
        look: colours and characters.
    """

    BINDINGS: ClassVar[list[BindingType]] = bindings()
    AUTO_FOCUS = None

    def __init__(self, session: Session, look: Look) -> None:
        super().__init__()
        self.session = session
        self.look = look
        self.browser = TableBrowser(session)
        self.mode_line: ModeLine = ModeLine(look=look)
        self.strip = HeatStrip(look=look, id="strip")
        self.table = TablePane(look=look)
        self.entry = EntryPane(look=look, id="entry")
        self.rows = Container(self.table, self.entry, id="rows", classes="row")
        self.too_small = TooSmall(look=look, id="too-small")
        self._resting: Timer | None = None
        self.leaves_for = None
        self.keys = KeyBar(KeysView(hints(TABLE_COMMANDS)), look=look)

    def compose(self) -> ComposeResult:
        """The strip of all entries above the table, the selected one beside it."""
        yield self.mode_line
        yield self.strip
        yield self.rows
        yield self.too_small
        yield self.keys

    def on_mount(self) -> None:
        """Show what there is, and keep up with a training."""
        self.strip.styles.height = STRIP_ROWS
        if self.session.is_training:
            self.set_interval(REFRESH_SECONDS, self.take_over)

    def on_resize(self, event: events.Resize) -> None:
        """Lay the panes out for the new size."""
        columns, rows = event.size
        self.entry.styles.width = min(40, max(ENTRY_COLUMNS, columns - 84))
        self.browser.resize(rows - STRIP_ROWS - ABOVE - 3)
        self.redraw(event.size)

    def redraw(self, size: Size | None = None) -> None:
        """Show the table as it is; panes send only what changed."""
        columns, rows = size or self.size
        fits = columns >= SMALLEST.width and rows >= SMALLEST.height
        for pane in (self.mode_line, self.strip, self.rows, self.keys):
            pane.display = fits
        self.too_small.display = not fits
        if not fits:
            self.too_small.view = (columns, rows, *SMALLEST)
            return
        top = mode_view(self.session)
        self.mode_line.view = replace(top, mode="TABLE", phases=(), phase=None, status="")
        self.strip.view = strip_view(self.browser, columns - AROUND)
        self.table.view = table_view(self.browser)
        self.entry.view = entry_view(self.browser)
        self.rest()

    def take_over(self) -> None:
        """Show the numbers of now."""
        self.session.look_at_training()
        self.browser.refresh()
        self.redraw()

    def action_ask(self, name: str, key: str = "") -> None:
        """Do what a command asks for, and show what came of it."""
        self.browser.note = ""
        self.leaves_for = None
        ask: Callable[..., None] = getattr(self, f"ask_{name}")
        ask(int(key)) if name == "sort_by" else ask()
        self.redraw()

    def on_key_bar_key_chosen(self, message: KeyBar.KeyChosen) -> None:
        """A hint of the footer was clicked."""
        command = hinted(message.key, TABLE_COMMANDS)
        if command is not None:
            self.action_ask(command.name)

    def on_table_pane_row_chosen(self, message: TablePane.RowChosen) -> None:
        """A row was clicked."""
        self.browser.go_to(self.browser.top + message.row)
        self.redraw()

    def on_table_pane_scrolled(self, message: TablePane.Scrolled) -> None:
        """The wheel was turned."""
        self.browser.move(message.by)
        self.redraw()

    def rest(self) -> None:
        """Look the selected entry up once the cursor rests."""
        if self._resting is not None:
            self._resting.stop()
            self._resting = None
        rows, row = self.browser.rows, self.browser.selected
        if rows is None or row is None or row in self.browser.written:
            return
        if rows.visits[row] and not self.session.is_training:
            self._resting = self.set_timer(REST_SECONDS, lambda: self.look_up(row))

    @work(thread=True, exclusive=True, group="history", exit_on_error=False)
    def look_up(self, row: int) -> tuple[TableRows, int, TapePosition | None] | None:
        """Find where a row was written last, in a thread: games are played again for it."""
        rows, worker = self.browser.rows, get_current_worker()
        if rows is None:
            return None
        entries = rows.memory_indices(row)
        place = last_written(self.session.timeline, entries, lambda: worker.is_cancelled)
        return rows, row, place

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """Show what was found."""
        if event.state is not WorkerState.SUCCESS or event.worker.result is None:
            return
        rows, row, place = event.worker.result
        if rows is not self.browser.rows:
            return
        self.browser.written[row] = place
        if self.leaves_for == row:
            self.leaves_for = None
            self.leave_for(row)
        self.redraw()
