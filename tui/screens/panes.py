"""The panes of the lab: what each shows, and how much room it gets."""

from __future__ import annotations

from textual.geometry import Size

from tui.lab import opening
from tui.lab.commands import footer
from tui.lab.modes import Mode
from tui.lab.opening import Opening
from tui.look import Look
from tui.views.mode import KeysView
from tui.widgets.afterstate_pane import AfterstatePane
from tui.widgets.board_pane import BoardPane
from tui.widgets.choice_pane import ChoicePane
from tui.widgets.curve_pane import CurvePane
from tui.widgets.diagram_pane import DiagramPane
from tui.widgets.entries_pane import EntriesPane
from tui.widgets.key_bar import KeyBar
from tui.widgets.log_pane import LogPane
from tui.widgets.mode_line import ModeLine
from tui.widgets.stats_pane import StatsPane
from tui.widgets.too_small import TooSmall
from tui.widgets.tour_pane import TourPane
from tui.widgets.update_pane import UpdatePane

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
        self.afterstate = AfterstatePane(look=look)
        self.next_afterstate = AfterstatePane(look=look)
        self.choice = ChoicePane(look=look)
        self.update_ = UpdatePane(look=look)
        self.diagram = DiagramPane(look=look)
        self.entries = EntriesPane(look=look)
        self.life = CurvePane(look=look)
        self.small_log = LogPane(look=look)
        self.small_curve = CurvePane(look=look)
        self.too_small = TooSmall(look=look, id="too-small")
        self.tour = TourPane(look=look)
        self.tour.display = False
        self.keys = KeyBar(look=look)
        self._size = Size(80, 24)

    def all(self) -> tuple[ModeLine | BoardPane | CurvePane | LogPane, ...]:
        """Every pane."""
        return tuple(pane for pane in vars(self).values() if hasattr(pane, "look"))

    def arrange(self, size: Size) -> None:
        """Give each pane its room in a terminal of this size."""
        self._size = size
        columns, rows = size
        if self.tour.display:
            rows -= 4
        left = min(48, max(28, columns * 2 // 5 - 4))
        middle = rows - 2
        self.board.parent.styles.width = left  # type: ignore[union-attr]
        self.board.styles.height = min(middle - 6, max(11, left * 9 // 20 + 2, middle * 3 // 5))
        self.stats.styles.height = 9 if rows < 30 else 10
        tall = rows >= 36
        wide = columns >= 110
        state = 30 if wide else 21
        self.afterstate.parent.styles.height = 11 if tall else 7  # type: ignore[union-attr]
        self.afterstate.styles.width = state
        self.next_afterstate.styles.width = state
        self.update_.styles.height = 8 if tall else 7
        self.diagram.styles.width = 46 if wide else 41
        self.diagram.parent.styles.height = 13 if tall else "1fr"  # type: ignore[union-attr]
        self.small_log.parent.display = tall  # type: ignore[union-attr]
        self.life.display = wide
        self.life.styles.width = 38
        self.small_log.styles.width = columns // 2

    @property
    def fits(self) -> bool:
        """Whether the terminal is large enough for the lab."""
        return self._size.width >= SMALLEST.width and self._size.height >= SMALLEST.height

    def redraw(self, offset: int) -> None:
        """Show the session as it is; hidden panes are left alone."""
        mode = self._opening.mode
        fits, stepping = self.fits, mode is Mode.STEP
        self.board.parent.parent.display = fits and not stepping  # type: ignore[union-attr]
        self.afterstate.parent.parent.display = fits and stepping  # type: ignore[union-attr]
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
        (draw_microscope if stepping else draw_lab)(self, session, offset)

    def _open(self) -> None:
        settings = self._opening.settings
        self.mode_line.view = opening.opening_mode(settings)
        self.board.view = opening.opening_board(settings)
        self.log_.view = opening.opening_log()
        self.stats.view = opening.opening_stats()
        self.curve.view = opening.opening_curve()
