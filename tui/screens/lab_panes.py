"""The panes of the lab: what each shows, and how much room it gets."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

from textual.geometry import Size

from tui.lab import lazy_session
from tui.lab.commands import footer
from tui.lab.lazy_session import Opening
from tui.lab.modes import Mode
from tui.theme.look import Look
from tui.views.mode import KeysView
from tui.widgets.board_pane import BoardPane
from tui.widgets.cards import TOUR_ROWS, TooSmall, TourPane
from tui.widgets.curve_pane import CurvePane
from tui.widgets.log_pane import LogPane
from tui.widgets.mode_line import KeyBar, ModeLine
from tui.widgets.pane import Pane
from tui.widgets.stats_pane import StatsPane

if TYPE_CHECKING:
    from tui.screens.microscope_panes import MicroscopePanes

SMALLEST = Size(60, 20)


class LabPanes:
    """All panes of the lab.

    Args:
        opening: the session that they show, or what is shown before there is one.
        look: colours and characters.
    """

    def __init__(self, opening: Opening, look: Look) -> None:
        self._opening = opening
        self.mode_line = ModeLine(look=look)
        self.board = BoardPane(look=look)
        self.curve = CurvePane(look=look)
        self.log_ = LogPane(look=look)
        self.stats = StatsPane(look=look)
        self.too_small = TooSmall(look=look, id="too-small")
        self.tour = TourPane(look=look)
        self.tour.display = False
        self.keys = KeyBar(look=look)
        self._look = look
        self._size = Size(80, 24)

    @cached_property
    def microscope(self) -> MicroscopePanes:
        """The panes of one update, made when they are first wanted."""
        from tui.screens.microscope_panes import MicroscopePanes

        microscope = MicroscopePanes(self._look)
        left: Any = self.board.parent
        self.board.screen.mount(microscope, after=left.parent)
        microscope.make_room(self._size, self._rows)
        return microscope

    @property
    def has_microscope(self) -> bool:
        """Whether those are there."""
        return "microscope" in self.__dict__

    def wear(self, look: Look) -> None:
        """Show everything in other colours."""
        self._look = look
        microscope = self.microscope.all() if self.has_microscope else ()
        for pane in (*vars(self).values(), *microscope):
            if isinstance(pane, Pane):
                pane.look = look

    def arrange(self, size: Size) -> None:
        """Give each pane its room in a terminal of this size."""
        self._size = size
        columns, rows = size.width, self._rows
        left = min(48, max(28, columns * 2 // 5 - 4))
        middle = rows - 2
        self.board.parent.styles.width = left  # type: ignore[union-attr]
        self.board.styles.height = min(middle - 6, max(11, left * 9 // 20 + 2, middle * 3 // 5))
        self.stats.styles.height = 9 if rows < 30 else 10
        if self.has_microscope:
            self.microscope.make_room(size, rows)

    @property
    def _rows(self) -> int:
        """The rows that are left for the lab."""
        return self._size.height - self.rows_of_tour

    @property
    def rows_of_tour(self) -> int:
        """The rows that the card of a tour takes."""
        return TOUR_ROWS if self.tour.display else 0

    @property
    def fits(self) -> bool:
        """Whether the terminal is large enough for the lab."""
        return self._size.width >= SMALLEST.width and self._size.height >= SMALLEST.height

    def redraw(self, offset: int) -> None:
        """Show the session as it is; hidden panes are left alone."""
        mode = self._opening.mode
        fits, stepping = self.fits, mode is Mode.STEP
        self.board.parent.parent.display = fits and not stepping  # type: ignore[union-attr]
        if stepping or self.has_microscope:
            self.microscope.display = fits and stepping
        self.too_small.display = not fits
        self.mode_line.display = self.keys.display = fits
        if not fits:
            self.too_small.view = (self._size.width, self._size.height, *SMALLEST)
            return
        self.keys.view = KeysView(footer(mode))
        if not self._opening.is_over:
            self._open()
            return
        from tui.screens.drawing import draw_lab, draw_microscope, draw_mode

        session = self._opening.session
        draw_mode(self, session)
        if stepping:
            draw_microscope(self.microscope, session, offset)
        else:
            draw_lab(self, session, offset)

    def _open(self) -> None:
        settings = self._opening.settings
        self.mode_line.view = lazy_session.opening_mode(settings)
        self.board.view = lazy_session.opening_board(settings)
        self.log_.view = lazy_session.opening_log(self._opening.offer)
        self.stats.view = lazy_session.opening_stats()
        self.curve.view = lazy_session.opening_curve()
