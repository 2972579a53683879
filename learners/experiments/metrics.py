"""What an experiment measures on the way, and the exact verdicts at the end of its trials.

A plan asks for metrics of a side, such as ``value X`` or ``beatable O``: figures of
`learners.judge.figures`. All but the results of the games themselves (won, drawn, lost) are exact:
nothing is sampled.
"""

from __future__ import annotations

import difflib
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from game import Side
from learners.errors import UsageError, shown
from learners.experiments.statistics import BOOTSTRAP, CLOPPER_PEARSON
from learners.judge.evaluated_state import EvaluatedState
from learners.judge.evaluation import Evaluation
from learners.judge.figures import FIGURES, FLAG, JUDGED, OPTIMAL, Figure

METRICS: Final = {figure.name: figure for figure in FIGURES if figure.symbol}
"""What a plan may ask for, by name."""


@dataclass(frozen=True)
class SidedMetric:
    """A metric of X or of O."""

    metric: Figure[Any]
    side: Side

    @classmethod
    def parse(cls, text: str) -> SidedMetric:
        """Read a metric such as ``value X``.

        Raises:
            UsageError: there is no such metric, or it says no side.
        """
        name, _, side = text.strip().rpartition(" ")
        if side not in Side.__members__:
            name, side = text.strip(), ""
        name = name.strip()
        if name not in METRICS:
            near = difflib.get_close_matches(name, METRICS, n=1)
            hint = f"did you mean {near[0]}?" if near else f"known: {', '.join(METRICS)}"
            raise UsageError(f"there is no metric {shown(name)}; {hint}")
        if not side:
            raise UsageError(f"{shown(text)} needs a side: {name} X or {name} O")
        return cls(METRICS[name], Side.parse(side))

    def __str__(self) -> str:
        return f"{self.metric.name} {self.side.mark}"

    @property
    def symbol(self) -> str:
        """A short heading."""
        return self.metric.symbol.format(self.side.mark)

    @property
    def is_share(self) -> bool:
        """Whether it is 0 or 1 in each trial, so that its mean is a share of the seeds."""
        return self.metric.kind is FLAG

    @property
    def band_kind(self) -> str:
        """How its 95% bands over seeds are made."""
        return CLOPPER_PEARSON if self.is_share else BOOTSTRAP

    def measure(self, state: EvaluatedState) -> float:
        """Its value in a state; NaN where the player has none."""
        return float(self.metric.number(state, self.side))


def verdict(state: EvaluatedState, side: Side) -> dict[str, Any] | None:
    """What is exactly true of a side at the end of a trial, as plain data; None for an opponent.

    It is what `afterstate evaluate --json` prints, and the RMS errors of the learner's values
    against v* (`rms_optimal`) and v_π (`rms_behaviour`).
    """
    found = Evaluation.of(state, side, at_end=True)
    return None if found is None else found.as_json()


@dataclass(frozen=True)
class VerdictSummary:
    """The exact verdicts on one side of an arm over all its seeds, greedy play."""

    seeds: int
    decisions: int
    """The side's positions, of which `OPTIMAL` counts those decided rightly."""
    values: Mapping[str, float]
    """By the name of the figure, over the seeds as the figure says; NaN where one has none."""

    @classmethod
    def of(cls, verdicts: Sequence[Mapping[str, Any]]) -> VerdictSummary | None:
        """Sum up verdicts; None where there is none.

        Raises:
            KeyError, OverflowError, TypeError, ValueError: they are no verdicts.
        """
        if not verdicts:
            return None
        values = {}
        for figure in JUDGED:
            is_known = figure.is_always_saved or all(figure.path[0] in told for told in verdicts)
            if figure.over_seeds is not None and is_known:
                values[figure.name] = figure.over_seeds([figure.read(told) for told in verdicts])
        return cls(len(verdicts), OPTIMAL.read(verdicts[0])[1], values)

    def __getitem__(self, figure: Figure[Any]) -> float:
        """A figure over the seeds: a mean, the worst, or how many of them; NaN for none."""
        return self.values[figure.name]

    def as_json(self) -> dict[str, Any]:
        """The summary as plain data."""
        told: dict[str, Any] = {"seeds": self.seeds}
        for figure in JUDGED:
            if figure.name in self.values:
                value = self[figure]
                told[figure.path[-1]] = None if math.isnan(value) else value
            if figure is OPTIMAL:
                told["decisions"] = self.decisions
        return told
