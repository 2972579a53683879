"""Sends a picture once the previous one has arrived, so that a key never waits for old pictures.

After a picture the terminal is asked for its status (`ESC [ 5 n`); its answer (`ESC [ 0 n`) comes
when everything before has arrived. While an answer is late no picture is sent, except one that a
key leads to; the next one shows whatever changed meanwhile. A terminal that does not answer the
first question is not asked again: only writes that block hold pictures back then.
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
"""Seconds over the shortest time an answer ever took from which on the line is behind."""
TYPING = 0.25
"""Paints within this many seconds of a key press count as its echo."""


class Pacer:
    """Says when a picture may be sent. Told of bytes and answers from several threads.

    Args:
        freed: called, in any thread, when a picture that was held back may be sent.
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
        """Start with a terminal about which nothing is known."""
        self._questions: deque[tuple[float, bool]] = deque()
        """When the terminal was asked, and whether after a picture that a key led to."""
        self._shortest: float | None = None
        """The shortest time that an answer took; None as long as none came."""
        self._excess = 0.0
        """How much longer the latest took."""
        self._patience = PATIENCE
        self._unwritten = 0
        """Bytes handed over that the terminal has not taken."""
        self._typed_at = -TYPING
        self._is_holding = False
        """Whether a picture was held back since the last one was sent."""
        self._has_news = False
        """Whether more than a question was handed over since then."""

    def handed_over(self, size: int) -> None:
        """Count bytes that are to be written."""
        with self._changed:
            self._unwritten += size
            self._has_news = True

    def written(self, size: int) -> None:
        """Count bytes that the terminal has taken."""
        with self._changed:
            self._unwritten -= size
            is_waited_for = self._is_holding and not self._unwritten
        if is_waited_for:
            self._freed()

    def typed(self) -> None:
        """Note that the user did something."""
        self._typed_at = self._clock()

    def asked(self) -> None:
        """Note that the terminal is asked."""
        with self._changed:
            self._questions.append((self._clock(), self.is_after_key))
            self._unwritten += len(QUESTION)

    def answered(self) -> None:
        """Note an answer; one that was given up is ignored."""
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
        """Return whether a picture may be sent now; if not, `freed` is called when it may."""
        with self._changed:
            is_free = not self._unwritten and self._is_answered_for()
            self._is_holding |= not is_free
            return is_free

    @property
    def seconds_to_wait(self) -> float:
        """After how long to ask again whether a picture may be sent: answers can be lost."""
        with self._changed:
            waited = self._clock() - self._questions[0][0] if self._questions else 0.0
            return max(0.0, self._patience - waited) + LATE

    def painted(self) -> bool:
        """Note that a picture was sent.

        Returns:
            Whether the terminal is to be asked now.
        """
        with self._changed:
            has_news, self._has_news, self._is_holding = self._has_news, False, False
            if not has_news or (self._shortest is None and self._questions):
                return False
            is_after_key = self.is_after_key
            return not any(after_key >= is_after_key for _, after_key in self._questions)

    def settle(self, seconds: float) -> None:
        """Wait for the answers that are still to come, so that no shell gets them."""
        with self._changed:
            self._changed.wait_for(lambda: not self.is_waiting, seconds)

    @property
    def is_waiting(self) -> bool:
        """Whether an answer is to come."""
        return bool(self._questions) and not self._is_silent

    @property
    def is_after_key(self) -> bool:
        """Whether the user has just done something."""
        return self._clock() - self._typed_at < TYPING

    @property
    def _is_silent(self) -> bool:
        """Whether the terminal does not answer."""
        if self._shortest is not None or not self._questions:
            return False
        return self._clock() - self._questions[0][0] > FIRST_PATIENCE

    def _is_answered_for(self) -> bool:
        """Whether the line is not behind, as far as answers tell; a key waits for keys only."""
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
