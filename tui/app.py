"""The app: one lab on one terminal."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import os
import sys
import threading
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, NoReturn

from rich.color import Color
from textual import events
from textual.app import SystemCommand
from textual.binding import Binding, BindingType
from textual.filter import LineFilter
from textual.geometry import Size
from textual.screen import Screen
from textual.theme import Theme

from afterstate_lab.tui.lab.autosave import Autosave
from afterstate_lab.tui.lab.controller import LabController
from afterstate_lab.tui.lab.lazy_session import LazySession
from afterstate_lab.tui.lab.modes import Settings
from afterstate_lab.tui.preferences import Preferences, read_preferences, reason
from afterstate_lab.tui.progress import interruptible
from afterstate_lab.tui.screens.base import OpaqueScreen, PacedScreen
from afterstate_lab.tui.terminal.detect import is_screen, terminal_encoding
from afterstate_lab.tui.terminal.driver import copying, lab_driver
from afterstate_lab.tui.terminal.pacing import Pacer
from afterstate_lab.tui.terminal.shutdown import (
    GRACE_SECONDS,
    ShutdownGuard,
    can_be_resumed,
    die_of_quit,
)
from afterstate_lab.tui.terminal.textual_internals import FailingApp, InOrderApp, driver_of
from afterstate_lab.tui.theme.glyphs import Glyphs, detect_glyphs
from afterstate_lab.tui.theme.look import Colourless, Look
from afterstate_lab.tui.theme.palette import (
    DARK_COLOURS,
    LIGHT_COLOURS,
    PLAIN,
    ThemeColour,
    choose_palette,
)

if TYPE_CHECKING:
    from pathlib import Path

    from textual.command import Provider
    from textual.driver import Driver

    from afterstate_lab.learners.rules.spec import PlayerSpec
    from afterstate_lab.learners.runs.replay import OpenedAddress
    from afterstate_lab.learners.runs.store import LoadedRun
    from afterstate_lab.tui.lab.lectures import Follower, Recorder
    from afterstate_lab.tui.lab.lessons.lesson_file import Lesson
    from afterstate_lab.tui.lab.outcomes import Outcome
    from afterstate_lab.tui.lab.session import Session

SECONDS_TO_STOP = 0.2
"""How long leaving waits for a training to end; its latest snapshot is saved in any case."""


def textual_theme(name: str, colours: Mapping[str, ThemeColour], *, rgb: bool) -> Theme:
    """Textual's own widgets in the colours of the panes, as true colours or as those of 256."""

    def colour(role: str) -> str:
        text, index = colours[role]
        return text if rgb else Color.from_ansi(index).get_truecolor().hex

    return Theme(
        name=name,
        primary=colour("key"),
        foreground=colour("text"),
        background=colour("ground"),
        surface=colour("cell"),
        panel=colour("selection"),
        dark=name.endswith("dark"),
        variables={"scrollbar": colour("faint"), "scrollbar-background": colour("bar")},
    )


def finder() -> type[Provider]:
    """What the palette finds; called when it is first opened."""
    from afterstate_lab.tui.screens.palette import LabFinder

    return LabFinder


class Afterstate(InOrderApp[None], FailingApp[None]):
    """The laboratory.

    Args:
        settings: the players and the seed.
        ascii_only: draw with ASCII characters only.
        lesson: begin with this lesson.
        at_home: begin on the home screen.
        loaded: a saved run to resume, instead of a new one.
        opened: the run of an address to look at, instead of a new one.
        recorder: writes down where the lab stops.
        follower: the lecture that the lab follows.
        files: the files of players of addresses.
        name: the name under which the run is saved.
        preferences: the user's own settings.
    """

    TITLE = "afterstate"
    CSS_PATH = "app.tcss"
    COMMAND_PALETTE_BINDING = "colon"
    ENABLE_COMMAND_PALETTE = True
    COMMANDS: ClassVar[set[Any]] = {finder}
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+c", "quit", show=False, priority=True),
        Binding("ctrl+z", "suspend_process", show=False, priority=True),
        Binding("ctrl+l", "repaint", show=False, priority=True),
    ]

    def __init__(
        self,
        settings: Settings,
        *,
        ascii_only: bool = False,
        lesson: Lesson | None = None,
        at_home: bool = False,
        loaded: LoadedRun | None = None,
        opened: OpenedAddress | None = None,
        recorder: Recorder | None = None,
        follower: Follower | None = None,
        files: Iterable[Path] = (),
        name: str | None = None,
        preferences: Preferences | None = None,
    ) -> None:
        self.preferences = preferences or Preferences()
        self.unkept = ""
        """Why the settings could not be kept."""
        if self.preferences.keys:
            from afterstate_lab.tui.lab.own_keys import give_keys

            give_keys(self.preferences.keys)
        self._ascii_only = ascii_only
        self._guard = ShutdownGuard(self.leave, self.save_once)
        self._saving = threading.Lock()
        self._is_saved = False
        self.pacer = Pacer(self._on_line_free)
        self._painted_size: Size | None = None
        super().__init__()
        # Agents are asked in the background, behind two learners that need no asking.
        begun = wanted = settings
        if settings.x.rule.is_asked or settings.o.rule.is_asked:
            from afterstate_lab.learners.rules.spec import PlayerSpec

            td = PlayerSpec.parse("td")
            begun = Settings(td, td, settings.seed)
        self.lazy = LazySession(begun)
        self.lazy.speed = self.preferences.speed
        self.autosave = Autosave(name=name)
        self._at_home = at_home
        if loaded is not None:
            self.session.resume(loaded)
            self.autosave.adopt(loaded.run, loaded.stored)
            self.autosave.note_as_saved(self.session)
        self.controller = LabController(self.lazy, self.autosave)
        self.controller.uses_keypad = self.preferences.cells == "keypad"
        self.controller.current.recorder, self.controller.lectures.follower = recorder, follower
        self.controller.current.named = tuple(map(str, files))
        self._first: Outcome = None
        if opened is not None:
            self._first = self.controller.current.take_address(opened)
        elif lesson is not None:
            self._first = self.controller.lessons.begin(lesson)
        elif loaded is None and begun is not wanted:
            self._first = self.controller.current.set_up(wanted)
        self._light = self.preferences.theme == "light"
        rgb = self.console.color_system == "truecolor"
        self.register_theme(textual_theme("afterstate-dark", DARK_COLOURS, rgb=rgb))
        self.register_theme(textual_theme("afterstate-light", LIGHT_COLOURS, rgb=rgb))
        self.set_reactive(Afterstate.theme, self.theme_name)
        self.stylesheet.set_variables(self.get_css_variables())
        if os.environ.get("SSH_CONNECTION"):
            self.animation_level = "none"

    def begin_with(self, outcome: Outcome) -> None:
        """Show what came of something over the lab, as soon as that is seen."""
        self._first = outcome

    def get_driver_class(self) -> type[Driver]:
        """The platform's driver, sparing with bytes."""
        return lab_driver(
            super().get_driver_class(),
            None if self._glyphs.name == "unicode" else self._glyphs.cell,
            self.pacer,
            interrupted=self._guard.interrupted,
            lost=self._guard.lost,
            left=self._guard.restored,
        )

    def get_line_filters(self) -> Sequence[LineFilter]:
        """Our own only: it removes all colour where none is wanted."""
        return [Colourless()] if choose_palette(os.environ, "standard") is PLAIN else []

    @property
    def session(self) -> Session:
        """The session; the first access creates it."""
        return self.lazy.session

    @property
    def look(self) -> Look:
        """The colours and characters that this terminal can show."""
        palette = choose_palette(os.environ, self.console.color_system, self._light)
        return Look(palette, self._glyphs)

    @property
    def _glyphs(self) -> Glyphs:
        return detect_glyphs(os.environ, terminal_encoding(os.environ), self._ascii_only)

    def get_default_screen(self) -> Screen[Any]:
        from afterstate_lab.tui.screens.lab import LabScreen

        return LabScreen(
            self.controller,
            at_home=self._at_home,
            first=self._first,
            trouble=self.preferences.trouble,
        )

    def copy_to_clipboard(self, text: str) -> None:
        """Copy a text where the terminal can, through a multiplexer too."""
        driver, sequence = driver_of(self), copying(text, os.environ)
        if driver is not None and sequence:
            driver.write(sequence)

    def on_mount(self) -> None:
        """Watch for signals and for a terminal that goes away."""
        if not self.is_headless:
            self._guard.watch()

    def on_ready(self) -> None:
        """Finish starting, once the first picture is painted."""
        self.call_after_refresh(self.finish_start)

    def finish_start(self) -> None:
        """Start the garbage collector and the threads of the background."""
        from afterstate_lab.tui.terminal.threads import Threads

        start_collector()
        asyncio.get_running_loop().set_default_executor(Threads())

    def run_here(self, *, mouse: bool) -> None:
        """Run on this terminal; whatever happens, the work is saved."""
        self._guard.remember_settings()
        try:
            self.run(mouse=mouse)
        finally:
            self.save_once()

    def leave(self, status: int = 0) -> None:
        """Save, and end the app.

        Args:
            status: the command's exit status.
        """
        if not self.is_headless:
            self._guard.force_exit_within(GRACE_SECONDS, status)
        try:
            self.save_once()
        finally:
            self.exit(return_code=status)

    def sentence_of(self, error: Exception) -> str:
        """Save the work and write a report; what to print once the terminal is restored."""
        from afterstate_lab.tui.failure import failure_sentence

        is_saved = False
        with contextlib.suppress(Exception):
            self.save_once()
            is_saved = not self.autosave.trouble
        return failure_sentence(error, self.lazy, self.controller.recent, is_saved=is_saved)

    async def action_quit(self) -> None:
        """Leave the lab."""
        self.leave()

    def action_repaint(self) -> None:
        """Draw everything anew: another program has written to the terminal."""
        self.repaint()

    def action_suspend_process(self) -> None:
        """Suspend the process where a shell can resume it; elsewhere nothing happens."""
        if can_be_resumed():
            super().action_suspend_process()

    def _on_line_free(self) -> None:
        """Let the screen paint again; called in any thread."""
        self.call_later(self._catch_up)

    def _catch_up(self) -> None:
        if isinstance(self.screen, PacedScreen):
            self.screen.catch_up()

    def post_display_hook(self) -> None:
        """Ask the terminal whether what was just painted has arrived."""
        if self.screen_stack:
            self._painted_size = self.screen.outer_size
        driver = driver_of(self)
        if self.pacer.painted() and driver is not None:
            driver.ask()

    def on_resize(self, event: events.Resize) -> None:
        """A terminal of another size may show anything, also where it has its old size again."""
        driver = driver_of(self)
        if driver is not None and not self.is_headless:
            self.lose_picture(event.size)
            if event.size == self._painted_size:
                self.refresh(layout=True)
        self.call_later(self.resize_screens_behind)

    def lose_picture(self, size: Size) -> None:
        """Take nothing for painted, also not what the first layout of a screen has painted."""
        driver_of(self).resized(*size)
        for screen in self.screen_stack:
            if isinstance(screen, OpaqueScreen):
                screen.note_shown()

    def resize_screens_behind(self) -> None:
        """Tell those behind a question or the palette: Textual gives them room, but no word."""
        *behind, front = self.screen_stack
        while front.is_modal and behind:
            front = behind.pop()
            front.post_message(events.Resize(self.size, self.size))

    def repaint(self) -> None:
        """Draw everything anew: the terminal showed something else meanwhile."""
        driver = driver_of(self)
        if driver is not None and not self.is_headless:
            self.lose_picture(self.size)
        self.refresh(layout=True)

    def save_once(self) -> None:
        """Save, in whichever thread is the first to ask."""
        with self._saving:
            if not self._is_saved:
                self._is_saved = True
                self.keep_preferences()
                self.save_work()

    def keep_preferences(self) -> None:
        """Remember what was changed with the keys for colours, speed and the numbers of cells."""
        speed = self.session.speed if self.lazy.is_started else self.lazy.speed
        try:
            self.preferences.keep(
                theme="light" if self._light else "dark",
                cells="keypad" if self.controller.uses_keypad else "phone",
                speed=speed,
            )
        except (OSError, ValueError) as error:
            self.unkept = reason(error)

    def save_work(self) -> None:
        """Save what was done since the last save; called before every exit."""
        if not self.lazy.is_started:
            return
        if self.session.training is not None:
            self.session.training.stop()
            if self.session.training.wait(SECONDS_TO_STOP):
                self.session.end_training()
            else:
                self.session.look_at_training()
        self.autosave.finish(self.session)

    def action_command_palette(self) -> None:
        """Let a command be searched by name."""
        from afterstate_lab.tui.screens.explain import ExplainScreen
        from afterstate_lab.tui.screens.palette import LabPalette

        # Not over an explained word: the palette explains words too, and so on without an end.
        # Without an id: one that was just left is still there for a moment, and ids are unique.
        if not any(isinstance(s, LabPalette | ExplainScreen) for s in self.screen_stack):
            self.push_screen(LabPalette())

    def explain(self, line: str = "", column: int = 0) -> None:
        """Explain the words that are shown; first that in a column of a line, if it has one."""
        from afterstate_lab.tui.screens.explain import ExplainScreen, explain_screen, word_at

        if isinstance(self.screen, ExplainScreen):
            return
        word = word_at(line, column, self.look)
        if word is not None or not line:
            session = self.session if self.lazy.is_started else None
            self.push_screen(explain_screen(self.screen, session, self.look, word))

    def show(self, outcome: Outcome) -> None:
        """Show what came of a command over the screen in front."""
        from afterstate_lab.tui.screens.lab import LabScreen

        next(one for one in self.screen_stack if isinstance(one, LabScreen)).show_outcome(outcome)

    def toggle_light(self) -> None:
        """Change between dark and light."""
        self._light = not self._light
        self.theme = self.theme_name

    @property
    def theme_name(self) -> str:
        """The theme of Textual's own widgets, in the colours of the palette."""
        if not self.look.palette.paints:
            return "ansi-dark"
        return "afterstate-light" if self._light else "afterstate-dark"

    def get_system_commands(self, screen: Screen[Any]) -> Iterable[SystemCommand]:
        """All that the palette finds: what the screen can do, the lab, and what has a name."""
        from afterstate_lab.tui.screens.page import PageScreen
        from afterstate_lab.tui.screens.palette import (
            commands_of,
            lab_commands,
            lab_under,
            named_things,
        )

        own = list(commands_of(screen)) if isinstance(screen, PageScreen) else []
        yield from own
        lab = lab_under(self, screen)
        if lab is not None:
            titles = {command.title for command in own}
            yield from (one for one in lab_commands(lab) if one.title not in titles)
            yield from named_things(lab)


def start_collector() -> None:
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
    lesson: Lesson | None = None,
    run_name: str | None = None,
    files: Iterable[Path] = (),
    at_home: bool = False,
    record: Path | None = None,
    follower: Follower | None = None,
    preferences: Preferences | None = None,
    given: Mapping[str, Any] | None = None,
) -> None:
    """Open the lab on this terminal and stay until the user leaves.

    Args:
        x: X's player.
        o: O's player.
        seed: of the dice.
        ascii_only: draw with ASCII characters only.
        no_mouse: leave the mouse to the terminal.
        tour: begin with the tour.
        lesson: begin with this lesson.
        run_name: the saved run to go on with, or a name for a new one.
        files: folders and files that an address may name.
        at_home: begin on the home screen, as nothing was said of what to do.
        preferences: the user's own settings, where they have been read.
        given: the options that the user gave.

    Raises:
        UsageError: the run that was asked for cannot be opened.
    """
    loaded = opened = None
    if run_name is not None:
        from afterstate_lab.tui.cli.saved import begun_with

        loaded, opened = begun_with(run_name, files, given or {})
    if tour:
        from afterstate_lab.tui.lab.lessons.lesson_file import packaged_lesson

        lesson = packaged_lesson("tour")
    recorder = None
    if record is not None:
        from afterstate_lab.tui.lab.lectures import Recorder

        recorder = Recorder(record)
    app = Afterstate(
        Settings(x, o, seed),
        ascii_only=ascii_only,
        lesson=lesson,
        at_home=at_home,
        loaded=loaded,
        opened=opened,
        recorder=recorder,
        follower=follower,
        files=files,
        name=run_name if opened is None else None,
        preferences=preferences or read_preferences(),
    )
    stay(app, mouse=not no_mouse)


def stay(app: Afterstate, *, mouse: bool = True) -> NoReturn:
    """Run the lab on this terminal until the user leaves, then end with its exit status."""
    with interruptible():
        app.run_here(mouse=mouse and not is_screen(os.environ))
    if app.failure_text:
        print(app.failure_text, file=sys.stderr)
    if app.unkept:
        print(f"afterstate: the settings could not be kept: {app.unkept}", file=sys.stderr)
    if app.autosave.trouble:
        from afterstate_lab.tui.cli.errors import FAILED

        print(f"afterstate: not saved: {app.autosave.trouble}", file=sys.stderr)
        sys.exit(app.return_code or FAILED)
    die_of_quit(app.return_code or 0)
    sys.exit(app.return_code or 0)
