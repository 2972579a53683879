"""Optimal play against a fixed opponent, and the worst that an opponent can do to a player.

v*(s) = max_a v*(s') where the player is to move, Σ_a π(a|s) v*(s') where the opponent is: the
opponent is part of the environment, so this is a decision process of one player (S&B 1.5, 3.6).
"""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from game.constants import PLAYER_X
from game.evaluation import terminal_values
from game.layers import layers
from game.policies import (
    ROUNDING,
    Policy,
    combine,
    expectation,
    greedy_policy,
    opponent_of,
    resignation,
)
from game.space import space

START: Final = 0
"""The id of the empty board."""

_NEVER: Final = 99
"""More plies than any game has."""


def optimal_response_values(
    policy: Policy,
    player: int,
    win: float = 1.0,
    draw: float = 0.5,
    loss: float = 0.0,
    epsilon: float = 0.0,
) -> NDArray[np.float64]:
    """v*: the value for `player` of playing optimally against the opponent's moves in `policy`.

    Args:
        policy: float64[16167]; the player's own moves in it are ignored.
        player: 1 = X or 2 = O.
        win: value of a won game, also when the opponent resigns.
        draw: value of a draw.
        loss: value of a lost game.
        epsilon: probability with which the player must draw its move uniformly from all legal
            ones; above 0 the result is the value of the best ε-soft policy (S&B 5.4).

    Returns:
        float64[5478].
    """
    values = terminal_values(player, win, draw, loss)
    for layer in reversed(layers()):
        after = values[layer.successors]
        if layer.mover == player:
            value = after.max(axis=0)
            if epsilon > 0.0:
                value = (1.0 - epsilon) * value + epsilon * after.mean(axis=0)
        else:
            value = expectation(layer, policy, after, resigned=win)
        values[layer.ids] = value
    return values


def best_response(
    policy: Policy, player: int, win: float = 1.0, draw: float = 0.5, loss: float = 0.0
) -> Policy:
    """`policy` with the moves of `player` replaced by a best response to the opponent's.

    Args:
        policy: float64[16167], both players' moves.
        player: 1 = X or 2 = O, the one who responds.
        win: value of a won game.
        draw: value of a draw.
        loss: value of a lost game.

    Returns:
        float64[16167]: the opponent's moves as they are, the player's greedy for v*.
    """
    values = optimal_response_values(policy, player, win, draw, loss)
    response = greedy_policy(values[space().edge_successor])
    return combine(response, policy) if player == PLAYER_X else combine(policy, response)


def worst_losses(policy: Policy, player: int) -> NDArray[np.float64]:
    """The largest probability with which any opponent can make `player` lose, by position.

    Args:
        policy: float64[16167]; the opponent's moves in it are ignored.
        player: 1 = X or 2 = O, the one who follows `policy`.

    Returns:
        float64[5478].
    """
    return optimal_response_values(policy, opponent_of(player), win=1.0, draw=0.0, loss=0.0)


def worst_loss(policy: Policy, player: int) -> float:
    """`worst_losses` from the empty board: above 0 the player is beatable."""
    return float(worst_losses(policy, player)[START])


def shortest_refutation(policy: Policy, player: int) -> tuple[int, ...] | None:
    """The shortest game in which some opponent beats `player`, who follows `policy`.

    Args:
        policy: float64[16167]; gives every move of `player` in the game a positive probability.
        player: 1 = X or 2 = O, the one who is beaten.

    Returns:
        The cells 0-8 from the empty board; of equally short games the one with the smallest cells.
        The game ends before a move of `player` if the player may resign there. None if `player`
        cannot be beaten.
    """
    states = space()
    plies = _plies_to_defeat(policy, player)
    if plies[START] >= _NEVER:
        return None
    cells: list[int] = []
    state = START
    while plies[state] > 0:
        edges = range(states.first_edge[state], states.first_edge[state + 1])
        own = states.ply[state] % 2 == player - 1
        edge = next(
            edge
            for edge in edges
            if plies[states.edge_successor[edge]] == plies[state] - 1
            and (policy[edge] > 0.0 or not own)
        )
        cells.append(int(states.edge_cell[edge]))
        state = int(states.edge_successor[edge])
    return tuple(cells)


class Refutation(NamedTuple):
    """A game in which a best response beats a player."""

    cells: tuple[int, ...]
    """The cells 0-8 from the empty board; the game ends before a move where the player resigns."""
    probability: float
    """Of the player's moves in it; 1 where the player plays so in every game."""


def likeliest_refutation(policy: Policy, player: int) -> Refutation | None:
    """The game in which a best response most often beats `player`, who follows `policy`.

    The opponent plays for the largest probability of a win, and among such moves for the likeliest
    game; of equally likely games it is the shortest, of these the one with the smallest cells.
    Against a deterministic player it is the shortest game that is certain.

    Args:
        policy: float64[16167]; the opponent's moves in it are ignored.
        player: 1 = X or 2 = O, the one who is beaten.

    Returns:
        The game, or None if `player` cannot be beaten.
    """
    worst = worst_losses(policy, player)
    if worst[START] == 0.0:
        return None
    states = space()
    likely = (states.outcome == opponent_of(player)).astype(np.float64)
    plies = np.where(likely > 0.0, 0, _NEVER)
    chosen = np.full(len(likely), -1)
    resigning = resignation(policy)
    for layer in reversed(layers()):
        after = likely[layer.successors]
        if layer.mover == player:
            after = after * layer.of_edges(policy)
        else:
            after = np.where(worst[layer.successors] == worst[layer.ids], after, 0.0)
        best = after.max(axis=0)
        is_likeliest = (after >= best * (1.0 - ROUNDING)) & (after > 0.0)
        length = np.where(is_likeliest, plies[layer.successors], _NEVER)
        move = length.argmin(axis=0)
        likely[layer.ids], plies[layer.ids] = best, 1 + length.min(axis=0)
        chosen[layer.ids] = np.where(best > 0.0, layer.successors[move, range(len(move))], -1)
        if layer.mover == player:
            resigns = (resigning[layer.ids] > 0.0) & (resigning[layer.ids] >= best)
            at = layer.ids[resigns]
            likely[at], plies[at], chosen[at] = resigning[at], 0, -1
    cells: list[int] = []
    state = START
    while chosen[state] >= 0:
        cells.append(states.successor[state].tolist().index(chosen[state]))
        state = int(chosen[state])
    return Refutation(tuple(cells), float(likely[START]))


def reached_positions(policy: Policy, player: int) -> NDArray[np.bool_]:
    """bool[5478]: the positions that some opponent can reach against `player` and its policy."""
    reached = np.zeros(len(space().codes), dtype=np.bool_)
    reached[START] = True
    for layer in layers():
        goes = np.broadcast_to(reached[layer.ids], layer.successors.shape)
        if layer.mover == player:
            goes = goes & (layer.of_edges(policy) > 0.0)
        reached[layer.successors[goes]] = True
    return reached


def _plies_to_defeat(policy: Policy, player: int) -> NDArray[np.int64]:
    """Plies after which `player` can have lost from each position, int64[5478].

    At least `_NEVER` where it cannot; 0 where it has lost or may resign.
    """
    opponent = opponent_of(player)
    outcome = space().outcome
    plies = np.where(outcome == opponent, 0, _NEVER)
    may_resign = resignation(policy) > 0.0
    for layer in reversed(layers()):
        after = plies[layer.successors]
        if layer.mover == player:
            after = np.where(layer.of_edges(policy) > 0.0, after, _NEVER)
        shortest = 1 + after.min(axis=0)
        if layer.mover == player:
            shortest = np.where(may_resign[layer.ids], 0, shortest)
        plies[layer.ids] = shortest
    return plies
