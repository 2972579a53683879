"""The app: one lab on one terminal."""

from __future__ import annotations

import locale
import os
import signal
import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from rich.color import Color
from textual.app import App, SystemCommand
from textual.binding import BindingType
from textual.filter import LineFilter
from textual.screen import Screen
from textual.theme import Theme

from tui.filters import Colourless
from tui.glyphs import detect_glyphs
from tui.lab.commands import COMMANDS
from tui.lab.modes import Settings
from tui.lab.opening import Opening
from tui.inks import DARK, LIGHT, Ink
from tui.look import Look
from tui.palette import choose_palette
from tui.thrift import thrifty

if TYPE_CHECKING:
    from textual.driver import Driver

    from learners.spec import PlayerSpec
    from tui.lab.session import Session


def theme_of(name: str, inks: Mapping[str, Ink], *, rgb: bool) -> Theme:
    """Textual's own widgets in the colours of the panes, as true colours or as those of 256."""

    def ink(role: str) -> str:
        text, index = inks[role]
        return text if rgb else Color.from_ansi(index).get_truecolor().hex

    return Theme(
        name=name,
        primary=ink("key"),
        foreground=ink("text"),
        background=ink("ground"),
        surface=ink("cell"),
        panel=ink("selection"),
        dark=name.endswith("dark"),
    )


class Afterstate(App[None]):
    """The laboratory.

    Args:
        settings: the players and the seed.
        ascii_only: draw with ASCII characters only.
        touring: begin with the tour.
    """

    TITLE = "afterstate"
    CSS_PATH = "app.tcss"
    COMMAND_PALETTE_BINDING = "colon"
    ENABLE_COMMAND_PALETTE = True
    BINDINGS: ClassVar[list[BindingType]] = []

    def __init__(
        self, settings: Settings, *, ascii_only: bool = False, touring: bool = False
    ) -> None:
        super().__init__()
        self.opening = Opening(settings)
        self._ascii_only = ascii_only
        self._touring = touring
        self._light = False
        rgb = self.console.color_system == "truecolor"
        self.register_theme(theme_of("afterstate-dark", DARK, rgb=rgb))
        self.register_theme(theme_of("afterstate-light", LIGHT, rgb=rgb))
        self.dress()
        if os.environ.get("SSH_CONNECTION"):
            self.animation_level = "none"

    def get_driver_class(self) -> type[Driver]:
        """The platform's driver, sparing with bytes."""
        return thrifty(super().get_driver_class())

    def get_line_filters(self) -> Sequence[LineFilter]:
        """Nothing but our own: no colour at all where none is wanted."""
        return [Colourless()] if os.environ.get("NO_COLOR") else []

    @property
    def session(self) -> Session:
        """What goes on in the lab; the first to ask makes it."""
        return self.opening.session

    @property
    def look(self) -> Look:
        """The colours and characters that this terminal can show."""
        palette = choose_palette(os.environ, self.console.color_system, self._light)
        encoding = locale.getpreferredencoding(False)
        return Look(palette, detect_glyphs(os.environ, encoding, self._ascii_only))

    def on_mount(self) -> None:
        """Open the lab, and leave it in good order when the terminal goes away."""
        from tui.screens.lab import LabScreen

        for name in ("SIGHUP", "SIGTERM"):
            if hasattr(signal, name) and not self.is_headless:
                number = getattr(signal, name)
                self._loop_of_signals().add_signal_handler(number, self.exit)
        self.push_screen(LabScreen(self.opening, self.look, touring=self._touring))

    def _loop_of_signals(self) -> Any:
        import asyncio

        return asyncio.get_running_loop()

    def toggle_light(self) -> None:
        """Change between dark and light."""
        self._light = not self._light
        self.dress()

    def dress(self) -> None:
        """Give Textual's own widgets the theme of the palette."""
        if not self.look.palette.paints:
            self.theme = "ansi-dark"
        else:
            self.theme = "afterstate-light" if self._light else "afterstate-dark"

    def get_system_commands(self, screen: Screen[Any]) -> Iterable[SystemCommand]:
        """The commands of the lab, by their help texts."""
        from tui.screens.lab import LabScreen

        if not isinstance(screen, LabScreen):
            return
        for command in COMMANDS:
            if command.help and self.opening.mode in command.modes and command.name != "cell":
                title = f"{command.label or command.name.replace('_', ' ')} ({command.shown})"
                yield SystemCommand(
                    title, command.help, lambda name=command.name: screen.action_ask(name)
                )


def run_lab(
    x: PlayerSpec,
    o: PlayerSpec,
    seed: int = 0,
    ascii_only: bool = False,
    no_mouse: bool = False,
    tour: bool = False,
) -> None:
    """Open the lab on this terminal and stay until the user leaves."""
    app = Afterstate(Settings(x, o, seed), ascii_only=ascii_only, touring=tour)
    app.run(mouse=not no_mouse)
    sys.exit(app.return_code or 0)
