"""What if: one game under other rules, side by side; and the whole run again."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar

from textual import work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import ModalScreen

from learners.evaluation import evaluate_memory
from learners.rerun import rerun
from learners.run import Run
from learners.spec import PlayerSpec
from learners.what_if import WhatIf
from tui.lab.session import Session
from tui.lab.stats import side_stats
from tui.lab.what_if import comparison, overlay
from tui.look import Look
from tui.screens.behind import Covering
from tui.screens.leaving import Leaving
from tui.views.stats import StatsView
from tui.widgets.curve_pane import CurvePane
from tui.widgets.log_pane import LogPane
from tui.widgets.stats_pane import StatsPane


class WhatIfScreen(Leaving, Covering, ModalScreen[None]):
    """A game as it was and as it would have been.

    Args:
        session: the lab.
        result: both games.
        player: whose rule is another.
        spec: the other rule.
        look: colours and characters.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q", "leave", "leave"),
        Binding("r", "rerun", "the whole run"),
        Binding("down,pagedown", "scroll(8)", "on"),
        Binding("up,pageup", "scroll(-8)", "back"),
    ]

    def __init__(
        self, session: Session, result: WhatIf, player: str, spec: PlayerSpec, look: Look
    ) -> None:
        super().__init__()
        self._session = session
        self._spec = spec
        self._player = player
        self._given_up = False
        self._top = 0
        was = str(session.run.x if player == "X" else session.run.o)
        self._was = was
        self._log = LogPane(comparison(result, player, was, str(spec)), look=look)
        self._curve = CurvePane(look=look)
        self._stats = StatsPane(look=look)
        self._curve.display = self._stats.display = False
        self._stats.styles.height = 9

    def compose(self) -> ComposeResult:
        """The two games; above them, when asked for, the two runs."""
        yield self._curve
        yield self._stats
        yield self._log

    def on_resize(self) -> None:
        """Begin at the top."""
        self.action_scroll(-(10**6))

    def action_scroll(self, by: int) -> None:
        """Move the window on the two games."""
        view = self._log.view
        if view is not None:
            most = max(0, len(view.lines) - max(1, self.size.height - 2))
            self._top = min(max(self._top + by, 0), most)
            self._log.view = replace(view, offset=most - self._top, jump=1)

    def action_leave(self) -> None:
        """Leave, and give up what is still being played."""
        self._given_up = True
        self.dismiss()

    def action_rerun(self) -> None:
        """Play the whole run again under the other rule."""
        self.play_again()

    @work(thread=True, exclusive=True)
    def play_again(self) -> None:
        """Rerun in the background, then show."""
        run = self._session.run
        others = {self._player.lower(): self._spec}
        other = rerun(run, **others, stop=lambda: self._given_up)  # type: ignore[arg-type]
        if other is not None:
            self.app.call_from_thread(self.show_run, other)

    def show_run(self, other: Run) -> None:
        """Lay the curves over each other, and judge the other run exactly."""
        self._curve.view = overlay(self._session.run, other, self._was, str(self._spec))
        sides = evaluate_memory(other.layout, other.memory)
        self._stats.view = StatsView(
            sides=tuple(side_stats(mark, side) for mark, side in zip("XO", sides, strict=True)),
            title="if so, at the end",
        )
        self._curve.display = self._stats.display = True
        self._log.display = False
