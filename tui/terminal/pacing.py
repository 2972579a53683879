"""Limit the frame rate on slow connections, and never send a stale frame.

After a frame the lab asks the terminal for its status (`ESC [ 5 n`); the answer (`ESC [ 0 n`)
comes after everything sent earlier has arrived. While an answer is late, only a key sends a frame;
the next frame shows every change. If a terminal does not answer the first question, the lab does
not ask again: then only blocking writes hold frames back.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable

QUESTION = "\x1b[5n"
REPLY = b"\x1b[0n"
FIRST_PATIENCE = 2.0
"""Seconds for the first answer; a terminal that takes longer is not asked again."""
PATIENCE = 5.0
"""Minimum number of seconds after which an answer counts as lost."""
MOST_PATIENCE = 60.0
LATE = 0.1
"""Seconds beyond the shortest answer time that count as late."""
QUICK = 0.05
"""Seconds within which a quick terminal answers."""
TYPING = 0.25
"""Paints within this many seconds of a key press count as its echo."""


class Pacer:
    """Decides when to send a frame. Several threads report bytes and answers to it.

    Args:
        freed: called, in any thread, when a held-back frame can be sent.
        clock: seconds, for tests.
    """

    def __init__(
        self, freed: Callable[[], object], clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._freed = freed
        self._clock = clock
        self._changed = threading.Condition()
        self.begin()

    def begin(self) -> None:
        """Start with an unknown terminal."""
        self._questions: deque[tuple[float, bool]] = deque()
        """The times of open questions, and whether each followed a key."""
        self._shortest: float | None = None
        """The shortest answer time, if any."""
        self._excess = 0.0
        """How much longer the latest answer took."""
        self._patience = PATIENCE
        self._unwritten = 0
        """Bytes that the terminal has not yet taken."""
        self._typed_at = -TYPING
        self._is_holding = False
        """Whether a frame was held back since the last frame."""
        self._has_news = False
        """Whether more than a question was written since then."""

    def handed_over(self, size: int) -> None:
        """Count bytes to write."""
        with self._changed:
            self._unwritten += size
            self._has_news = True

    def written(self, size: int) -> None:
        with self._changed:
            self._unwritten -= size
            is_waited_for = self._is_holding and not self._unwritten
        if is_waited_for:
            self._freed()

    def typed(self) -> None:
        """Note user input."""
        self._typed_at = self._clock()

    def asked(self) -> None:
        with self._changed:
            self._questions.append((self._clock(), self.is_after_key))
            self._unwritten += len(QUESTION)

    def answered(self) -> None:
        """Note an answer; ignore one that counted as lost."""
        with self._changed:
            if not self._questions:
                return
            took = self._clock() - self._questions.popleft()[0]
            self._shortest = min(took, self._shortest or took)
            self._excess = took - self._shortest
            self._patience = max(PATIENCE, 4 * took)
            self._changed.notify_all()
            is_waited_for = self._is_holding
        if is_waited_for:
            self._freed()

    def may_paint(self) -> bool:
        """Return whether a frame can be sent now; if not, `freed` is called later."""
        with self._changed:
            is_free = not self._unwritten and self._is_answered_for()
            self._is_holding |= not is_free
            return is_free

    @property
    def seconds_to_wait(self) -> float:
        """Seconds after which to check again, since answers can be lost."""
        with self._changed:
            waited = self._clock() - self._questions[0][0] if self._questions else 0.0
            return max(0.0, self._patience - waited) + LATE

    def painted(self) -> bool:
        """Note a sent frame, and return whether to ask the terminal now."""
        with self._changed:
            has_news, self._has_news, self._is_holding = self._has_news, False, False
            if not has_news or (self._shortest is None and self._questions):
                return False
            is_after_key = self.is_after_key
            return not any(after_key >= is_after_key for _, after_key in self._questions)

    def settle(self, seconds: float) -> None:
        """Wait for outstanding answers, so that no shell gets them."""
        with self._changed:
            self._changed.wait_for(lambda: not self.is_waiting, seconds)

    @property
    def is_quick(self) -> bool:
        """Whether the terminal answers at once, so that a picture can move."""
        return self._shortest is not None and self._shortest + self._excess < QUICK

    @property
    def is_waiting(self) -> bool:
        """Whether an answer is outstanding."""
        return bool(self._questions) and not self._is_silent

    @property
    def is_after_key(self) -> bool:
        """Whether there was recent user input."""
        return self._clock() - self._typed_at < TYPING

    @property
    def _is_silent(self) -> bool:
        """Whether the terminal does not answer."""
        if self._shortest is not None or not self._questions:
            return False
        return self._clock() - self._questions[0][0] > FIRST_PATIENCE

    def _is_answered_for(self) -> bool:
        """Whether the connection keeps up, judged by answers; after a key, only by those of
        keys."""
        if self._shortest is None:
            return True
        is_after_key = self.is_after_key
        waiting = [at for at, after_key in self._questions if after_key or not is_after_key]
        if not waiting:
            return True
        age = self._clock() - waiting[0]
        if age > self._patience:
            self._questions.clear()
            self._patience = min(MOST_PATIENCE, 2 * self._patience)
            return True
        return self._excess < LATE and age < self._shortest + LATE
