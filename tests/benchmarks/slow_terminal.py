"""A pseudo-terminal at the end of a slow line."""

from __future__ import annotations

import contextlib
import os
import select
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence

from pseudo_terminal import ANSWER, ROOM, PseudoTerminal

TICK = 0.005


class SlowTerminal(PseudoTerminal):
    """A command whose bytes take their time to the screen, and the screen's answers back.

    Args:
        command: the program and its arguments.
        columns: the terminal's width.
        rows: the terminal's height.
        env: changes to the environment; None removes a variable.
        rate: bytes a second.
        delay: seconds that an answer is on its way.
        room: bytes that the line holds; while it is full, nothing is read, and writes block.
        pieces: an answer in pieces, each with the seconds that it comes after the one before.
        answers: answer as terminals do when asked whether they are there.
    """

    def __init__(
        self,
        command: Sequence[str],
        columns: int = 80,
        rows: int = 24,
        env: Mapping[str, str | None] | None = None,
        *,
        rate: float = 1e9,
        delay: float = 0.0,
        room: int = 1 << 20,
        pieces: Sequence[tuple[float, bytes]] = ((0.0, ANSWER),),
        answers: bool = True,
    ) -> None:
        self.rate = rate
        self._delay = delay
        self.room = room
        self._pieces = pieces
        self.underway = bytearray()
        """What was written and has not arrived."""
        self._coming: deque[tuple[float, bytes]] = deque()
        """Pieces of answers, with when they arrive."""
        self._arrived_at = time.perf_counter()
        super().__init__(command, columns, rows, env, answers)

    def _answer(self) -> None:
        due = time.perf_counter() + self._delay
        for after, piece in self._pieces:
            due += after
            self._coming.append((due, piece))

    def _read(self, seconds: float, done: Callable[[], bool]) -> int:
        """Let arrive what comes until `done` after something came, or the time is over."""
        until, count = time.perf_counter() + seconds, 0
        while time.perf_counter() < until and self.is_open:
            wanted = [self._end] if len(self.underway) < self.room else []
            if select.select(wanted, [], [], TICK)[0]:
                try:
                    self.underway += os.read(self._end, min(ROOM, self.room - len(self.underway)))
                except OSError:
                    self._await_end(until - time.perf_counter())
                    break
            elif self.is_over() and not self.underway:
                break
            arrived = self._arrive()
            count += arrived
            if arrived and done():
                break
        return count

    def _arrive(self) -> int:
        """Let arrive what the line has carried since the last time; the number of bytes."""
        now = time.perf_counter()
        while self._coming and self._coming[0][0] <= now:
            with contextlib.suppress(OSError):
                os.write(self._end, self._coming.popleft()[1])
        size = min(len(self.underway), int((now - self._arrived_at) * self.rate))
        if size:
            self._show(bytes(self.underway[:size]))
            del self.underway[:size]
        if size or not self.underway:
            self._arrived_at = now
        return size
