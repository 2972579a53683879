"""A screen with a list: a mode line, panes and a key bar, all of its commands from one table."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from textual import events
from textual.geometry import Size
from textual.screen import ScreenResultType
from textual.widget import Widget
from textual.worker import Worker, WorkerState, get_current_worker

from learners.errors import UsageError
from tui.lab.commands import EXPLAIN, NEXT_PANE, ZOOM, Command, hinted, hints
from tui.lab.outcomes import (
    Background,
    Close,
    Copy,
    Message,
    Outcome,
    Question,
    sentence,
)
from tui.pages.help import Help
from tui.screens.ask import Ask
from tui.screens.base import SMALLEST, PacedScreen, bindings, lab_app
from tui.screens.page import PageScreen
from tui.screens.zoom import keys_of_zoom
from tui.views.lab import KeysView
from tui.widgets.cards import TooSmall
from tui.widgets.mode_line import KeyBar, ModeLine

if TYPE_CHECKING:
    from textual.app import ComposeResult

    from tui.lab.list_controller import ListController
    from tui.theme.look import Look


class ListScreen(PacedScreen[ScreenResultType]):
    """Performs commands on a controller, and shows what comes of them.

    Args:
        controller: what is shown, and what the commands do.
        look: colours and characters.
    """

    commands: ClassVar[tuple[Command, ...]]
    """What a user can ask for: bindings, key bar and help are made from them."""
    help_title: ClassVar[str]
    AUTO_FOCUS: ClassVar[str | None] = None

    def __init_subclass__(cls, *args: Any, **kwargs: Any) -> None:
        cls.BINDINGS = bindings(cls.commands, first="tab")
        super().__init_subclass__(*args, **kwargs)

    def __init__(self, controller: ListController, look: Look) -> None:
        super().__init__()
        self._controller = controller
        self.look = look
        self.mode_line: ModeLine = ModeLine(look=look)
        self.keys = KeyBar(KeysView(hints(self.commands)), look=look)
        self.too_small = TooSmall(look=look, id="too-small")
        self._framed: tuple[Widget, ...] = ()
        self._arranged_for: Size | None = None

    def compose(self) -> ComposeResult:
        """The panes between mode line and key bar; in a small terminal a card instead of all."""
        self._framed = self.mode_line, *self.panes(), self.keys
        yield from self._framed
        yield self.too_small

    def panes(self) -> Iterator[Widget]:
        """The panes, from the top."""
        raise NotImplementedError

    def lay_out(self, columns: int, rows: int) -> None:
        """Give the panes their room.

        Args:
            columns: of the terminal.
            rows: those between mode line and key bar.
        """

    def draw(self, columns: int, rows: int) -> None:
        """Give the panes the views of what they show; they send only what changed."""

    @property
    def available(self) -> Sequence[Command]:
        """The commands that can be asked for now."""
        return self.commands

    def on_resize(self, event: events.Resize) -> None:
        """Lay the panes out for the new size."""
        with self.zoom.apart():
            self._arrange(event.size)
        self._draw()

    def rows_of(self, pane: Widget, rows: int, usual: int) -> int:
        """The height of a pane: the usual one, or all rows while it is alone."""
        return rows if self.zoom.pane is pane else usual

    def _arrange(self, size: Size) -> None:
        """Lay the panes out, or say that the terminal is too small."""
        self._arranged_for = size
        columns, rows = size
        fits = columns >= SMALLEST.width and rows >= SMALLEST.height
        for pane in self._framed:
            pane.display = fits
        self.too_small.display = not fits
        if fits:
            self.lay_out(columns, rows - 2)
            self.window_changed(columns, rows - 2)
            self._draw()
        else:
            self.too_small.view = (columns, rows, *SMALLEST)

    def _draw(self) -> None:
        """Show the list and the keys, where the terminal is not too small."""
        if self.too_small.display or self._arranged_for is None:
            return
        columns, rows = self._arranged_for
        self.draw(columns, rows - 2)
        self.zoom.end_if_hidden()
        zooming = keys_of_zoom() if self.zoom.pane is not None else ()
        self.keys.view = KeysView((*zooming, *hints(self.available)))

    def show_zoom(self) -> None:
        """Show what a pane has come to have room for."""
        if not self.too_small.display and self._arranged_for is not None:
            columns, rows = self._arranged_for
            self.window_changed(columns, rows - 2)
        self._draw()

    def window_changed(self, columns: int, rows: int) -> None:
        """The room of the list has changed: a pane is alone, or is not so any more."""

    def redraw(self) -> None:
        """Show the list as it is; behind a question, once that is answered."""
        if not self.is_current or self._arranged_for is None:
            return
        if self._arranged_for != self.size:
            self._arrange(self.size)
        else:
            self._draw()

    def on_screen_resume(self) -> None:
        """Show what came of an answer, and what was done meanwhile."""
        self.redraw()

    def action_perform(self, name: str, key: str = "") -> None:
        """Do what a command asks for, and show what came of it."""
        if name == "help":
            self.show_help()
        elif name in (ZOOM.name, NEXT_PANE.name):
            self.zoom_pane(name)
        elif name == EXPLAIN.name:
            lab_app(self).explain()
        else:
            self.show_outcome(self._controller.perform(name, key))

    def show_outcome(self, outcome: Outcome) -> None:
        """Show what came of a command, an answer or work in the background."""
        match outcome:
            case Message():
                self._controller.note = outcome.text
            case Question():
                self.app.push_screen(Ask(outcome, self.show_outcome, look=self.look))
            case Background():
                self._controller.note = outcome.message or self._controller.note
                self.run_in_background(outcome)
            case Copy():
                self._controller.note = outcome.text
                self.app.copy_to_clipboard(outcome.text)
            case Close():
                self.dismiss(outcome.answer)
        self.redraw()

    def run_in_background(self, task: Background) -> None:
        """Work in a thread; what is done with the result is done on the screen's own."""

        def run() -> Callable[[], Outcome]:
            worker = get_current_worker()
            result = task.work(lambda: worker.is_cancelled)
            return lambda: task.done(result)

        node = self.app if task.is_detached else self
        node.run_worker(
            run, thread=True, group="background", exclusive=task.exclusive, exit_on_error=False
        )

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """Show what came of work in the background, or why it failed."""
        if event.worker.group != "background":
            return
        if event.state is WorkerState.SUCCESS and event.worker.result is not None:
            self.show_outcome(event.worker.result())
        elif event.state is WorkerState.ERROR:
            error = event.worker.error
            reason = sentence(error if isinstance(error, UsageError) else repr(error))
            self._controller.fail(reason)
            self.redraw()

    def on_key_bar_key_chosen(self, message: KeyBar.KeyChosen) -> None:
        """A hint of the key bar was clicked."""
        command = hinted(message.key, self.available)
        if command is not None:
            self.action_perform(command.name)

    def choose_row(self, row: int) -> None:
        """Put the cursor on a row of those that are seen."""
        self._controller.choose(row)
        self.redraw()

    def show_help(self) -> None:
        keys = tuple((command.all_shown, command.help) for command in self.commands)
        self.app.push_screen(
            PageScreen(Help(self.help_title, [(self.help_title, keys)]).page, self.look)
        )
