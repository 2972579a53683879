"""What if: one game under other rules, side by side; and the whole run again."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from textual import work
from textual.widget import Widget

from learners.judge.evaluation import evaluate_memory
from learners.queries.what_if import rerun
from tui.lab.list_commands import WHAT_IF_COMMANDS
from tui.lab.list_controller import ListController
from tui.lab.outcomes import Close
from tui.lab.panes import sides_stats
from tui.lab.what_if import comparison, overlay
from tui.progress import duration
from tui.screens.base import RunScreen
from tui.screens.list_screen import ListScreen
from tui.theme.look import Look
from tui.theme.numerals import count
from tui.views.lab import ModeView, StatsView
from tui.widgets.curve_pane import CurvePane
from tui.widgets.log_pane import LogPane
from tui.widgets.stats_pane import StatsPane

if TYPE_CHECKING:
    from learners.tape.run import Run
    from tui.lab.session import WhatIfSummary

TOLD_SECONDS = 0.5
"""How far the whole run has come is told so often."""
STATS_ROWS = 9


class LinesController(ListController):
    """Lines to scroll: the cursor is the first of them that is seen."""

    page = 1
    """The rows of a page."""

    def turn(self, pages: int) -> None:
        """Scroll by so many pages."""
        self.move(pages * self.page)


class WhatIfScreen(RunScreen, ListScreen[None]):
    """A game as it was and as it would have been.

    Args:
        asked: both games.
        look: colours and characters.
    """

    commands = WHAT_IF_COMMANDS
    help_title = "what if"

    def __init__(self, asked: WhatIfSummary, look: Look) -> None:
        game = ("game", count(asked.result.original.first + 1))
        self._mode = ModeView("WHAT IF", fields=(game, ("seed", str(asked.run.seed))))
        self.controller = LinesController()
        self.controller.handlers |= {"whole": self.toggle_runs, "back": Close}
        super().__init__(self.controller, look)
        self.mode_line.view = self._mode
        self._asked = asked
        self._given_up = self._is_playing = False
        self.games = LogPane(comparison(asked), look=look)
        self.curve = CurvePane(look=look)
        self.stats = StatsPane(look=look)
        self.stats.styles.height = STATS_ROWS
        self._shows_run = False

    def panes(self) -> Iterator[Widget]:
        """The two games; in their place, when asked for, the two runs."""
        yield self.curve
        yield self.stats
        yield self.games

    def lay_out(self, columns: int, rows: int) -> None:
        """Games or runs."""
        self.games.display = not self._shows_run
        self.curve.display = self.stats.display = self._shows_run
        self.controller.page = rows - 3
        if self.games.view is not None:
            hidden = max(0, len(self.games.view.lines) - max(1, rows - 2))
            self.controller.window.hold(hidden + 1)

    def draw(self, columns: int, rows: int) -> None:
        """The part of the two games that is seen."""
        view, window = self.games.view, self.controller.window
        if view is not None:
            rest = window.count - 1 - window.cursor
            right = f"{rest} more below" if rest else "same game, same dice"
            self.games.view = replace(view, offset=rest, jump=1, right=right)

    def on_mouse_scroll_down(self) -> None:
        """The wheel was turned."""
        self.action_perform("down")

    def on_mouse_scroll_up(self) -> None:
        """The wheel was turned back."""
        self.action_perform("up")

    def on_unmount(self) -> None:
        """Let nothing run on."""
        self._given_up = True

    def toggle_runs(self) -> None:
        """Show the two runs, playing the other one where that was not done yet; or the games."""
        if self.curve.view is not None:
            self.show(run=not self._shows_run)
        elif not self._is_playing:
            self._is_playing = True
            self.tell(0.0, time.monotonic())
            self.play_again()

    def show(self, *, run: bool) -> None:
        """Show the runs, or the games."""
        self._shows_run = run
        if not self.too_small.display:
            self.lay_out(self.size.width, self.size.height - 2)

    @work(thread=True, exclusive=True)
    def play_again(self) -> None:
        """Rerun in the background, then show."""
        began = told = time.monotonic()

        def tell(part: float) -> None:
            nonlocal told
            if time.monotonic() - told > TOLD_SECONDS:
                told = time.monotonic()
                self.app.call_from_thread(self.tell, part, began)

        others = {self._asked.player.lower(): self._asked.spec}
        other = rerun(
            self._asked.run,
            **others,  # type: ignore[arg-type]
            progress=tell,
            stop=lambda: self._given_up,
        )
        if other is not None:
            self.app.call_from_thread(self.take_run, other)

    def tell(self, part: float, began: float) -> None:
        """Say how far the whole run has come, and how long it will take."""
        left = (time.monotonic() - began) * (1 / part - 1) if part else None
        end = f", {duration(left)} left" if left is not None else ""
        self.mode_line.view = replace(self._mode, status=f"▶ the whole run {part:.0%}{end}")

    def take_run(self, other: Run) -> None:
        """Lay the curves over each other, and judge the other run exactly."""
        self.mode_line.view = self._mode
        self.curve.view = overlay(self._asked.run, other, self._asked.was, str(self._asked.spec))
        sides = evaluate_memory(other.layout, other.memory)
        self.stats.view = StatsView(sides_stats(sides), title="if so, at the end")
        self.show(run=True)
