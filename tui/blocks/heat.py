"""The heat of the values on a board. Light: the first paint uses it."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Final

LEAST_SPAN: Final = 0.02
"""The smallest span shown in full contrast, as a share of the span from loss to win."""
SAMPLES: Final = 10
"""Shades of the scale."""
COOLEST: Final = 0.2
"""The most that the coolest of several values on one side of a draw moves towards the draw."""


class HeatScale:
    """The heat of each value of a board: 0 for a draw, 1 or −1 for the value farthest from it.

    If all values are on one side of a draw, their differences get nearly the whole scale; several
    equal values have none.

    Args:
        values: the values on the board, at least one.
        rewards: what a win, a draw and a loss are worth.
    """

    def __init__(self, values: Collection[float], rewards: tuple[float, float, float]) -> None:
        win, self.draw, loss = rewards
        self.low, self.high = min(values), max(values)
        away = [abs(value - self.draw) for value in values]
        is_between = self.low <= self.draw <= self.high
        self._far = max(away)
        near = 0.0 if is_between else min(away)
        least = LEAST_SPAN * abs(win - loss) or LEAST_SPAN
        self._start = min(COOLEST, near / self._far) if self._far else 0.0
        self._span = max(self._far - near, least)
        is_even = len(values) > 1 and self.low == self.high
        self._most = 0.0 if is_even else min(1.0, self._far / least)

    def heat(self, value: float) -> float:
        away = value - self.draw
        if not away:
            return 0.0
        share = 1.0 - (1.0 - self._start) * (self._far - abs(away)) / self._span
        return max(0.0, self._most * share) * (1.0 if away > 0 else -1.0)

    def shades(self) -> list[float]:
        """Return heats from the lowest to the highest value, 0 for a draw; none if all are equal.

        A draw has its place where a sample is nearest to it.
        """
        step = (self.high - self.low) / (SAMPLES - 1)
        draw = round((self.draw - self.low) / step) if step else None
        values = (self.low + place * step for place in range(SAMPLES if step else 0))
        return [0.0 if place == draw else self.heat(v) for place, v in enumerate(values)]


def ranks(values: Mapping[int, float]) -> dict[int, int]:
    """Return the rank of each cell, 1 for the best; equal values share one."""
    order = sorted(set(values.values()), reverse=True)
    return {cell: order.index(value) + 1 for cell, value in values.items()}
