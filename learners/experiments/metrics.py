"""What an experiment measures: a name, what it stands for, and how it follows from a `Moment`.

A plan asks for metrics of a side, such as ``value X`` or ``beatable O``. All but the results of
the games themselves (won, drawn, lost) are exact: nothing is sampled.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np

from learners.errors import UsageError, shown
from learners.experiments.moment import Moment
from learners.judge.evaluation import coverage

Measure = Callable[[Moment, int], float]
"""From a moment and a side (0 X, 1 O) to a number; NaN where the player has none."""


@dataclass(frozen=True)
class Metric:
    """One number that can be followed through a run."""

    name: str
    symbol: str
    """A few characters for a table's head; {} stands for the side."""
    meaning: str
    measure: Measure
    higher_is_better: bool | None = True
    """None where neither is."""


def optimal_share(moment: Moment, side: int) -> float:
    """The share of a side's positions in which every greedy move is optimal."""
    right, decisions = moment.verdict(side).optimal
    return right / decisions


def coverage_share(moment: Moment, side: int) -> float:
    """The share of a learner's entries that were ever written."""
    table = moment.pair.table(side)
    if not table.spec.rule.learns:
        return np.nan
    written, of = coverage(table, moment.memory)
    return written / of


METRICS: Final = {
    metric.name: metric
    for metric in (
        Metric("value", "V(empty) {}", "what the learner expects at the empty board",
               lambda m, side: m.estimate(side), None),
        Metric("greedy-value", "greedy value {}",
               "exact value of its greedy play against this opponent",
               lambda m, side: m.worth(side, m.greedy(side))),
        Metric("behaviour-value", "value played {}",
               "exact value of its play, exploration included, against this opponent",
               lambda m, side: m.worth(side, m.behaviour(side))),
        Metric("win", "win {}", "exact chance that greedy play beats random moves",
               lambda m, side: m.verdict(side).vs_random.win),
        Metric("draw", "draw {}", "exact chance that greedy play draws against random moves",
               lambda m, side: m.verdict(side).vs_random.draw, None),
        Metric("loss", "loss {}", "exact chance that greedy play loses to random moves",
               lambda m, side: m.verdict(side).vs_random.loss, False),
        Metric("perfect-loss", "loss to perfect {}",
               "exact chance that greedy play loses to perfect play",
               lambda m, side: m.verdict(side).vs_perfect.loss, False),
        Metric("beatable", "beatable {}", "whether some opponent can beat greedy play",
               lambda m, side: float(m.verdict(side).beatable), False),
        Metric("worst-loss", "worst loss {}",
               "the largest chance with which any opponent beats greedy play",
               lambda m, side: m.verdict(side).worst_loss, False),
        Metric("optimal", "optimal {}",
               "share of its positions in which every greedy move is minimax-optimal",
               optimal_share),
        Metric("missed-wins", "missed wins {}",
               "positions in which greedy play may pass over a win at once",
               lambda m, side: float(m.verdict(side).missed_wins), False),
        Metric("rms-v*", "rms(V,v*) {}",
               "RMS error of its values against optimal play against this opponent",
               lambda m, side: m.rms_optimal(side), False),
        Metric("rms-v_pi", "rms(V,v_pi) {}",
               "RMS error of its values against what both players do now",
               lambda m, side: m.rms_behaviour(side), False),
        Metric("rms-minimax", "rms(V,minimax) {}",
               "RMS error of its values against minimax",
               lambda m, side: m.rms_minimax(side), False),
        Metric("coverage", "seen {}", "share of its entries that were ever written",
               coverage_share, None),
        Metric("won", "won {}", "share of games won since the point before",
               lambda m, side: m.share(side)),
        Metric("drawn", "drawn {}", "share of games drawn since the point before",
               lambda m, side: m.share(2), None),
        Metric("lost", "lost {}", "share of games lost since the point before",
               lambda m, side: m.share(1 - side), False),
    )
}  # fmt: skip
"""Every metric by name."""


@dataclass(frozen=True)
class SidedMetric:
    """A metric of X or of O."""

    metric: Metric
    side: int
    """0 for X, 1 for O."""

    @classmethod
    def parse(cls, text: str) -> SidedMetric:
        """Read a metric such as ``value X``.

        Raises:
            UsageError: there is no such metric, or it says no side.
        """
        name, _, side = text.strip().rpartition(" ")
        if side not in ("X", "O"):
            name, side = text.strip(), ""
        name = name.strip()
        if name not in METRICS:
            near = difflib.get_close_matches(name, METRICS, n=1)
            hint = f"did you mean {near[0]}?" if near else f"known: {', '.join(METRICS)}"
            raise UsageError(f"there is no metric {shown(name)}; {hint}")
        if not side:
            raise UsageError(f"{shown(text)} needs a side: {name} X or {name} O")
        return cls(METRICS[name], "XO".index(side))

    def __str__(self) -> str:
        return f"{self.metric.name} {'XO'[self.side]}"

    @property
    def symbol(self) -> str:
        """A short heading."""
        return self.metric.symbol.format("XO"[self.side])

    def measure(self, moment: Moment) -> float:
        """Its value at a moment; NaN where the player has none."""
        return float(self.metric.measure(moment, self.side))
