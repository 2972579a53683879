"""The experiments: the book's exercises and plans of one's own, run and judged exactly."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import ClassVar

from textual import events, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.geometry import Size
from textual.timer import Timer
from textual.worker import Worker, WorkerState

from learners.errors import printable
from tui.lab.commands import hinted
from tui.lab.experiments.browser import ExperimentBrowser
from tui.lab.experiments.commands import EXPERIMENT_COMMANDS
from tui.lab.experiments.digest import Digest
from tui.lab.experiments.experiment import ExperimentRun
from tui.lab.modes import Settings
from tui.screens.base import PacedScreen
from tui.screens.experiments_asking import ExperimentsAsking
from tui.screens.experiments_panes import ExperimentPanes
from tui.theme.look import Look
from tui.widgets.experiment_arms import ArmsPane
from tui.widgets.key_bar import KeyBar
from tui.widgets.table_pane import TablePane

REFRESHES = 4
"""Pictures of a running experiment in a second, at most."""


def bindings() -> list[BindingType]:
    """A binding for every key of every command."""
    return [
        Binding(key, f"ask({command.name!r})", command.label, show=False, priority=key == "tab")
        for command in EXPERIMENT_COMMANDS
        for key in command.keys
    ]


class ExperimentsScreen(ExperimentsAsking, PacedScreen[Settings | None]):
    """A list of plans; one of them opened; its curves and its verdicts.

    It answers the players of an arm with which the lab is to be set up.

    Args:
        browser: the experiments; what runs in them goes on when the screen is left.
        look: colours and characters.
    """

    BINDINGS: ClassVar[list[BindingType]] = bindings()
    AUTO_FOCUS = None

    def __init__(self, browser: ExperimentBrowser, look: Look) -> None:
        super().__init__()
        self.browser = browser
        self.look = look
        self.panes = ExperimentPanes(browser, look)
        self.mode_line = self.panes.mode_line
        self._watching: Timer | None = None
        self._is_busy = False

    def compose(self) -> ComposeResult:
        """All panes; those that a stage has no use for are hidden."""
        yield self.panes.mode_line
        yield self.panes.plans
        yield self.panes.question
        yield self.panes.arms
        yield self.panes.chart
        yield self.panes.verdicts
        yield self.panes.answer
        yield self.panes.note
        yield self.panes.too_small
        yield self.panes.keys

    def on_mount(self) -> None:
        """Show where the user was."""
        self.redraw()

    def on_screen_resume(self) -> None:
        """Catch up with what was answered, and with what runs."""
        self.watch_run()
        self.redraw()

    def on_resize(self, event: events.Resize) -> None:
        """Lay the panes out for the new size."""
        self.redraw(event.size)

    def redraw(self, size: Size | None = None, *, by_itself: bool = False) -> None:
        """Show the experiments as they are; panes send only what changed.

        Behind a question nothing is painted: that would paint the question anew.
        """
        if not self.is_current:
            return
        self.panes.redraw(size or self.size, by_itself=by_itself)
        self.show_line_speed(self._watching is not None)

    def action_ask(self, name: str) -> None:
        """Do what a command asks for, and show what came of it."""
        self.browser.note = ""
        ask: Callable[[], None] = getattr(self, f"ask_{name}")
        command = next(c for c in EXPERIMENT_COMMANDS if c.name == name)
        if self.browser.stage in command.stages or name in ("up", "down", "open"):
            ask()
        self.watch_run()
        self.redraw()

    def on_key_bar_key_chosen(self, message: KeyBar.KeyChosen) -> None:
        """A hint of the footer was clicked."""
        stage = self.browser.stage
        command = hinted(message.key, (c for c in EXPERIMENT_COMMANDS if stage in c.stages))
        if command is not None:
            self.action_ask(command.name)

    def on_table_pane_row_chosen(self, message: TablePane.RowChosen) -> None:
        """A row was clicked."""
        self._choose(message.row)

    def on_arms_pane_row_chosen(self, message: ArmsPane.RowChosen) -> None:
        """An arm was clicked."""
        self._choose(message.row)

    def _choose(self, row: int) -> None:
        view = self.panes.plans.view if not self.browser.is_open else None
        pane = self.panes.arms if self.panes.arms.display else self.panes.verdicts
        shown = view or pane.view
        if shown is not None and shown.cursor is not None:
            self.browser.move(row - shown.cursor)
            self.redraw()

    def on_table_pane_scrolled(self, message: TablePane.Scrolled) -> None:
        """The wheel was turned."""
        self.browser.move(1 if message.by > 0 else -1)
        self.redraw()

    def on_arms_pane_scrolled(self, message: ArmsPane.Scrolled) -> None:
        """The wheel was turned."""
        self.browser.move(message.by)
        self.redraw()

    def set_to_work(self, run: ExperimentRun) -> None:
        """Let a run work in a thread that outlives the screen."""
        self.app.run_worker(run.work, thread=True, group="experiment", exit_on_error=False)
        self.watch_run()

    def watch_run(self) -> None:
        """Take stock now, and again as long as the open experiment runs."""
        run = self.browser.entry.run if self.browser.is_open else None
        if run is None:
            self._rest()
            return
        if self._watching is None:
            self._watching = self.set_interval(1 / REFRESHES, self.poll)
        self.poll()

    def _rest(self) -> None:
        if self._watching is not None:
            self._watching.stop()
            self._watching = None

    def poll(self) -> None:
        """Have stock taken in a thread, unless one is at it."""
        if not self._is_busy:
            self._is_busy = True
            self.take_stock()

    @work(thread=True, group="stock", exit_on_error=False)
    def take_stock(self) -> tuple[ExperimentRun | None, bool, Digest | None]:
        """The figures of now, whose they are, and whether they are the last ones."""
        run = self.browser.entry.run
        is_last = run is None or run.is_over
        return run, is_last, self.browser.take_stock()

    @work(thread=True, group="export", exit_on_error=False)
    def write(self, folder: str) -> str:
        """Export in a thread: bootstraps and files take their time. Answers with a sentence."""
        from learners.experiments.export import write_results

        digest = self.browser.digest
        if digest is None:
            return ""
        try:
            path = Path(folder).expanduser().absolute()
            files = write_results(digest.snapshot.results, path)
        except (OSError, RuntimeError, ValueError) as error:
            why = getattr(error, "strerror", None) or str(error)
            return f"{printable(folder)} cannot be written: {printable(why.lower())}"
        return f"{len(files)} files are in {printable(str(path))}"

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """Stock was taken, or files were written."""
        if not event.worker.is_finished:
            return
        if event.worker.group == "export":
            self.browser.note = str(event.worker.result or event.worker.error)
            self.redraw()
        elif event.worker.group == "stock":
            self._is_busy = False
            if event.state is WorkerState.SUCCESS and event.worker.result is not None:
                self._take(*event.worker.result)

    def _take(self, run: ExperimentRun | None, is_last: bool, digest: Digest | None) -> None:
        """Show the figures, and watch on where more are to come."""
        if run is not self.browser.entry.run or not self.browser.is_open:
            return
        self.browser.digest = digest
        if run is not None and run.trouble:
            self.browser.note = run.trouble
        elif digest is not None and digest.snapshot.trouble:
            self.browser.note = f"Finished trials cannot be saved: {digest.snapshot.trouble}"
        if is_last:
            self._rest()
        if digest is not None and digest.metric != self.browser.metric:
            self.poll()
        self.redraw(by_itself=not is_last)
