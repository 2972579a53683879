"""Exact evaluation: how a pair of policies fares from every position, by dynamic programming.

v_π(s) = Σ_a π(a|s) v_π(s'), with s' the position after a (S&B 4.1, no discount, reward at the end).
"""

from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from game.constants import DRAWN, O_WON, PLAYER_O, PLAYER_X, X_WON
from game.layers import layers
from game.policies import Policy, expectation, opponent_of
from game.space import space

X_WINS, DRAW, O_WINS = range(3)
"""The columns of `evaluate`."""

_RESIGNED: Final = {
    PLAYER_X: np.array([[0.0], [0.0], [1.0]]),
    PLAYER_O: np.array([[1.0], [0.0], [0.0]]),
}
"""The columns, each as a row, when that player resigns."""


@cache
def _endings() -> NDArray[np.float64]:
    """float64[3, 5478]: 1 where the game has ended so, in the order of the columns above."""
    outcome = space().outcome
    return np.stack([outcome == ending for ending in (X_WON, DRAWN, O_WON)]).astype(np.float64)


def evaluate(policy: Policy) -> NDArray[np.float64]:
    """How games from each position end when both players follow `policy`.

    Returns:
        float64[5478, 3]: the probabilities that X wins, of a draw, that O wins.
    """
    values = _endings().copy()
    for layer in reversed(layers()):
        after = values.take(layer.successors, axis=1)
        values[:, layer.ids] = expectation(layer, policy, after, _RESIGNED[layer.mover])
    return values.T


def expected_value(
    policy: Policy, player: int, win: float = 1.0, draw: float = 0.5, loss: float = 0.0
) -> NDArray[np.float64]:
    """v_π: what `player` can expect from each position under `policy`.

    Args:
        policy: float64[16167], both players' moves.
        player: 1 = X or 2 = O.
        win: value of a won game.
        draw: value of a draw.
        loss: value of a lost game.

    Returns:
        float64[5478].
    """
    rewards = terminal_rewards(player, win, draw, loss)
    value: NDArray[np.float64] = evaluate(policy) @ np.array(rewards)
    return value


def terminal_rewards(
    player: int, win: float, draw: float, loss: float
) -> tuple[float, float, float]:
    """What `player` gets when X wins, for a draw, and when O wins."""
    return (win, draw, loss) if opponent_of(player) == PLAYER_O else (loss, draw, win)


def terminal_values(player: int, win: float, draw: float, loss: float) -> NDArray[np.float64]:
    """What `player` gets at each position where the game is over, float64[5478]; else 0."""
    if_x_wins, if_drawn, if_o_wins = terminal_rewards(player, win, draw, loss)
    by_outcome = np.array([0.0, if_x_wins, if_o_wins, if_drawn])
    return by_outcome[space().outcome]
