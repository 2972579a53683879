"""What the lab writes to the terminal, in bytes."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable

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
        """The bytes of the last second."""
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
