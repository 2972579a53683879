"""What an action-value rule reads at its next turn: the moves of S_t and their values.

The position before the player's t-th own move (from 1) lies 2 (t - 1) plies into the game, one more
for O. Nothing here writes.
"""

from __future__ import annotations


def first_move(game, me, t):
    """The first of the padded moves of the position before the player's t-th move."""
    return 9 * game.path[2 * t - 2 + me.side]


def number_of_moves(me, t):
    """How many legal moves that position has."""
    return 11 - 2 * t - me.side


def best_pair(v, game, me, t):
    """max over legal a of Q(S_t, a), and the entry of the first that has it."""
    row = first_move(game, me, t)
    found = game.entry[row]
    best = v[found]
    for i in range(1, number_of_moves(me, t)):
        entry = game.entry[row + i]
        value = v[entry]
        if value > best:
            best = value
            found = entry
    return best, found


def mean_value(v, game, me, t):
    """The mean over legal a of Q(S_t, a)."""
    row = first_move(game, me, t)
    n = number_of_moves(me, t)
    total = 0.0
    for i in range(n):
        total += v[game.entry[row + i]]
    return total / n
