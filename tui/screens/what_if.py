"""What if: one game under another rule, both in lockstep; and the whole run again."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import TYPE_CHECKING

from textual import work
from textual.containers import Container
from textual.widget import Widget

from learners.ask.what_if import rerun
from learners.judge.evaluation import evaluate_memory
from learners.judge.figures import RMS_MINIMAX
from tui.blocks.log import Log
from tui.blocks.stats import Stats
from tui.lab.list_commands import WHAT_IF_COMMANDS
from tui.lab.lockstep import Lockstep, LockstepController
from tui.lab.panes import sides_stats
from tui.lab.what_if import comparison, overlay
from tui.screens.base import RunScreen
from tui.screens.list_screen import ListScreen
from tui.theme.look import Look
from tui.theme.numerals import count, seconds_text
from tui.views.lab import ModeView
from tui.widgets.block_pane import BlockPane

if TYPE_CHECKING:
    from learners.tape.run import Run
    from tui.lab.session import WhatIfSummary
    from tui.screens.lab import LabScreen

TOLD_SECONDS = 0.5
"""How far the whole run has come is told so often."""
STATS_ROWS = 8
WIDE = 110
"""Columns from which each update has its board beside it."""
BOARD_COLUMNS = 26


class WhatIfScreen(RunScreen, ListScreen[None]):
    """A game as it was and as it would have been: both updates, moved together.

    Args:
        asked: both games.
        look: colours and characters.
    """

    commands = WHAT_IF_COMMANDS
    help_title = "what if"

    def __init__(self, asked: WhatIfSummary, look: Look) -> None:
        game = ("game", count(asked.result.original.first + 1))
        self._mode = ModeView("WHAT IF", fields=(game, ("seed", str(asked.run.seed))))
        self.lockstep = Lockstep(asked)
        self.controller = LockstepController(self.lockstep)
        self.controller.handlers |= {"whole": self.toggle_runs}
        super().__init__(self.controller, look)
        self._asked = asked
        self._given_up = self._is_playing = False
        self._progress = ""
        self.updates = BlockPane(look=look), BlockPane(look=look)
        self.boards = BlockPane(look=look), BlockPane(look=look)
        self.both = tuple(
            Container(update, board, classes="row")
            for update, board in zip(self.updates, self.boards, strict=True)
        )
        self.games = BlockPane(look=look)
        self.curve = BlockPane(look=look)
        self.stats = BlockPane(look=look)
        self.stats.styles.height = STATS_ROWS
        self._shows_run = False

    def panes(self) -> Iterator[Widget]:
        """Both updates over the events of the games; instead, when asked for, the two runs."""
        yield self.curve
        yield self.stats
        yield from self.both
        yield self.games

    def lay_out(self, columns: int, rows: int) -> None:
        """Games or runs."""
        self.curve.display = self.stats.display = self._shows_run
        self.games.display = not self._shows_run
        for row, board in zip(self.both, self.boards, strict=True):
            row.display = not self._shows_run
            row.styles.height = 9 if rows >= 34 else 7
            board.display = columns >= WIDE
            board.styles.width = BOARD_COLUMNS

    def window_changed(self, columns: int, rows: int) -> None:
        """Keep the current events in sight."""
        around = rows - (18 if rows >= 34 else 14)
        self.controller.window.resize(self.rows_of(self.games, rows, around) - 2)

    def draw(self, columns: int, rows: int) -> None:
        """Both updates here, and the part of the two games around them."""
        lockstep, window = self.lockstep, self.controller.window
        many = len(lockstep.differences)
        told = "every event is the same"
        if many:
            values = "" if lockstep.differs_in_value else ", no value does"
            told = f"{many} of {len(lockstep.pairs)} events differ{values}"
        self.mode_line.view = self._mode._replace(
            status=self._progress or self.controller.note or told
        )
        for which in (0, 1):
            self.updates[which].view = lockstep.update_view(which)
            if columns >= WIDE:
                self.boards[which].view = lockstep.board_view(which)
        steps = comparison(self._asked)
        self.games.view = Log(
            lines=(*lockstep.lines(), *steps),
            cursor=lockstep.at,
            offset=max(0, len(lockstep.pairs) + len(steps) - window.top - window.height),
            jump=1,
            title=f"what if {self._asked.player} were {self._asked.spec}",
            right="same game, same dice",
            spot=True,
        )

    def on_block_pane_row_clicked(self, message: BlockPane.RowClicked) -> None:
        """A pair of events was clicked."""
        self.choose_row(message.row)

    def on_mouse_scroll_down(self) -> None:
        """The wheel was turned."""
        self.action_perform("event")

    def on_mouse_scroll_up(self) -> None:
        """The wheel was turned back."""
        self.action_perform("event_back")

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
            self.redraw()

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
        end = f", {seconds_text(left)} left" if left is not None else ""
        self._progress = f"▶ the whole run {part:.0%}{end}"
        self.redraw()

    def take_run(self, other: Run) -> None:
        """Lay the curves over each other, and judge the other run exactly."""
        self._progress = ""
        self.curve.view = overlay(self._asked.run, other, self._asked.was, str(self._asked.spec))
        sides = evaluate_memory(other.layout, other.memory)
        self.stats.view = Stats(
            sides=sides_stats(sides), rms_label=RMS_MINIMAX.error_label, title="if so, at the end"
        )
        self.show(run=True)


def open_on(lab: LabScreen, summary: WhatIfSummary) -> None:
    lab.app.push_screen(WhatIfScreen(summary, lab.look))
