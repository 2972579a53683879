"""Help: every key of every mode, made from the commands themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import ModalScreen

from tui.lab.commands import ALL, COMMANDS
from tui.lab.keys import key_meanings
from tui.lab.modes import Mode
from tui.screens.base import DismissOnce, OpaqueScreen, lab_app
from tui.theme.look import Look
from tui.widgets.cards import HelpPane, HelpView

if TYPE_CHECKING:
    from tui.screens.lab import LabScreen


def help_view(mode: Mode) -> HelpView:
    """The keys of a mode first, then those of everywhere, then the other modes."""
    sections: list[tuple[str, tuple[tuple[str, str], ...]]] = []
    for name, modes in (
        (f"{mode.value} (now)", {mode}),
        ("everywhere", None),
        *((other.value, {other}) for other in Mode if other is not mode),
    ):
        keys = tuple(
            (command.all_shown, command.help)
            for command in COMMANDS
            if command.help
            and (
                command.modes == ALL
                if modes is None
                else command.modes != ALL and modes <= command.modes
            )
        )
        sections.append((name, keys))
    every = tuple((row.shown, f"{row.meaning} ({row.where})") for row in key_meanings())
    sections.append(("one meaning a key, on all screens", every))
    return HelpView(tuple(sections))


class HelpScreen(DismissOnce, OpaqueScreen, ModalScreen[None]):
    """All keys, in pages where they do not fit."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,question_mark,f1,enter,space", "dismiss", "close"),
        Binding("i", "explain", "explain"),
        Binding("down,pagedown,j,right", "page(1)", "on"),
        Binding("up,pageup,k,left", "page(-1)", "back"),
    ]

    def __init__(self, view: HelpView, look: Look) -> None:
        super().__init__()
        self._pane = HelpPane(view, look=look)

    def compose(self) -> ComposeResult:
        """One pane over the whole screen."""
        yield self._pane

    def action_explain(self) -> None:
        """Look a word up."""
        lab_app(self).explain()

    def action_page(self, by: int) -> None:
        self._pane.turn(by)


def open_on(lab: LabScreen, data: None) -> None:
    lab.app.push_screen(HelpScreen(help_view(lab.lazy.mode), lab.look))
