"""The learning curve of a run."""

from __future__ import annotations

from bisect import bisect_right, insort
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from afterstate_lab.learners.judge.evaluated_state import greedy_opening
from afterstate_lab.learners.judge.evaluation import Evaluation, evaluate_memory
from afterstate_lab.learners.kernel.memory import Layout

MOST = 400
"""Maximum number of points; beyond it, every other point is dropped, first those without
verdicts."""


def next_round(games: int, digits: str = "123456789") -> int:
    """Return the next number of games that begins with one of these digits and ends in zeros."""
    power = int(f"1{'0' * (len(str(games)) - 1)}")
    rounds = (n * power for n in range(games // power + 1, 11))
    return next(n for n in rounds if str(n)[0] in digits)


def is_round(games: int) -> bool:
    """Return whether it is a digit and zeros: points at these games have verdicts."""
    return games > 0 and next_round(games - 1) == games


def is_milestone(games: int) -> bool:
    """Return whether it is 1, 2 or 5 times a power of ten, which the training log shows."""
    return games > 0 and next_round(games - 1, "125") == games


@dataclass(frozen=True)
class Point:
    """A point of the learning curve."""

    games: int
    results: tuple[int, int, int]
    """The latest games: X won, drawn, O won."""
    evaluation: tuple[Evaluation | None, Evaluation | None] | None = None
    """The exact metrics after these games, if they were computed."""
    opening: tuple[int, ...] = ()
    """The greedy opening moves (0-8) of X, if known."""

    def share(self, which: int) -> float:
        """Return the share of the latest games with a result (0 X won, 1 drawn, 2 O won)."""
        return self.results[which] / max(1, sum(self.results))


class History:
    """The points of a curve, in order of games."""

    def __init__(self, points: Iterable[Point] = ()) -> None:
        self.points = list(points)
        self._spacing = max(1, self.points[-1].games // MOST) if self.points else 1

    @property
    def last(self) -> Point:
        return self.points[-1]

    def add(
        self, games: int, results: tuple[int, int, int], layout: Layout, v: NDArray[np.float64]
    ) -> None:
        self._append(Point(games, results, evaluate_memory(layout, v), greedy_opening(layout, v)))

    def add_all(self, points: Iterable[Point]) -> None:
        for point in points:
            self._append(point)

    def cut(self, games: int) -> None:
        """Drop all points after a number of games."""
        self.points = [point for point in self.points if point.games <= games]

    def at(self, games: int) -> Point:
        """Return the last point at or before a number of games."""
        after = bisect_right(self.points, games, key=lambda point: point.games)
        return self.points[max(0, after - 1)]

    def _append(self, point: Point) -> None:
        points = self.points
        if points and point.games < points[-1].games:
            insort(points, point, key=lambda one: one.games)
        else:
            if self._replaces_last(point):
                points.pop()
            points.append(point)
        for is_judged in (False, True):
            if len(points) > MOST:
                inner = [
                    one
                    for one in points[1:-1]
                    if (one.evaluation is not None) is is_judged and not is_milestone(one.games)
                ]
                dropped = {one.games for one in inner[::2]}
                points[:] = [one for one in points if one.games not in dropped]
                self._spacing = max(1, 2 * (points[-1].games // MOST))

    def _replaces_last(self, point: Point) -> bool:
        """Return whether a point is too close to the last point to keep both."""
        if not self.points or point.games == self.points[-1].games:
            return bool(self.points)
        last = self.points[-1]
        if is_milestone(last.games) or (last.evaluation is not None and point.evaluation is None):
            return False
        return len(self.points) > 1 and point.games - self.points[-2].games < self._spacing
