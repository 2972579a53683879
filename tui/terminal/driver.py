"""The lab's driver of the terminal: few bytes, only characters it can show, and a safe end."""

from __future__ import annotations

import asyncio
import os
import re
import select
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable
from typing import IO, TYPE_CHECKING, Any

from rich.cells import cell_len
from textual import events
from textual.geometry import Size

from tui.terminal.input import LARGEST_SIZE, StatusReplyFilter, read_terminal
from tui.terminal.pacing import QUESTION
from tui.terminal.picture import PictureStream
from tui.terminal.textual_internals import open_driver

if TYPE_CHECKING:
    from textual.driver import Driver
    from textual.message import Message

    from tui.terminal.pacing import Pacer
    from tui.theme.glyphs import Glyphs

ALL_OR_NONE = ("vt1",)
"""Prefixes of TERM of terminals that clear all attributes at once, or none."""
SIMPLE_TERMINALS = ("linux", "vt")
"""Prefixes of TERM of terminals that print part of an unknown private question."""
BEYOND_SIMPLE = re.compile(r"\x1b\[[<>][0-9;]*u|\x1b\][^\x07]*\x07")
"""Sequences that such terminals print in part too: keyboard protocols and the pointer's shape."""
LAST_ANSWERS = 0.3
"""Seconds to wait on the way out for answers that are still to come."""
LATE_REPORT = 0.3
"""Seconds for the report of a new size, by a terminal that reports its sizes."""
USER_INPUT = (
    events.Key,
    events.Paste,
    events.MouseDown,
    events.MouseUp,
    events.MouseScrollDown,
    events.MouseScrollUp,
)
"""Messages by which the user asks for something; moving the pointer asks for nothing."""


class TerminalFile:
    """Where the screen is written to. The loss of a terminal is reported once.

    Args:
        file: the terminal.
        lost: called when it cannot be written to; in the writing thread.
        taken: called with the number of bytes that the terminal has taken; in the writing thread.
    """

    def __init__(
        self, file: IO[str], lost: Callable[[], None], taken: Callable[[int], None]
    ) -> None:
        self._file = file
        self._lost = lost
        self._taken = taken
        self._is_lost = False
        self._unsent = 0

    def write(self, text: str) -> None:
        self._unsent += size_of(text)
        self._attempt(self._file.write, text)

    def flush(self) -> None:
        self._attempt(self._file.flush)
        self._taken(self._unsent)
        self._unsent = 0

    def fileno(self) -> int:
        return self._file.fileno()

    def _attempt(self, write: Callable[..., Any], *arguments: str) -> None:
        if self._is_lost:
            return
        try:
            write(*arguments)
        except (OSError, ValueError):
            self._is_lost = True
            self._lost()


def size_of(text: str) -> int:
    """The bytes of a text for the terminal, where each line end becomes two."""
    size = len(text) if text.isascii() else len(text.encode("utf-8", "backslashreplace"))
    return size + text.count("\n")


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
    driver_class: type[Driver],
    glyphs: Glyphs,
    pacer: Pacer,
    *,
    interrupted: Callable[[], None],
    lost: Callable[[], None],
    left: Callable[[], None],
) -> type[Driver]:
    """A driver for the lab.

    Args:
        driver_class: the platform's.
        glyphs: what the terminal can show.
        pacer: told of bytes, answers and what the user does.
        interrupted: called, in the thread that reads, for Ctrl-C, whatever was typed before it.
        lost: called, in any thread, when the terminal has gone away.
        left: called when the terminal is as it was before.
    """

    class LabDriver(open_driver(driver_class)):  # type: ignore[misc]
        """Writes the same picture in fewer bytes to standard output, and counts them."""

        terminal_file: Any

        def __init__(self, *args: Any, **kwargs: Any) -> None:
            # Else the app would first be laid out for the size that the terminal says it has.
            size = kwargs["size"] = kwargs.get("size") or self.terminal_size()
            super().__init__(*args, **kwargs)
            term = os.environ.get("TERM", "")
            self._is_simple = term.startswith(SIMPLE_TERMINALS)
            clears = not term.startswith(ALL_OR_NONE)
            self._picture = PictureStream(*size, clears=clears)
            self._writing = threading.Lock()
            self._arrived: deque[Message] = deque()
            self.status_replies = StatusReplyFilter(pacer.answered, lambda: pacer.is_waiting)
            file = sys.__stdout__ or self.terminal_file
            self.terminal_file = TerminalFile(file, lost, pacer.written)
            if sys.__stdin__ is not None:
                watch_for_hangup(sys.__stdin__.fileno(), lost)
            if hasattr(signal, "SIGTSTP"):
                # Through the loop, so that none comes in the middle of a picture, and each wakes
                # the loop, also where it comes to another thread or right before the loop waits.
                loop = asyncio.get_running_loop()
                loop.add_signal_handler(signal.SIGTSTP, self.suspended)
                loop.add_signal_handler(signal.SIGCONT, self.woken)

        def write(self, data: str) -> None:
            if self._is_simple:
                data = BEYOND_SIMPLE.sub("", data)
            # The thread that reads writes too, where the terminal says that it reports its sizes.
            with self._writing:
                data = self._picture.rewrite(showable(data, glyphs))
                pacer.handed_over(size_of(data))
                super().write(data)

        def terminal_size(self) -> tuple[int, int]:
            """Its columns and rows, as many of them as the lab uses."""
            columns, rows = super().terminal_size()
            return min(columns, LARGEST_SIZE[0]), min(rows, LARGEST_SIZE[1])

        def ask(self) -> None:
            """Ask the terminal whether all that was written has arrived."""
            if os.name == "posix":
                pacer.asked()
                super().write(QUESTION)

        def size_changed(self) -> None:
            """Tell the app the size, unless the terminal is about to report it among the keys."""
            if self.reports_sizes:
                asyncio.get_running_loop().call_later(LATE_REPORT, self.take_size)
            else:
                self.take_size()

        def take_size(self) -> None:
            """Tell the app the size, where no report has: the line may have garbled it."""
            size = Size(*self.terminal_size())
            if not self.reports_sizes or size != self.app.size:
                self.process_message(events.Resize(size, size))

        def resized(self, columns: int, rows: int) -> None:
            """Take nothing that the terminal shows for known: it has another size."""
            self._picture.resize(columns, rows)

        def process_message(self, message: Message) -> None:
            """Pass on what the terminal says; what the user does is to be answered at once."""
            if isinstance(message, USER_INPUT):
                pacer.typed()
            if isinstance(message, events.Key) and message.key == "ctrl+c":
                self._arrived.clear()
                interrupted()
            else:
                super().process_message(message)

        def send_message(self, message: Message) -> None:
            """Give the app a message; those that arrive together wake its loop once."""
            self._arrived.append(message)
            if len(self._arrived) == 1:
                self._loop.call_soon_threadsafe(self._deliver)

        def _deliver(self) -> None:
            while self._arrived:
                self.app.post_message(self._arrived.popleft())

        def run_input_thread(self) -> None:
            """Read keys until the end, or until there is nothing to read from."""
            try:
                read_terminal(
                    self.fileno,
                    self.exit_event,
                    self.process_message,
                    self.status_replies.without_replies,
                )
            except (EOFError, OSError):
                lost()

        def start_application_mode(self) -> None:
            """Take over the terminal, which may show anything, and see whether it answers."""
            self._picture.resize(*self.terminal_size())
            pacer.begin()
            super().start_application_mode()
            if hasattr(signal, "SIGWINCH"):
                # Through the loop: a handler that is interrupted by the next size would tell the
                # one before after it.
                loop = asyncio.get_running_loop()
                loop.add_signal_handler(signal.SIGWINCH, self.size_changed)
            self.ask()

        def disable_input(self) -> None:
            """Read no more, once the answers that are due have come."""
            pacer.settle(LAST_ANSWERS)
            super().disable_input()

        def close(self) -> None:
            super().close()
            left()

        def ask_for_sync_mode(self) -> None:
            """Ask terminals that do not print the question."""
            if not self._is_simple:
                super().ask_for_sync_mode()

        def ask_for_sizes(self) -> None:
            """Ask terminals that do not print the question."""
            if not self._is_simple:
                super().ask_for_sizes()

        def woken(self) -> None:
            """Draw everything anew: a shell has had the terminal meanwhile."""
            super().woken()
            self.app.call_later(self.app.repaint)

    return LabDriver
