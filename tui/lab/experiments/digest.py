"""The figures of an experiment as it stands, each worked out once; to be called in a thread."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from learners.experiments.metrics import SidedMetric, VerdictSummary
    from learners.experiments.results import Curve, Reference, Results, SweepPoint
    from learners.experiments.runner import ExperimentSnapshot
    from learners.experiments.statistics import Estimate


@dataclass(frozen=True, eq=False)
class ArmFigures:
    """One arm, by one metric."""

    curve: Curve
    final: Estimate | None
    average: Estimate | None
    better: Estimate | None
    """The chance to end better than the arm that it is compared with."""
    verdict: VerdictSummary | None
    reference: Reference | None


@dataclass(frozen=True, eq=False)
class Digest:
    """An experiment by one metric."""

    snapshot: ExperimentSnapshot
    metric: SidedMetric
    arms: tuple[ArmFigures, ...]
    sweep: Mapping[str, tuple[SweepPoint, ...]]
    """The mean over the run against the option swept last, by series; empty without a sweep."""


class Digester:
    """Makes digests of one plan; the bootstraps of arms that stand still are not done again."""

    def __init__(self) -> None:
        self._arms: dict[tuple[SidedMetric, int], tuple[tuple[int, int], ArmFigures]] = {}
        self._sweeps: dict[SidedMetric, tuple[int, Mapping[str, tuple[SweepPoint, ...]]]] = {}

    def digest(self, snapshot: ExperimentSnapshot, metric: SidedMetric) -> Digest:
        """All figures of a snapshot by a metric."""
        results = snapshot.results
        arms = tuple(self._figures(results, metric, n) for n in range(len(results.arms)))
        return Digest(snapshot, metric, arms, self._sweep(snapshot, metric))

    def _figures(self, results: Results, metric: SidedMetric, n: int) -> ArmFigures:
        arm, over = results.arms[n], results.baseline(n)
        done = len(arm.trials), 0 if over is None else len(results.arms[over].trials)
        known = self._arms.get((metric, n))
        if known is not None and known[0] == done and arm.trials:
            return known[1]
        figures = ArmFigures(
            curve=arm.curve(metric),
            final=arm.final(metric),
            average=arm.average(metric),
            better=results.improvement(metric, n),
            verdict=arm.verdict(metric.side),
            reference=known[1].reference if known is not None else arm.reference(metric),
        )
        self._arms[metric, n] = done, figures
        return figures

    def _sweep(
        self, snapshot: ExperimentSnapshot, metric: SidedMetric
    ) -> Mapping[str, tuple[SweepPoint, ...]]:
        known = self._sweeps.get(metric)
        if known is None or known[0] != snapshot.done:
            known = snapshot.done, snapshot.results.sweep(metric, over_run=True)
            self._sweeps[metric] = known
        return known[1]
