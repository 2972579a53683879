"""What to expect of two learners: the same training with many seeds, each measured exactly."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from afterstate_lab.game import Side
from afterstate_lab.learners import lean_dataclass
from afterstate_lab.learners.errors import UsageError, shown
from afterstate_lab.learners.experiments.plan import SidedMetric, checked_player
from afterstate_lab.learners.experiments.run import Stopped, trained
from afterstate_lab.learners.judge import figures as f
from afterstate_lab.learners.judge.curve import next_round
from afterstate_lab.learners.kernel.kernel import WORTH_COMPILING, Kernel, cores
from afterstate_lab.learners.kernel.memory import Layout
from afterstate_lab.learners.tape.run import Stop, never

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from afterstate_lab.game.exact import Bools, Floats, Ints
    from afterstate_lab.learners.rules.spec import PlayerSpec

SEEDS: Final = 1_000
SECONDS: Final = 3.0
"""Seconds after which no more seeds begin, if you do not choose how many."""
FEWEST: Final = 20
"""Seeds that are trained however long they take."""
METRICS: Final[tuple[f.Figure, ...]] = (
    f.WIN,
    f.DRAW,
    f.LOSS,
    f.PERFECT_DRAW,
    f.PERFECT_LOSS,
    f.WORST_LOSS,
    f.OPTIMAL,
    f.MISSED_WINS,
    f.RMS_MINIMAX,
)
LEVELS: Final = {"worst": 0.0, "p5": 0.05, "median": 0.5, "p95": 0.95, "best": 1.0}
"""The quantiles of a metric, from the worst seed to the best; by size if neither end is better."""
SHARES: Final = {"half": 0.5, "most": 0.95}
"""Shares of the seeds that are unbeatable."""


def number_text(metric: f.Figure, value: float) -> str:
    return f"{value:,.0f}" if metric.kind is f.COUNT else f"{value:.4f}"


def percentiles(numbers: Sequence[float], known: Floats) -> dict[str, float]:
    """Return by metric the share of the seeds with less than a run, and half of its equals.

    Args:
        numbers: the run's `METRICS`; NaN for one that it does not have.
        known: float64[seeds, metrics], theirs.
    """
    less, same = (known < numbers).mean(axis=0), (known == numbers).mean(axis=0)
    shares = zip(METRICS, numbers, (less + same / 2).tolist(), strict=True)
    return {metric.name: share for metric, number, share in shares if not math.isnan(number)}


def looks(games: int) -> tuple[int, ...]:
    """Return the numbers of games up to `games` after which to count the unbeatable."""
    found, last = [], min(99, games - 1)
    while last < games:
        last = min(games, next_round(last, "12357"))
        found.append(last)
    return tuple(found)


@lean_dataclass
class Sample:
    """What the same two players learned with many seeds."""

    layout: Layout
    points: tuple[int, ...]
    """The numbers of games after which `values` were measured."""
    seeds: Ints
    values: Floats
    """float64[seeds, measured metrics, points]: whether the learners are beatable, by default."""
    numbers: Floats
    """float64[seeds, 2, metrics], after the last game; NaN where a side has none."""
    draws: Bools
    """Whether the two draw every greedy game against each other."""
    opening: Floats
    """float64[seeds, 9]: what X expects of each first move after the last game."""
    policies: NDArray[np.float16]
    """float16[seeds, 16167], both sides' moves after the last game; [seeds, 0] if not kept."""

    @property
    def games(self) -> int:
        return self.points[-1]

    @property
    def players(self) -> tuple[PlayerSpec, PlayerSpec]:
        return self.layout.x.spec, self.layout.o.spec

    def __len__(self) -> int:
        return len(self.seeds)

    def unbeatable(self, side: Side) -> Floats:
        """Return float64[points]: the share of the seeds with which nobody can beat a side."""
        return np.asarray((self.values[:, self.layout.learners.index(side)] == 0.0).mean(axis=0))

    def first_unbeatable(self, side: Side, share: float) -> int | None:
        """Return after how many games a share of the seeds is unbeatable; None if after more."""
        reached = np.flatnonzero(self.unbeatable(side) >= share)
        return self.points[reached[0]] if len(reached) else None

    def of(self, side: Side, metric: f.Figure) -> Floats:
        return self.numbers[:, side, METRICS.index(metric)]

    def levels(self, side: Side) -> dict[f.Figure, dict[str, float]]:
        """Return the quantiles of the metrics that a side has, each the number of one seed."""
        told = {}
        for metric, found in zip(METRICS, np.sort(self.numbers[:, side], axis=0).T, strict=True):
            ordered = found[::-1] if metric.higher_is_better is False else found
            numbers = ordered[[round(level * (len(found) - 1)) for level in LEVELS.values()]]
            if not np.isnan(numbers).any():
                told[metric] = dict(zip(LEVELS, numbers.tolist(), strict=True))
        return told

    @property
    def typical(self) -> int:
        """The seed in the middle: of X's wins against random play, or of O's."""
        wins = self.of(self.layout.learners[0], f.WIN)
        return int(self.seeds[np.argsort(wins, kind="stable")[len(wins) // 2]])

    def as_json(self) -> dict[str, Any]:
        """Return the object that `expect --json` prints."""
        both, drawn = (self.values[..., -1] == 0.0).all(axis=1), int(self.draws.sum())
        told: dict[str, Any] = {
            "x": str(self.layout.x.spec),
            "o": str(self.layout.o.spec),
            "games": self.games,
            "seeds": len(self),
            "X": None,
            "O": None,
            "both_unbeatable": float(both.mean()),
            "draw_each_other": float(self.draws.mean()),
            "unbeatable_of_those": float((both & self.draws).sum() / drawn) if drawn else None,
            "first_unbeatable": {"X": None, "O": None},
        }
        for side in self.layout.learners:
            told[side.mark] = {
                "unbeatable": float(self.unbeatable(side)[-1]),
                "metrics": {metric.name: one for metric, one in self.levels(side).items()},
            }
            told["first_unbeatable"][side.mark] = {
                name: self.first_unbeatable(side, share) for name, share in SHARES.items()
            }
        return told


def sampled(
    x: PlayerSpec,
    o: PlayerSpec,
    points: Sequence[int],
    seeds: int = SEEDS,
    *,
    first: int = 0,
    seconds: float = math.inf,
    fewest: int = FEWEST,
    metrics: Sequence[SidedMetric] | None = None,
    keeps_policies: bool = False,
    stop: Stop = never,
    tell: Callable[[float], object] = lambda part: None,
) -> Sample:
    """Train two players with many seeds, and measure each exactly.

    Args:
        x: who plays X.
        o: who plays O.
        points: the numbers of games after which to measure; the last ends the games.
        seeds: how many: `first`, `first` + 1 and so on.
        first: the first seed.
        seconds: after which no more seeds begin, except the first ones.
        fewest: how many those are.
        metrics: what is measured there; by default whether the learners are beatable. Without
            any, the sample has no numbers.
        keeps_policies: whether the sample has the moves.
        stop: whether to end now, with the seeds that are done.
        tell: called with the part that is done, 0 to 1.

    Raises:
        UsageError: nobody learns, or a player cannot take part.
    """
    layout = Layout.of(checked_player(x, Side.X), checked_player(o, Side.O))
    sides = layout.learners
    if not sides:
        raise UsageError(f"neither {shown(str(x))} nor {shown(str(o))} learns. Try td")
    kernel = Kernel(layout, 0)
    if points[-1] * seeds >= WORTH_COMPILING and not stop():
        kernel.compile()
    began = time.monotonic()
    if metrics is None:
        metrics = [SidedMetric(f.BEATABLE, side) for side in sides]
    measures = bool(metrics)
    asked = f.asked_by(METRICS) * measures

    def watch(games: int) -> None:
        if stop():
            raise Stopped

    def train(seed: int) -> tuple[Any, ...] | None:
        past = (time.monotonic() - began) / seconds
        with suppress(Stopped):
            if stop() or (past > 1.0 and seed - first >= fewest):
                return None
            own = kernel.with_seed(seed)
            state, values, _ = trained(layout, own, points, tuple(metrics), watch)
            state.ask(*(asked * (side in sides) for side in Side))
            is_drawn = measures and state.ends()[1] == 1.0
            numbers = np.full((2, len(METRICS)), np.nan)
            for side in sides if measures else ():
                numbers[side] = [metric.number(state, side) for metric in METRICS]
            opening = layout.x.preferences(state.memory, range(9))
            kept = state.moves() if keeps_policies else ()
            tell(max((seed - first + 1) / seeds, past))
            return seed, values, numbers, is_drawn, opening, np.array(kept, dtype=np.float16)
        return None

    with ThreadPoolExecutor(cores()) as pool:
        found = [one for one in pool.map(train, range(first, first + seeds)) if one is not None]
    columns = map(np.array, zip(*found, strict=True)) if found else [np.empty(0)] * 6
    return Sample(layout, tuple(points), *columns)
