"""Provenance: why a value is what it is, as shares and as a tree of backups."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

from textual.containers import Container
from textual.widget import Widget

from learners.tape.recording import TapePosition
from tui.blocks.log import Log
from tui.lab.list_commands import PROVENANCE_COMMANDS
from tui.lab.why import Why, share_lines
from tui.lab.why_controller import HEADS, WhyController, board_view, node_line, values_view
from tui.screens.base import RunScreen
from tui.screens.list_screen import ListScreen
from tui.theme.look import Look
from tui.theme.numerals import count, decimals
from tui.views.lab import ModeView
from tui.widgets.afterstate_pane import AfterstatePane
from tui.widgets.block_pane import BlockPane

if TYPE_CHECKING:
    from learners.tape.run import Run
    from tui.screens.lab import LabScreen

LIST = 80
"""Columns of the list; on a wide terminal the board and the values stand beside it."""
BOARD_ROWS = 11


class ProvenanceScreen(RunScreen, ListScreen[TapePosition | None]):
    """A tree to walk: Enter opens a backup to what its target was made of, g steps from it.

    Args:
        run: the run.
        made: the backups, newest first, and the shares of the value.
        look: colours and characters.
    """

    commands = PROVENANCE_COMMANDS
    help_title = "provenance"

    def __init__(self, run: Run, made: Why, look: Look) -> None:
        self.controller = WhyController(run, made)
        super().__init__(self.controller, look)
        self._pane = BlockPane(look=look)
        backup = made.links[0].backup
        value = f"{backup.new:,.0f} beads" if made.beads else decimals(backup.new, 4)
        lines = share_lines(made)
        self._shares = BlockPane(
            Log(lines=lines, title=f"why is it {value}?", right="shares of what made it", jump=1),
            look=look,
        )
        self._share_rows = max(6, len(lines) + 2)
        self._shares.styles.height = self._share_rows
        self._board = AfterstatePane(look=look)
        self._curve = BlockPane(look=look)
        self._beside = Container(self._board, self._curve, id="beside")

    def panes(self) -> Iterator[Widget]:
        """The list; on a wide terminal the board and the values beside it."""
        yield self._shares
        yield Container(self._pane, self._beside, classes="row")

    def lay_out(self, columns: int, rows: int) -> None:
        """Keep the cursor in sight."""
        self._beside.display = columns >= LIST + 36
        self._beside.styles.width = min(columns - LIST, columns * 2 // 5)
        self._board.styles.height = max(BOARD_ROWS, (rows - self._share_rows) // 2)
        self.controller.window.resize(rows - 3 - self._share_rows)

    def draw(self, columns: int, rows: int) -> None:
        """The tree, and the board and the values of the row under the cursor."""
        controller = self.controller
        many = controller.selected.of[0].writes
        self.mode_line.view = ModeView(
            "WHY", fields=(("backups", count(many)),), status=controller.note
        )
        self._board.view = board_view(controller.selected)
        self._curve.view = values_view(controller.selected)
        window = controller.window
        self._pane.view = Log(
            lines=tuple(node_line(controller.tree, node) for node in controller.rows),
            heads=HEADS,
            cursor=window.cursor,
            offset=max(0, window.count - window.top - window.height),
            jump=1,
            title="where this value comes from",
            right="newest first",
            spot=True,
        )

    def on_block_pane_row_clicked(self, message: BlockPane.RowClicked) -> None:
        """A row was clicked: to it; again: open or close it."""
        if message.pane is not self._pane or message.row >= self.controller.window.count:
            return
        if message.row == self.controller.window.cursor:
            self.action_perform("toggle")
        else:
            self.controller.window.go_to(message.row)
            self.redraw()

    def on_mouse_scroll_down(self) -> None:
        """The wheel was turned."""
        self.action_perform("down")

    def on_mouse_scroll_up(self) -> None:
        """The wheel was turned back."""
        self.action_perform("up")


def open_on(lab: LabScreen, made: Why) -> None:
    entry = made.links[0].backup.entry
    lab.app.push_screen(
        ProvenanceScreen(lab.session.run, made, lab.look),
        lab.taking(partial(lab.controller.go_to_backup, entry)),
    )
