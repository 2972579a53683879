"""Our end of the terminal: few bytes, only characters it can show, no harm when it goes away."""

from __future__ import annotations

import os
import re
import select
import shutil
import sys
import threading
from collections.abc import Callable
from typing import IO, TYPE_CHECKING, Any

from rich.cells import cell_len

from tui.terminal.picture import PictureStream

if TYPE_CHECKING:
    from textual.driver import Driver

    from tui.theme.glyphs import Glyphs

ALL_OR_NONE = ("vt1",)
"""Beginnings of TERM of terminals that clear all attributes at once, or none."""
SIMPLE_TERMINALS = ("linux", "vt")
"""Beginnings of TERM of terminals that print a part of a private question and do not ignore it."""
BEYOND_SIMPLE = re.compile(r"\x1b\[[<>][0-9;]*u|\x1b\][^\x07]*\x07")
"""Of what such terminals print a part as well: keyboard protocols and the pointer's shape."""


class TerminalFile:
    """Where the screen is written to. A terminal that is gone is told of once, then left alone.

    Args:
        file: the terminal.
        lost: what to call when it cannot be written to; called in the writing thread.
    """

    def __init__(self, file: IO[str], lost: Callable[[], None]) -> None:
        self._file = file
        self._lost = lost
        self._is_lost = False

    def write(self, text: str) -> None:
        """Write text, if there is still a terminal."""
        self._attempt(self._file.write, text)

    def flush(self) -> None:
        """Send what was written."""
        self._attempt(self._file.flush)

    def fileno(self) -> int:
        """The terminal's number."""
        return self._file.fileno()

    def _attempt(self, write: Callable[..., Any], *arguments: str) -> None:
        if self._is_lost:
            return
        try:
            write(*arguments)
        except (OSError, ValueError):
            self._is_lost = True
            self._lost()


def showable(text: str, glyphs: Glyphs) -> str:
    """Terminal output in characters that the terminal can show, each as wide as before."""
    if glyphs.name == "unicode" or text.isascii():
        return text
    return "".join(
        character if character < "\x7f" else glyphs.cell(character) * cell_len(character)
        for character in text
    )


def watch_for_hangup(number: int, lost: Callable[[], None]) -> None:
    """Call `lost`, in a thread, when a terminal hangs up; costs nothing until then."""
    if not hasattr(select, "poll"):
        return
    poll = select.poll()
    poll.register(number, 0)

    def wait() -> None:
        if poll.poll():
            lost()

    threading.Thread(target=wait, name="hangup", daemon=True).start()


def lab_driver(
    driver_class: type[Driver], glyphs: Glyphs, lost: Callable[[], None], left: Callable[[], None]
) -> type[Driver]:
    """A driver for the lab.

    Args:
        driver_class: the platform's.
        glyphs: what the terminal can show.
        lost: called, in any thread, when the terminal has gone away.
        left: called when the terminal is as it was before.
    """

    class LabDriver(driver_class):  # type: ignore[misc, valid-type]
        """Writes the same picture in fewer bytes, to standard output."""

        def __init__(self, *args: Any, **kwargs: Any) -> None:
            super().__init__(*args, **kwargs)
            term = os.environ.get("TERM", "")
            self._is_simple = term.startswith(SIMPLE_TERMINALS)
            clears = not term.startswith(ALL_OR_NONE)
            self._picture = PictureStream(*shutil.get_terminal_size(), clears=clears)
            if sys.__stdout__ is not None:
                self._file = TerminalFile(sys.__stdout__, lost)
            if sys.__stdin__ is not None:
                watch_for_hangup(sys.__stdin__.fileno(), lost)

        def write(self, data: str) -> None:
            """Write to the terminal."""
            if self._is_simple:
                data = BEYOND_SIMPLE.sub("", data)
            super().write(self._picture.rewrite(showable(data, glyphs)))

        def resized(self, columns: int, rows: int) -> None:
            """Take nothing that the terminal shows for known: it has another size."""
            self._picture.resize(columns, rows)

        def run_input_thread(self) -> None:
            """Read keys until the end, or until there is nothing to read from."""
            from tui.terminal.input import read_terminal

            sift = getattr(self, "sift", bytes)
            try:
                read_terminal(self.fileno, self.exit_event, self.process_message, sift)
            except (EOFError, OSError):
                lost()

        def start_application_mode(self) -> None:
            """Take over the terminal, which may show anything."""
            self._picture.resize(*shutil.get_terminal_size())
            super().start_application_mode()

        def close(self) -> None:
            """Let go of the terminal."""
            super().close()
            left()

        def _request_terminal_sync_mode_support(self) -> None:
            if not self._is_simple:
                super()._request_terminal_sync_mode_support()

        def _query_in_band_window_resize(self) -> None:
            if not self._is_simple:
                super()._query_in_band_window_resize()

        def _sigcont_application(self, *_: object) -> None:
            if self._must_signal_resume:
                super()._sigcont_application()
            self._app.call_later(self._app.repaint)

    return LabDriver
