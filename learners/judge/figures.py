"""The exact metrics of a player: name, meaning, formula and format of each.

A metric is one row of `FIGURES`. Everything reads these rows: `evaluate --json` and its text,
learning curves and experiments. To add a metric, add a row.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeVar

import numpy as np

from afterstate_lab.game import Side
from afterstate_lab.learners.judge import evaluator as ev
from afterstate_lab.learners.judge.evaluated_state import EvaluatedState

T = TypeVar("T")
ROUNDING: Final = 1e-9
"""Tolerance of a computed probability at 0 and 1."""


@dataclass(frozen=True, eq=False)
class FigureKind(Generic[T]):
    """A kind of metric: how to format, read and plot its value."""

    text: Callable[[T], str]
    read: Callable[[Any], T]
    """Reads JSON; raises ValueError, TypeError or OverflowError for anything else."""
    number: Callable[[T], float] = float  # type: ignore[assignment]
    """For statistics and curves; NaN if the player has none."""
    plain: Callable[[T], Any] = lambda value: value
    most: float = math.inf
    """The largest possible number; the least is 0. A value is within its player's rewards."""


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


FLAG: Final = FigureKind[bool](lambda value: "yes" if value else "no", bool, most=1.0)
CHANCE: Final = FigureKind[float](lambda value: f"{value:.4f}", number, most=1.0)
VALUE: Final = FigureKind[float](CHANCE.text, number)
COUNT: Final = FigureKind[int](lambda value: f"{value:,}", count)
SHARE: Final = FigureKind[tuple[int, int]](
    lambda value: f"{value[0]:,} of {value[1]:,}",
    share,
    lambda value: value[0] / value[1] if value[1] else math.nan,
    list,
    1.0,
)
ERROR: Final = FigureKind[float | None](
    lambda value: "-" if value is None else f"{value:.4f}",
    lambda told: None if told is None else number(told, math.inf),
    lambda value: math.nan if value is None else value,
)
"""An RMS error; None if a player keeps no values (beads)."""


@dataclass(frozen=True, eq=False)
class Figure(Generic[T]):
    """One exact number about a player, which can be followed through a run."""

    name: str
    """Its name in experiments, without the side, as in ``worst-loss X``."""
    symbol: str
    """A short heading with {} for the side; empty if experiments cannot measure it."""
    kind: FigureKind[T]
    meaning: str
    follows: str
    """The formula. π is how both play now, s0 the empty board."""
    column: int | None = None
    """Its column in `learners.judge.evaluator`, if it has one."""
    of: Callable[[float, EvaluatedState, Side], Any] = lambda found, state, side: found
    """Computes it for a side: from that number, or from what the players know."""
    key: str = ""
    """Its key in `evaluate --json` and in stored results; empty if they lack it."""
    within: str = ""
    """The key of the object in `evaluate --json` that has it, if it is in one."""
    higher_is_better: bool | None = True
    """None if neither is."""
    over_seeds: Callable[[Sequence[T]], float] | None = None
    """Combines it over the seeds of an experiment."""
    at_end_only: bool = False
    """Whether only the end of an experiment's trial has it."""
    against: str = ""
    """For an error, the symbol of the exact values."""

    @property
    def label(self) -> str:
        """Its name without a side."""
        return self.symbol.replace("{}", "").strip() or self.name

    @property
    def error_label(self) -> str:
        """The label of an error: `rms V−v*`."""
        return f"rms V−{self.against}"

    @property
    def is_of_play(self) -> bool:
        """Whether a policy determines it."""
        return asked_by([self]) & ev.OF_PLAY > 0

    def measure(self, state: EvaluatedState, side: Side) -> T:
        """Return its value for a side with greedy play."""
        found = math.nan if self.column is None else state.column(self.column, side)
        value: T = self.of(found, state, side)
        return value

    def number(self, state: EvaluatedState, side: Side) -> float:
        """Return its value as a number; NaN if the player has none."""
        return self.kind.number(self.measure(state, side))

    def read(self, told: Any) -> T:
        """Read its value from the plain data of an evaluation."""
        inside = told[self.within] if self.within else told
        return self.kind.read(inside[self.key])


DECISIONS: Final = (2423, 2097)
"""Number of positions in which X, and O, is to move."""


def asked_by(figures: Iterable[Figure[Any]]) -> int:
    """Return the bits that request metrics; see `learners.judge.evaluator`."""
    return sum({1 << one.column for one in figures if one.column is not None})


def error(square: float, state: EvaluatedState, side: Side) -> float | None:
    """Return an RMS error, or None of a player without estimates."""
    rule = state.layout.table(side).spec.rule
    return math.sqrt(square) if rule.learns and rule.estimates else None


def visited(_: float, state: EvaluatedState, side: Side) -> tuple[int, int]:
    """Return the visited entries of a learner, and how many it has."""
    table = state.layout.table(side)
    if not table.spec.rule.learns:
        return 0, 0
    entries, visits = table.entries, table.visits(state.memory).any(axis=0)
    counted = visits & entries.live & ((entries.boards > 0) | (entries.cells >= 0))
    return int(np.count_nonzero(counted)), entries.counted


def mean(values: Sequence[float | None]) -> float:
    """Return the mean over seeds; NaN if a seed has none."""
    return float(np.mean([math.nan if value is None else value for value in values]))


BEATABLE: Final = Figure(
    "beatable",
    "beatable {}",
    FLAG,
    "whether some opponent can beat greedy play",
    "worst loss > 0",
    ev.WORST_LOSS,
    lambda found, state, side: found > 0.0,
    key="beatable",
    higher_is_better=False,
    over_seeds=sum,
)
WORST_LOSS: Final = Figure(
    "worst-loss",
    "loss to best {}",
    CHANCE,
    "chance of losing to the best opponent",
    "max over opponents of P(loss | s0): the value of a best response to it",
    ev.WORST_LOSS,
    key="worst_loss",
    higher_is_better=False,
    over_seeds=max,
)


def outcome(
    result: str, against: str, symbol: str = "", higher_is_better: bool | None = True
) -> Figure[float]:
    """Return the metric of a result against random moves or perfect play."""
    verb = {"win": "beats", "draw": "draws against", "loss": "loses to"}[result]
    is_random = against == "random"
    who = "random moves" if is_random else "perfect play"
    moves = "uniform moves" if is_random else "uniform minimax-optimal moves"
    return Figure(
        result if is_random else f"perfect-{result}", symbol, CHANCE,
        f"exact chance that greedy play {verb} {who}", f"P({result} | s0) against {moves}",
        (ev.WIN if is_random else ev.PERFECT_WIN) + ("win", "draw", "loss").index(result),
        key=result, within=f"vs_{against}", higher_is_better=higher_is_better,
        over_seeds=mean if is_random else None,
    )  # fmt: skip


WIN: Final = outcome("win", "random", "win {}")
DRAW: Final = outcome("draw", "random", "draw {}", None)
LOSS: Final = outcome("loss", "random", "loss {}", False)
PERFECT_WIN: Final = outcome("win", "perfect")
PERFECT_DRAW: Final = outcome("draw", "perfect")
PERFECT_LOSS: Final = outcome("loss", "perfect", "loss to perfect {}", False)
OPTIMAL: Final = Figure(
    "optimal",
    "optimal {}",
    SHARE,
    "share of its positions in which every greedy move is optimal (minimax)",
    "n of the positions in which it is to move: 2,423 (X, the empty board too) or 2,097 (O)",
    ev.OPTIMAL,
    lambda found, state, side: (int(found), DECISIONS[side]),
    key="optimal",
    over_seeds=lambda values: mean([n for n, _ in values]),
)
MISSED_WINS: Final = Figure(
    "missed-wins",
    "wins missed {}",
    COUNT,
    "positions in which greedy play may miss an immediate win",
    "positions with a winning move and a greedy move that does not win",
    ev.MISSED_WINS,
    lambda found, state, side: int(found),
    key="missed_wins",
    higher_is_better=False,
    over_seeds=mean,
)
RMS_MINIMAX: Final = Figure(
    "rms-minimax",
    "rms(V,minimax) {}",
    ERROR,
    "RMS error of its values against minimax",
    "sqrt(mean((V - minimax)^2)) over its afterstates (or pairs), in its own rewards",
    ev.RMS_MINIMAX,
    error,
    key="rms_minimax",
    higher_is_better=False,
    over_seeds=mean,
    against="minimax",
)
COVERAGE: Final = Figure(
    "coverage",
    "visited {}",
    SHARE,
    "share of its values with at least one backup",
    "entries with a backup, of all but the empty board's: of afterstates 2,097 (X) or 2,422 (O)",
    of=visited,
    key="coverage",
    higher_is_better=None,
)
RMS_OPTIMAL: Final = Figure(
    "rms-v*",
    "rms(V,v*) {}",
    ERROR,
    "RMS error of its values against optimal play against this opponent",
    "sqrt(mean((V - v*)^2)) over its afterstates (or pairs); minimax where that one learns",
    ev.RMS_OPTIMAL,
    error,
    key="rms_optimal",
    higher_is_better=False,
    over_seeds=mean,
    at_end_only=True,
    against="v*",
)
RMS_BEHAVIOUR: Final = Figure(
    "rms-v_pi",
    "rms(V,v_pi) {}",
    ERROR,
    "RMS error of its values against what both players do now",
    "sqrt(mean((V - v_π)^2)) over its afterstates (or pairs)",
    ev.RMS_BEHAVIOUR,
    error,
    key="rms_behaviour",
    higher_is_better=False,
    over_seeds=mean,
    at_end_only=True,
    against="vπ",
)

FIGURES: Final[tuple[Figure[Any], ...]] = (
    Figure(
        "value", "V(empty) {}", VALUE, "what the learner expects at the empty board",
        "V(s0); of action values max Q(s0, a)",
        of=lambda _, state, side: state.estimate(side), higher_is_better=None,
    ),
    Figure(
        "greedy-value", "greedy value {}", VALUE,
        "exact value of its greedy play against this opponent",
        "v(s0) of greedy play against the opponent's π", ev.PLAY_VALUE,
    ),
    Figure(
        "behaviour-value", "value played {}", VALUE,
        "exact value of its play, exploration included, against this opponent",
        "v_π(s0)", ev.BEHAVIOUR_VALUE,
    ),
    BEATABLE,
    WORST_LOSS,
    WIN,
    DRAW,
    LOSS,
    PERFECT_WIN,
    PERFECT_DRAW,
    PERFECT_LOSS,
    OPTIMAL,
    MISSED_WINS,
    RMS_MINIMAX,
    COVERAGE,
    RMS_OPTIMAL,
    RMS_BEHAVIOUR,
)  # fmt: skip
"""Every metric, in the order in which experiments list them."""

JUDGED: Final = tuple(figure for figure in FIGURES if figure.key)
"""The metrics of evaluations, in the order of `evaluate --json`, which is a contract."""
