"""Exact answers: minimax, policies, evaluation, best responses and their values.

All are backward inductions over the plies, and none is sampled. A policy is float64[16167] over the
edges of `game.space`: X's probabilities where X is to move, O's where O is. The probabilities of a
position sum to 1, or to less where the mover resigns with the remaining probability, as an empty
MENACE box does; a resignation wins for the opponent.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache, reduce
from typing import TYPE_CHECKING, Final, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from afterstate_lab.game.constants import DRAWN, EDGES, GOES_ON, O_WON, POSITIONS, X_WON, Side
from afterstate_lab.game.space import space

if TYPE_CHECKING:
    from afterstate_lab.game.board import Board


Number = TypeVar("Number", bound=np.generic)


@dataclass(frozen=True, eq=False)
class Layer:
    """The n non-terminal positions of one ply and their 9 - ply moves each.

    The edges of a ply are a matrix, kept transposed, [9 - ply, n]: reducing over the moves then
    runs along the long axis, which is fast, and adds the moves one after the other, so sums are the
    same on every machine.
    """

    mover: Side
    ids: NDArray[np.intp]
    """[n] The positions."""
    edges: slice
    """Their edges, in order of position and then cell."""
    successors: NDArray[np.intp]
    """[9 - ply, n] The positions that the moves lead to; row i has the i-th free cells."""

    def of_edges(self, values: NDArray[Number]) -> NDArray[Number]:
        """Return a view of this ply's part of one value per edge ([16167]), as [9 - ply, n]."""
        return values[self.edges].reshape(len(self.ids), -1).T


@cache
def layers() -> tuple[Layer, ...]:
    """Return the layers of plies 0 to 8, built on first use."""
    states = space()
    result = []
    for ply, (ids_of_ply, edges) in enumerate(zip(states.plies, states.ply_edges, strict=True)):
        if ply == 9:
            break
        ids = np.flatnonzero(states.outcome[ids_of_ply] == GOES_ON) + ids_of_ply.start
        successors = states.edge_successor[edges].reshape(len(ids), 9 - ply).T.astype(np.intp)
        successors.flags.writeable = ids.flags.writeable = False
        result.append(Layer(Side(ply % 2), ids, edges, successors))
    return tuple(result)


def minimax(board: Board) -> int:
    """Return the value of `board` under perfect play: +1 X wins, 0 draw, -1 O wins."""
    return int(minimax_values()[board.id])


@cache
def minimax_values() -> NDArray[np.int8]:
    """Return the minimax value of every position, int8[5478]: +1 X wins, 0 draw, -1 O wins.

    v(s) = max over s' v(s') when X is to move, min when O is.
    """
    values = np.array([0, 1, -1, 0], dtype=np.int8)[space().outcome]
    for layer in reversed(layers()):
        best = np.min if layer.mover else np.max
        values[layer.ids] = best(values[layer.successors], axis=0)
    values.flags.writeable = False
    return values


@cache
def optimal_edges() -> NDArray[np.bool_]:
    """Return whether each move keeps the minimax value of its position, bool[16167]."""
    states, values = space(), minimax_values()
    optimal: NDArray[np.bool_] = values[states.edge_successor] == values[states.edge_state]
    optimal.flags.writeable = False
    return optimal


Policy = NDArray[np.float64]

ROUNDING: Final = 1e-9
"""If probabilities sum to 1 within this, the mover never resigns: the sum of six times 1/6 may miss
1 by the last bit, and must not count as a chance of losing by resignation."""


def resignation(policy: Policy) -> NDArray[np.float64]:
    """Return the probability that the mover resigns, float64[5478]; 0 at the end."""
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
    """Return the probability of resigning in each position, given the sum of its moves'."""
    return np.where(total < 1.0 - ROUNDING, 1.0 - total, 0.0)


@cache
def uniform_policy() -> Policy:
    """Return the random player's policy: every legal move with equal probability. Read-only."""
    return _uniform_over(np.ones(EDGES, dtype=np.bool_))


@cache
def perfect_policy() -> Policy:
    """Return the perfect player's policy: every optimal move with equal probability. Read-only."""
    return _uniform_over(optimal_edges())


def greedy_policy(preferences: NDArray[np.float64]) -> Policy:
    """Return the policy of the most preferred moves, exact ties with equal probability.

    Args:
        preferences: float64[16167], larger is better for the mover.
    """
    greedy = np.empty(EDGES, dtype=np.bool_)
    for layer in layers():
        preferred = layer.of_edges(preferences)
        layer.of_edges(greedy)[:] = preferred == preferred.max(axis=0)
    return _uniform_over(greedy, writeable=True)


def epsilon_greedy_policy(preferences: NDArray[np.float64], epsilon: float) -> Policy:
    """Return the ε-greedy policy: uniform with probability ε, else greedy (S&B 2.2).

    Args:
        preferences: float64[16167], larger is better for the mover.
        epsilon: probability 0-1 of the uniform draw.
    """
    return (1.0 - epsilon) * greedy_policy(preferences) + epsilon * uniform_policy()


def combine(x_policy: Policy, o_policy: Policy) -> Policy:
    """Return the policy in which X plays as in `x_policy` and O as in `o_policy`."""
    combined = np.empty(EDGES)
    for layer in layers():
        source = o_policy if layer.mover else x_policy
        combined[layer.edges] = source[layer.edges]
    return combined


def _uniform_over(chosen: NDArray[np.bool_], writeable: bool = False) -> Policy:
    """Return the policy that spreads each position's probability evenly over its chosen edges."""
    policy = np.empty(EDGES)
    for layer in layers():
        rows = layer.of_edges(chosen)
        layer.of_edges(policy)[:] = rows / rows.sum(axis=0)
    policy.flags.writeable = writeable
    return policy


X_WINS, DRAW, O_WINS = range(3)
"""The columns of `evaluate`."""

_RESIGNED: Final = np.array([[0.0], [0.0], [1.0]]), np.array([[1.0], [0.0], [0.0]])
"""The columns, each as a row, if that side resigns."""


@cache
def _endings() -> NDArray[np.float64]:
    """Return float64[3, 5478]: 1 at each finished game, in the row of its result."""
    outcome = space().outcome
    return np.stack([outcome == ending for ending in (X_WON, DRAWN, O_WON)]).astype(np.float64)


def evaluate(policy: Policy) -> NDArray[np.float64]:
    """Return how games from each position end if both players follow `policy`.

    v_π(s) = Σ_a π(a|s) v_π(s'), with s' the position after a (S&B 4.1, no discount).

    Returns:
        float64[5478, 3]: the probabilities that X wins, of a draw, that O wins.
    """
    values = _endings().copy()
    for layer in reversed(layers()):
        after = values.take(layer.successors, axis=1)
        values[:, layer.ids] = expectation(layer, policy, after, _RESIGNED[layer.mover])
    return values.T


def expected_value(
    policy: Policy, side: Side, win: float = 1.0, draw: float = 0.5, loss: float = 0.0
) -> NDArray[np.float64]:
    """Return v_π: what `side` can expect from each position under `policy`.

    Args:
        policy: float64[16167], both players' moves.
        side: X or O.
        win: value of a won game.
        draw: value of a draw.
        loss: value of a lost game.

    Returns:
        float64[5478].
    """
    rewards = terminal_rewards(side, win, draw, loss)
    value: NDArray[np.float64] = evaluate(policy) @ np.array(rewards)
    return value


def terminal_rewards(
    side: Side, win: float, draw: float, loss: float
) -> tuple[float, float, float]:
    """Return what `side` gets if X wins, for a draw, and if O wins."""
    return (loss, draw, win) if side else (win, draw, loss)


def terminal_values(side: Side, win: float, draw: float, loss: float) -> NDArray[np.float64]:
    """Return what `side` gets at each finished position, float64[5478]; 0 elsewhere."""
    if_x_wins, if_drawn, if_o_wins = terminal_rewards(side, win, draw, loss)
    by_outcome = np.array([0.0, if_x_wins, if_o_wins, if_drawn])
    return by_outcome[space().outcome]


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
) -> NDArray[np.float64]:
    """Return v*: the value for `side` of optimal play against the opponent's moves in `policy`.

    v*(s) = max_a v*(s') where the player is to move, Σ_a π(a|s) v*(s') where the opponent is: the
    opponent is part of the environment, so this is a decision process of one player (S&B 3.6).

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
    for layer in reversed(layers()):
        after = values[layer.successors]
        if layer.mover == side:
            value = after.max(axis=0)
            if epsilon > 0.0:
                value = (1.0 - epsilon) * value + epsilon * after.mean(axis=0)
        else:
            value = expectation(layer, policy, after, resigned=win)
        values[layer.ids] = value
    return values


def worst_losses(policy: Policy, side: Side) -> NDArray[np.float64]:
    """Return the largest probability with which any opponent beats `side`, by position.

    Args:
        policy: float64[16167]; the opponent's moves in it are ignored.
        side: the one who follows `policy`.

    Returns:
        float64[5478].
    """
    return optimal_response_values(policy, side.other, win=1.0, draw=0.0, loss=0.0)


def worst_loss(policy: Policy, side: Side) -> float:
    """Return `worst_losses` at the empty board: above 0 the player is beatable."""
    return float(worst_losses(policy, side)[START])


def which_are_beatable(preferences: NDArray[np.float64], side: Side) -> NDArray[np.bool_]:
    """Return which of many players somebody can beat, all in one pass over the layers.

    A bit stands for a player: the opponent reaches a win by any of its own moves, and by any of the
    player's most preferred ones.

    Args:
        preferences: float64[players, 16167], larger is better for the mover; see `greedy_policy`.
        side: the players' side.

    Returns:
        bool[players].
    """
    lost = np.zeros((-(-len(preferences) // 8), POSITIONS), dtype=np.uint8)
    lost[:, space().outcome == (X_WON if side else O_WON)] = 0xFF
    for layer in reversed(layers()):
        after = lost[:, layer.successors]
        if layer.mover == side:
            own = preferences[:, layer.edges].reshape(len(preferences), len(layer.ids), -1)
            most = reduce(np.maximum, np.moveaxis(own, -1, 0))
            after &= np.packbits(own == most[..., None], axis=0).swapaxes(1, 2)
        lost[:, layer.ids] = np.bitwise_or.reduce(after, axis=1)
    return np.unpackbits(lost[:, START], count=len(preferences)).astype(np.bool_)


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
    plies = np.where(likely > 0.0, 0, _NEVER)
    chosen = np.full(len(likely), -1)
    resigning = resignation(policy)
    for layer in reversed(layers()):
        after = likely[layer.successors]
        if layer.mover == side:
            after = after * layer.of_edges(policy)
        else:
            after = np.where(worst[layer.successors] == worst[layer.ids], after, 0.0)
        best = after.max(axis=0)
        is_likeliest = (after >= best * (1.0 - ROUNDING)) & (after > 0.0)
        length = np.where(is_likeliest, plies[layer.successors], _NEVER)
        move = length.argmin(axis=0)
        likely[layer.ids], plies[layer.ids] = best, 1 + length.min(axis=0)
        chosen[layer.ids] = np.where(best > 0.0, layer.successors[move, range(len(move))], -1)
        if layer.mover == side:
            resigns = (resigning[layer.ids] > 0.0) & (resigning[layer.ids] >= best)
            at = layer.ids[resigns]
            likely[at], plies[at], chosen[at] = resigning[at], 0, -1
    cells: list[int] = []
    state = START
    while chosen[state] >= 0:
        cells.append(states.successor[state].tolist().index(chosen[state]))
        state = int(chosen[state])
    return Refutation(tuple(cells), float(likely[START]))


def reached_positions(policy: Policy, side: Side) -> NDArray[np.bool_]:
    """Return bool[5478]: the positions that an opponent can reach against `side` and its policy."""
    reached = np.zeros(len(space().codes), dtype=np.bool_)
    reached[START] = True
    for layer in layers():
        goes = np.broadcast_to(reached[layer.ids], layer.successors.shape)
        if layer.mover == side:
            goes = goes & (layer.of_edges(policy) > 0.0)
        reached[layer.successors[goes]] = True
    return reached


REMEMBERED: Final = 16
"""Number of cached results of `evaluate_player`."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The probabilities of a player's results from the empty board."""

    win: float
    draw: float
    loss: float


@dataclass(frozen=True, slots=True)
class PlayerEvaluation:
    """The exact metrics of one player under one policy."""

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


def evaluate_player(policy: Policy, side: Side) -> PlayerEvaluation:
    """Return the exact metrics of `side` under `policy`; the opponent's moves in it are ignored.

    Args:
        policy: float64[16167].
        side: X or O.
    """
    return _evaluation(np.asarray(policy, dtype=np.float64).tobytes(), side)


@lru_cache(REMEMBERED)
def _evaluation(policy_bytes: bytes, side: Side) -> PlayerEvaluation:
    policy, states = np.frombuffer(policy_bytes), space()
    may_play, may_resign = policy > 0.0, resignation(policy) > 0.0
    decisions = (states.outcome == GOES_ON) & (states.ply % 2 == side)
    # To resign is optimal only in a lost position.
    errs = may_resign & (minimax_values() != (1 if side else -1))
    errs[states.edge_state[may_play & ~optimal_edges()]] = True
    after = states.outcome[states.edge_successor]
    winning = (after == X_WON) | (after == O_WON)
    can_win, misses = np.zeros(POSITIONS, dtype=np.bool_), may_resign.copy()
    can_win[states.edge_state[winning]] = True
    misses[states.edge_state[may_play & ~winning]] = True
    risk = worst_loss(policy, side)
    return PlayerEvaluation(
        beatable=risk > 0.0,
        worst_loss=risk,
        vs_random=outcome_against(uniform_policy(), policy, side),
        vs_perfect=outcome_against(perfect_policy(), policy, side),
        optimal=(int(np.count_nonzero(decisions & ~errs)), int(np.count_nonzero(decisions))),
        missed_wins=int(np.count_nonzero(misses & can_win & decisions)),
    )


def outcome_against(opponent: Policy, policy: Policy, side: Side) -> Outcome:
    """Return the chances of `side`, following `policy` from the empty board, against `opponent`.

    Args:
        opponent: float64[16167], whose moves for the other player count.
        policy: float64[16167], whose moves for `side` count.
        side: X or O.
    """
    pair = combine(opponent, policy) if side else combine(policy, opponent)
    x_wins, draw, o_wins = evaluate(pair)[START].tolist()
    return Outcome(o_wins, draw, x_wins) if side else Outcome(x_wins, draw, o_wins)
