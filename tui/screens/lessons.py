"""The lessons, to choose one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from textual.widget import Widget

from tui.lab.lessons.list_controller import LessonsController
from tui.lab.list_commands import LESSONS_COMMANDS
from tui.screens.list_screen import ListScreen
from tui.theme.look import Look
from tui.views.lab import ModeView
from tui.widgets.doors_pane import DoorsPane

if TYPE_CHECKING:
    from tui.screens.lab import LabScreen


class LessonsScreen(ListScreen[str | None]):
    """The list of lessons. It answers the name of the one that was chosen.

    Args:
        look: colours and characters.
    """

    commands = LESSONS_COMMANDS
    help_title = "lessons"

    def __init__(self, look: Look) -> None:
        self.controller = LessonsController()
        super().__init__(self.controller, look)
        self.doors = DoorsPane(look=look)

    def panes(self) -> Iterator[Widget]:
        yield self.doors

    def draw(self, columns: int, rows: int) -> None:
        """Show the lessons."""
        self.mode_line.view = ModeView("LESSONS")
        self.doors.view = self.controller.view

    def on_doors_pane_door_chosen(self, message: DoorsPane.DoorChosen) -> None:
        """A lesson was clicked."""
        self.show_outcome(self.controller.perform("begin", str(message.number + 1)))


def open_on(lab: LabScreen, data: None) -> None:
    lab.app.push_screen(LessonsScreen(lab.look), lab.take_lesson)
