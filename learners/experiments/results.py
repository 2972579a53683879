"""The results of an experiment by variant: statistics, exact values, curves, CSV and JSON.

The interval of a share of the seeds (beatable or not) is Clopper and Pearson's exact interval
(1934), the interval of a mean is Student's t: both cover 95% even with few seeds. The latter is cut
where no mean can be, such as above a probability of 1: it holds the mean as often as before.
Interquartile mean and probability of improvement are as in Agarwal et al., "Deep reinforcement
learning at the edge of the statistical precipice" (2021), with percentile bootstraps of a fixed
seed. `scipy.stats` has these functions, for 100 MB of package and half a second of import; tests
compare them.
"""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Sequence
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from afterstate_lab.game import Side
from afterstate_lab.game.exact import START, Floats, optimal_response_values, uniform_policy
from afterstate_lab.learners import lean_dataclass
from afterstate_lab.learners.experiments.plan import BAND_KINDS, Arm, Plan, SidedMetric
from afterstate_lab.learners.files import check_lock, check_new, replace_file
from afterstate_lab.learners.judge.evaluated_state import best_response, steady_rate, true_values
from afterstate_lab.learners.judge.evaluation import Evaluation, Evaluations
from afterstate_lab.learners.judge.figures import JUDGED, OPTIMAL
from afterstate_lab.learners.kernel.memory import Layout
from afterstate_lab.learners.players.agent import unread
from afterstate_lab.learners.players.asking import bisected, student_t

if TYPE_CHECKING:
    from numpy.typing import NDArray


NUMBERS: Final = "metrics.csv"
RESULTS: Final = "results.json"
RESAMPLES: Final = 2_000
TAIL: Final = (1.0 - 0.95) / 2
"""The probability on each side of a 95% interval."""
REMEMBERED: Final = 1_024
"""Number of cached estimates."""
FEWEST_FOR_IQM: Final = 8
"""Minimum number of seeds for an interquartile mean."""
FEWEST_FOR_CHANCE: Final = 5
"""Minimum number of seeds for a chance of being better."""


@lean_dataclass
class Trial:
    """The result of one variant with one seed."""

    seed: int
    values: Floats
    """float64[metrics, points]; NaN where a metric has no value."""
    results: tuple[int, int, int]
    """Games won by X, drawn, won by O."""
    verdicts: Evaluations
    """The exact metrics of X and O at the end; None for an opponent."""

    def as_json(self) -> dict[str, Any]:
        return {
            "seed": self.seed,
            "results": self.results,
            "values": [known_or_none(row) for row in self.values],
            "verdicts": [verdict and verdict.as_json() for verdict in self.verdicts],
        }


def known_or_none(values: Floats | None) -> list[float | None] | None:
    return values if values is None else [None if math.isnan(v) else v for v in values.tolist()]


class Estimate(NamedTuple):
    """A mean over seeds with its 95% interval."""

    band_kind: str
    mean: float
    low: float | None = None
    """None for a single seed."""
    high: float | None = None
    iqm: float | None = None
    """Mean of the middle half; None below `FEWEST_FOR_IQM` seeds."""
    iqm_low: float | None = None
    iqm_high: float | None = None


def estimate_json(found: Estimate | None) -> dict[str, Any] | None:
    if found is None:
        return None
    told = {"mean": found.mean, "band": [found.low, found.high], "band_kind": found.band_kind}
    if found.iqm is not None:
        told |= {"iqm": found.iqm, "iqm_band": [found.iqm_low, found.iqm_high]}
    return told


def interquartile_mean(values: Floats) -> Floats:
    """Return the mean of the middle half over seeds, [..., n] -> [...].

    Of n numbers the smallest and the largest floor(n / 4) are omitted.
    """
    n = values.shape[-1]
    cut = n // 4
    middle = np.partition(values, (cut, n - cut - 1))[..., cut : n - cut]
    result: Floats = middle.mean(axis=-1)
    return result


@lru_cache(4)
def drawn_seeds(n: int, seed: int) -> NDArray[np.intp]:
    """Return [RESAMPLES, n]: the seeds of each resample."""
    return np.random.default_rng(seed).integers(n, size=(RESAMPLES, n))


@lru_cache(4)
def drawn_counts(n: int, seed: int) -> NDArray[np.intp]:
    """Return [n, RESAMPLES]: how often each resample draws each seed."""
    return np.array([np.bincount(drawn, minlength=n) for drawn in drawn_seeds(n, seed)]).T


def band(values: Floats, is_share: bool, limits: tuple[float, float]) -> Floats:
    """Return the ends of 95% intervals over seeds, float64[n, m] -> [2, m], of n >= 2 seeds.

    Seeds that agree have an interval of no width, to the last bit. It ends at the limits of what a
    mean can be, unless a seed is beyond.

    Args:
        values: NaN where a seed has none.
        is_share: whether each is 0 or 1, so that the mean is a share of the seeds.
        limits: the least and the most that a mean can be.
    """
    n = len(values)
    if is_share:
        sums = values.sum(axis=0).tolist()
        ends = [(np.nan, np.nan) if np.isnan(k) else clopper_pearson(round(k), n) for k in sums]
        return np.array(ends).reshape(-1, 2).T
    differences = values - values[0]
    half = student_t(n - 1) * differences.std(axis=0, ddof=1) / math.sqrt(n)
    middle = values[0] + differences.mean(axis=0)
    low = np.maximum(middle - half, np.minimum(values.min(axis=0), limits[0]))
    return np.array((low, np.minimum(middle + half, np.maximum(values.max(axis=0), limits[1]))))


@lru_cache(4_096)
def clopper_pearson(successes: int, n: int) -> tuple[float, float]:
    """Return the exact 95% interval of a probability, after some successes in n trials.

    It holds every p for which neither as many successes or more nor as many or fewer have a
    probability below 2.5% (Clopper and Pearson, "The use of confidence or fiducial limits
    illustrated in the case of the binomial", 1934).
    """
    return 1.0 - largest_with_tail(n - successes, n), largest_with_tail(successes, n)


def largest_with_tail(successes: int, n: int) -> float:
    """Return the largest p with P(at most so many successes of n) >= 2.5%."""
    if successes == n:
        return 1.0
    k = np.arange(successes + 1)
    choose = np.array([math.comb(n, i) for i in k.tolist()], dtype=np.float64)
    return bisected(1.0, lambda p: (choose * p**k * (1.0 - p) ** (n - k)).sum() >= TAIL)


@lru_cache(REMEMBERED)
def estimate(
    numbers: tuple[float, ...], is_share: bool, limits: tuple[float, float]
) -> Estimate | None:
    """Return the estimate of a metric over seeds, or None if a seed has none.

    Args:
        numbers: of each seed.
        is_share: whether each is 0 or 1, so that the mean is a share of the seeds, which has no
            interquartile mean.
        limits: the least and the most that it can be.
    """
    values = np.array(numbers)
    n = len(values)
    if n == 0 or np.isnan(values).any():
        return None
    found = [float(values[0] + (values - values[0]).mean())]
    if n > 1:
        found += band(values[:, None], is_share, limits)[:, 0].tolist()
    if n >= FEWEST_FOR_IQM and not is_share:
        drawn = interquartile_mean(values[drawn_seeds(n, 0)])
        found.append(float(interquartile_mean(values)))
        found += np.quantile(drawn, (TAIL, 1 - TAIL)).tolist()
    return Estimate(BAND_KINDS[is_share], *found)


@lru_cache(REMEMBERED)
def probability_of_improvement(
    of_a: tuple[float, ...], of_b: tuple[float, ...], *, higher_is_better: bool = True
) -> Estimate | None:
    """Return the chance that a run of A does better than a run of B; ties count half.

    Args:
        of_a: a metric of each seed of A.
        of_b: of each seed of B.
        higher_is_better: whether a higher number is better.

    Returns:
        The share of all n·k pairs, with a bootstrap over draws of both; None where one has fewer
        than `FEWEST_FOR_CHANCE` numbers.
    """
    better = np.sign(np.subtract.outer(of_a, of_b))
    wins = 0.5 + 0.5 * (better if higher_is_better else -better)
    n, k = wins.shape
    if min(n, k) < FEWEST_FOR_CHANCE or np.isnan(wins).any():
        return None
    found = ((wins.T @ drawn_counts(n, 0)) * drawn_counts(k, 1)).sum(axis=0)
    ends = np.quantile(found / wins.size, (TAIL, 1.0 - TAIL)).tolist()
    return Estimate("bootstrap", float(wins.mean()), *ends)


class Curve(NamedTuple):
    """Means of a metric over the games, with 95% intervals."""

    x: Sequence[float]
    y: Floats
    low: Floats | None = None
    high: Floats | None = None
    reference: float | None = None
    """An exact value, drawn across."""


class Reference(NamedTuple):
    """An exact value to draw as a line."""

    label: str
    value: float


@lean_dataclass
class ArmResults:
    """The finished trials of one variant, by seed."""

    arm: Arm
    plan: Plan
    trials: tuple[Trial, ...]

    def values(self, metric: SidedMetric) -> Floats:
        """Return float64[seeds, points]: a metric in every finished trial."""
        n = self.plan.metrics.index(metric)
        tables = [trial.values[n] for trial in self.trials]
        return np.array(tables).reshape(-1, len(self.plan.points))

    def curve(self, metric: SidedMetric) -> Curve:
        """Return the curve of a metric over the games; a mean is NaN where nothing is known."""
        values = self.values(metric)
        limits = metric.limits(self.arm)
        low, high = band(values, metric.is_share, limits) if len(values) > 1 else (None, None)
        mean = np.ma.masked_invalid(values).mean(axis=0).filled(np.nan)
        exact = reference(self.arm, metric)
        return Curve(self.plan.points, mean, low, high, exact and exact.value)

    def judged(self, metric: SidedMetric, over_run: bool) -> tuple[float, ...]:
        """Return, by seed, a metric of each trial at its end, or its mean over the run.

        The mean is without the untrained start; NaN where the player has no such number.

        Args:
            over_run: which of them.
        """
        first = int(self.plan.points[0] == 0) if over_run else -1
        return tuple(self.values(metric)[:, first:].mean(axis=1).tolist())

    def figure(self, metric: SidedMetric, over_run: bool | None = None) -> Estimate | None:
        """Return what `judged` comes to, or None if there is no trial or no such number.

        Args:
            over_run: as in `judged`; as the plan judges by default.
        """
        over_run = self.plan.over_run if over_run is None else over_run
        is_share = metric.is_share and not over_run
        return estimate(self.judged(metric, over_run), is_share, metric.limits(self.arm))

    def verdicts(self, side: Side) -> list[Evaluation]:
        """Return the exact metrics of a side by seed; none if it is not a learner."""
        return [verdict for trial in self.trials if (verdict := trial.verdicts[side])]

    def verdict(self, side: Side) -> dict[str, Any] | None:
        """Return the exact metrics of a side with greedy play, or None if it is not a learner.

        Returns:
            A mean, the worst or a count over all seeds by the last key of each metric's path, None
            where a seed has none; also `seeds`, and the side's positions as `decisions`.
        """
        found = self.verdicts(side)
        if not found:
            return None
        told: dict[str, Any] = {"seeds": len(found)}
        for figure in JUDGED:
            if figure.over_seeds:
                value = figure.over_seeds([verdict[figure] for verdict in found])
                told[figure.key] = None if math.isnan(value) else value
            if figure is OPTIMAL:
                told["decisions"] = found[0][OPTIMAL][1]
        return told


@lean_dataclass
class Results:
    """The results of an experiment so far."""

    plan: Plan
    arms: tuple[ArmResults, ...]
    playing: int = 0
    """The games that running trials have finished."""
    seconds: float = 0.0
    """Seconds of this session."""
    resumed: int = 0
    """Number of trials that an earlier session finished."""
    is_over: bool = True
    trouble: str = ""
    """Why the latest trials could not be written to the journal; empty if they were."""

    @property
    def done(self) -> int:
        """Number of finished trials, earlier sessions included."""
        return sum(len(arm.trials) for arm in self.arms)

    @property
    def share(self) -> float:
        """Share of games played, those of running trials included; 0 to 1."""
        return min(1.0, (self.done + self.playing / self.plan.games) / self.plan.trials)

    @property
    def seconds_left(self) -> float | None:
        share, before = self.share, self.resumed / self.plan.trials
        if self.is_over:
            return 0.0 if share >= 1.0 else None
        return self.seconds * (1.0 - share) / (share - before) if share > before else None

    def baseline(self, arm: ArmResults) -> ArmResults | None:
        """Return the variant that a variant is compared with, or None for a baseline.

        A swept variant is compared with the one that has the same values.
        """
        made = [other for other in self.arms if other.arm.origin == arm.arm.baseline]
        alike = [other for other in made if other.arm.swept == arm.arm.swept]
        first = (alike or made or self.arms)[0]
        return None if first is arm else first

    def improvement(self, metric: SidedMetric, arm: ArmResults) -> Estimate | None:
        """Return the chance that a run of a variant does better than one of its baseline, if
        defined.
        """
        better, baseline = metric.metric.higher_is_better, self.baseline(arm)
        if better is None or baseline is None:
            return None
        a, b = (one.judged(metric, self.plan.over_run) for one in (arm, baseline))
        return probability_of_improvement(a, b, higher_is_better=better)

    def as_json(self) -> dict[str, Any]:
        """Return all results as plain data."""
        plan = self.plan
        return {
            "plan": plan.name,
            "title": plan.title,
            "question": plan.question,
            "prediction": plan.prediction,
            "games": plan.games,
            "points": plan.points,
            "seeds": plan.seeds,
            "judged_by": "run" if plan.over_run else "end",
            "metrics": [str(metric) for metric in plan.metrics],
            "arms": [self._arm_json(arm) for arm in self.arms],
            "answer": plan.answer,
            "answer_from": {"seeds": plan.answer_seeds, "games": plan.answer_games},
        }

    def _arm_json(self, found: ArmResults) -> dict[str, Any]:
        baseline = self.baseline(found)
        totals = map(sum, zip((0, 0, 0), *(trial.results for trial in found.trials), strict=True))
        arm, metrics = found.arm, {}
        for metric in self.plan.metrics:
            exact, curve = reference(arm, metric), found.curve(metric)
            metrics[str(metric)] = {
                "final": estimate_json(found.figure(metric, over_run=False)),
                "average": estimate_json(found.figure(metric, over_run=True)),
                "reference": exact and exact._asdict(),
                "better_than_baseline": estimate_json(self.improvement(metric, found)),
                "curve": {
                    "band_kind": metric.band_kind,
                    "mean": known_or_none(curve.y),
                    "low": known_or_none(curve.low),
                    "high": known_or_none(curve.high),
                },
            }
        return {
            "name": arm.name,
            "x": str(arm.x),
            "o": str(arm.o),
            "baseline": baseline and baseline.arm.name,
            "swept": dict(arm.swept),
            "seeds": len(found.trials),
            "results": dict(zip(("x", "draw", "o"), totals, strict=True)),
            "metrics": metrics,
            "verdicts": {side.mark: found.verdict(side) for side in Side},
        }


def reference(arm: Arm, metric: SidedMetric) -> Reference | None:
    """Return the best possible value of a variant's metric or, for estimates, the limit.

    None while an agent is still to be asked, so that no screen waits for it.
    """
    if unread(arm.x, Side.X) or unread(arm.o, Side.O):
        return None
    return known_reference(arm, metric)


@lru_cache(REMEMBERED)
def known_reference(arm: Arm, metric: SidedMetric) -> Reference | None:
    side, name, layout = metric.side, metric.metric.name, Layout.of(arm.x, arm.o)
    spec, opponent = layout.table(side).spec, layout.table(side.other).spec
    if not spec.rule.learns:
        return None
    if name == "win":
        best = optimal_response_values(uniform_policy(), side, draw=0.0)[START]
        return Reference("the most that any player wins", float(best))
    if name not in ("value", "greedy-value", "behaviour-value") or spec.rule.one_table:
        return None
    # A rule that skips exploratory moves learns what its greedy play is worth, not its exploring.
    skips = spec.settings.get("exploration", "learn") in ("skip", "forget")
    soft: float | None = 0.0  # the share of its moves that it must draw; None where that changes
    if name == "behaviour-value" or (name == "value" and not (spec.rule.is_off_policy or skips)):
        soft = None if spec.rule.draws else steady_rate(spec, side)
        if soft and not spec.learns:
            soft = 0.0
    if opponent.rule.learns:
        # Two that go on learning have no fixed point but perfect play, and none with exploration.
        return None if soft else Reference("minimax", float(true_values(layout, side, 0)[START]))
    rate = steady_rate(opponent, side.other)
    if soft is None or rate is None:
        return None
    label = f"best with ε = {soft:g}" if soft else "v* (never exploring)"
    return Reference(label, float(best_response(layout, side, rate, soft)[START]))


def check_results(folder: Path, plan: Plan) -> None:
    """Check that a folder has no results of anything but this experiment."""
    with suppress(OSError, ValueError, LookupError, TypeError, RecursionError):
        if json.loads((folder / RESULTS).read_bytes())["plan"] == plan.name:
            return
    for name in (NUMBERS, RESULTS):
        check_new(folder / name, "Use another folder, or add --force to replace it")


def write_results(results: Results, folder: Path) -> None:
    """Write `metrics.csv`, every measured number, and `results.json`, each atomically."""
    check_lock(folder)
    plan, text = results.plan, io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(("arm", "seed", "games", "metric", "value"))
    for found in results.arms:
        for trial in found.trials:
            for (n, point), value in np.ndenumerate(trial.values):
                if not math.isnan(value):
                    at = plan.points[point], plan.metrics[n]
                    writer.writerow((found.arm.name, trial.seed, *at, f"{value:.17g}"))
    told = json.dumps(results.as_json(), indent=1, allow_nan=False) + "\n"
    replace_file(folder / NUMBERS, text.getvalue())
    replace_file(folder / RESULTS, told)
