"""Minimax: the exact value of every position under perfect play, and the moves that keep it.

v(s) = max over s' v(s') when X is to move, min when O is; +1 X wins, 0 draw, -1 O wins.
"""

from functools import cache

import numpy as np
from numpy.typing import NDArray

from game.board import Board
from game.constants import PLAYER_X, POSITIONS
from game.layers import layers
from game.space import space


def minimax(board: Board) -> int:
    """The value of `board` under perfect play: +1 X wins, 0 draw, -1 O wins."""
    return int(minimax_values()[board.id])


@cache
def minimax_values() -> NDArray[np.int8]:
    """The minimax value of every position, int8[5478]: +1 X wins, 0 draw, -1 O wins."""
    values = np.array([0, 1, -1, 0], dtype=np.int8)[space().outcome]
    for layer in reversed(layers()):
        best = np.max if layer.mover == PLAYER_X else np.min
        values[layer.ids] = best(values[layer.successors], axis=0)
    values.flags.writeable = False
    return values


@cache
def optimal_edges() -> NDArray[np.bool_]:
    """Whether each move keeps the minimax value of its position, bool[16167]."""
    states, values = space(), minimax_values()
    optimal: NDArray[np.bool_] = values[states.edge_successor] == values[states.edge_state]
    optimal.flags.writeable = False
    return optimal


@cache
def distance_to_end() -> NDArray[np.int8]:
    """Plies to the end under perfect play, int8[5478].

    Among the optimal moves the winner takes the shortest way and the loser the longest; a drawn
    game fills the board. 0 when the game is over.
    """
    values = minimax_values()
    distance = np.zeros(POSITIONS, dtype=np.int8)
    for layer in reversed(layers()):
        optimal = layer.of_edges(optimal_edges())
        after = distance[layer.successors]
        shortest = np.where(optimal, after, 9).min(axis=0)
        longest = np.where(optimal, after, -1).max(axis=0)
        mover_wins = values[layer.ids] == (1 if layer.mover == PLAYER_X else -1)
        distance[layer.ids] = 1 + np.where(mover_wins, shortest, longest)
    distance.flags.writeable = False
    return distance
