"""Ties always go to the first cell.

`argmax` returns the first of equals. At the start all are equal, so the first game begins in cell
1, and the same few games are played again and again; what differs is left to exploration.

A classic of homework; document 000 has it too, and document 001 gives ties to the last cell.
"""

from __future__ import annotations

from learners.engine.dice import EXPLORE, PICK, dice_word
from learners.rules.td import TemporalDifference


def first_best(v, game, me, row, n, ply, low, high, threshold):
    """Epsilon-greedy; of equally good moves always the first."""
    entry = game.entry
    best_move = row
    for move in range(row + 1, row + n):
        if v[entry[move]] > v[entry[best_move]]:
            best_move = move
    if dice_word(low, high, ply, EXPLORE) < threshold:
        move = row + (dice_word(low, high, ply, PICK) * n >> 32)
        return move, 1 if v[entry[move]] == v[entry[best_move]] else 0
    return best_move, 1


class FirstCell(TemporalDifference):
    """TD(0) that takes the first of equally good cells."""

    name = "museum:first-cell"
    summary = "ties always go to the first cell"
    source = "two-agents notebook, and homework"
    choose = first_best
