"""The geometry of charts: ranges, round numbers along an axis, places for labels.

A place on an axis is a share of its length, 0 to 1.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from math import ceil, floor, isfinite, log10

Place = tuple[float, float]
"""Shares of the width and of the height, from below left."""


@dataclass(frozen=True)
class Axis:
    """A range of numbers along a line, linear or logarithmic."""

    low: float
    high: float
    log: bool = False

    def share(self, value: float) -> float:
        """Return the place of a number; on a logarithmic axis from 0, which begins at 1, of 1."""
        low, high = self.low, self.high
        if self.log:
            least = low if low > 0 else 1.0
            value, low, high = (log10(max(least, number)) for number in (value, low, high))
        return (value - low) / (high - low) if high > low else 1.0

    def ticks(self, most: int) -> list[float]:
        """Return both ends of the axis and round numbers between them."""
        low, high = self.low, self.high
        if self.log and low > 0:
            digits = (1, 2, 5) if high < 100 * low else (1,)
            decades = range(floor(log10(low)), ceil(log10(high)) + 1)
            found = [k * 10.0**n for n in decades for k in digits if low < k * 10.0**n < high]
            return [low, *found[:: max(1, -(-len(found) // max(1, most)))], high]
        step = round_step(high - low, most) if high > low else 1.0
        inner = [n * step for n in range(ceil(low / step), floor(high / step) + 1)]
        return sorted({low, *inner, high})


def span(values: Iterable[float]) -> tuple[float, float]:
    """Return the least and the largest finite number; 0 and 1 if there is none."""
    known = [float(value) for value in values if isfinite(value)]
    return (min(known), max(known)) if known else (0.0, 1.0)


def round_step(length: float, most: int) -> float:
    """Return the smallest of 1, 2, 5, 10, … that divides `length` into at most `most` parts."""
    least = length / max(1, most)
    power = 10.0 ** floor(log10(least)) if least > 0 else 1.0
    return next((k * power for k in (1, 2, 5) if k * power >= least * 0.999999), 10 * power)


def round_range(low: float, high: float, most: int) -> tuple[float, float, float]:
    """Return a range of at most `most` whole steps that contains both ends, and the step."""
    if not high > low:
        room = 0.05 * abs(high) or 0.05
        low, high = low - room, high + room
    step = round_step(high - low, most)
    while ceil(high / step - 1e-9) - floor(low / step + 1e-9) > max(1, most):
        step = round_step(step * 1.01 * most, most)
    return floor(low / step + 1e-9) * step, ceil(high / step - 1e-9) * step, step


def between(ends: Sequence[tuple[float, float, float]], share: float) -> Place | None:
    """Return the interval (x, low, high) at a place, between its neighbours; None outside."""
    for (x, low, high), (x2, low2, high2) in zip(ends, ends[1:] or ends, strict=False):
        if x <= share <= x2:
            part = (share - x) / (x2 - x) if x2 > x else 0.0
            return low + part * (low2 - low), high + part * (high2 - high)
    return None


def visible(places: Sequence[Place]) -> list[list[Place]]:
    """Return the parts of a line within the height; a single point is a part."""
    found: list[list[Place]] = []
    for (x, y), (x2, y2) in zip(places, places[1:] or places, strict=False):
        if max(y, y2) < 0 or min(y, y2) > 1:
            continue
        found.append([cut(y, y2, x, x2), cut(y2, y, x2, x)])
    return found


def cut(end: float, other: float, at_end: float, at_other: float) -> Place:
    """Return the end of a line segment, moved along it to the edge of the height."""
    edge = min(1.0, max(0.0, end))
    share = (edge - end) / (other - end) if other != end else 0.0
    return at_end + share * (at_other - at_end), edge


def rows_near(row: int, rows: int, *, taken: Collection[int] = ()) -> list[int]:
    """Return the free rows, nearest first; of two equally near, the upper."""
    free = [other for other in range(rows) if other not in taken]
    return sorted(free, key=lambda other: (abs(other - row), other))
