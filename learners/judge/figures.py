"""The exact metrics of a player: name, meaning, formula and format of each.

`figures.toml` lists them. Everything reads that list: `evaluate --json` and its text, learning
curves and experiments. To add a metric that the evaluator computes, add a table there.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np

from afterstate_lab.game import Side
from afterstate_lab.learners import lean_dataclass
from afterstate_lab.learners.judge import evaluator as ev
from afterstate_lab.learners.judge.evaluated_state import EvaluatedState
from afterstate_lab.learners.toml_reader import packaged

ROUNDING: Final = 1e-9
"""Tolerance of a computed probability at 0 and 1."""
DECISIONS: Final = (2423, 2097)
"""Number of positions in which X, and O, is to move."""
Measure = Callable[[float, EvaluatedState, Side], Any]
"""Computes a metric of a side from its column, or from what the players know."""


def share(told: Any) -> tuple[int, int]:
    some, out_of = map(count, told)
    if not some <= out_of != 0:
        raise ValueError("it is not a share")
    return some, out_of


def count(told: Any) -> int:
    if type(told) is not int or not 0 <= told < 2**63:
        raise ValueError("it is not a count")
    return told


def number(told: Any, largest: float = 1.0) -> float:
    """Read a finite number from 0 to the largest; by default a probability."""
    is_number = type(told) in (int, float) and -ROUNDING <= told <= largest + ROUNDING
    if not (is_number and math.isfinite(told)):
        raise ValueError("it is not a valid number")
    return float(told)


def error(square: float, state: EvaluatedState, side: Side) -> float | None:
    """Return an RMS error, or None of a player without estimates."""
    rule = state.layout.table(side).rule
    return math.sqrt(square) if rule.learns and rule.estimates else None


def visited(_: float, state: EvaluatedState, side: Side) -> tuple[int, int]:
    """Return the visited entries of a learner, and how many it has."""
    table = state.layout.table(side)
    if not table.rule.learns:
        return 0, 0
    visits, counted = table.visits(state.memory).any(axis=0), table.entries.counted
    return int(np.count_nonzero(visits & counted)), int(np.count_nonzero(counted))


@lean_dataclass
class FigureKind:
    """A kind of metric: how to compute, format, read and plot its value."""

    text: Callable[[Any], str]
    read: Callable[[Any], Any]
    """Reads JSON; raises ValueError, TypeError or OverflowError for anything else."""
    of: Measure = lambda found, state, side: found
    number: Callable[[Any], float] = float
    """For statistics and curves; NaN if the player has none."""
    plain: Callable[[Any], Any] = lambda value: value
    most: float = math.inf
    """The largest possible number; the least is 0. A value is within its player's rewards."""


FLAG: Final = FigureKind(
    lambda value: "yes" if value else "no", bool, lambda found, state, side: found > 0.0, most=1.0
)
CHANCE: Final = FigureKind(lambda value: f"{value:.4f}", number, most=1.0)
VALUE: Final = FigureKind(CHANCE.text, number)
COUNT: Final = FigureKind(lambda value: f"{value:,}", count, lambda found, state, side: int(found))
SHARE: Final = FigureKind(
    lambda value: f"{value[0]:,} of {value[1]:,}",
    share,
    lambda found, state, side: (int(found), DECISIONS[side]),
    lambda value: value[0] / value[1] if value[1] else math.nan,
    list,
    1.0,
)
ERROR: Final = FigureKind(
    lambda value: "-" if value is None else f"{value:.4f}",
    lambda told: None if told is None else number(told, math.inf),
    error,
    lambda value: math.nan if value is None else value,
)
"""An RMS error; None if a player keeps no values (beads)."""
KINDS: Final = {
    "flag": FLAG, "chance": CHANCE, "value": VALUE, "count": COUNT, "share": SHARE, "error": ERROR,
}  # fmt: skip
UNLIKE: Final[dict[str, Measure]] = {
    "value": lambda _, state, side: state.estimate(side),
    "coverage": visited,
}
"""The metrics that are not computed as others of their kind."""


@lean_dataclass
class Figure:
    """One exact number about a player, which can be followed through a run."""

    name: str
    """Its name in experiments, without the side, as in ``worst-loss X``."""
    kind: FigureKind
    meaning: str
    follows: str
    """The formula. π is how both play now, s0 the empty board."""
    symbol: str = ""
    """A short heading with {} for the side; empty if experiments cannot measure it."""
    column: int | None = None
    """Its column in `learners.judge.evaluator`, if it has one."""
    key: str = ""
    """Its key in `evaluate --json` and in stored results; empty if they lack it."""
    within: str = ""
    """The key of the object in `evaluate --json` that has it, if it is in one."""
    higher_is_better: bool | None = None
    """None if neither is."""
    over_seeds: Callable[[Sequence[Any]], float] | None = None
    """Combines it over the seeds of an experiment."""
    at_end_only: bool = False
    """Whether only the end of an experiment's trial has it."""
    against: str = ""
    """For an error, the symbol of the exact values."""

    @property
    def label(self) -> str:
        """Its name without a side."""
        return self.symbol.replace("{}", "").strip() or self.name

    def measure(self, state: EvaluatedState, side: Side) -> Any:
        """Return its value for a side with greedy play."""
        found = math.nan if self.column is None else state.column(self.column, side)
        return UNLIKE.get(self.name, self.kind.of)(found, state, side)

    def number(self, state: EvaluatedState, side: Side) -> float:
        """Return its value as a number; NaN if the player has none."""
        return self.kind.number(self.measure(state, side))

    def read(self, told: Any) -> Any:
        """Read its value from the plain data of an evaluation."""
        inside = told[self.within] if self.within else told
        return self.kind.read(inside[self.key])


def asked_by(figures: Iterable[Figure]) -> int:
    """Return the bits that request metrics; see `learners.judge.evaluator`."""
    return sum({1 << one.column for one in figures if one.column is not None})


def mean(values: Sequence[float | None]) -> float:
    """Return the mean over seeds; NaN if a seed has none."""
    return float(np.mean([math.nan if value is None else value for value in values]))


OVER_SEEDS: Final[dict[str, Callable[[Sequence[Any]], float]]] = {
    "count": sum,
    "largest": max,
    "mean": mean,
    "mean count": lambda values: mean([n for n, _ in values]),
}


def listed() -> Iterator[Figure]:
    """Yield the metrics of `figures.toml`."""
    for name, told in packaged(Path(__file__).with_suffix(".toml")).items():
        told["kind"] = KINDS[told["kind"]]
        if "column" in told:
            told["column"] = getattr(ev, told["column"])
        if "over_seeds" in told:
            told["over_seeds"] = OVER_SEEDS[told["over_seeds"]]
        yield Figure(name, **told)


FIGURES: Final = tuple(listed())
"""Every metric, in the order in which experiments list them."""
BY_NAME: Final = {figure.name: figure for figure in FIGURES}
BEATABLE, WORST_LOSS = BY_NAME["beatable"], BY_NAME["worst-loss"]
WIN, DRAW, LOSS = BY_NAME["win"], BY_NAME["draw"], BY_NAME["loss"]
PERFECT_DRAW, PERFECT_LOSS = BY_NAME["perfect-draw"], BY_NAME["perfect-loss"]
OPTIMAL, MISSED_WINS = BY_NAME["optimal"], BY_NAME["missed-wins"]
RMS_MINIMAX, RMS_OPTIMAL = BY_NAME["rms-minimax"], BY_NAME["rms-v*"]
COVERAGE = BY_NAME["coverage"]

JUDGED: Final = tuple(figure for figure in FIGURES if figure.key)
"""The metrics of evaluations, in the order of `evaluate --json`, which is a contract."""
