"""The learning curve: how a run did after so many games, and the same as plain data."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Final

from game.exact import Outcome
from game.exact import PlayerEvaluation as Verdict
from learners.errors import printable
from learners.judge.evaluation import Evaluation

ROUNDING: Final = 1e-9
"""By how much a probability that was worked out may miss the range of 0 to 1."""


@dataclass(frozen=True)
class Point:
    """The run after so many games."""

    games: int
    results: tuple[int, int, int]
    """Of the latest games: X won, drawn, O won."""
    evaluation: tuple[Evaluation | None, Evaluation | None] | None = None
    """The exact verdicts after just so many games; None where nobody judged them then."""

    def share(self, which: int) -> float:
        """The share of the latest games with a result (0 X won, 1 drawn, 2 O won)."""
        return self.results[which] / max(1, sum(self.results))


def evaluation_of(told: Any) -> Evaluation | None:
    """What `Evaluation.as_json` told; None for a side that is not a learner.

    Raises:
        ValueError: it is nothing that it would tell.
    """
    if told is None:
        return None
    try:
        rms, as_played = told["rms_minimax"], told.get("as_played")
        return Evaluation(
            spec=printable(str(told["spec"])[:1000]),
            verdict=verdict_of(told),
            rms_minimax=None if rms is None else number(rms, math.inf),
            coverage=share(told["coverage"]),
            as_played=None if as_played is None else verdict_of(as_played),
        )
    except (AttributeError, KeyError, OverflowError, TypeError) as error:
        raise ValueError("it is no evaluation") from error


def verdict_of(told: Any) -> Verdict:
    """What `verdict_json` told."""
    return Verdict(
        beatable=bool(told["beatable"]),
        worst_loss=number(told["worst_loss"]),
        vs_random=outcome_of(told["vs_random"]),
        vs_perfect=outcome_of(told["vs_perfect"]),
        optimal=share(told["optimal"]),
        missed_wins=count(told["missed_wins"]),
    )


def outcome_of(told: Any) -> Outcome:
    """What `outcome_json` told."""
    return Outcome(number(told["win"]), number(told["draw"]), number(told["loss"]))


def share(told: Any) -> tuple[int, int]:
    """Some out of so many."""
    some, out_of = map(count, told)
    if not some <= out_of != 0:
        raise ValueError("it is no share")
    return some, out_of


def count(told: Any) -> int:
    """A whole number >= 0."""
    if type(told) is not int or not 0 <= told < 2**63:
        raise ValueError("it is no count")
    return told


def number(told: Any, largest: float = 1.0) -> float:
    """A finite number from 0 to the largest; a probability by default."""
    is_number = type(told) in (int, float) and -ROUNDING <= told <= largest + ROUNDING
    if not (is_number and math.isfinite(told)):
        raise ValueError("it is no number of its kind")
    return float(told)
