"""Exact answers: minimax, policies, evaluation, best responses and their values.

All are inductions over the positions, last to first, and none is sampled. A policy is
float64[16167] over the edges of `game.space`: X's probabilities where X is to move, O's where O is.
The probabilities of a position sum to 1, or to less where the mover resigns with the remaining
probability, as an empty MENACE box does; a resignation wins for the opponent.

`prefer`, `expect` and `respond` are plain Python over flat arrays. The compiler lets them do one
position after the other (`learners.judge.evaluator`); interpreted, a line does every position
of a ply at once. Both add the moves of a position one after the other, so the bits are equal.
"""

from __future__ import annotations

from functools import cache
from typing import Any, Final, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from afterstate_lab.game.board import Board, space
from afterstate_lab.game.constants import DRAWN, EDGES, GOES_ON, O_WON, POSITIONS, X_WON, Side

T = TypeVar("T", bound=np.generic)
Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]
"""The usual arrays; the type of any other is spelled out."""
Policy = Floats


class Walk(NamedTuple):
    """The positions that are not over, last to first, one by one or a ply at a time."""

    steps: int
    positions: Any
    """[steps] A position, or an array of all of a ply."""
    edges: Any
    """[steps] The first move of each."""
    moves: Any
    """[steps] The number of moves of each: odd where X is to move."""
    successor: NDArray[Any]
    """[16167] The position after each move."""


@cache
def one_by_one() -> Walk:
    """Return the walk of compiled functions."""
    s = space()
    ids = np.flatnonzero(s.outcome == GOES_ON)[::-1].astype(np.int32)
    return Walk(len(ids), ids, s.first_edge[ids], 9 - s.ply[ids].astype(np.int32), s.edge_successor)


@cache
def by_ply() -> Walk:
    """Return the walk of interpreted functions."""
    one = one_by_one()
    plies = [one.moves == moves for moves in range(1, 10)]
    positions, edges = (
        [rows[ply].astype(np.intp) for ply in plies] for rows in (one.positions, one.edges)
    )
    return Walk(9, positions, edges, range(1, 10), one.successor.astype(np.intp))


@cache
def plies() -> tuple[tuple[Side, NDArray[np.intp], NDArray[np.intp]], ...]:
    """Return the mover, the n positions and the moves [9 - ply, n] of each ply, the last first."""
    walk = by_ply()
    return tuple(
        (Side(1 - n % 2), positions, edges + np.arange(n)[:, None])
        for n, positions, edges in zip(walk.moves, walk.positions, walk.edges, strict=True)
    )


ROUNDING: Final = 1e-9
"""If probabilities sum to 1 within this, the mover never resigns: the sum of six times 1/6 may miss
1 by the last bit, and must not count as a chance of losing by resignation."""


def resigning(total: Any) -> Any:
    """The probability of resigning where the moves have this one."""
    return (1.0 - total) * (total < 1.0 - ROUNDING)


def rank(v: Any, entry: Any, second: int) -> Any:
    """The number that ranks a move: the value of its entry, or the mean of both its tables."""
    return 0.5 * (v[entry] + v[entry + second]) if second else v[entry]


def prefer(
    walk: Walk, v: Any, entry: Any, second_x: int, second_o: int, policy: Any, to: int
) -> None:
    """Write the policy of the highest ranked moves, exact ties with equal probability.

    Args:
        walk: the positions.
        v: float64, memory.
        entry: int32[16167], the place in it of each move's value.
        second_x: how far behind X's second table is; 0 for one table, -1 to skip X's moves.
        second_o: the same for O.
        policy: float64, one or several policies.
        to: where this one begins.
    """
    for i in range(walk.steps):
        edge, moves = walk.edges[i], walk.moves[i]
        second = second_x if moves & 1 else second_o
        if second < 0:
            continue
        most = rank(v, entry[edge], second)
        for j in range(moves):
            policy[to + edge + j] = rank(v, entry[edge + j], second)
            most = np.maximum(most, policy[to + edge + j])
        ties = 0
        for j in range(moves):
            ties = ties + (policy[to + edge + j] == most)
        for j in range(moves):
            policy[to + edge + j] = (policy[to + edge + j] == most) / ties


def expect(walk: Walk, policies: Any, x: int, o: int, values: Any) -> None:
    """Write how games from each position end: v_π(s) = Σ_a π(a|s) v_π(s') (S&B 4.1, no discount).

    Args:
        walk: the positions.
        policies: float64, one or several policies.
        x: where the policy of X begins.
        o: where the policy of O begins.
        values: float64[5478 * 3], the chances that X wins, of a draw, that O wins; those of
            finished games are given.
    """
    for i in range(walk.steps):
        at, edge, moves = 3 * walk.positions[i], walk.edges[i], walk.moves[i]
        edge_of_policy = edge + (x if moves & 1 else o)
        x_wins = drawn = o_wins = total = 0.0
        for j in range(moves):
            p, after = policies[edge_of_policy + j], 3 * walk.successor[edge + j]
            x_wins = x_wins + p * values[after]
            drawn = drawn + p * values[after + 1]
            o_wins = o_wins + p * values[after + 2]
            total = total + p
        rest = resigning(total)
        if moves & 1:
            o_wins = o_wins + rest
        else:
            x_wins = x_wins + rest
        # A certain result stays exactly certain, also if the sum misses 1 by the last bit.
        values[at] = x_wins / (total + rest)
        values[at + 1] = drawn / (total + rest)
        values[at + 2] = o_wins / (total + rest)


def respond(
    walk: Walk, policies: Any, other: int, side: int, win: float, epsilon: float, values: Any
) -> None:
    """Write v*: the value for a side of optimal play against the opponent's policy.

    v*(s) = max_a v*(s') where the player is to move, Σ_a π(a|s) v*(s') where the opponent is: the
    opponent is part of the environment, so this is a decision process of one player (S&B 3.6).

    Args:
        walk: the positions.
        policies: float64, one or several policies.
        other: where the policy of the opponent begins.
        side: the player.
        win: the value of a won game, also when the opponent resigns.
        epsilon: probability of a uniform move.
        values: float64[5478]; those of finished games are given.
    """
    for i in range(walk.steps):
        edge, moves = walk.edges[i], walk.moves[i]
        best = values[walk.successor[edge]]
        mean = total = 0.0
        if moves & 1 == side:
            for j in range(moves):
                p, after = policies[other + edge + j], values[walk.successor[edge + j]]
                mean = mean + p * after
                total = total + p
            rest = resigning(total)
            values[walk.positions[i]] = (mean + rest * win) / (total + rest)
        else:
            for j in range(moves):
                after = values[walk.successor[edge + j]]
                best = np.maximum(best, after)
                mean = mean + after
            values[walk.positions[i]] = (1.0 - epsilon) * best + epsilon * (mean / moves)


def read_only(array: NDArray[T]) -> NDArray[T]:
    """Return the array itself, which nobody can change any more."""
    array.flags.writeable = False
    return array


def minimax(board: Board) -> int:
    """Return the value of `board` under perfect play: +1 X wins, 0 draw, -1 O wins."""
    return int(minimax_values()[board.id])


@cache
def minimax_values() -> NDArray[np.int8]:
    """Return the minimax value of every position, int8[5478]: +1 X wins, 0 draw, -1 O wins.

    v(s) = max over s' v(s') when X is to move, min when O is.
    """
    values = np.array([0, 1, -1, 0], dtype=np.int8)[space().outcome]
    for mover, positions, edges in plies():
        best = np.min if mover else np.max
        values[positions] = best(values[space().edge_successor[edges]], axis=0)
    return read_only(values)


@cache
def optimal_edges() -> Bools:
    """Return whether each move keeps the minimax value of its position, bool[16167]."""
    states, values = space(), minimax_values()
    return read_only(values[states.edge_successor] == values[states.edge_state])


def resignation(policy: Policy) -> Floats:
    """Return the probability that the mover resigns, float64[5478]; 0 at the end."""
    total = np.bincount(space().edge_state, policy, POSITIONS)
    return np.where(space().outcome == GOES_ON, resigning(total), 0.0)


@cache
def uniform_policy() -> Policy:
    """Return the random player's policy: every legal move with equal probability. Read-only."""
    return read_only(greedy_policy(np.zeros(EDGES)))


@cache
def perfect_policy() -> Policy:
    """Return the perfect player's policy: every optimal move with equal probability. Read-only."""
    return read_only(greedy_policy(optimal_edges().astype(np.float64)))


def greedy_policy(preferences: Floats) -> Policy:
    """Return the policy of the most preferred moves, exact ties with equal probability.

    Args:
        preferences: float64[16167], larger is better for the mover.
    """
    policy = np.empty(EDGES)
    prefer(by_ply(), preferences, np.arange(EDGES), 0, 0, policy, 0)
    return policy


def epsilon_greedy_policy(preferences: Floats, epsilon: float) -> Policy:
    """Return the ε-greedy policy: uniform with probability ε, else greedy (S&B 2.2).

    Args:
        preferences: float64[16167], larger is better for the mover.
        epsilon: probability 0-1 of the uniform draw.
    """
    return (1.0 - epsilon) * greedy_policy(preferences) + epsilon * uniform_policy()


@cache
def endings() -> Floats:
    """Return float64[5478, 3]: 1 at each finished game, in the column of its result. Read-only."""
    found = space().outcome[:, None] == np.array([X_WON, DRAWN, O_WON])
    return read_only(found.astype(np.float64))


def evaluate(x: Policy, o: Policy) -> Floats:
    """Return how games from each position end if X and O follow these policies.

    Returns:
        float64[5478, 3]: the probabilities that X wins, of a draw, that O wins.
    """
    values = endings().copy()
    expect(by_ply(), np.concatenate((x, o)), 0, EDGES, values.reshape(-1))
    return values


def terminal_rewards(
    side: Side, win: float, draw: float, loss: float
) -> tuple[float, float, float]:
    """Return what `side` gets if X wins, for a draw, and if O wins."""
    return (loss, draw, win) if side else (win, draw, loss)


def terminal_values(side: Side, win: float, draw: float, loss: float) -> Floats:
    """Return what `side` gets at each finished position, float64[5478]; 0 elsewhere."""
    values: Floats = endings() @ terminal_rewards(side, win, draw, loss)
    return values


START: Final = 0
"""The id of the empty board."""

_NEVER: Final = 99
"""More plies than any game has."""


def optimal_response_values(
    policy: Policy,
    side: Side,
    win: float = 1.0,
    draw: float = 0.5,
    loss: float = 0.0,
    epsilon: float = 0.0,
) -> Floats:
    """Return v*: the value for `side` of optimal play against the opponent's moves in `policy`.

    Args:
        policy: float64[16167]; the player's own moves in it are ignored.
        side: X or O.
        win: value of a won game, also when the opponent resigns.
        draw: value of a draw.
        loss: value of a lost game.
        epsilon: probability with which the player must draw its move uniformly from all legal
            ones; above 0 the result is the value of the best ε-soft policy (S&B 5.4).

    Returns:
        float64[5478].
    """
    values = terminal_values(side, win, draw, loss)
    respond(by_ply(), policy, 0, side, win, epsilon, values)
    return values


def worst_losses(policy: Policy, side: Side) -> Floats:
    """Return the largest probability with which any opponent beats `side`, by position.

    Above 0 at the empty board the player is beatable.

    Args:
        policy: float64[16167]; the opponent's moves in it are ignored.
        side: the one who follows `policy`.

    Returns:
        float64[5478].
    """
    return optimal_response_values(policy, side.other, draw=0.0)


class Refutation(NamedTuple):
    """A game in which a best response beats a player."""

    cells: tuple[int, ...]
    """The cells 0-8 from the empty board; the game ends before a move if the player resigns."""
    probability: float
    """The probability of the player's moves in it; 1 if the player plays so in every game."""


def likeliest_refutation(policy: Policy, side: Side) -> Refutation | None:
    """The game in which a best response most often beats `side`, who follows `policy`.

    The opponent plays for the largest probability of a win, and among such moves for the likeliest
    game; of equally likely games it is the shortest, of these the one with the smallest cells.
    Against a deterministic player it is the shortest game that is certain.

    Args:
        policy: float64[16167]; the opponent's moves in it are ignored.
        side: the one who is beaten.

    Returns:
        The game, or None if `side` cannot be beaten.
    """
    worst = worst_losses(policy, side)
    if worst[START] == 0.0:
        return None
    states = space()
    likely = (states.outcome == (X_WON if side else O_WON)).astype(np.float64)
    lengths = np.where(likely > 0.0, 0, _NEVER)
    chosen = np.full(len(likely), -1)
    resigns = resignation(policy)
    for mover, ids, edges in plies():
        successors = states.edge_successor[edges]
        after = likely[successors]
        if mover == side:
            after = after * policy[edges]
        else:
            after = np.where(worst[successors] == worst[ids], after, 0.0)
        best = after.max(axis=0)
        is_likeliest = (after >= best * (1.0 - ROUNDING)) & (after > 0.0)
        length = np.where(is_likeliest, lengths[successors], _NEVER)
        move = length.argmin(axis=0)
        likely[ids], lengths[ids] = best, 1 + length.min(axis=0)
        chosen[ids] = np.where(best > 0.0, edges[move, range(len(move))], -1)
        if mover == side:
            at = ids[(resigns[ids] > 0.0) & (resigns[ids] >= best)]
            likely[at], lengths[at], chosen[at] = resigns[at], 0, -1
    cells, state = list[int](), START
    while (edge := chosen[state]) >= 0:
        cells.append(int(states.edge_cell[edge]))
        state = int(states.edge_successor[edge])
    return Refutation(tuple(cells), float(likely[START]))


def reached_positions(policy: Policy, side: Side) -> Bools:
    """Return bool[5478]: the positions that an opponent can reach against `side` and its policy."""
    reached = np.zeros(POSITIONS, dtype=np.bool_)
    reached[START] = True
    for mover, ids, edges in reversed(plies()):
        goes = reached[ids] & ((policy[edges] > 0.0) | (mover != side))
        reached[space().edge_successor[edges[goes]]] = True
    return reached


class Outcome(NamedTuple):
    """The probabilities of a player's results from the empty board."""

    win: float
    draw: float
    loss: float
