"""A lab on a terminal of our own: bytes go in, and what it paints comes out.

Everything but the reading thread is the lab's own: bytes go through `TerminalInput`, pictures come
through its driver. Nobody ends the process, and the lab is left only when it may be.
"""

from __future__ import annotations

import asyncio
from collections import deque
from pathlib import Path
from typing import Any

import pyte
from textual import events
from textual.driver import Driver
from textual.geometry import Size
from textual.message import Message

from afterstate_lab.learners.players.resolve import parse_player
from afterstate_lab.tui import app
from afterstate_lab.tui.app import Afterstate
from afterstate_lab.tui.lab.modes import Settings
from afterstate_lab.tui.terminal.driver import TerminalInput
from afterstate_lab.tui.terminal.pacing import QUESTION, REPLY

WINDOW = (80, 24)


class Sink:
    """Takes what is written to the terminal, and keeps the latest of it."""

    def __init__(self) -> None:
        self.changed = asyncio.Event()
        self._latest: deque[str] = deque(maxlen=4096)

    def write(self, text: str) -> None:
        self._latest.append(text)
        self.changed.set()

    def flush(self) -> None:
        """Nothing is held back."""

    def blank(self) -> pyte.Stream:
        """A terminal that shows nothing yet of what is written from now on."""
        self._latest.clear()
        return pyte.Stream(pyte.Screen(*WINDOW))

    def drawn(self, stream: pyte.Stream) -> str:
        """What such a terminal shows by now."""
        self.changed.clear()
        while self._latest:
            stream.feed(self._latest.popleft())
        return "\n".join(stream.listener.display)


class Terminal(Driver):
    """A terminal of any size, which answers at once when it is asked whether it is there."""

    _file: Any
    input: Any

    def write(self, data: str) -> None:
        self._file.write(data)
        self._file.flush()
        for _ in range(data.count(QUESTION)):
            self.input.feed(REPLY)

    def _get_terminal_size(self) -> tuple[int, int]:
        return self._size or WINDOW

    def start_application_mode(self) -> None:
        self.resize(Size(*(self._size or WINDOW)))

    def _sigtstp_application(self) -> None:
        """Nobody suspends it."""

    def disable_input(self) -> None:
        """Nothing is read here."""

    def stop_application_mode(self) -> None:
        """Nothing is to be restored."""

    def resize(self, size: Size) -> None:
        self._size = size
        self.send_message(events.Resize(size, size))


class NoShutdownGuard:
    """Nobody ends the process in which the monkey lives."""

    def watch(self) -> None:
        pass

    def force_exit_within(self, seconds: float, status: int) -> None:
        pass

    def lost(self) -> None:
        pass

    def restored(self) -> None:
        pass


class MonkeyLab(Afterstate):
    """The lab, on that terminal; it is left only when it may be."""

    CSS_PATH = Path(app.__file__).with_name("app.tcss")

    def __init__(self) -> None:
        super().__init__(Settings(parse_player("td"), parse_player("td"), 7))
        self._guard = NoShutdownGuard()  # type: ignore[assignment]
        self.may_leave = False
        self.quits = 0
        self.taken = 0
        """Keys, mouse events and pastes that came."""
        self.is_ready = asyncio.Event()
        self.incoming: TerminalInput

    def on_ready(self) -> None:
        self.incoming = TerminalInput(self._take)
        self.call_after_refresh(self.is_ready.set)

    def _take(self, message: Message) -> None:
        self.taken += 1
        self.terminal.process_message(message)

    def leave(self, status: int = 0) -> None:
        self.quits += 1
        if self.may_leave:
            super().leave(status)

    @property
    def terminal(self) -> Terminal:
        assert isinstance(self._driver, Terminal)
        return self._driver
