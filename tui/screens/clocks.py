"""The clocks of a screen: each calls one method, once or again and again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from textual.message_pump import MessagePump
from textual.timer import Timer

Do = Callable[[], Any]


class Clocks:
    """The running clocks, by what they call: a new clock stops the previous clock."""

    def __init__(self, owner: MessagePump) -> None:
        self._owner = owner
        self._running: dict[Do, tuple[float, Timer]] = {}

    def once(self, do: Do, seconds: float | None) -> None:
        """Call something after so many seconds; None: not any more."""
        self._stop(do)
        if seconds is not None:
            self._running[do] = 0.0, self._owner.set_timer(seconds, do)

    def every(self, do: Do, rate: float) -> None:
        """Call something so many times a second; a clock of this rate continues, 0 stops it."""
        if self._running.get(do, (0.0,))[0] != rate:
            self._stop(do)
            if rate:
                self._running[do] = rate, self._owner.set_interval(1 / rate, do)

    def _stop(self, do: Do) -> None:
        if do in self._running:
            self._running.pop(do)[1].stop()
