"""A judgement of a way to play: its figures, the game that beats it, and its every error."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from game import space
from game.exact import (
    Refutation,
    likeliest_refutation,
    minimax_values,
    optimal_edges,
    reached_positions,
)

if TYPE_CHECKING:
    from learners.judge.evaluated_state import Play
    from learners.judge.evaluation import Evaluation


@dataclass(frozen=True)
class Mistake:
    """A move that a player makes though another one is worth more."""

    board: str
    played: int
    """The cell, 1-9."""
    best: tuple[int, ...]
    """The cells that hold the value of the position."""
    value: float
    """What the position is worth: 1 a win, .5 a draw, 0 a loss."""
    loss: float
    """How much less is left after the move: .5 or 1."""
    probability: float
    """Of the move, on this board."""
    is_reached: bool
    """Whether the player's own games can reach the board."""

    def as_json(self) -> dict[str, Any]:
        """The object that `judge --json` prints."""
        return {
            "board": self.board,
            "played": self.played,
            "best": list(self.best),
            "loss": self.loss,
            "probability": self.probability,
            "reached": self.is_reached,
        }


@dataclass(frozen=True)
class Judgement:
    """What is exactly true of a side's play."""

    evaluation: Evaluation
    refutation: Refutation | None
    """The game that beats it; None where none does."""
    mistakes: tuple[Mistake, ...]

    @classmethod
    def of(cls, evaluation: Evaluation, play: Play) -> Judgement:
        """Judge a way to play whose figures are known."""
        refutation = likeliest_refutation(play.policy, play.side.player)
        return cls(evaluation, refutation, tuple(mistakes(play)))

    def as_json(self) -> dict[str, Any]:
        """The object that `judge --json` prints for a side."""
        found = self.refutation
        return self.evaluation.as_json() | {
            "refutation": None if found is None else [cell + 1 for cell in found.cells],
            "probability": None if found is None else found.probability,
            "errors": [mistake.as_json() for mistake in self.mistakes],
        }


def mistakes(play: Play) -> list[Mistake]:
    """Every move of a policy that is worth less than the best, in order of the boards."""
    s, sign = space(), 1 - 2 * int(play.side)
    own = s.ply[s.edge_state] % 2 == play.side
    wrong = np.flatnonzero(own & (play.policy > 0.0) & ~optimal_edges())
    value = (1.0 + sign * minimax_values()) / 2
    reached = reached_positions(play.policy, play.side.player).tolist()
    states, cells, after = s.edge_state.tolist(), s.edge_cell.tolist(), s.edge_successor.tolist()
    first, values, optimal = s.first_edge.tolist(), value.tolist(), optimal_edges().tolist()
    found = []
    for edge in wrong.tolist():
        board = states[edge]
        edges = range(first[board], first[board + 1])
        found.append(
            Mistake(
                board=s.text(board),
                played=cells[edge] + 1,
                best=tuple(cells[other] + 1 for other in edges if optimal[other]),
                value=values[board],
                loss=values[board] - values[after[edge]],
                probability=float(play.policy[edge]),
                is_reached=reached[board],
            )
        )
    return found
