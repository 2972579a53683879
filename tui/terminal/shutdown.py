"""The ways out that the user did not choose: signals, and a terminal that goes away.

Each of them ends the lab in good order: work saved, terminal as it was, within a second. Where good
order is not to be had in that time (the terminal takes no more output, a compiler is at work in
its thread) the last resort ends the process.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
import threading
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from types import FrameType

    from tui.app import Afterstate

SIGNALS = ("SIGHUP", "SIGTERM", "SIGINT")
PATIENCE = 0.65
"""Seconds for good order."""
LAST_WORDS = 0.2
"""Seconds from a restored terminal to the end of the process."""
RESTORED = "\x1b[0m\x1b[?2004l\x1b[?7h\x1b[?1000l\x1b[?1003l\x1b[?1015l\x1b[?1006l\x1b[?1004l"
RESTORED += "\x1b[<u\x1b[?1049l\x1b[?25h"
"""What undoes all that the screen asked of the terminal."""


def can_be_woken() -> bool:
    """Whether a shell is there that sees the lab fall asleep and can wake it.

    A shell gives each command a process group of its own. What `ssh HOST afterstate`, a forced
    command or tmux starts is in the group of the session's first process: asleep, it would be lost.
    """
    return hasattr(os, "getpgrp") and os.getpgrp() != os.getsid(0)


class WaysOut:
    """Watches for signals, and sees to it that leaving takes no longer than it may.

    Args:
        app: what is to be left.
    """

    def __init__(self, app: Afterstate) -> None:
        self._app = app
        self._loop: asyncio.AbstractEventLoop | None = None
        self._hurrying = threading.Lock()
        self._is_restored = threading.Event()
        self._settings: Any = None

    def watch(self) -> None:
        """Leave when a signal says so. To be called in the main thread, while the loop runs."""
        self._loop = asyncio.get_running_loop()
        for name in SIGNALS:
            if hasattr(signal, name):
                signal.signal(getattr(signal, name), self._on_signal)

    def keep_settings(self) -> None:
        """Remember how the terminal is set, to set it so again. Before the app takes over."""
        with contextlib.suppress(ImportError, OSError, ValueError, AttributeError):
            import termios

            self._settings = termios.tcgetattr(sys.__stdin__)  # type: ignore[arg-type]

    def lost(self) -> None:
        """The terminal has gone away; to be called in any thread."""
        self._leave(getattr(signal, "SIGHUP", signal.SIGTERM))

    def restored(self) -> None:
        """The terminal is as it was."""
        self._is_restored.set()

    def _on_signal(self, number: int, _: FrameType | None) -> None:
        self._leave(number)

    def _leave(self, number: int) -> None:
        status = 128 + number
        self.hurry(status)
        if self._loop is not None:
            with contextlib.suppress(RuntimeError):
                self._loop.call_soon_threadsafe(self._app.leave, status)

    def hurry(self, status: int) -> None:
        """From now on the process has no more than a second."""
        if self._hurrying.acquire(blocking=False):
            self._is_restored.clear()
            threading.Thread(target=self._end, args=(status,), daemon=True).start()

    def _end(self, status: int) -> None:
        try:
            if self._is_restored.wait(PATIENCE):
                threading.Event().wait(LAST_WORDS)
            else:
                with contextlib.suppress(Exception):
                    self._app.save_once()
                self._restore()
        finally:
            os._exit(status)

    def _restore(self) -> None:
        """Set the terminal back without waiting for it; one that is gone fails in many ways."""
        with contextlib.suppress(Exception):
            import termios

            number = sys.__stdout__.fileno()  # type: ignore[union-attr]
            termios.tcflush(number, termios.TCOFLUSH)
            os.set_blocking(number, False)
            os.write(number, RESTORED.encode())
            os.set_blocking(number, True)
            if self._settings is not None:
                termios.tcsetattr(sys.__stdin__, termios.TCSANOW, self._settings)  # type: ignore[arg-type]
