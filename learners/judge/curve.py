"""The learning curve: how a run did after so many games."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from learners.judge.evaluated_state import greedy_opening
from learners.judge.evaluation import Evaluation, evaluate_memory

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from learners.kernel.memory import Layout

MOST = 400
"""Points kept; beyond that every other one is dropped."""
VERDICT_SECONDS = 0.4
"""How long a training may be held up by verdicts for its points."""


@dataclass(frozen=True)
class Point:
    """The run after so many games."""

    games: int
    results: tuple[int, int, int]
    """Of the latest games: X won, drawn, O won."""
    evaluation: tuple[Evaluation | None, Evaluation | None] | None = None
    """The exact verdicts after just so many games; None where nobody judged them then."""
    opening: tuple[int, ...] = ()
    """The greedy opening moves (0-8) of X then; empty where nobody looked, or X is no learner."""

    def share(self, which: int) -> float:
        """The share of the latest games with a result (0 X won, 1 drawn, 2 O won)."""
        return self.results[which] / max(1, sum(self.results))


class History:
    """Points in order of games."""

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
        """Add points, such as those of a training."""
        for point in points:
            self._append(point)

    def cut(self, games: int) -> None:
        """Drop all points after so many games."""
        self.points = [point for point in self.points if point.games <= games]

    def at(self, games: int) -> Point:
        """The last point that is not after so many games."""
        found = self.points[0]
        for point in self.points:
            if point.games > games:
                break
            found = point
        return found

    def _append(self, point: Point) -> None:
        if self._replaces_last(point):
            self.points.pop()
        self.points.append(point)
        if len(self.points) > MOST:
            self.points = [*self.points[:-1:2], self.points[-1]]
            self._spacing = max(1, 2 * (self.points[-1].games // MOST))

    def _replaces_last(self, point: Point) -> bool:
        """Whether a point comes too early after the last one to stand beside it."""
        if self.points and point.games == self.points[-1].games:
            return True
        return len(self.points) > 1 and point.games - self.points[-2].games < self._spacing
