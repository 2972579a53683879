"""The app: one lab on one terminal, and its threads for background work."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import os
import sys
import threading
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextvars import Context
from typing import TYPE_CHECKING, Any, ClassVar, cast

from textual import events
from textual.binding import Binding, BindingType
from textual.filter import LineFilter
from textual.geometry import Size
from textual.screen import Screen

import afterstate_lab.tui.verbs  # noqa: F401  (fills the table of commands)
from afterstate_lab.learners.rules.spec import PlayerSpec
from afterstate_lab.tui.lab.autosave import Autosave
from afterstate_lab.tui.lab.controller import LabController
from afterstate_lab.tui.lab.modes import Settings
from afterstate_lab.tui.preferences import Preferences
from afterstate_lab.tui.terminal.detect import limit_colours, terminal_encoding
from afterstate_lab.tui.terminal.driver import Pacer, copying, few_bytes_driver
from afterstate_lab.tui.terminal.shutdown import ShutdownGuard
from afterstate_lab.tui.terminal.textual_internals import FailingApp, driver_of
from afterstate_lab.tui.theme.glyphs import detect_glyphs
from afterstate_lab.tui.theme.palette import Look, choose_palette

if TYPE_CHECKING:
    from pathlib import Path

    from textual.driver import Driver

    from afterstate_lab.learners.runs.replay import OpenedRun
    from afterstate_lab.tui.lab.outcomes import Outcome
    from afterstate_lab.tui.lab.scripts.script import Script
    from afterstate_lab.tui.lab.session import Session
    from afterstate_lab.tui.screens.lab import LabScreen

SECONDS_TO_STOP = 0.2
"""Time limit for training to end when the user quits; its latest snapshot is saved in any case."""
MAX_THREADS = 32
"""Python's default is small on a small machine, where the compiler can block every thread."""
NICENESS = 10
"""For background work: with few cores, the thread that handles keys goes first."""
M_ARENA_MAX = -8
"""The number of a setting in glibc's `malloc.h`."""


class Afterstate(FailingApp):
    """The lab as a Textual app.

    Args:
        settings: the players and the seed.
        preferences: the user's own settings.
        ascii_only: draw with ASCII characters only.
        at_home: begin on the home screen.
        lesson: begin with this lesson.
        opened: the run to show instead of a new run.
        first: what to show over the lab.
        files: the files of players of addresses.
        name: the name under which the run is saved.
    """

    TITLE = "afterstate"
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+c", "quit", show=False, priority=True),
        Binding("ctrl+z", "suspend_process", show=False, priority=True),
        Binding("ctrl+l", "repaint", show=False, priority=True),
    ]

    def __init__(
        self,
        settings: Settings,
        *,
        preferences: Preferences | None = None,
        ascii_only: bool = False,
        at_home: bool = False,
        lesson: Script | None = None,
        opened: OpenedRun | None = None,
        first: Outcome = None,
        files: Iterable[Path] = (),
        name: str | None = None,
    ) -> None:
        preferences = preferences or Preferences()
        limit_colours(os.environ)
        self._glyphs = detect_glyphs(os.environ, terminal_encoding(os.environ), ascii_only)
        self._guard = ShutdownGuard(self.leave, self.save_once, self.last_words)
        self._saving = threading.Lock()
        self._is_saved = False
        self.pacer = Pacer(lambda: self.call_later(self._catch_up))
        self._painted_size: Size | None = None
        super().__init__()
        # Agents are asked in the background, behind two learners that need no asking.
        is_asked, td = settings.x.rule.is_asked or settings.o.rule.is_asked, PlayerSpec.parse("td")
        given = Settings(td, td, settings.seed) if is_asked else settings
        self.autosave = Autosave(name=name)
        self._at_home = at_home
        self.controller = lab = LabController(given, self.autosave)
        lab.trouble = preferences.trouble
        lab.speed = preferences.given.get("speed", lab.speed)
        lab.uses_keypad = preferences.given.get("cells") == "keypad"
        lab.named = tuple(map(str, files))
        self.first = first
        if opened is not None:
            self.first = lab.resume(opened)
        elif lesson is not None:
            self.first = lab.begin_lesson(lesson)
        elif is_asked:
            self.first = lab.set_up(settings)
        lab.is_light = preferences.given.get("theme") == "light"
        if os.environ.get("SSH_CONNECTION"):
            self.animation_level = "none"

    def get_driver_class(self) -> type[Driver]:
        """Return the platform's driver, which sends few bytes."""
        return few_bytes_driver(super().get_driver_class(), self.pacer, self._guard)

    def get_line_filters(self) -> Sequence[LineFilter]:
        """Return none: Textual's would write greys where `NO_COLOR` is set."""
        return []

    @property
    def session(self) -> Session:
        """The session, created on first access."""
        return self.controller.session

    @property
    def look(self) -> Look:
        """The colours and characters for this terminal."""
        palette = choose_palette(os.environ, self.console.color_system, self.controller.is_light)
        return Look(palette, self._glyphs)

    def get_default_screen(self) -> Screen[Any]:
        from afterstate_lab.tui.screens.lab import LabScreen

        return LabScreen(self.controller, at_home=self._at_home, first=self.first)

    @property
    def lab_screen(self) -> LabScreen:
        """The only screen."""
        return cast("LabScreen", self.screen)

    def copy_to_clipboard(self, text: str) -> None:
        """Copy a text through the terminal, and through a multiplexer too."""
        driver, sequence = driver_of(self), copying(text, os.environ)
        if driver is not None and sequence:
            driver.write(sequence)

    def on_mount(self) -> None:
        """Watch for signals and for the loss of the terminal."""
        if not self.is_headless:
            self._guard.watch()

    def on_ready(self) -> None:
        """Finish starting after the first paint."""
        self.call_after_refresh(self.finish_start)

    def finish_start(self) -> None:
        """Start the garbage collector and the background threads."""
        if not self.is_headless:
            self._guard.watch_for_crashes()
        gc.freeze()
        gc.enable()
        asyncio.get_running_loop().set_default_executor(Threads())

    def run_here(self, *, mouse: bool) -> int:
        """Run on this terminal, and save the work in any case; return the exit status."""
        try:
            self.run(mouse=mouse)
        finally:
            self.save_once()
            self._guard.say_last_words()
        return self._guard.status(self.return_code or 0)

    def last_words(self) -> str:
        """Return what failed, a line each."""
        trouble = self.autosave.trouble and f"afterstate: Could not save: {self.autosave.trouble}"
        return "\n".join(filter(None, (self.failure_text, trouble)))

    def leave(self, status: int = 0) -> None:
        """Save, and end the app.

        Args:
            status: the command's exit status.
        """
        if not self.is_headless:
            self._guard.force_exit(status)
        try:
            self.save_once()
        finally:
            self.exit(return_code=status)

    def sentence_of(self, error: Exception) -> str:
        """Save the work and write a report; return the message to print after the terminal is
        restored.
        """
        from afterstate_lab.tui.failure import failure_sentence

        if not self.is_headless:
            self._guard.force_exit(1)
        is_saved = False
        with contextlib.suppress(Exception):
            self.save_once()
            is_saved = not self.autosave.trouble
        return failure_sentence(error, self.controller, is_saved=is_saved)

    async def action_quit(self) -> None:
        self.leave()

    def action_suspend_process(self) -> None:
        """Suspend the process if a shell can resume it.

        A shell gives each command its own process group. A lab that `ssh HOST afterstate`, a
        forced command or tmux starts is in the group of the session's first process: suspended, it
        would be lost.
        """
        if sys.platform != "win32" and hasattr(os, "getpgrp") and os.getpgrp() != os.getsid(0):
            super().action_suspend_process()

    def _catch_up(self) -> None:
        if self.screen_stack:
            self.lab_screen.catch_up()

    def post_display_hook(self) -> None:
        """Ask the terminal whether the latest frame arrived."""
        if self.screen_stack:
            self._painted_size = self.screen.outer_size
        driver = driver_of(self)
        if self.pacer.painted() and driver is not None:
            driver.ask()

    def on_resize(self, event: events.Resize) -> None:
        """Repaint everything: a resized terminal can show anything."""
        self.lose_picture(event.size)
        if event.size == self._painted_size and not self.is_headless:
            self.refresh(layout=True)

    def lose_picture(self, size: Size) -> None:
        """Treat every cell as unknown."""
        driver = driver_of(self)
        if driver is not None and not self.is_headless:
            driver.picture.resize(*size)
            self.lab_screen.note_shown()

    def action_repaint(self) -> None:
        """Repaint everything, since another program wrote to the terminal."""
        self.lose_picture(self.size)
        self.refresh(layout=True)

    def save_once(self) -> None:
        """Save the work once, from whichever thread asks first; called before every exit."""
        with self._saving:
            if self._is_saved:
                return
            self._is_saved = True
            if not self.controller.is_started:
                return
            session = self.session
            if session.training is not None:
                session.training.stop()
                is_over = session.training.wait(SECONDS_TO_STOP)
                (session.end_training if is_over else session.look_at_training)()
            self.autosave.finish(session)


def give_way() -> None:
    """Let other threads go first; only Linux has priorities by thread."""
    if sys.platform == "linux":
        thread = threading.get_native_id()
        now = os.getpriority(os.PRIO_PROCESS, thread)
        os.setpriority(os.PRIO_PROCESS, thread, max(now, NICENESS))


def glibc(name: str, *numbers: int) -> None:
    """Call a function of glibc, if that is the C library."""
    if sys.platform == "linux":
        import ctypes  # after the first paint

        with contextlib.suppress(AttributeError, OSError):
            getattr(ctypes.CDLL(None), name)(*numbers)


def tidied(work: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Any:
    """Do work, then let glibc return to the system what is free, in the arenas of all threads.

    By default glibc keeps it: a lab in use held three times as much. A low trim threshold would do
    the same, and slow training down by a tenth.
    """
    try:
        return work(*args, **kwargs)
    finally:
        glibc("malloc_trim", 0)


class Threads(ThreadPoolExecutor):
    """Threads that keep no reference to finished work.

    Textual stores the widget that ordered the work in the thread's context. A thread waiting for
    more work would keep that widget's screen and results alive.
    """

    def __init__(self) -> None:
        glibc("mallopt", M_ARENA_MAX, 1)  # threads share: each would keep free memory of its own
        super().__init__(MAX_THREADS, "background", give_way)

    def submit(self, work: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Run work in a thread, in its own context."""
        return super().submit(Context().run, tidied, work, *args, **kwargs)
