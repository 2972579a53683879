"""The app: one lab on one terminal."""

from __future__ import annotations

import gc
import os
import sys
import threading
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from rich.color import Color
from textual.app import App, SystemCommand
from textual.binding import Binding, BindingType
from textual.filter import LineFilter
from textual.screen import Screen
from textual.theme import Theme

from tui.driver import lab_driver
from tui.encoding import terminal_encoding
from tui.filters import Colourless
from tui.glyphs import Glyphs, detect_glyphs
from tui.inks import DARK, LIGHT, Ink
from tui.lab.commands import COMMANDS
from tui.lab.keeper import Keeper
from tui.lab.modes import Settings
from tui.lab.opening import Opening
from tui.look import Look
from tui.palette import PLAIN, choose_palette
from tui.signals import WaysOut

if TYPE_CHECKING:
    from textual.driver import Driver

    from learners.spec import PlayerSpec
    from learners.store import LoadedRun
    from tui.lab.session import Session

SECONDS_TO_STOP = 0.2
"""On the way out a training gets so long to end; its latest snapshot is saved in any case."""


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
        offers: say with which saved run one can go on.
        loaded: a saved run to go on with, instead of a new one.
        name: what the run is to be called when it is saved.
    """

    TITLE = "afterstate"
    CSS_PATH = "app.tcss"
    COMMAND_PALETTE_BINDING = "colon"
    ENABLE_COMMAND_PALETTE = True
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+c", "quit", show=False, priority=True),
        Binding("ctrl+z", "suspend_process", show=False, priority=True),
    ]

    def __init__(
        self,
        settings: Settings,
        *,
        ascii_only: bool = False,
        touring: bool = False,
        offers: bool = True,
        loaded: LoadedRun | None = None,
        name: str | None = None,
    ) -> None:
        self._ascii_only = ascii_only
        self._ways_out = WaysOut(self)
        self._saving = threading.Lock()
        self._is_saved = False
        super().__init__()
        self.opening = Opening(settings)
        self.keeper = Keeper(name=name)
        self._offers = offers
        if loaded is not None:
            self.session.go_on(loaded)
            self.keeper.adopt(loaded.run, loaded.stored)
            self.keeper.note_as_saved(self.session)
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
        ways = self._ways_out
        return lab_driver(super().get_driver_class(), self._glyphs, ways.lost, ways.restored)

    def get_line_filters(self) -> Sequence[LineFilter]:
        """Nothing but our own: no colour at all where none is wanted."""
        return [Colourless()] if choose_palette(os.environ, "standard") is PLAIN else []

    @property
    def session(self) -> Session:
        """What goes on in the lab; the first to ask makes it."""
        return self.opening.session

    @property
    def look(self) -> Look:
        """The colours and characters that this terminal can show."""
        palette = choose_palette(os.environ, self.console.color_system, self._light)
        return Look(palette, self._glyphs)

    @property
    def _glyphs(self) -> Glyphs:
        return detect_glyphs(os.environ, terminal_encoding(os.environ), self._ascii_only)

    def get_default_screen(self) -> Screen[Any]:
        """The lab."""
        from tui.screens.lab import LabScreen

        return LabScreen(
            self.opening,
            self.look,
            touring=self._touring,
            keeper=self.keeper,
            offers=self._offers,
        )

    def on_mount(self) -> None:
        """Leave in good order when the terminal goes away."""
        if not self.is_headless:
            self._ways_out.watch()

    def on_ready(self) -> None:
        """Wake the garbage collector; what was imported is there to stay."""
        self.call_after_refresh(wake_collector)

    def run_here(self, *, mouse: bool) -> None:
        """Run on this terminal; whatever happens, the work is saved."""
        self._ways_out.keep_settings()
        try:
            self.run(mouse=mouse)
        finally:
            self.save_once()

    def leave(self, status: int = 0) -> None:
        """Leave in good order.

        Args:
            status: the command's exit status.
        """
        if not self.is_headless:
            self._ways_out.hurry(status)
        try:
            self.save_once()
        finally:
            self.exit(return_code=status)

    async def action_quit(self) -> None:
        """Leave the lab."""
        self.leave()

    def repaint(self) -> None:
        """Draw everything anew: the terminal showed something else meanwhile."""
        self.refresh(layout=True)

    def save_once(self) -> None:
        """Save, in whichever thread is the first to ask."""
        with self._saving:
            if not self._is_saved:
                self._is_saved = True
                self.save_work()

    def save_work(self) -> None:
        """Save what was done since the last save; called on every way out."""
        if not self.opening.is_over:
            return
        if self.session.training is not None:
            self.session.training.stop()
            if self.session.training.wait(SECONDS_TO_STOP):
                self.session.end_training()
            else:
                self.session.look_at_training()
        self.keeper.finish(self.session)

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


def wake_collector() -> None:
    """Let garbage be collected again."""
    gc.freeze()
    gc.enable()


def run_lab(
    x: PlayerSpec,
    o: PlayerSpec,
    seed: int = 0,
    ascii_only: bool = False,
    no_mouse: bool = False,
    tour: bool = False,
    run_name: str | None = None,
    given: Mapping[str, Any] | None = None,
) -> None:
    """Open the lab on this terminal and stay until the user leaves.

    Raises:
        UsageError: the run that was asked for cannot be opened.
    """
    given, loaded = given or {}, None
    if run_name is not None:
        from tui.cli.kept import named_run

        loaded = named_run(run_name, given)
    app = Afterstate(
        Settings(x, o, seed),
        ascii_only=ascii_only,
        touring=tour,
        offers=not given and run_name is None,
        loaded=loaded,
        name=run_name,
    )
    app.run_here(mouse=not no_mouse)
    if app.keeper.trouble:
        print(f"afterstate: not saved: {app.keeper.trouble}", file=sys.stderr)
    sys.exit(app.return_code or 0)
