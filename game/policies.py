"""Policies of both players as one array: the probability of every move in every position.

A policy is float64[16167] over the edges of `game.space`: X's probabilities where X is to move,
O's where O is. The probabilities of a position sum to 1, or to less where the mover resigns with
the remaining probability, as an empty MENACE box does; a resignation wins for the opponent.
"""

from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from game.constants import EDGES, PLAYER_O, PLAYER_X, POSITIONS
from game.layers import Layer, layers
from game.minimax import optimal_edges

Policy = NDArray[np.float64]
"""float64[16167], see above."""

ROUNDING: Final = 1e-9
"""If probabilities sum to 1 within this, the mover never resigns: the sum of six times 1/6 may miss
1 by the last bit, and must not count as a chance of losing by resignation."""


def opponent_of(player: int) -> int:
    """The other player.

    Raises:
        ValueError: `player` is neither 1 (X) nor 2 (O).
    """
    if player not in (PLAYER_X, PLAYER_O):
        raise ValueError(f"{player!r} is no player: 1 is X, 2 is O.")
    return PLAYER_X + PLAYER_O - player


def resignation(policy: Policy) -> NDArray[np.float64]:
    """The probability that the mover resigns in each position, float64[5478]; 0 at the end."""
    resigning = np.zeros(POSITIONS)
    for layer in layers():
        resigning[layer.ids] = _rest(layer.of_edges(policy).sum(axis=0))
    return resigning


def expectation(
    layer: Layer, policy: Policy, after: NDArray[np.float64], resigned: NDArray[np.float64] | float
) -> NDArray[np.float64]:
    """Σ_a π(a|s) v(s') over one ply's positions s, with the mover's chance to resign.

    Args:
        layer: the ply, of width w = 9 - ply.
        policy: float64[16167].
        after: float64[..., w, n], v(s') for each move in `layer.successors`.
        resigned: float64[..., 1] or a number, the value when the mover resigns.

    Returns:
        float64[..., n].
    """
    probabilities = layer.of_edges(policy)
    total = probabilities.sum(axis=0)
    rest = _rest(total)
    expected = (probabilities * after).sum(axis=-2) + rest * resigned
    # A certain result stays exactly certain, also if the sum misses 1 by the last bit.
    certain: NDArray[np.float64] = expected / (total + rest)
    return certain


def _rest(total: NDArray[np.float64]) -> NDArray[np.float64]:
    """The probability of resigning in each position, from the sum of its moves' probabilities."""
    return np.where(total < 1.0 - ROUNDING, 1.0 - total, 0.0)


@cache
def uniform_policy() -> Policy:
    """Every legal move with equal probability: the random player. Read-only."""
    return _uniform_over(np.ones(EDGES, dtype=np.bool_))


@cache
def perfect_policy() -> Policy:
    """Every minimax-optimal move with equal probability. Read-only."""
    return _uniform_over(optimal_edges())


def greedy_policy(preferences: NDArray[np.float64]) -> Policy:
    """The moves that the mover prefers most, exact ties with equal probability.

    Args:
        preferences: float64[16167], larger is better for the mover.
    """
    greedy = np.empty(EDGES, dtype=np.bool_)
    for layer in layers():
        preferred = layer.of_edges(preferences)
        layer.of_edges(greedy)[:] = preferred == preferred.max(axis=0)
    return _uniform_over(greedy, writeable=True)


def epsilon_greedy_policy(preferences: NDArray[np.float64], epsilon: float) -> Policy:
    """With probability ε uniform over all legal moves, else greedy (S&B 2.2).

    Args:
        preferences: float64[16167], larger is better for the mover.
        epsilon: probability 0-1 of the uniform draw.
    """
    return (1.0 - epsilon) * greedy_policy(preferences) + epsilon * uniform_policy()


def combine(x_policy: Policy, o_policy: Policy) -> Policy:
    """The policy in which X plays as in `x_policy` and O as in `o_policy`."""
    combined = np.empty(EDGES)
    for layer in layers():
        source = x_policy if layer.mover == PLAYER_X else o_policy
        combined[layer.edges] = source[layer.edges]
    return combined


def _uniform_over(chosen: NDArray[np.bool_], writeable: bool = False) -> Policy:
    """The policy that spreads each position's probability evenly over its chosen edges."""
    policy = np.empty(EDGES)
    for layer in layers():
        rows = layer.of_edges(chosen)
        layer.of_edges(policy)[:] = rows / rows.sum(axis=0)
    policy.flags.writeable = writeable
    return policy
