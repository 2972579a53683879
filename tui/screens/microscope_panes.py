"""The panes of one update under the microscope; made when a user first looks through it."""

from __future__ import annotations

from typing import Any

from textual.app import ComposeResult
from textual.containers import Container
from textual.geometry import Size

from tui.theme.look import Look
from tui.widgets.afterstate_pane import AfterstatePane
from tui.widgets.choice_pane import ChoicePane
from tui.widgets.curve_pane import CurvePane
from tui.widgets.diagram_pane import DiagramPane
from tui.widgets.entries_pane import EntriesPane
from tui.widgets.log_pane import LogPane
from tui.widgets.pane import Pane
from tui.widgets.update_pane import UpdatePane


class MicroscopePanes(Container):
    """Two states, the choice, the equation, the backup diagram, and what surrounds them.

    Args:
        look: colours and characters.
    """

    def __init__(self, look: Look) -> None:
        super().__init__(id="microscope")
        self.afterstate = AfterstatePane(look=look)
        self.next_afterstate = AfterstatePane(look=look)
        self.choice = ChoicePane(look=look)
        self.update_ = UpdatePane(look=look)
        self.diagram = DiagramPane(look=look)
        self.entries = EntriesPane(look=look)
        self.life = CurvePane(look=look)
        self.log_ = LogPane(look=look)
        self.curve = CurvePane(look=look)
        self.states = Container(self.afterstate, self.next_afterstate, self.choice, classes="row")
        self.diagrams = Container(self.diagram, self.entries, self.life, classes="row")
        self.around = Container(self.log_, self.curve, classes="row")

    def all(self) -> tuple[Pane[Any], ...]:
        """Every pane."""
        return tuple(pane for pane in vars(self).values() if isinstance(pane, Pane))

    def compose(self) -> ComposeResult:
        """Three rows and the equation."""
        yield self.states
        yield self.update_
        yield self.diagrams
        yield self.around

    def make_room(self, size: Size, rows: int) -> None:
        """Give each pane its room.

        Args:
            size: the terminal's.
            rows: those of them that are left for the lab.
        """
        tall = rows >= 36
        wide = size.width >= 110
        state = 30 if wide else 21
        self.states.styles.height = 11 if tall else 7 if rows >= 20 else 6
        self.afterstate.styles.width = state
        self.next_afterstate.styles.width = state
        self.update_.styles.height = 8 if tall else 7
        self.diagram.styles.width = 46 if wide else 41
        self.diagrams.styles.height = 13 if tall else "1fr"
        self.around.display = tall
        self.life.display = wide
        self.life.styles.width = 38
        self.log_.styles.width = size.width // 2
