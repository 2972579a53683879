"""The driver's share in pacing: it counts bytes, asks, and takes answers out of the keys."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import IO, TYPE_CHECKING, Any

from textual import events

from tui.terminal.pacing import QUESTION
from tui.terminal.status_replies import Answers

if TYPE_CHECKING:
    from textual.driver import Driver
    from textual.message import Message

    from tui.terminal.meter import Meter
    from tui.terminal.pacing import Pacer

LAST_ANSWERS = 0.3
"""Seconds to wait on the way out for answers that are still to come."""
DOINGS = (
    events.Key,
    events.Paste,
    events.MouseDown,
    events.MouseUp,
    events.MouseScrollDown,
    events.MouseScrollUp,
)
"""What a user does. Moving the pointer is not meant for the lab."""


class CountedFile:
    """A terminal, and how many bytes it has taken.

    Args:
        file: the terminal.
        taken: told of them; called in the writing thread.
    """

    def __init__(self, file: IO[str], taken: Callable[[int], None]) -> None:
        self._file = file
        self._taken = taken
        self._unsent = 0

    def write(self, text: str) -> None:
        """Write text."""
        self._unsent += size_of(text)
        self._file.write(text)

    def flush(self) -> None:
        """Send what was written."""
        self._file.flush()
        self._taken(self._unsent)
        self._unsent = 0

    def fileno(self) -> int:
        """The terminal's number."""
        return self._file.fileno()


def size_of(text: str) -> int:
    """The bytes of a text for the terminal, where each line end becomes two."""
    size = len(text) if text.isascii() else len(text.encode("utf-8", "backslashreplace"))
    return size + text.count("\n")


def paced_driver(driver_class: type[Driver], pacer: Pacer, meter: Meter) -> type[Driver]:
    """A driver that tells how much is on its way to the terminal, and what has arrived.

    Args:
        driver_class: the platform's.
        pacer: told of bytes, answers and what the user does.
        meter: told of bytes.
    """

    def taken(size: int) -> None:
        meter.written(size)
        pacer.written(size)

    class PacedDriver(driver_class):  # type: ignore[misc, valid-type]
        """Counts, asks and listens."""

        _file: Any

        def __init__(self, *args: Any, **kwargs: Any) -> None:
            super().__init__(*args, **kwargs)
            self.sift = Answers(pacer.answered, lambda: pacer.is_waiting).sift

        def write(self, data: str) -> None:
            """Write to the terminal."""
            size = size_of(data)
            pacer.handed_over(size)
            meter.handed_over(size)
            super().write(data)

        def ask(self) -> None:
            """Ask the terminal whether all that was written has arrived."""
            if os.name == "posix":
                pacer.asked()
                PacedDriver.write(self, QUESTION)

        def process_message(self, message: Message) -> None:
            """Pass on what the terminal says; what the user does is to be answered at once."""
            if isinstance(message, DOINGS):
                pacer.typed()
            super().process_message(message)

        def start_application_mode(self) -> None:
            """Take over the terminal, and see whether it answers."""
            if not isinstance(self._file, CountedFile):
                self._file = CountedFile(self._file, taken)
            pacer.begin()
            super().start_application_mode()
            self.ask()

        def disable_input(self) -> None:
            """Read no more, once the answers that are due have come."""
            pacer.settle(LAST_ANSWERS)
            super().disable_input()

    return PacedDriver
