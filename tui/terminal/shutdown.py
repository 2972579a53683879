"""Quit on a signal or when the terminal is lost: work saved, terminal restored.

This takes at most a second. If it takes longer (the terminal takes no more output, or a compiler
is running in its thread), a thread saves and ends the process.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
import threading
from collections.abc import Callable
from typing import Any, TextIO, cast

SIGNALS = [
    getattr(signal, name)
    for name in ("SIGHUP", "SIGTERM", "SIGINT", "SIGQUIT")
    if hasattr(signal, name)
]
set_blocking: Callable[[int, bool], None] = getattr(os, "set_blocking", lambda *_: None)
GRACE_SECONDS = 0.5
"""Time limit for the app to end, in seconds."""
EXIT_SECONDS = 0.2
"""Seconds from a restored terminal to the end of the process."""
RESTORE = "\x1b[0m\x1b[?2004l\x1b[?7h\x1b[?1000l\x1b[?1003l\x1b[?1015l\x1b[?1006l\x1b[?1004l"
RESTORE += "\x1b[<u\x1b[?1049l\x1b[?25h"
"""Resets every mode that the screen set."""


def die_of_quit(status: int) -> None:
    """Die of SIGQUIT if that ended the lab, as its sender expects; else return.

    Any thread can call it, so the C library restores the signal's default.
    """
    number = getattr(signal, "SIGQUIT", None)
    if number is not None and status == 128 + number:
        import ctypes

        with contextlib.suppress(Exception):
            ctypes.CDLL(None).signal(number, 0)
            os.kill(os.getpid(), number)


def write_at_once(stream: TextIO | None, text: str) -> None:
    """Write to a terminal or a file; what it does not take at once is lost."""
    with contextlib.suppress(AttributeError, OSError, ValueError):
        number = stream.fileno()  # type: ignore[union-attr]
        with contextlib.suppress(OSError):
            set_blocking(number, False)
        try:
            os.write(number, text.encode(errors="backslashreplace"))
        finally:
            with contextlib.suppress(OSError):
                set_blocking(number, True)


class ShutdownGuard:
    """Watches for signals, and ends the process if leaving takes too long.

    Args:
        leave: ends the app with an exit status; called in its loop.
        save: saves the work; called in the thread that ends the process, at most once.
        last_words: returns what to print once the terminal is restored; with it, status 0 is 1.
    """

    def __init__(
        self, leave: Callable[[int], None], save: Callable[[], None], last_words: Callable[[], str]
    ) -> None:
        self._leave_app = leave
        self._save = save
        self._last_words = last_words
        self._loop: asyncio.AbstractEventLoop | None = None
        self.forcing = threading.Lock()
        """Held once the process is about to end."""
        self._is_restored = threading.Event()
        self._has_said = False
        self._settings: Any = None
        """The terminal's settings before the app changes them."""
        if sys.platform != "win32":
            with contextlib.suppress(Exception):  # there may be no terminal
                import termios

                self._settings = termios.tcgetattr(cast(TextIO, sys.__stdin__))

    def watch(self) -> None:
        """Quit on a signal; call it in the main thread, while the loop runs."""
        self._loop = asyncio.get_running_loop()
        for number in SIGNALS:
            signal.signal(number, lambda number, _: self.leave(128 + number))

    def watch_for_crashes(self) -> None:
        """Restore the terminal when the process crashes below Python, then let it crash.

        Python's own handlers would run after the machine instruction that fails, which never ends.
        An alarm ends a process whose crash holds the interpreter.
        """
        import ctypes

        if not hasattr(signal, "SIGBUS"):
            return
        library = ctypes.CDLL(None)

        def crashed(number: int) -> None:
            library.alarm(1)
            library.signal(number, 0)
            self._restore()
            os.kill(os.getpid(), number)

        self._crashed = ctypes.CFUNCTYPE(None, ctypes.c_int)(crashed)
        library.signal.argtypes = [ctypes.c_int, ctypes.c_void_p]
        for number in (signal.SIGSEGV, signal.SIGABRT, signal.SIGBUS, signal.SIGILL):
            library.signal(number, ctypes.cast(self._crashed, ctypes.c_void_p))

    def lost(self) -> None:
        """Leave because the terminal is gone; any thread can call it."""
        self.leave(128 + getattr(signal, "SIGHUP", signal.SIGTERM))

    def restored(self) -> None:
        """The terminal is restored: end the process soon."""
        self._is_restored.set()
        self.say_last_words()

    def say_last_words(self) -> None:
        """Print the last words, once, without waiting for a stream that takes no more."""
        text, self._last_words = self._last_words(), str
        if text:
            self._has_said = True
            write_at_once(sys.__stderr__, f"{text}\n")

    def status(self, wanted: int) -> int:
        """Return the exit status: not 0 after last words."""
        return wanted or int(self._has_said)

    def leave(self, status: int) -> None:
        """Leave with an exit status; any thread can call it."""
        self.force_exit(status)
        if self._loop is not None:
            with contextlib.suppress(RuntimeError):
                self._loop.call_soon_threadsafe(self._leave_app, status)

    def force_exit(self, status: int) -> None:
        """Save and end the process within `GRACE_SECONDS`; only the first call counts.

        Further signals are ignored: the loop's pipe, in which Python notes them, will be closed.
        """
        if threading.current_thread() is threading.main_thread():
            for number in SIGNALS:
                signal.signal(number, signal.SIG_IGN)
        if self.forcing.acquire(blocking=False):
            self._is_restored.clear()
            threading.Thread(target=self._end, args=(status,), daemon=True).start()

    def _end(self, status: int) -> None:
        try:
            if self._is_restored.wait(GRACE_SECONDS):
                threading.Event().wait(EXIT_SECONDS)
            else:
                with contextlib.suppress(Exception):
                    self._save()
                self._restore()
                self.say_last_words()
        finally:
            die_of_quit(status)
            os._exit(self.status(status))

    def _restore(self) -> None:
        """Restore the terminal without waiting for it; a lost terminal fails in many ways."""
        if sys.platform == "win32":
            return
        with contextlib.suppress(Exception):
            import termios

            termios.tcflush(cast(TextIO, sys.__stdout__), termios.TCOFLUSH)
            write_at_once(sys.__stdout__, RESTORE)
            if self._settings is not None:
                source = cast(TextIO, sys.__stdin__)
                termios.tcsetattr(source, termios.TCSANOW, self._settings)
