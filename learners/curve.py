"""The learning curve: how a run did after so many games, and the same as plain data."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from game.exact import Outcome
from game.exact import PlayerEvaluation as Verdict
from learners.errors import printable
from learners.evaluation import Evaluation


@dataclass(frozen=True)
class Point:
    """The run after so many games."""

    games: int
    results: tuple[int, int, int]
    """Of the latest games: X won, drawn, O won."""
    evaluation: tuple[Evaluation | None, Evaluation | None]

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
            rms_minimax=None if rms is None else number(rms),
            coverage=pair(told["coverage"]),
            as_played=None if as_played is None else verdict_of(as_played),
        )
    except (AttributeError, KeyError, TypeError) as error:
        raise ValueError("it is no evaluation") from error


def verdict_of(told: Any) -> Verdict:
    """What `verdict_json` told."""
    return Verdict(
        beatable=bool(told["beatable"]),
        worst_loss=number(told["worst_loss"]),
        vs_random=outcome_of(told["vs_random"]),
        vs_perfect=outcome_of(told["vs_perfect"]),
        optimal=pair(told["optimal"]),
        missed_wins=count(told["missed_wins"]),
    )


def outcome_of(told: Any) -> Outcome:
    """What `outcome_json` told."""
    return Outcome(number(told["win"]), number(told["draw"]), number(told["loss"]))


def pair(told: Any) -> tuple[int, int]:
    """Two counts."""
    first, second = told
    return count(first), count(second)


def count(told: Any) -> int:
    """A whole number >= 0."""
    if type(told) is not int or not 0 <= told < 2**63:
        raise ValueError("it is no count")
    return told


def number(told: Any) -> float:
    """A finite number."""
    if type(told) not in (int, float) or not math.isfinite(told):
        raise ValueError("it is no number")
    return float(told)
