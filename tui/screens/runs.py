"""The saved runs: searched, opened, renamed, compared, deleted and brought back, exported."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any, ClassVar

from textual import events, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.geometry import Size
from textual.worker import Worker, WorkerState

from learners.errors import UsageError
from learners.store.records import LoadedRun
from tui.lab.commands import hinted, hints
from tui.lab.resume_hint import sentence
from tui.lab.runs.browser import RunsBrowser
from tui.lab.runs.commands import RUNS_COMMANDS
from tui.lab.runs.view import run_view, runs_view
from tui.screens.base import PacedScreen
from tui.screens.lab_panes import SMALLEST
from tui.screens.runs_asking import RunsAsking
from tui.theme.look import Look
from tui.views.mode import KeysView, ModeView
from tui.widgets.key_bar import KeyBar
from tui.widgets.log_pane import LogPane
from tui.widgets.mode_line import ModeLine
from tui.widgets.table_pane import ABOVE, TablePane
from tui.widgets.too_small import TooSmall

RUN_ROWS = 6
"""The height of the selected run's details."""


def bindings() -> list[BindingType]:
    """A binding for every key of every command."""
    return [
        Binding(key, f"ask({command.name!r})", command.label, show=False)
        for command in RUNS_COMMANDS
        for key in command.keys
    ]


class RunsScreen(RunsAsking, PacedScreen[LoadedRun | None]):
    """The list of all saved runs. It answers the one that was opened.

    Args:
        look: colours and characters.
        open_id: the run that is open in the lab.
        own_rules: rules in files, `file.py:Class`, whose code may be run.
    """

    BINDINGS: ClassVar[list[BindingType]] = bindings()
    AUTO_FOCUS = None

    def __init__(
        self, look: Look, open_id: int | None = None, own_rules: Collection[str] = ()
    ) -> None:
        super().__init__()
        self.look = look
        self.own_rules = own_rules
        self.browser = RunsBrowser(open_id)
        self.is_left = False
        self.mode_line: ModeLine = ModeLine(ModeView("RUNS"), look=look)
        self.table = TablePane(look=look)
        self.run_ = LogPane(look=look)
        self.too_small = TooSmall(look=look, id="too-small")
        self.keys = KeyBar(KeysView(hints(RUNS_COMMANDS)), look=look)

    def compose(self) -> ComposeResult:
        """The list above the details of the selected run."""
        yield self.mode_line
        yield self.table
        yield self.run_
        yield self.too_small
        yield self.keys

    def on_mount(self) -> None:
        """Read the list in the background."""
        self.run_.styles.height = RUN_ROWS
        self.read()

    def on_unmount(self) -> None:
        """Let nothing be played on."""
        self.is_left = True

    def on_resize(self, event: events.Resize) -> None:
        """Lay the panes out for the new size."""
        self.browser.window.resize(event.size.height - RUN_ROWS - ABOVE - 3)
        self.redraw(event.size)

    def redraw(self, size: Size | None = None) -> None:
        """Show the list as it is; panes send only what changed."""
        columns, rows = size or self.size
        fits = columns >= SMALLEST.width and rows >= SMALLEST.height
        for pane in (self.mode_line, self.table, self.run_, self.keys):
            pane.display = fits
        self.too_small.display = not fits
        if not fits:
            self.too_small.view = (columns, rows, *SMALLEST)
            return
        count = "" if self.browser.is_reading else f"{len(self.browser.runs):,}"
        self.mode_line.view = ModeView("RUNS", fields=(("saved", count),) if count else ())
        self.table.view = runs_view(self.browser, columns)
        self.run_.view = run_view(self.browser, columns)

    def action_ask(self, name: str) -> None:
        """Do what a command asks for, and show what came of it."""
        self.browser.note = ""
        ask: Callable[[], None] = getattr(self, f"ask_{name}")
        ask()
        self.redraw()

    def on_key_bar_key_chosen(self, message: KeyBar.KeyChosen) -> None:
        """A hint of the footer was clicked."""
        command = hinted(message.key, RUNS_COMMANDS)
        if command is not None:
            self.action_ask(command.name)

    def on_table_pane_row_chosen(self, message: TablePane.RowChosen) -> None:
        """A row was clicked."""
        self.browser.window.go_to(self.browser.window.top + message.row)
        self.redraw()

    def on_table_pane_scrolled(self, message: TablePane.Scrolled) -> None:
        """The wheel was turned."""
        self.browser.window.move(message.by)
        self.redraw()

    @work(thread=True, group="store", exit_on_error=False)
    def do(self, job: Callable[[], Any], then: Callable[[Any], None]) -> Any:
        """Do something with the store in a thread; the screen takes up what came of it."""
        result = job()
        return lambda: then(result)

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """Take up what was done, or say why it was not."""
        if event.state is WorkerState.SUCCESS:
            event.worker.result()  # type: ignore[misc]
        elif event.state is WorkerState.ERROR:
            error = event.worker.error
            self.browser.is_reading = False
            self.browser.note = sentence(error if isinstance(error, UsageError) else repr(error))
        else:
            return
        self.redraw()
