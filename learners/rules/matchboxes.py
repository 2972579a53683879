"""Matchboxes: beads instead of values, drawn instead of chosen (Michie 1961; 1963).

A box belongs to a position, a colour in it to a move; the number of beads of a colour is the
entry's value. Moves that a symmetry of the board exchanges may share a colour: the colour is drawn
in proportion to its beads, and then any of its cells with the same probability.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from afterstate_lab.game import space
from afterstate_lab.learners.engine.backups import backup
from afterstate_lab.learners.engine.choices import RESIGNS
from afterstate_lab.learners.engine.dice import PICK, WORDS, dice_word
from afterstate_lab.learners.engine.entries import Entries, movers, padded_edges, sharing
from afterstate_lab.learners.rules import options
from afterstate_lab.learners.rules.action_values import first_move, number_of_moves
from afterstate_lab.learners.rules.base import Rule
from afterstate_lab.learners.rules.equation import Equation, Term, TermRole

MOST: Final = 1_000_000
"""The most beads that an option may ask for."""

EQUATION: Final = Equation(
    "beads ← max(0, beads + R )",
    (
        Term("beads", "the beads of a colour", typed="beads(S_t,A_t)"),
        Term("R", "what the result adds in beads", variable="reward", role=TermRole.REWARD),
    ),
)
REFILL: Final = 1
EMPTY: Final = options.ChoiceOption(
    "empty",
    "resign",
    "what an empty box does: the player resigns, or it is filled anew",
    choices=("resign", "refill"),
    source="Michie 1963",
)


def beads_option(*default: int) -> options.BeadsOption:
    """The beads of a colour in the new boxes of the player's 1st to 4th move."""
    return options.BeadsOption(
        "beads", default, "beads of each colour in a new box, by the player's move", 1, MOST
    )


def reward_option(name: str, default: int) -> options.IntegerOption:
    """How many beads of each colour played a result adds (or takes, below 0)."""
    return options.IntegerOption(
        name, default, f"beads that a {name} adds to each colour played", -MOST, MOST
    )


def draw_bead(v, game, me, row, n, ply, low, high, threshold):
    """A move drawn in proportion to the beads of its colour; from an empty box, none.

    A cell's weight is its colour's beads, divided among the cells that share the colour: 1, 2 or
    4 of them, so the weights, and their sums up to 2^51, are exact.
    """
    total = 0.0
    for move in range(row, row + n):
        total += v[game.entry[move]] / me.sharing[move]
    if total <= 0.0:
        return RESIGNS, 1
    bead = dice_word(low, high, ply, PICK) / WORDS * total
    for move in range(row, row + n - 1):
        weight = v[game.entry[move]] / me.sharing[move]
        if bead < weight:
            return move, 1
        bead -= weight
    return row + n - 1, 1


def refill(v, tape, me, game, t):
    """Fill the box of the player's t-th move anew, if its last bead is gone."""
    row = first_move(game, me, t)
    n = number_of_moves(me, t)
    for move in range(row, row + n):
        if v[game.entry[move]] > 0.0:
            return
    for move in range(row, row + n):
        if v[game.entry[move]] == 0.0:
            backup(v, tape, me, game.entry[move], me.beads[t - 1], 1.0)


def drawn_policy(values: NDArray[np.float64], entries: Entries) -> NDArray[np.float64]:
    """float64[16167]: the probability with which `draw_bead` makes each of the player's moves.

    0 for the opponent's moves, and for all moves of an empty box: what the moves of a position
    miss of 1 is the probability of resigning.

    Args:
        values: float64[tables, n], the beads.
        entries: the colours.
    """
    s = space()
    side = int(s.ply[entries.boards[0]]) % 2
    cells_alike = sharing(entries)[padded_edges() >= 0]
    weights = np.where(movers(side), values[0][entries.of_edge] / cells_alike, 0.0)
    total = np.bincount(s.edge_state, weights, minlength=len(s.codes))[s.edge_state]
    policy: NDArray[np.float64] = weights / np.where(total > 0.0, total, 1.0)
    return policy


class Matchboxes(Rule):
    """Beads are drawn from matchboxes; a subclass says how a result changes them."""

    equation = EQUATION
    draws = True
    by_state = False
    estimates = False

    choose = draw_bead

    @classmethod
    def rewards(cls, settings: Mapping[str, Any]) -> tuple[float, float, float]:
        """The beads for a win, a draw and a loss."""
        return float(settings["win"]), float(settings["draw"]), float(settings["loss"])

    @classmethod
    def initial_values(cls, entries: Entries, settings: Mapping[str, Any]) -> NDArray[np.float64]:
        """The beads of each colour by the player's own move; the fifth is as the fourth."""
        moves_made = space().ply[entries.boards] // 2
        stages = np.array(settings["beads"], dtype=np.float64)
        return stages[np.minimum(moves_made, len(stages) - 1)]

    @classmethod
    def as_played(cls, values: NDArray[np.float64], entries: Entries) -> NDArray[np.float64]:
        return drawn_policy(values, entries)
