"""The experiments: the book's exercises and plans of one's own, run and judged exactly."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from textual import work
from textual.timer import Timer
from textual.widget import Widget
from textual.worker import Worker, WorkerState

from tui.lab.commands import Command
from tui.lab.experiments.chart import chart_view
from tui.lab.experiments.controller import ExperimentsController
from tui.lab.experiments.experiment import Digest, ExperimentRun
from tui.lab.experiments.view import (
    ARMS_AROUND,
    TABLE_AROUND,
    Rows,
    answer_view,
    arms_view,
    note_view,
    over_rows,
    plans_view,
    question_view,
    running_rows,
    top_view,
    verdicts_view,
)
from tui.lab.list_commands import EXPERIMENT_COMMANDS, Stage
from tui.lab.modes import Settings
from tui.lab.outcomes import Outcome
from tui.screens.list_screen import ListScreen
from tui.theme.look import Look
from tui.widgets.cards import TextPane, wrapped
from tui.widgets.experiment_panes import ArmsPane, ChartPane
from tui.widgets.table_pane import TablePane

if TYPE_CHECKING:
    from tui.screens.lab import LabScreen

REFRESHES = 4
"""Pictures of a running experiment in a second, at most."""
CHART_SECONDS = 1.0
"""While an experiment runs its curves are drawn this often: they are most of the bytes."""


class ExperimentsScreen(ListScreen[Settings | None]):
    """A list of plans; one of them opened; its curves and its verdicts.

    It answers the players of an arm with which the lab is to be set up.

    Args:
        controller: the experiments; what runs in them goes on when the screen is left.
        look: colours and characters.
    """

    commands = EXPERIMENT_COMMANDS
    help_title = "experiments"

    def __init__(self, controller: ExperimentsController, look: Look) -> None:
        super().__init__(controller, look)
        self.controller = controller
        self.plans = TablePane(look=look, id="plans")
        self.question = TextPane(look=look, id="question")
        self.arms = ArmsPane(look=look, id="arms")
        self.chart = ChartPane(look=look, id="chart")
        self.verdicts = TablePane(look=look, id="verdicts")
        self.answer = TextPane(look=look, id="answer-in-words")
        self.note = TextPane(look=look, id="note")
        self._watching: Timer | None = None
        self._is_busy = False
        self._may_chart = True
        self._charted_at = -CHART_SECONDS

    def panes(self) -> Iterator[Widget]:
        """All panes; those that a stage has no use for are hidden."""
        yield self.plans
        yield self.question
        yield self.arms
        yield self.chart
        yield self.verdicts
        yield self.answer
        yield self.note

    @property
    def available(self) -> Sequence[Command]:
        """The commands of the current stage."""
        return self.controller.available

    def on_screen_resume(self) -> None:
        """Catch up with what runs."""
        self.watch_run()

    def show_outcome(self, outcome: Outcome) -> None:
        """Show what came of a command, and watch what runs."""
        super().show_outcome(outcome)
        self.watch_run()

    def choose_row(self, row: int) -> None:
        """Select the plan or the arm in a row."""
        pane = self.arms if self.arms.display else self.verdicts
        shown = pane.view if self.controller.is_open else self.plans.view
        if shown is not None and shown.cursor is not None:
            self.controller.move(row - shown.cursor)
            self.redraw()

    def watch_run(self) -> None:
        """Take stock now, and again as long as the open experiment runs."""
        run = self.controller.entry.run if self.controller.is_open else None
        if run is None:
            self._stop_watching()
            return
        if self._watching is None:
            self._watching = self.set_interval(1 / REFRESHES, self.poll)
        self.poll()

    def _stop_watching(self) -> None:
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
        """The current figures, whose they are, and whether they are the last ones."""
        run = self.controller.entry.run
        is_last = run is None or run.is_over
        return run, is_last, self.controller.take_stock()

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """Stock was taken."""
        if event.worker.group == "stock" and event.worker.is_finished:
            self._is_busy = False
            if event.state is WorkerState.SUCCESS and event.worker.result is not None:
                self._take(*event.worker.result)

    def _take(self, run: ExperimentRun | None, is_last: bool, digest: Digest | None) -> None:
        """Show the figures, and watch on where more are to come."""
        if run is not self.controller.entry.run or not self.controller.is_open:
            return
        self.controller.take_digest(run, digest)
        if is_last:
            self._stop_watching()
        if digest is not None and digest.metric != self.controller.metric:
            self.poll()
        self.redraw(by_itself=not is_last)

    def redraw(self, *, by_itself: bool = False) -> None:
        """Show the experiments as they are.

        Args:
            by_itself: nobody asked for it: the curves, which move as a whole, may wait.
        """
        waited = time.monotonic() - self._charted_at
        self._may_chart = not by_itself or waited >= CHART_SECONDS
        super().redraw()
        self._may_chart = True

    def draw(self, columns: int, rows: int) -> None:
        """The panes of the stage."""
        stage = self.controller.stage
        shown = self._shown(stage)
        for pane in (self.plans, self.question, self.arms, self.chart, self.verdicts, self.answer):
            pane.display = pane in shown
        rows -= self._draw_note(columns)
        self.mode_line.view = top_view(self.controller)
        if self._may_chart:
            self._charted_at = time.monotonic()
        if stage is Stage.LIST:
            self._draw_list(rows)
        elif stage is Stage.PLAN:
            self._draw_plan(rows)
        else:
            self._draw_figures(columns, rows)
        self.show_line_speed(self._watching is not None)

    def _shown(self, stage: Stage) -> tuple[object, ...]:
        if stage is Stage.LIST:
            return self.plans, self.question
        if stage is Stage.PLAN:
            return self.question, self.arms
        if self.controller.reads:
            return (self.question,)
        last = self.answer if stage is Stage.OVER else self.arms
        return self.chart, self.verdicts, last

    def _draw_note(self, columns: int) -> int:
        """The rows that the note takes, where it has a pane."""
        self.controller.room_for_note = columns - 8
        self.note.display = self.controller.has_long_note
        if not self.note.display:
            return 0
        view = note_view(self.controller)
        rows = min(6, 2 + len(wrapped(view.paragraphs, columns - 4, self.look)))
        self.note.styles.height = rows
        self.note.view = view
        return rows

    def _draw_list(self, rows: int) -> None:
        height = min(len(self.controller.entries), max(3, rows - TABLE_AROUND - 9))
        self._give(self.plans, height + TABLE_AROUND)
        height = self.rows_of(self.plans, rows, height + TABLE_AROUND) - TABLE_AROUND
        self.plans.view = plans_view(self.controller, height)
        self.question.view = question_view(self.controller)

    def _draw_plan(self, rows: int) -> None:
        height = min(len(self.controller.entry.plan.arms), max(3, rows - ARMS_AROUND - 12))
        self._give(self.arms, height + ARMS_AROUND)
        height = self.rows_of(self.arms, rows, height + ARMS_AROUND) - ARMS_AROUND
        self.arms.view = arms_view(self.controller, height)
        self.question.view = question_view(self.controller)

    def _draw_figures(self, columns: int, rows: int) -> None:
        if self.controller.reads:
            self.question.view = question_view(self.controller)
            return
        part = self._rows(columns, rows)
        self._give(self.verdicts, part.table)
        table = self.rows_of(self.verdicts, rows, part.table) - TABLE_AROUND
        self.verdicts.view = verdicts_view(self.controller, table, columns)
        if part.arms:
            self._give(self.arms, part.arms)
            arms = self.rows_of(self.arms, rows, part.arms) - ARMS_AROUND
            self.arms.view = arms_view(self.controller, arms)
        if part.answer:
            self._give(self.answer, part.answer)
            self.answer.view = answer_view(self.controller)
        if self._may_chart:
            self.chart.view = chart_view(self.controller)

    def _give(self, pane: Widget, rows: int) -> None:
        """Give a pane its rows, unless it is alone."""
        if self.zoom.pane is not pane:
            pane.styles.height = rows

    def _rows(self, columns: int, rows: int) -> Rows:
        arms = len(self.controller.entry.plan.arms)
        if self.controller.stage is not Stage.OVER:
            return running_rows(rows, arms)
        said = wrapped(answer_view(self.controller).paragraphs, columns - 4, self.look)
        return over_rows(rows, arms, len(said))


def open_on(lab: LabScreen, data: None) -> None:
    lab.experiments = lab.experiments or ExperimentsController()
    lab.app.push_screen(ExperimentsScreen(lab.experiments, lab.look), lab.set_up)
