"""How many pictures are sent to the terminal: fewer over a slow line, and never an outdated one.

After a picture the terminal is asked whether it is there ("device status", `ESC [ 5 n`), and what
it answers (`ESC [ 0 n`) comes back when all that was sent before has arrived. While an answer is
late no further picture is sent; what changes meanwhile is in the next one. So nothing queues up on
the way, and whatever is seen is as new as the line allows. A terminal that does not answer the
first question is not asked again: then only writes that block hold pictures back.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable
from typing import NamedTuple

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
SLOW, SLOW_SECONDS = 0.4, 3.0
"""A line that held pictures back for this share of the latest seconds is slow."""
FAST, FAST_SECONDS = 0.15, 5.0
"""One that held them back for less than this share of the latest seconds is fast again."""


class StatusRequest(NamedTuple):
    """A request for the terminal's status that is not answered yet."""

    asked_at: float
    after_key: bool
    """Whether it follows a picture that a key led to."""


class Pacer:
    """Says when a picture may be sent. Told of bytes and answers from several threads.

    Args:
        freed: called, in any thread, when a picture that was held back may be sent.
        clock: seconds, for tests.
    """

    def __init__(
        self, freed: Callable[[], None], clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._freed = freed
        self._clock = clock
        self._changed = threading.Condition()
        self.begin()

    def begin(self) -> None:
        """Start with a terminal about which nothing is known."""
        self._questions: deque[StatusRequest] = deque()
        self._shortest: float | None = None
        """The shortest time that an answer took; None as long as none came."""
        self._excess = 0.0
        """How much longer the latest took."""
        self._patience = PATIENCE
        self._unwritten = 0
        """Bytes handed over that the terminal has not taken."""
        self._typed_at = -TYPING
        self._held_since: float | None = None
        self._holds: deque[tuple[float, float]] = deque()
        """From when to when pictures were held back, lately."""
        self._pictures: deque[float] = deque()
        """When pictures were painted that no key led to, lately."""
        self.is_slow = False
        """Whether pictures are held back for much of the time."""

    def handed_over(self, size: int) -> None:
        """Count bytes that are to be written."""
        with self._changed:
            self._unwritten += size

    def written(self, size: int) -> None:
        """Count bytes that the terminal has taken."""
        with self._changed:
            self._unwritten -= size
            is_waited_for = not self._unwritten and self._held_since is not None
        if is_waited_for:
            self._freed()

    def typed(self) -> None:
        """Note that the user did something."""
        self._typed_at = self._clock()

    def asked(self) -> None:
        with self._changed:
            self._questions.append(StatusRequest(self._clock(), self.is_after_key))

    def answered(self) -> None:
        """Note an answer; one that was given up is ignored."""
        with self._changed:
            if not self._questions:
                return
            took = self._clock() - self._questions.popleft().asked_at
            self._shortest = min(took, self._shortest or took)
            self._excess = took - self._shortest
            self._patience = max(PATIENCE, 4 * took)
            self._changed.notify_all()
            is_waited_for = self._held_since is not None
        if is_waited_for:
            self._freed()

    def may_paint(self) -> bool:
        """Whether a picture may be sent now; if not, `freed` is called when it may."""
        with self._changed:
            is_free = not self._unwritten and self._is_answered_for()
            if not is_free and self._held_since is None:
                self._held_since = self._clock()
            return is_free

    @property
    def seconds_to_wait(self) -> float:
        """After how long to ask again whether a picture may be sent: answers can be lost."""
        with self._changed:
            waited = self._clock() - self._questions[0].asked_at if self._questions else 0.0
            return max(0.0, self._patience - waited) + LATE

    def painted(self) -> bool:
        """Note that a picture was sent.

        Returns:
            Whether the terminal is to be asked now.
        """
        with self._changed:
            now, after_key = self._clock(), self.is_after_key
            if self._held_since is not None:
                self._holds.append((self._held_since, now))
                self._held_since = None
            if not after_key:
                self._pictures.append(now)
                self._judge(now)
            if self._shortest is None and self._questions:
                return False
            return not any(question.after_key >= after_key for question in self._questions)

    def settle(self, seconds: float) -> None:
        """Wait for the answers that are still to come, so that no shell gets them."""
        with self._changed:
            self._changed.wait_for(lambda: not self.is_waiting, seconds)

    @property
    def is_waiting(self) -> bool:
        """Whether an answer is to come."""
        return bool(self._questions) and not self._is_silent

    @property
    def words(self) -> str:
        """What the user reads about a slow line; nothing about a fast one."""
        if not self.is_slow or len(self._pictures) < 2:
            return ""
        seconds = (self._pictures[-1] - self._pictures[0]) / (len(self._pictures) - 1)
        if seconds > 4 / 3:
            return f"slow line, a picture in {seconds:.0f} s"
        pictures = round(1 / seconds)
        return f"slow line, {pictures} picture{'s' * (pictures > 1)}/s"

    @property
    def round_trip(self) -> float | None:
        """The shortest time in seconds that an answer took; None where none came."""
        return self._shortest

    @property
    def is_after_key(self) -> bool:
        """Whether the user has just done something."""
        return self._clock() - self._typed_at < TYPING

    @property
    def _is_silent(self) -> bool:
        """Whether the terminal does not answer."""
        if self._shortest is not None or not self._questions:
            return False
        return self._clock() - self._questions[0].asked_at > FIRST_PATIENCE

    def _is_answered_for(self) -> bool:
        """Whether the line is not behind, as far as answers tell; a key waits for keys only."""
        if self._shortest is None:
            return True
        after_key = self.is_after_key
        waiting = [q for q in self._questions if q.after_key or not after_key]
        if not waiting:
            return True
        age = self._clock() - waiting[0].asked_at
        if age > self._patience:
            self._questions.clear()
            self._patience = min(MOST_PATIENCE, 2 * self._patience)
            return True
        return self._excess < LATE and age < self._shortest + LATE

    def _judge(self, now: float) -> None:
        """Decide whether the line is slow, by how long pictures were held back."""
        while self._holds and self._holds[0][1] <= now - FAST_SECONDS:
            self._holds.popleft()
        while len(self._pictures) > 2 and self._pictures[0] < now - FAST_SECONDS:
            self._pictures.popleft()
        if self._share_held(now, SLOW_SECONDS) >= SLOW:
            self.is_slow = True
        elif self._share_held(now, FAST_SECONDS) < FAST:
            self.is_slow = False

    def _share_held(self, now: float, seconds: float) -> float:
        start = now - seconds
        return sum(end - max(start, begin) for begin, end in self._holds if end > start) / seconds


WINDOW = 1.0
"""Seconds over which the rate is measured."""


class Meter:
    """Counts what goes to the terminal: all of it, its own figures as well.

    Args:
        clock: seconds, for tests.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._writes: deque[tuple[float, int]] = deque()
        self.begun = 0
        """Bytes handed over since the latest picture."""
        self._news_at = -WINDOW
        self.picture = 0
        """The bytes of the latest picture that shows more than new figures of the meter."""

    def handed_over(self, size: int) -> None:
        """Count bytes that are to be written."""
        self.begun += size

    def written(self, size: int) -> None:
        """Count bytes that the terminal has taken; called in any thread."""
        with self._lock:
            self._writes.append((self._clock(), size))
            self._forget()

    def painted(self, *, only_figures: bool) -> None:
        """Note that a picture is complete.

        Args:
            only_figures: it shows new figures of the meter and nothing else.
        """
        size, self.begun = self.begun, 0
        if size and not only_figures:
            self.picture, self._news_at = size, self._clock()

    @property
    def rate(self) -> int:
        with self._lock:
            self._forget()
            return sum(size for _, size in self._writes)

    @property
    def is_quiet(self) -> bool:
        """Whether nothing but the meter's own figures was painted for a second."""
        return self._clock() - self._news_at >= WINDOW

    @property
    def words(self) -> str:
        """The rate and the latest picture, always equally wide: `▲  2.0 kB/s   .7 kB`."""
        rate = 0 if self.is_quiet else self.rate
        return f"▲ {kilobytes(rate):>4} kB/s {kilobytes(self.picture):>4} kB"

    def _forget(self) -> None:
        while self._writes and self._clock() - self._writes[0][0] >= WINDOW:
            self._writes.popleft()


def kilobytes(size: int) -> str:
    """Thousands of bytes in at most four characters: `0`, `.04`, `.7`, `2.0`, `12.3`, `123`."""
    if size < 95:
        return f"{size / 1000:.2f}".lstrip("0") if size else "0"
    if size < 99_950:
        return f"{size / 1000:.1f}".lstrip("0")
    return f"{size / 1000:.0f}"
