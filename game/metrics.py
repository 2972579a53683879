"""What a player is worth, exactly: the figures beside which no sampled win rate is needed."""

from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from game.constants import GOES_ON, O_WON, PLAYER_X, POSITIONS, X_WON
from game.evaluation import evaluate
from game.minimax import minimax_values, optimal_edges
from game.policies import (
    Policy,
    combine,
    perfect_policy,
    resignation,
    uniform_policy,
)
from game.response import START, worst_loss
from game.space import space

REMEMBERED: Final = 16
"""How many of the latest results of `evaluate_player` are kept: the same play is judged again where
a place is shown again, and before the first game."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The probabilities of a player's results from the empty board."""

    win: float
    draw: float
    loss: float


@dataclass(frozen=True, slots=True)
class PlayerEvaluation:
    """The exact figures of one player under one policy."""

    beatable: bool
    """Whether an opponent exists that wins with positive probability."""
    worst_loss: float
    """The largest probability with which any opponent wins."""
    vs_random: Outcome
    """Against uniformly random moves."""
    vs_perfect: Outcome
    """Against the uniform choice among minimax-optimal moves."""
    optimal: tuple[int, int]
    """In how many of the player's positions, of how many, every move it may make is optimal."""
    missed_wins: int
    """In how many positions the player may fail to win at once though it could."""


def evaluate_player(policy: Policy, player: int) -> PlayerEvaluation:
    """The exact figures of `player` under `policy`; the opponent's moves in it are ignored.

    Args:
        policy: float64[16167].
        player: 1 = X or 2 = O.

    Raises:
        ValueError: `player` is neither.
    """
    return _evaluation(np.asarray(policy, dtype=np.float64).tobytes(), player)


@lru_cache(REMEMBERED)
def _evaluation(policy_bytes: bytes, player: int) -> PlayerEvaluation:
    policy = np.frombuffer(policy_bytes)
    risk = worst_loss(policy, player)
    may_resign = resignation(policy) > 0.0
    may_play = policy > 0.0
    return PlayerEvaluation(
        beatable=risk > 0.0,
        worst_loss=risk,
        vs_random=outcome_against(uniform_policy(), policy, player),
        vs_perfect=outcome_against(perfect_policy(), policy, player),
        optimal=_optimal_decisions(may_play, may_resign, player),
        missed_wins=_missed_wins(may_play, may_resign, player),
    )


def outcome_against(opponent: Policy, policy: Policy, player: int) -> Outcome:
    """How `player` following `policy` fares from the empty board against `opponent`.

    Args:
        opponent: float64[16167], whose moves for the other player count.
        policy: float64[16167], whose moves for `player` count.
        player: 1 = X or 2 = O.
    """
    if player == PLAYER_X:
        x_wins, draw, o_wins = evaluate(combine(policy, opponent))[START].tolist()
        return Outcome(win=x_wins, draw=draw, loss=o_wins)
    x_wins, draw, o_wins = evaluate(combine(opponent, policy))[START].tolist()
    return Outcome(win=o_wins, draw=draw, loss=x_wins)


def _optimal_decisions(
    may_play: NDArray[np.bool_], may_resign: NDArray[np.bool_], player: int
) -> tuple[int, int]:
    """In how many positions of `player` all it may do is optimal, and its positions.

    To resign is optimal only in a lost position.

    Args:
        may_play: bool[16167], the moves of positive probability.
        may_resign: bool[5478], the positions where the mover may resign.
    """
    decisions, lost = _decisions(player), minimax_values() == (-1 if player == PLAYER_X else 1)
    errs = may_resign & ~lost
    errs[space().edge_state[may_play & ~optimal_edges()]] = True
    return int(np.count_nonzero(decisions & ~errs)), int(np.count_nonzero(decisions))


def _missed_wins(may_play: NDArray[np.bool_], may_resign: NDArray[np.bool_], player: int) -> int:
    """In how many positions `player` could win at once and may do something else."""
    misses = may_resign.copy()
    misses[space().edge_state[may_play & ~_winning_edges()]] = True
    return int(np.count_nonzero(misses & _can_win_at_once() & _decisions(player)))


@cache
def _decisions(player: int) -> NDArray[np.bool_]:
    """The non-terminal positions with `player` to move, bool[5478]."""
    states = space()
    decisions: NDArray[np.bool_] = (states.outcome == GOES_ON) & (states.ply % 2 == player - 1)
    return decisions


@cache
def _winning_edges() -> NDArray[np.bool_]:
    """The moves that win at once, bool[16167]."""
    after = space().outcome[space().edge_successor]
    winning: NDArray[np.bool_] = (after == X_WON) | (after == O_WON)
    return winning


@cache
def _can_win_at_once() -> NDArray[np.bool_]:
    """The positions with such a move, bool[5478]."""
    states = space()
    can = np.zeros(POSITIONS, dtype=np.bool_)
    can[states.edge_state[_winning_edges()]] = True
    return can
