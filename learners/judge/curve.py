"""The learning curve of a run."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from operator import attrgetter

from afterstate_lab.game.exact import Floats
from afterstate_lab.learners.judge.evaluated_state import greedy_opening
from afterstate_lab.learners.judge.evaluation import Evaluations, evaluate_memory
from afterstate_lab.learners.kernel.memory import Layout

MOST = 400
"""Maximum number of points; beyond it, the round ones remain, and one in each of half as many equal
parts of the games, with verdicts if there is one."""


MILESTONES = "125"
"""The first digits of the round numbers of games that the training log shows."""


def next_round(games: int, digits: str = "123456789") -> int:
    """Return the next number of games that begins with one of these digits and ends in zeros."""
    power = int(f"1{'0' * (len(str(games)) - 1)}")
    rounds = (n * power for n in range(games // power + 1, 11))
    return next(n for n in rounds if str(n)[0] in digits)


def is_round(games: int, digits: str = "123456789") -> bool:
    """Return whether it is one of these digits and zeros: points at round games have verdicts."""
    return games > 0 and next_round(games - 1, digits) == games


@dataclass(frozen=True)
class Point:
    """A point of the learning curve."""

    games: int
    results: tuple[int, int, int]
    """The latest games: X won, drawn, O won."""
    evaluation: Evaluations | None = None
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

    def add(self, games: int, results: tuple[int, int, int], layout: Layout, v: Floats) -> None:
        opening = greedy_opening(layout, v)
        self.add_all([Point(games, results, evaluate_memory(layout, v), opening)])

    def add_all(self, points: Iterable[Point]) -> None:
        """Add points, each in place of one after as many games."""
        known = {point.games: point for point in (*self.points, *points)}
        if len(known) > MOST:
            ends, thinned = (min(known), max(known)), dict[int, Point]()
            for games, point in known.items():
                is_fixed = games in ends or is_round(games)
                place = games if is_fixed else ~(games * MOST // (2 * ends[1]))
                if place not in thinned or point.evaluation is not None:
                    thinned[place] = point
            known = thinned
        self.points = sorted(known.values(), key=attrgetter("games"))

    def cut(self, games: int) -> None:
        """Drop all points after a number of games."""
        self.points = [point for point in self.points if point.games <= games]

    def at(self, games: int) -> Point:
        """Return the last point at or before a number of games."""
        after = bisect_right(self.points, games, key=attrgetter("games"))
        return self.points[max(0, after - 1)]
