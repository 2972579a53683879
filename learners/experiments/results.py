"""What came of an experiment, arm by arm, and the exact values it can be held against."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from game import Side
from game.exact import optimal_response_values, uniform_policy
from learners.experiments.metrics import SidedMetric, VerdictSummary
from learners.experiments.plan import Plan
from learners.experiments.statistics import (
    Estimate,
    bootstrap_band,
    clopper_pearson_band,
    estimate,
    probability_of_improvement,
)
from learners.experiments.sweep import Arm
from learners.experiments.trial import Trial
from learners.judge.evaluated_state import START, opponents_policy, true_values
from learners.kernel.memory import Layout
from learners.rules.spec import PlayerSpec

if TYPE_CHECKING:
    from numpy.typing import NDArray


@dataclass(frozen=True)
class Reference:
    """An exact value to draw as a line."""

    label: str
    value: float


@dataclass(frozen=True, eq=False)
class Curve:
    """A metric over the games of a run: mean and 95% band over seeds."""

    games: tuple[int, ...]
    mean: NDArray[np.float64]
    """float64[points]; NaN where nothing is known (yet)."""
    low: NDArray[np.float64] | None
    """None with fewer than two seeds."""
    high: NDArray[np.float64] | None
    seeds: int
    """How many seeds it is the mean of."""


@dataclass(frozen=True, eq=False)
class ArmResults:
    """The trials of one arm that are over, by seed."""

    arm: Arm
    plan: Plan
    trials: tuple[Trial, ...]
    running: tuple[NDArray[np.float64], ...] = ()
    """float64[metrics, points] of trials under way, NaN where they have not come to."""

    def values(self, metric: SidedMetric) -> NDArray[np.float64]:
        """float64[seeds, points]: a metric in every trial."""
        n = self.plan.metrics.index(metric)
        rows = [trial.values[n] for trial in self.trials]
        return np.array(rows).reshape(len(rows), len(self.plan.points))

    def curve(self, metric: SidedMetric) -> Curve:
        """A metric over the games; of the trials under way while none is over."""
        values = self.values(metric)
        low = high = None
        if len(values) > 1:
            low, high = (clopper_pearson_band if metric.is_share else bootstrap_band)(values)
        if not len(values):
            n = self.plan.metrics.index(metric)
            values = np.array([rows[n] for rows in self.running]).reshape(
                len(self.running), len(self.plan.points)
            )
        return Curve(self.plan.points, mean_of_known(values), low, high, len(values))

    def final(self, metric: SidedMetric) -> Estimate | None:
        """A metric at the end; None where there is no trial, or the arm has no such number."""
        return estimate(self.values(metric)[:, -1], is_share=metric.is_share)

    def average(self, metric: SidedMetric) -> Estimate | None:
        """A metric's mean over the points of a run; see `averages`."""
        return estimate(self.averages(metric))

    def averages(self, metric: SidedMetric) -> NDArray[np.float64]:
        """float64[seeds]: a metric's mean over the points of each trial.

        Without the untrained start, and without the points that have no number; NaN where none has.
        """
        values = self.values(metric)
        known = ~np.isnan(values).any(axis=0) & (np.array(self.plan.points) > 0)
        return values[:, known].mean(axis=1) if known.any() else np.full(len(values), np.nan)

    def figure(self, metric: SidedMetric) -> Estimate | None:
        """What the plan judges by: a metric's value at the end, or its mean over the run."""
        return self.average(metric) if self.plan.over_run else self.final(metric)

    def figures(self, metric: SidedMetric) -> NDArray[np.float64]:
        """float64[seeds]: the same of each trial."""
        return self.averages(metric) if self.plan.over_run else self.values(metric)[:, -1]

    def verdict(self, side: Side) -> VerdictSummary | None:
        """The exact verdicts on a side; None where that is no learner."""
        told = [trial.verdicts[side] for trial in self.trials]
        return VerdictSummary.of([side_told for side_told in told if side_told is not None])

    def reference(self, metric: SidedMetric) -> Reference | None:
        """The exact value that a metric can be held against."""
        return reference(self.arm, metric)

    @property
    def results(self) -> tuple[int, int, int]:
        """Games won by X, drawn, won by O, over all trials."""
        won_x, drawn, won_o = np.sum([t.results for t in self.trials] or [(0, 0, 0)], axis=0)
        return int(won_x), int(drawn), int(won_o)


@dataclass(frozen=True)
class SweepPoint:
    """One value of a swept option."""

    value: str
    arm: Arm
    estimate: Estimate | None


@dataclass(frozen=True, eq=False)
class Results:
    """What came of an experiment so far."""

    plan: Plan
    arms: tuple[ArmResults, ...]

    def baseline(self, arm: int) -> int | None:
        """The arm that an arm is compared with; None for one that others are compared with.

        Of the arms that a sweep has made, the one with the same values.
        """
        own = self.arms[arm].arm
        made = [n for n, other in enumerate(self.arms) if other.arm.origin == own.baseline]
        alike = [n for n in made if self.arms[n].arm.swept == own.swept]
        at = (alike or made or [0])[0]
        return at if at != arm else None

    def improvement(self, metric: SidedMetric, arm: int) -> Estimate | None:
        """The chance that a run of an arm does better than one of its baseline, as the plan judges.

        None where neither way is better, one of them has no such number, or there is no baseline.
        """
        better, over = metric.metric.higher_is_better, self.baseline(arm)
        if better is None or over is None:
            return None
        a, b = (self.arms[n].figures(metric) for n in (arm, over))
        return probability_of_improvement(a, b, higher_is_better=better)

    def sweep(self, metric: SidedMetric) -> dict[str, tuple[SweepPoint, ...]]:
        """A metric, as the plan judges, against the option swept last: a series for each arm.

        Returns:
            The series by name, with the values of earlier sweeps in it; empty without a sweep.
        """
        series: dict[str, list[SweepPoint]] = {}
        for results in self.arms:
            if results.arm.swept:
                *earlier, (option, value) = results.arm.swept
                name = " ".join([results.arm.origin, *(f"{o}={v}" for o, v in earlier), option])
                point = SweepPoint(value, results.arm, results.figure(metric))
                series.setdefault(name, []).append(point)
        return {name: tuple(points) for name, points in series.items()}

    def as_json(self) -> dict[str, Any]:
        """All figures as plain data."""
        plan = self.plan
        return {
            "plan": plan.name,
            "title": plan.title,
            "question": plan.question,
            "prediction": plan.prediction,
            "games": plan.games,
            "points": list(plan.points),
            "seeds": len(plan.seeds),
            "judged_by": "run" if plan.over_run else "end",
            "metrics": [str(metric) for metric in plan.metrics],
            "arms": [self._arm_json(n) for n in range(len(self.arms))],
            "answer": plan.answer,
            "answer_from": {"seeds": plan.answer_seeds, "games": plan.answer_games},
        }

    def _arm_json(self, n: int) -> dict[str, Any]:
        found = self.arms[n]
        verdicts = {side.mark: found.verdict(side) for side in Side}
        return {
            "name": found.arm.name,
            "x": str(found.arm.x),
            "o": str(found.arm.o),
            "baseline": None if (over := self.baseline(n)) is None else self.arms[over].arm.name,
            "swept": dict(found.arm.swept),
            "seeds": len(found.trials),
            "results": dict(zip(("x", "draw", "o"), found.results, strict=True)),
            "metrics": {str(m): self._metric_json(n, m) for m in self.plan.metrics},
            "verdicts": {name: v and v.as_json() for name, v in verdicts.items()},
        }

    def _metric_json(self, n: int, metric: SidedMetric) -> dict[str, Any]:
        found = self.arms[n]
        final, average, exact = found.final(metric), found.average(metric), found.reference(metric)
        better = self.improvement(metric, n)
        curve = found.curve(metric)
        return {
            "final": final and final.as_json(),
            "average": average and average.as_json(),
            "reference": exact and {"label": exact.label, "value": exact.value},
            "better_than_baseline": better and better.as_json(),
            "curve": {"band_kind": metric.band_kind}
            | {
                name: None if line is None else [None if np.isnan(v) else v for v in line.tolist()]
                for name, line in (("mean", curve.mean), ("low", curve.low), ("high", curve.high))
            },
        }


def mean_of_known(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """The mean of each column over the rows that have a number there; NaN where none has."""
    known = ~np.isnan(values)
    count = known.sum(axis=0)
    total: NDArray[np.float64] = np.where(known, values, 0.0).sum(axis=0)
    return np.where(count > 0, total / np.maximum(count, 1), np.nan)


def placed_sweep(
    series: Mapping[str, Sequence[SweepPoint]],
) -> tuple[dict[str, list[tuple[float, Estimate]]], bool]:
    """Where the known points of a sweep stand on a common axis, from left to right.

    Returns:
        By series, each point's place and figure; and whether the places are the values themselves,
        not their numbers in the list, because every value is a number.
    """
    is_numeric = all(is_number(point.value) for points in series.values() for point in points)
    return {
        name: sorted(
            (
                (float(point.value) if is_numeric else float(n), point.estimate)
                for n, point in enumerate(points)
                if point.estimate is not None
            ),
            key=lambda placed: placed[0],
        )
        for name, points in series.items()
    }, is_numeric


def is_number(text: str) -> bool:
    """Whether an option's value is a plain number."""
    try:
        return bool(np.isfinite(float(text)))
    except ValueError:
        return False


def reference(arm: Arm, metric: SidedMetric) -> Reference | None:
    """What a metric of an arm comes to at the very best or, for estimates, in the end."""
    side = metric.side
    spec = arm.o if side else arm.x
    if not spec.rule.learns:
        return None
    name = metric.metric.name
    if name == "win":
        best = optimal_response_values(uniform_policy(), side.player, win=1.0, draw=0.0, loss=0.0)
        return Reference("the most that any player wins", float(best[START]))
    if name not in ("value", "greedy-value", "behaviour-value") or spec.rule.one_table:
        return None
    soft = softness(spec)
    if name == "greedy-value" or (name == "value" and learns_greedy_value(spec)):
        soft = 0.0
    return optimal(arm, side, soft)


def optimal(arm: Arm, side: Side, soft: float | None) -> Reference | None:
    """The value of the empty board when a side plays as well as it can.

    Args:
        arm: the players.
        side: the one.
        soft: the share of its moves that it must draw at random; None where that changes.
    """
    layout = Layout.of(arm.x, arm.o)
    spec, opponent = layout.table(side).spec, layout.table(side.other).spec
    memory = layout.fresh()
    if opponent.rule.learns:
        # Two that go on learning have no fixed point but perfect play, and none with exploration.
        value = float(true_values(layout, memory, side, 0)[START])
        return Reference("minimax", value) if not soft else None
    _, rates = opponent.rule.exploration(side.other, opponent.settings)
    if soft is None or len(set(rates)) > 1:
        return None
    policy = opponents_policy(layout.table(side.other), memory, rates[0])
    win, draw, loss = spec.rule.rewards(spec.settings)
    values = optimal_response_values(policy, side.player, win, draw, loss, epsilon=soft)
    label = "v* (never exploring)" if soft == 0.0 else f"best with ε = {soft:g}"
    return Reference(label, float(values[START]))


def softness(spec: PlayerSpec) -> float | None:
    """The constant ε of a learner; None where it changes or its moves are drawn by design."""
    _, rates = spec.rule.exploration(0, spec.settings)
    if spec.rule.draws or len(set(rates)) > 1:
        return None
    return float(rates[0]) if spec.learns else 0.0


def learns_greedy_value(spec: PlayerSpec) -> bool:
    """Whether a learner's values are those of its greedy play, not of its exploring."""
    if spec.rule.is_off_policy:
        return True
    return spec.settings.get("exploration", "learn") in ("skip", "forget")
