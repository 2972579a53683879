"""The learning curve: how a run did after so many games."""

from __future__ import annotations

from dataclasses import dataclass

from learners.judge.evaluation import Evaluation


@dataclass(frozen=True)
class Point:
    """The run after so many games."""

    games: int
    results: tuple[int, int, int]
    """Of the latest games: X won, drawn, O won."""
    evaluation: tuple[Evaluation | None, Evaluation | None] | None = None
    """The exact verdicts after just so many games; None where nobody judged them then."""
    opening: tuple[int, ...] = ()
    """The greedy opening moves (0-8) of X then; empty where nobody looked, or X is no learner."""

    def share(self, which: int) -> float:
        """The share of the latest games with a result (0 X won, 1 drawn, 2 O won)."""
        return self.results[which] / max(1, sum(self.results))
