"""Long lists, a few lines at a time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

PAGE: Final = 5
"""Items told at once."""


class Pages:
    """The list that was told last, and how far."""

    def __init__(self) -> None:
        self._count = self._told = 0
        self._line: Callable[[int], str] = str

    def begin(self, heading: Sequence[str], lines: Sequence[str]) -> list[str]:
        """Tell a heading and the first lines of a list."""
        return self.begin_lazily(heading, len(lines), lambda number: lines[number])

    def begin_lazily(
        self, heading: Sequence[str], count: int, line: Callable[[int], str]
    ) -> list[str]:
        """The same of a list whose lines are made when they are told.

        Args:
            heading: what comes first.
            count: how many lines there are.
            line: makes one, by its number from 0.
        """
        self._count, self._told, self._line = count, 0, line
        return [*heading, *self._next()]

    def more(self, text: str = "") -> list[str]:
        """The next lines of the list."""
        if self._told >= self._count:
            return ["There is no more of a list to tell."]
        return self._next()

    def _next(self) -> list[str]:
        first, last = self._told, min(self._told + PAGE, self._count)
        self._told = last
        left = self._count - last
        lines = [self._line(number) for number in range(first, last)]
        return [*lines, f"{left:,} more: m goes on."] if left else lines
