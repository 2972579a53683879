"""The experiments: the book's exercises and plans of one's own, run and judged exactly."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import ClassVar

from textual import events, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.geometry import Size
from textual.screen import Screen
from textual.timer import Timer
from textual.worker import Worker, WorkerState

from learners.errors import printable
from tui.lab.commands import hints
from tui.lab.experiment import ExperimentRun
from tui.lab.experiment_browser import ExperimentBrowser, Stage
from tui.lab.experiment_chart import chart_view
from tui.lab.experiment_commands import EXPERIMENT_COMMANDS
from tui.lab.experiment_digest import Digest
from tui.lab.experiment_layout import ARMS_AROUND, TABLE_AROUND, Rows, over_rows, running_rows
from tui.lab.experiment_view import (
    answer_view,
    arms_view,
    note_view,
    plans_view,
    question_view,
    top_view,
    verdicts_view,
)
from tui.lab.modes import Settings
from tui.look import Look
from tui.screens.experiments_asking import ExperimentsAsking
from tui.screens.panes import SMALLEST
from tui.views.mode import KeysView
from tui.widgets.experiment_arms import ArmsPane
from tui.widgets.experiment_chart import ChartPane
from tui.widgets.experiment_text import TextPane, wrapped
from tui.widgets.key_bar import KeyBar
from tui.widgets.mode_line import ModeLine
from tui.widgets.table_pane import TablePane
from tui.widgets.too_small import TooSmall

REFRESHES = 4
"""Pictures of a running experiment in a second, at most."""


def bindings() -> list[BindingType]:
    """A binding for every key of every command."""
    return [
        Binding(key, f"ask({command.name!r})", command.label, show=False, priority=key == "tab")
        for command in EXPERIMENT_COMMANDS
        for key in command.keys
    ]


class ExperimentsScreen(ExperimentsAsking, Screen[Settings | None]):
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
        self.mode_line = ModeLine(look=look)
        self.plans = TablePane(look=look, id="plans")
        self.question_ = TextPane(look=look, id="question")
        self.arms = ArmsPane(look=look, id="arms")
        self.chart = ChartPane(look=look, id="chart")
        self.verdicts = TablePane(look=look, id="verdicts")
        self.answer = TextPane(look=look, id="answer-in-words")
        self.note = TextPane(look=look, id="note")
        self.too_small = TooSmall(look=look, id="too-small")
        self.keys = KeyBar(look=look)
        self._watching: Timer | None = None
        self._is_busy = False

    def compose(self) -> ComposeResult:
        """All panes; those that a stage has no use for are hidden."""
        yield self.mode_line
        yield self.plans
        yield self.question_
        yield self.arms
        yield self.chart
        yield self.verdicts
        yield self.answer
        yield self.note
        yield self.too_small
        yield self.keys

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

    def redraw(self, size: Size | None = None) -> None:
        """Show the experiments as they are; panes send only what changed.

        Behind a question nothing is painted: that would paint the question anew.
        """
        if not self.is_current:
            return
        columns, rows = size or self.size
        fits = columns >= SMALLEST.width and rows >= SMALLEST.height
        stage = self.browser.stage
        shown = self._shown(stage) if fits else ()
        for pane in (self.plans, self.question_, self.arms, self.chart, self.verdicts, self.answer):
            pane.display = pane in shown
        self.mode_line.display = self.keys.display = fits
        self.too_small.display = not fits
        if not fits:
            self.note.display = False
            self.too_small.view = (columns, rows, *SMALLEST)
            return
        rows -= 2 + self._draw_note(columns)
        self.mode_line.view = top_view(self.browser)
        commands = (c for c in EXPERIMENT_COMMANDS if stage in c.stages)
        self.keys.view = KeysView(hints(commands))
        draw: Callable[[int, int], None] = {
            Stage.LIST: self._draw_list,
            Stage.PLAN: self._draw_plan,
            Stage.RUNNING: self._draw_figures,
            Stage.STOPPED: self._draw_figures,
            Stage.OVER: self._draw_figures,
        }[stage]
        draw(columns, rows)

    def _shown(self, stage: Stage) -> tuple[object, ...]:
        """The panes of a stage."""
        if stage is Stage.LIST:
            return self.plans, self.question_
        if stage is Stage.PLAN:
            return self.question_, self.arms
        if self.browser.reads:
            return (self.question_,)
        last = self.answer if stage is Stage.OVER else self.arms
        return self.chart, self.verdicts, last

    def _draw_note(self, columns: int) -> int:
        """The rows that the note takes, where it has a pane."""
        self.browser.room_for_note = columns - 8
        self.note.display = self.browser.has_long_note
        if not self.note.display:
            return 0
        view = note_view(self.browser)
        rows = min(6, 2 + len(wrapped(view.paragraphs, columns - 4, self.look)))
        self.note.styles.height = rows
        self.note.view = view
        return rows

    def _draw_list(self, columns: int, rows: int) -> None:
        height = min(len(self.browser.entries), max(3, rows - TABLE_AROUND - 9))
        self.plans.styles.height = height + TABLE_AROUND
        self.plans.view = plans_view(self.browser, height)
        self.question_.view = question_view(self.browser)

    def _draw_plan(self, columns: int, rows: int) -> None:
        height = min(len(self.browser.entry.plan.arms), max(3, rows - ARMS_AROUND - 12))
        self.arms.styles.height = height + ARMS_AROUND
        self.arms.view = arms_view(self.browser, height)
        self.question_.view = question_view(self.browser)

    def _draw_figures(self, columns: int, rows: int) -> None:
        if self.browser.reads:
            self.question_.view = question_view(self.browser)
            return
        part = self._rows(columns, rows)
        self.verdicts.styles.height = part.table
        self.verdicts.view = verdicts_view(self.browser, part.table - TABLE_AROUND, columns)
        if part.arms:
            self.arms.styles.height = part.arms
            self.arms.view = arms_view(self.browser, part.arms - ARMS_AROUND)
        if part.answer:
            self.answer.styles.height = part.answer
            self.answer.view = answer_view(self.browser)
        self.chart.view = chart_view(self.browser)

    def _rows(self, columns: int, rows: int) -> Rows:
        arms = len(self.browser.entry.plan.arms)
        if self.browser.stage is not Stage.OVER:
            return running_rows(rows, arms)
        said = wrapped(answer_view(self.browser).paragraphs, columns - 4, self.look)
        return over_rows(rows, arms, len(said))

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
        for command in EXPERIMENT_COMMANDS:
            if message.key.endswith(command.shown) and self.browser.stage in command.stages:
                self.action_ask(command.name)
                return

    def on_table_pane_row_chosen(self, message: TablePane.RowChosen) -> None:
        """A row was clicked."""
        self._choose(message.row)

    def on_arms_pane_row_chosen(self, message: ArmsPane.RowChosen) -> None:
        """An arm was clicked."""
        self._choose(message.row)

    def _choose(self, row: int) -> None:
        view = self.plans.view if not self.browser.is_open else None
        pane = self.arms if self.arms.display else self.verdicts
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
        path = Path(folder).expanduser().absolute()
        try:
            files = write_results(digest.snapshot.results, path)
        except (OSError, RuntimeError, ValueError) as error:
            why = getattr(error, "strerror", None) or str(error)
            return f"{printable(str(path))} cannot be written: {printable(why.lower())}"
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
        self.redraw()
