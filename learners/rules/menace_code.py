"""MENACE as the code in seed 004 plays and learns (its prose is another rule: `menace-article`).

    beads(S_k, A_k) <- max(1, beads(S_k, A_k) + R [ (9 - L) // 2 + (10 - L + k) // 2 ])

for every own move k (from 0, the opponent's counted too) of a game of L moves that was won (R = 1)
or lost (R = -1); a draw changes nothing. A short game, and a late move in it, count for more. Both
sides share one table, with a box for each board up to symmetry and 2 beads for each free cell of
it. The free cells of a symmetric board keep a colour each, except on the empty board: it has 2
beads each of corner, edge and centre.

A move is chosen epsilon-greedily, by the fullest colour, with epsilon changing by quarters of the
`over` games: both sides at random; X at random against the best O; the best X against a random O;
0.3 each, and so on after that. A random choice takes every colour of the box alike, so the empty
board's centre is a third. It is played greedily once it has learned.

Where colours are equally full, the code takes the first; here, as everywhere, any of their cells.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from typing import Any, ClassVar, Final

import numpy as np

from afterstate_lab.game import space
from afterstate_lab.learners.engine.backups import backup_towards
from afterstate_lab.learners.engine.choices import best_of, tied_move
from afterstate_lab.learners.engine.dice import EXPLORE, PICK, dice_word
from afterstate_lab.learners.engine.entries import Entries, movers
from afterstate_lab.learners.engine.play import PLIES
from afterstate_lab.learners.rules import options
from afterstate_lab.learners.rules.base import Rule
from afterstate_lab.learners.rules.equation import Equation, Term, TermRole

BEADS: Final = 2.0
OPENINGS: Final = (0, 2, 6, 8, 1, 3, 5, 7, 4, 4, 4, 4)
"""Cells of the empty board: each colour four times, each of its cells alike."""


def epsilon_greedy_by_colour(v, game, me, row, n, ply, low, high, threshold):
    """Epsilon-greedy, but a random opening is a corner, an edge or the centre, a third each."""
    best, move, ties = best_of(v, game, row, n, 0)
    word = dice_word(low, high, ply, PICK)
    if dice_word(low, high, ply, EXPLORE) < threshold:
        move = row + (OPENINGS[word * 12 >> 32] if n == 9 else word * n >> 32)
        return move, 1 if v[game.entry[move]] == best else 0
    return tied_move(v, game, 0, best, move, word * ties >> 32), 1


class MenaceCode(Rule):
    """Matchboxes as an article's code has them: the fullest colour, more beads for short games."""

    name = "menace-code"
    summary = "matchboxes as an article's code has them: the fullest colour, epsilon by quarters"
    equation = Equation(
        "beads ← max(1, beads ± n )",
        (
            Term("beads", "the beads of a colour", typed="beads(S_k,A_k)"),
            Term(
                "n",
                "beads for a game of this length",
                variable="change",
                role=TermRole.BEADS,
                typed="[(9-L)//2 + (10-L+k)//2]",
            ),
        ),
    )
    source = "MENACE article, its code"
    options = (options.OVER, options.LEARN)
    by_state = False
    one_table = True
    estimates = False

    phases: ClassVar[tuple[tuple[float, ...], ...]] = ((1.0, 1.0, 0.0, 0.3), (1.0, 0.0, 1.0, 0.3))
    """Epsilon of X, and of O, by quarters."""

    choose = epsilon_greedy_by_colour

    def after_game(v, tape, me, steps, greedy, t, over, game):
        reward = v[steps[t]]
        if reward == 0.0:
            return
        plies = game.clock[PLIES]
        for i in range(1, t):
            colour = steps[i]
            k = 2 * i - 2 + me.side
            change = (9 - plies) // 2 + (10 - plies + k) // 2
            beads = max(v[colour] + reward * change, 1.0)
            backup_towards(v, tape, me, colour, steps[t], beads, 1.0)

    @classmethod
    def rewards(cls, settings: Mapping[str, Any]) -> tuple[float, float, float]:
        return 1.0, 0.0, -1.0

    @classmethod
    def exploration(cls, side: int, settings: Mapping[str, Any]) -> tuple[str, tuple[float, ...]]:
        return "phases", cls.phases[side]

    @classmethod
    def entries(cls, side: int, settings: Mapping[str, Any]) -> Entries:
        boxes = one_table_of_boxes()
        own = space().ply[boxes.boards] % 2 == side
        return replace(
            boxes,
            of_edge=np.where(movers(side), boxes.of_edge, 0),
            live=own,
            counted=int(np.count_nonzero(own)),
        )

    @classmethod
    def initial_values(
        cls, entries: Entries, settings: Mapping[str, Any]
    ) -> np.ndarray[Any, np.dtype[np.float64]]:
        return np.full(len(entries.boards), BEADS)


@cache
def one_table_of_boxes() -> Entries:
    """The colours of both sides: every free cell of every canonical board, of the empty board 3."""
    s = space()
    board = s.canonical[s.edge_state]
    colour = s.edge_of[board, s.canonical_cell[s.edge_state, s.edge_cell]]
    colour[:9] = s.canonical_edge[:9]
    kept, of_edge = np.unique(colour, return_inverse=True)
    return Entries(
        boards=s.edge_state[kept].astype(np.int32),
        cells=s.edge_cell[kept].astype(np.int8),
        of_edge=of_edge.astype(np.int64),
        of_state=None,
        live=np.ones(len(kept), dtype=np.bool_),
        start=0,
        counted=len(kept),
    )
