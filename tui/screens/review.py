"""The review of a game: its moves, each a place to step from, and what the learner made of it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from textual.containers import Container
from textual.widget import Widget

from learners.tape.recording import TapePosition
from tui.lab.list_commands import REVIEW_COMMANDS
from tui.lab.review import Review, ReviewController
from tui.lab.review_view import board_view, learned_view, moves_view
from tui.screens.base import RunScreen
from tui.screens.list_screen import ListScreen
from tui.theme.look import Look
from tui.views.lab import ModeView
from tui.widgets.afterstate_pane import AfterstatePane
from tui.widgets.block_pane import BlockPane

if TYPE_CHECKING:
    from tui.screens.lab import LabScreen

LIST = 80
"""Columns of the moves; on a wide terminal the board stands beside them."""
BOARD = 30


class ReviewScreen(RunScreen, ListScreen[TapePosition | str | None]):
    """The moves of a game: Enter steps from one, n plays on.

    Args:
        review: the game.
        look: colours and characters.
    """

    commands = REVIEW_COMMANDS
    help_title = "review"

    def __init__(self, review: Review, look: Look) -> None:
        self.controller = ReviewController(review)
        super().__init__(self.controller, look)
        names = ("you", review.name)
        x, o = reversed(names) if review.person else names
        self.mode_line.view = ModeView("REVIEW", x=x, o=o)
        self._moves = BlockPane(look=look)
        self._board = AfterstatePane(look=look)
        self._learned = BlockPane(learned_view(review), look=look)
        self._above = Container(self._moves, self._board, classes="row")

    def panes(self) -> Iterator[Widget]:
        """The moves, on a wide terminal the board beside them, and what was learned below."""
        yield self._above
        yield self._learned

    def lay_out(self, columns: int, rows: int) -> None:
        """As many rows as moves and board need, and the rest for what was learned."""
        has_board = columns >= LIST + BOARD
        self._board.display = has_board
        width = max(BOARD, min(columns - LIST, columns * 2 // 5))
        self._board.styles.width = width
        high = len(self.controller.review.moves) + 3
        beside = min(width * 9 // 20 + 2, rows * 3 // 5) if has_board else 0
        self._above.styles.height = min(max(high, 12, beside), rows - 5)
        self.controller.window.resize(high)

    def draw(self, columns: int, rows: int) -> None:
        """The moves, and the board after that under the cursor."""
        self._moves.view = moves_view(self.controller)
        self._board.view = board_view(self.controller.selected)

    def on_block_pane_row_clicked(self, message: BlockPane.RowClicked) -> None:
        """A move was clicked."""
        if message.pane is self._moves and message.row < self.controller.window.count:
            self.choose_row(message.row)


def open_on(lab: LabScreen, review: Review) -> None:
    lab.app.push_screen(ReviewScreen(review, lab.look), lab.taking(lab.controller.leave_review))
