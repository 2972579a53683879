"""Home: the first screen, with a door to each thing that the lab can do."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ClassVar

from textual import events, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container
from textual.geometry import Size
from textual.timer import Timer
from textual.worker import Worker, WorkerState

from tui.lab.commands import hinted, hints
from tui.lab.home import HomeController
from tui.lab.list_commands import HOME_COMMANDS
from tui.lab.outcomes import Open, Outcome, Question, Request
from tui.screens.base import SMALLEST, PacedScreen, RunScreen, lab_app
from tui.theme.glyphs import ASCII
from tui.theme.look import Look
from tui.views.lab import KeysView
from tui.widgets.block_pane import BlockPane
from tui.widgets.cards import TextPane, TooSmall
from tui.widgets.doors_pane import DoorsPane
from tui.widgets.mode_line import KeyBar, ModeLine

if TYPE_CHECKING:
    from learners.runs.listing import RunInfo
    from tui.blocks.cells import Cells

PICTURE_SECONDS = 0.4
"""Between two pictures of what plays behind the doors."""
WIDE = 76
"""From so many columns on there is room for the board beside the doors."""
LEGEND_ROWS = 9
DOORS_WIDTH = 80
"""Columns that the doors keep where the board could have more."""
FONT = "Boxes or dots look wrong? afterstate --ascii"


class HomeScreen(RunScreen, PacedScreen[None]):
    """The doors, and beside them the board of where the user was, or of a run that learns.

    It is left through a door: what a door does, it does in the lab behind.

    Args:
        controller: what the doors do.
        look: colours and characters.
        show: shows in the lab what came of a command.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(key, f"perform({command.name!r})", command.label, show=False)
        for command in HOME_COMMANDS
        for key in command.keys
    ]
    AUTO_FOCUS = None

    def __init__(
        self, controller: HomeController, look: Look, show: Callable[[Outcome], None]
    ) -> None:
        super().__init__()
        self.controller = controller
        self._show = show
        self._playing: Timer | None = None
        self.mode_line: ModeLine = ModeLine(look=look)
        self.board = BlockPane(look=look)
        self.legend = TextPane(look=look)
        self.doors = DoorsPane(look=look)
        self.keys = KeyBar(look=look)
        self.too_small = TooSmall(look=look, id="too-small")
        self._left = Container(self.board, self.legend, classes="column")
        self._middle = Container(self._left, self.doors, classes="row")

    def compose(self) -> ComposeResult:
        """The board and the doors between mode line and key bar; where it is small, a card."""
        yield self.mode_line
        yield self._middle
        yield self.too_small
        yield self.keys

    def on_mount(self) -> None:
        """Show the doors, then look for what was saved last, and let the recording play."""
        self._arrange(self.app.size)
        self.redraw()
        if self.controller.may_find_run:
            self.call_after_refresh(self.find_run)
        self._playing = self.set_interval(PICTURE_SECONDS, self.tick)

    def on_resize(self, event: events.Resize) -> None:
        """Lay the panes out for the new size."""
        self._arrange(event.size)
        self.redraw()

    def _arrange(self, size: Size) -> None:
        fits = size.width >= SMALLEST.width and size.height >= SMALLEST.height
        self.mode_line.display = self._middle.display = self.keys.display = fits
        self.too_small.display = not fits
        self.too_small.view = (size.width, size.height, *SMALLEST)
        self._left.display = size.width >= WIDE
        square = min(size.width - DOORS_WIDTH, 2 * (size.height - LEGEND_ROWS))
        self._left.styles.width = max(square, min(48, max(28, size.width * 2 // 5 - 4)))
        self.legend.styles.height = LEGEND_ROWS

    def redraw(self) -> None:
        """Show home as it is."""
        home = self.controller
        self.mode_line.view = home.mode_line
        self.board.view = home.board
        self.legend.view = home.legend
        self.doors.view = home.doors("" if self.doors.look.glyphs is ASCII else FONT)
        self.keys.view = KeysView(hints(c for c in home.commands if c.footer))

    def on_screen_resume(self) -> None:
        """Show what was done meanwhile."""
        self.redraw()

    def tick(self) -> None:
        """The next picture; the last one stays."""
        self.controller.tick()
        if self._playing is not None and not self.controller.is_playing:
            self._playing.stop()
        if self.is_current:
            self.redraw()

    def action_perform(self, name: str) -> None:
        """Do what a command asks for; what it opens comes over home, all else is in the lab."""
        outcome = self.controller.perform(name)
        if name in ("up", "down") or (name == "go_on" and not self.controller.has_more):
            self.redraw()
            return
        if not isinstance(outcome, Open | Question | Request):
            self.dismiss()
        self._show(outcome)
        if outcome is Request.THEME:
            self.wear(lab_app(self).look)

    def wear(self, look: Look) -> None:
        """Show everything in other colours."""
        for pane in (self.mode_line, self.board, self.legend, self.doors, self.keys):
            pane.look = look

    def on_doors_pane_door_chosen(self, message: DoorsPane.DoorChosen) -> None:
        """A door was clicked."""
        self.action_perform(self.controller.door(message.number))

    def on_key_bar_key_chosen(self, message: KeyBar.KeyChosen) -> None:
        """A hint of the footer was clicked."""
        command = hinted(message.key, self.controller.commands)
        if command is not None:
            self.action_perform(command.name)

    @work(thread=True, group="find", exit_on_error=False)
    def find_run(self) -> RunInfo | str | None:
        """The run that was saved last."""
        return self.controller.find()

    @work(thread=True, group="board", exit_on_error=False)
    def find_board(self, found: RunInfo) -> Cells | None:
        return self.controller.find_board(found)

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """Offer to go on with the run that was found."""
        result: Any = event.worker.result
        if event.state not in (WorkerState.SUCCESS, WorkerState.ERROR):
            return
        if event.worker.group == "find":
            self.controller.take_run(result)
            if result is not None and not isinstance(result, str):
                self.find_board(result)
        elif event.worker.group == "board":
            self.controller.take_board(result)
        self.redraw()
