"""The panes of the experiments: what each shows, and how much room it gets."""

from __future__ import annotations

import time
from collections.abc import Callable

from textual.geometry import Size

from tui.lab.commands import hints
from tui.lab.experiments.browser import ExperimentBrowser, Stage
from tui.lab.experiments.chart import chart_view
from tui.lab.experiments.commands import EXPERIMENT_COMMANDS
from tui.lab.experiments.layout import ARMS_AROUND, TABLE_AROUND, Rows, over_rows, running_rows
from tui.lab.experiments.verdicts import verdicts_view
from tui.lab.experiments.view import (
    answer_view,
    arms_view,
    note_view,
    plans_view,
    question_view,
    top_view,
)
from tui.screens.lab_panes import SMALLEST
from tui.theme.look import Look
from tui.views.mode import KeysView
from tui.widgets.experiment_arms import ArmsPane
from tui.widgets.experiment_chart import ChartPane
from tui.widgets.experiment_text import TextPane, wrapped
from tui.widgets.key_bar import KeyBar
from tui.widgets.mode_line import ModeLine
from tui.widgets.table_pane import TablePane
from tui.widgets.too_small import TooSmall

CHART_SECONDS = 1.0
"""While an experiment runs its curves are drawn so often: they are most of the bytes."""


class ExperimentPanes:
    """All panes of the experiments; those that a stage has no use for are hidden.

    Args:
        browser: what they show.
        look: colours and characters.
    """

    def __init__(self, browser: ExperimentBrowser, look: Look) -> None:
        self._browser, self._look = browser, look
        self.mode_line = ModeLine(look=look)
        self.plans = TablePane(look=look, id="plans")
        self.question = TextPane(look=look, id="question")
        self.arms = ArmsPane(look=look, id="arms")
        self.chart = ChartPane(look=look, id="chart")
        self.verdicts = TablePane(look=look, id="verdicts")
        self.answer = TextPane(look=look, id="answer-in-words")
        self.note = TextPane(look=look, id="note")
        self.too_small = TooSmall(look=look, id="too-small")
        self.keys = KeyBar(look=look)
        self._charted_at = -CHART_SECONDS

    def redraw(self, size: Size, *, by_itself: bool = False) -> None:
        """Show the experiments as they are; panes send only what changed.

        Args:
            size: the terminal's.
            by_itself: nobody asked for it: the curves, which move as a whole, may wait.
        """
        now = time.monotonic()
        self._may_chart = not by_itself or now - self._charted_at >= CHART_SECONDS
        if self._may_chart:
            self._charted_at = now
        columns, rows = size
        fits = columns >= SMALLEST.width and rows >= SMALLEST.height
        stage = self._browser.stage
        shown = self._shown(stage) if fits else ()
        for pane in (self.plans, self.question, self.arms, self.chart, self.verdicts, self.answer):
            pane.display = pane in shown
        self.mode_line.display = self.keys.display = fits
        self.too_small.display = not fits
        if not fits:
            self.note.display = False
            self.too_small.view = (columns, rows, *SMALLEST)
            return
        rows -= 2 + self._draw_note(columns)
        self.mode_line.view = top_view(self._browser)
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
            return self.plans, self.question
        if stage is Stage.PLAN:
            return self.question, self.arms
        if self._browser.reads:
            return (self.question,)
        last = self.answer if stage is Stage.OVER else self.arms
        return self.chart, self.verdicts, last

    def _draw_note(self, columns: int) -> int:
        """The rows that the note takes, where it has a pane."""
        self._browser.room_for_note = columns - 8
        self.note.display = self._browser.has_long_note
        if not self.note.display:
            return 0
        view = note_view(self._browser)
        rows = min(6, 2 + len(wrapped(view.paragraphs, columns - 4, self._look)))
        self.note.styles.height = rows
        self.note.view = view
        return rows

    def _draw_list(self, columns: int, rows: int) -> None:
        height = min(len(self._browser.entries), max(3, rows - TABLE_AROUND - 9))
        self.plans.styles.height = height + TABLE_AROUND
        self.plans.view = plans_view(self._browser, height)
        self.question.view = question_view(self._browser)

    def _draw_plan(self, columns: int, rows: int) -> None:
        height = min(len(self._browser.entry.plan.arms), max(3, rows - ARMS_AROUND - 12))
        self.arms.styles.height = height + ARMS_AROUND
        self.arms.view = arms_view(self._browser, height)
        self.question.view = question_view(self._browser)

    def _draw_figures(self, columns: int, rows: int) -> None:
        if self._browser.reads:
            self.question.view = question_view(self._browser)
            return
        part = self._rows(columns, rows)
        self.verdicts.styles.height = part.table
        self.verdicts.view = verdicts_view(self._browser, part.table - TABLE_AROUND, columns)
        if part.arms:
            self.arms.styles.height = part.arms
            self.arms.view = arms_view(self._browser, part.arms - ARMS_AROUND)
        if part.answer:
            self.answer.styles.height = part.answer
            self.answer.view = answer_view(self._browser)
        if self._may_chart:
            self.chart.view = chart_view(self._browser)

    def _rows(self, columns: int, rows: int) -> Rows:
        arms = len(self._browser.entry.plan.arms)
        if self._browser.stage is not Stage.OVER:
            return running_rows(rows, arms)
        said = wrapped(answer_view(self._browser).paragraphs, columns - 4, self._look)
        return over_rows(rows, arms, len(said))
