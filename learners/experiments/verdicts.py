"""What is exactly true of a learner at the end of a trial, and what that comes to over many."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from learners.experiments.moment import Moment
from learners.judge.evaluation import evaluate_table


def verdict(moment: Moment, side: int) -> dict[str, Any] | None:
    """What is exactly true of a side, as plain data; None for an opponent.

    It is what `afterstate evaluate --json` prints, and the RMS errors of the learner's values
    against v* (`rms_optimal`) and v_π (`rms_behaviour`).
    """
    evaluation = evaluate_table(moment.pair.table(side), moment.memory)
    if evaluation is None:
        return None
    errors = {
        "rms_optimal": moment.rms_optimal(side),
        "rms_behaviour": moment.rms_behaviour(side),
    }
    told = {name: None if np.isnan(error) else error for name, error in errors.items()}
    return evaluation.as_json() | told


def figures(told: Mapping[str, Any]) -> dict[str, float]:
    """The numbers of a verdict by name; NaN where it has none.

    Raises:
        KeyError, TypeError, ValueError: it is no verdict.
    """
    by_random = told["vs_random"]
    found = {
        "beatable": told["beatable"],
        "worst_loss": told["worst_loss"],
        "win": by_random["win"],
        "draw": by_random["draw"],
        "loss": by_random["loss"],
        "optimal": told["optimal"][0],
        "decisions": told["optimal"][1],
        "missed_wins": told["missed_wins"],
        "rms_minimax": told["rms_minimax"],
        "rms_optimal": told["rms_optimal"],
        "rms_behaviour": told["rms_behaviour"],
    }
    return {name: np.nan if value is None else float(value) for name, value in found.items()}


@dataclass(frozen=True)
class VerdictSummary:
    """The exact verdicts on one side of an arm over all its seeds, greedy play."""

    seeds: int
    beatable: int
    """How many of the seeds some opponent can beat."""
    worst_loss: float
    """The largest chance with which any opponent beats any of them."""
    win: float
    """Mean chance of beating random moves; the next two likewise."""
    draw: float
    loss: float
    optimal: float
    """Mean number of positions in which every greedy move is optimal."""
    decisions: int
    """Out of how many."""
    missed_wins: float
    """Mean number of positions in which a win at once may be passed over."""
    rms_minimax: float | None
    """Mean RMS error of its values against minimax; None where it has no values."""
    rms_optimal: float | None
    """The same against v*: optimal play against this opponent."""
    rms_behaviour: float | None
    """The same against v_π: what both players do at the end."""

    @classmethod
    def of(cls, verdicts: Sequence[Mapping[str, Any]]) -> VerdictSummary | None:
        """Sum up verdicts; None where there is none."""
        if not verdicts:
            return None
        rows = [figures(told) for told in verdicts]
        mean = {name: float(np.mean([row[name] for row in rows])) for name in rows[0]}
        return cls(
            seeds=len(rows),
            beatable=sum(row["beatable"] > 0 for row in rows),
            worst_loss=max(row["worst_loss"] for row in rows),
            decisions=int(rows[0]["decisions"]),
            **{name: mean[name] for name in ("win", "draw", "loss", "optimal", "missed_wins")},
            rms_minimax=known(mean["rms_minimax"]),
            rms_optimal=known(mean["rms_optimal"]),
            rms_behaviour=known(mean["rms_behaviour"]),
        )

    def as_json(self) -> dict[str, Any]:
        """The summary as plain data."""
        return asdict(self)


def known(value: float) -> float | None:
    """A number, or None for NaN."""
    return None if np.isnan(value) else value
