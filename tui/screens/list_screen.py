"""A screen between a line that says where one is and a line of keys."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.screen import ScreenResultType
from textual.widget import Widget

from tui.lab.commands import Command, hinted, hints
from tui.screens.base import PacedScreen
from tui.screens.help import HelpScreen
from tui.screens.lab_panes import SMALLEST
from tui.views.mode import KeysView, ModeView
from tui.widgets.help_pane import HelpView
from tui.widgets.key_bar import KeyBar
from tui.widgets.mode_line import ModeLine
from tui.widgets.too_small import TooSmall

if TYPE_CHECKING:
    from textual.app import ComposeResult

    from tui.theme.look import Look

HELP = Command("help", ("question_mark", "f1"), "?", "help", "this help", footer=98)


def bindings(commands: Iterable[Command]) -> list[BindingType]:
    """The keys of commands."""
    return [
        Binding(key, f"ask({command.name!r})", command.label, show=False)
        for command in commands
        for key in command.keys
    ]


class ListScreen(PacedScreen[ScreenResultType]):
    """A screen with a mode line and keys.

    Args:
        mode: what the mode line says at first.
        look: colours and characters.
    """

    commands: ClassVar[tuple[Command, ...]]
    """What a user can ask for; the screen's method for each is `ask_NAME`."""
    help_title: ClassVar[str]
    AUTO_FOCUS = None

    def __init__(self, mode: ModeView, look: Look) -> None:
        super().__init__()
        self.look = look
        self.too_small = TooSmall(look=look, id="too-small")
        self.mode_line: ModeLine = ModeLine(mode, look=look)
        self.keys = KeyBar(KeysView(hints(self.commands)), look=look)
        self._framed: tuple[Widget, ...] = ()

    def compose(self) -> ComposeResult:
        """The panes in their frame."""
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
            rows: those between the mode line and the keys.
        """
        raise NotImplementedError

    def on_resize(self, event: events.Resize) -> None:
        """Lay the panes out for the new size, or say that it is too small."""
        columns, rows = event.size
        fits = columns >= SMALLEST.width and rows >= SMALLEST.height
        for pane in self._framed:
            pane.display = fits
        self.too_small.display = not fits
        if fits:
            self.lay_out(columns, rows - 2)
        else:
            self.too_small.view = (columns, rows, *SMALLEST)

    def action_ask(self, name: str) -> None:
        """Do what a command asks for."""
        getattr(self, f"ask_{name}")()

    def on_key_bar_key_chosen(self, message: KeyBar.KeyChosen) -> None:
        """A hint of the footer was clicked."""
        command = hinted(message.key, self.commands)
        if command is not None:
            self.action_ask(command.name)

    def ask_help(self) -> None:
        """Show the keys."""
        keys = tuple((command.shown, command.help) for command in self.commands)
        self.app.push_screen(HelpScreen(HelpView(((self.help_title, keys),)), self.look))
