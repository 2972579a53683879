"""How a player chooses: epsilon-greedy over its estimates, or a bead drawn from a matchbox.

A choice function gets the candidate moves (`row` .. `row + n`, padded: nine a position, in cell
order) and returns the chosen move and whether it is greedy. `WAITS` and `RESIGNS` mean no move.
"""

from __future__ import annotations

from typing import Final

from afterstate_lab.learners.engine.dice import EXPLORE, PICK, dice_word

WAITS: Final = -1
"""The player's move must come from outside and is not known yet."""
RESIGNS: Final = -2
"""The player has no move to play (an empty matchbox)."""


def estimate(v, me, entry):
    """The number by which a player ranks a move: its value, or the sum of both its tables."""
    if me.second == 0:
        return v[entry]
    return v[entry] + v[entry + me.second]


def constant_rate(me, game):
    """The same epsilon in every game."""
    return me.epsilon


def linear_rate(me, game):
    """Epsilon moves linearly from `epsilon` to `epsilons[1]` over `over` games."""
    return me.epsilon + (me.epsilons[1] - me.epsilon) * (min(game, me.over) / me.over)


def phased_rate(me, game):
    """Epsilon by equal phases, `over` games in all (seed 004); the last goes on after them."""
    if game >= me.over:
        return me.epsilons[me.phases - 1]
    return me.epsilons[game * me.phases // me.over]


EXPLORATION_RATES: Final = (constant_rate, linear_rate, phased_rate)
"""By the place of their kind in `RATES`."""
RATES: Final = ("constant", "linear", "phases")
"""The kinds of epsilon over the games."""


def exploration_rate(me, game):
    """Epsilon in game number `game` (from 0).

    In a specialized engine this name is bound to the player's own kind, without a branch.
    """
    return EXPLORATION_RATES[me.epsilon_kind](me, game)


def is_greedy(v, game, me, row, n, move):
    """Whether no sibling is ranked strictly higher (S&B 1.5)."""
    value = estimate(v, me, game.entry[move])
    for i in range(n):
        if estimate(v, me, game.entry[row + i]) > value:
            return 0
    return 1


def epsilon_greedy(v, game, me, row, n, ply, low, high, threshold):
    """With probability epsilon any legal move, else one of the best, ties with equal probability.

    A random draw that lands on a best move is greedy. Values are read directly, without `estimate`:
    this is the innermost loop.
    """
    entry = game.entry
    best = v[entry[row]]
    best_move = row
    ties = 1
    for move in range(row + 1, row + n):
        value = v[entry[move]]
        if value >= best:
            if value > best:
                best = value
                best_move = move
                ties = 1
            else:
                ties += 1
    if dice_word(low, high, ply, EXPLORE) < threshold:
        move = row + (dice_word(low, high, ply, PICK) * n >> 32)
        return move, 1 if v[entry[move]] == best else 0
    if ties > 1:
        skip = dice_word(low, high, ply, PICK) * ties >> 32
        while skip > 0:
            best_move += 1
            if v[entry[best_move]] == best:
                skip -= 1
    return best_move, 1


def best_of(v, game, row, n, offset):
    """The best of n moves by the table at an offset, found without a branch on a value.

    Slower than the loop of `epsilon_greedy` where the processor foresees which move is best, faster
    where it cannot: with much exploration, or of a table that a coin has picked.

    Returns:
        The value, the first move that has it, and how many have it.
    """
    entry = game.entry
    best = v[offset + entry[row]]
    best_move = row
    ties = 1
    for move in range(row + 1, row + n):
        value = v[offset + entry[move]]
        ties = 1 if value > best else ties + (value == best)
        best_move = move if value > best else best_move
        best = value if value > best else best
    return best, best_move, ties


def tied_move(v, game, offset, best, best_move, skip):
    """The move that follows the first best one, past so many others that tie with it."""
    while skip > 0:
        best_move += 1
        if v[offset + game.entry[best_move]] == best:
            skip -= 1
    return best_move


def from_outside(v, game, me, row, n, ply, low, high, threshold):
    """A human's choice: it must come from a script."""
    return WAITS, 1
