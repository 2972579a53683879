"""A screen that is painted as often as the line to the terminal allows, and no oftener."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from textual.screen import Screen, ScreenResultType
from textual.timer import Timer

from tui.screens.behind import Covering
from tui.widgets.mode_line import ModeLine

if TYPE_CHECKING:
    from tui.app import Afterstate


class PacedScreen(Covering, Screen[ScreenResultType]):
    """What changes while the line is busy is painted together, as it is then."""

    mode_line: ModeLine | None = None
    """Where the meter shows its figures."""
    shows_figures_only = False
    """Whether what is painted now is nothing but new figures of the meter."""
    _is_held = False
    _asking_again: Timer | None = None

    def tell_of_line(self, is_running: bool) -> None:
        """Say that the line is slow, where something runs that is shown less often for it."""
        if self.mode_line is not None:
            pacer = cast("Afterstate", self.app).pacer
            self.mode_line.slow = pacer.words if is_running else ""

    def catch_up(self) -> None:
        """Paint what was held back."""
        if self._is_held:
            self._update_timer.resume()

    def _on_timer_update(self) -> None:
        """Paint what changed, unless the line is busy with what was painted before."""
        pacer = cast("Afterstate", self.app).pacer
        dirty = self._dirty_widgets
        is_needed = dirty or self._layout_required or self._repaint_required
        self._is_held = bool(is_needed) and not pacer.may_paint()
        if self._asking_again is not None:
            self._asking_again.stop()
            self._asking_again = None
        if self._is_held:
            self._update_timer.pause()
            self._asking_again = self.set_timer(pacer.seconds_to_wait, self.catch_up)
            return
        line = self.mode_line
        self.shows_figures_only = line is not None and dirty == {line} and not line.has_news
        super()._on_timer_update()
        self.shows_figures_only = False
        if line is not None:
            line.has_news = False
