"""The matchbox: its beads in their cells, and what the game drew, put in and took."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from textual.containers import Container
from textual.widget import Widget

from learners.tape.recording import TapePosition
from tui.lab.labels import player_label
from tui.lab.list_commands import MATCHBOX_COMMANDS
from tui.lab.matchbox import BoxController
from tui.lab.matchbox_view import box_lines, box_view, colours_view, words_view
from tui.screens.base import RunScreen
from tui.screens.list_screen import ListScreen
from tui.theme.look import Look
from tui.views.lab import ModeView
from tui.widgets.block_pane import BlockPane

if TYPE_CHECKING:
    from tui.screens.lab import LabScreen

REFRESH_SECONDS = 1.0
"""While it is trained, the box is looked into this often."""
WIDE = 76
"""Columns from which the colours stand beside the box too."""
LIST = 43
"""Columns of the colours and of the moments."""
NARROW = 27
"""Columns of the moments alone."""
COLOURS = 3
"""Rows around the colours: frame and heads."""
WORDS = 6
"""Rows of the sentences."""


class MatchboxScreen(RunScreen, ListScreen[TapePosition | None]):
    """The boxes of a game, one at a time: Enter steps from what happened to it.

    Args:
        controller: the boxes.
        look: colours and characters.
    """

    commands = MATCHBOX_COMMANDS
    help_title = "matchbox"

    def __init__(self, controller: BoxController, look: Look) -> None:
        self.controller = controller
        super().__init__(controller, look)
        self._box = BlockPane(look=look)
        self._words = BlockPane(look=look)
        self._colours = BlockPane(look=look)
        self._moments = BlockPane(look=look)
        self._left = Container(self._box, self._words, classes="column")
        self._right = Container(self._colours, self._moments, classes="column")

    def panes(self) -> Iterator[Widget]:
        """The box over what happens to it; its colours over all boxes of the game."""
        yield Container(self._left, self._right, classes="row")

    def on_mount(self) -> None:
        """Keep up with a training."""
        if self.controller.training is not None:
            self.set_interval(REFRESH_SECONDS, self.look_again)

    def look_again(self) -> None:
        """Show what is in the box by now."""
        self.controller.refresh()
        self.redraw()

    def lay_out(self, columns: int, rows: int) -> None:
        """The box has what the lists leave."""
        self._colours.display = columns >= WIDE
        self._right.styles.width = max(LIST, columns * 2 // 5) if columns >= WIDE else NARROW
        self._words.styles.height = WORDS
        high = COLOURS + max(len(box.after) for box in self.controller.boxes)
        high = high if columns >= WIDE else 0
        self._colours.styles.height = high
        self.controller.window.resize(rows - high - 2)

    def draw(self, columns: int, rows: int) -> None:
        """The box under the cursor."""
        box = self.controller.selected
        place = () if box.place is None else (("game", f"{box.place.game + 1:,}"),)
        player = {box.side.mark.lower(): player_label(box.spec)}
        self.mode_line.view = ModeView(
            "BOX",
            fields=place,
            status=self.controller.note,
            **player,  # type: ignore[arg-type]
        )
        self._box.view = box_view(box)
        self._words.view = words_view(box)
        self._colours.view = colours_view(box)
        self._moments.view = box_lines(self.controller)

    def on_block_pane_row_clicked(self, message: BlockPane.RowClicked) -> None:
        """A moment was clicked."""
        if message.pane is self._moments and message.row < self.controller.window.count:
            self.controller.window.go_to(message.row)
            self.redraw()


def open_on(lab: LabScreen, boxes: BoxController) -> None:
    lab.app.push_screen(
        MatchboxScreen(boxes, lab.look), lab.taking(lab.controller.go_to_last_write)
    )
