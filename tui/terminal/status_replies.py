"""The terminal's answers among the keys: taken out before anything can take them for keys."""

from __future__ import annotations

import time
from collections.abc import Callable

from textual.constants import ESCAPE_DELAY

ANSWER = b"\x1b[0n"
TORN = 1.0
"""Seconds for the rest of an answer of which more than Esc has come: no key begins like it."""


class Answers:
    """Takes answers out of what comes from the terminal, also where the line tears them apart.

    Args:
        answered: called for each answer.
        is_awaited: whether an answer is to come; only then may an Esc be the beginning of one.
        clock: seconds, for tests.
    """

    def __init__(
        self,
        answered: Callable[[], None],
        is_awaited: Callable[[], bool],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._answered = answered
        self._is_awaited = is_awaited
        self._clock = clock
        self._held = b""
        """What may be the beginning of an answer."""
        self._held_at = 0.0

    def sift(self, data: bytes) -> bytes:
        """What came, without answers; nothing where time passed and nothing came."""
        if not data:
            return self._rest()
        *others, rest = (self._held + data).split(ANSWER)
        self._held = b""
        for _ in others:
            self._answered()
        if self._is_awaited():
            begun = next(n for n in range(len(ANSWER) - 1, -1, -1) if rest.endswith(ANSWER[:n]))
            if begun:
                self._held, self._held_at = rest[-begun:], self._clock()
                rest = rest[:-begun]
        return b"".join(others) + rest

    def _rest(self) -> bytes:
        """What was held back, once no answer can come of it."""
        patience = ESCAPE_DELAY if len(self._held) == 1 else TORN
        if not self._held or self._clock() - self._held_at < patience:
            return b""
        held, self._held = self._held, b""
        return held
