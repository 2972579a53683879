"""Matchboxes: beads instead of values, drawn instead of chosen (Michie 1961; 1963).

    beads(S_t, A_t) <- max(0, beads(S_t, A_t) + R)    for every box used in the game

A box belongs to a position in which the player is to move, a colour in it to a move; the number of
beads of a colour is the entry's value. A move is drawn in proportion to the beads of its colour,
and an empty box resigns. Moves that a symmetry of the board exchanges may share a colour: the
colour is drawn, and then any of its cells with the same probability.

MENACE, the Matchbox Educable Noughts And Crosses Engine: R is 3 for a win, 1 for a draw and -1 for
a loss. Symmetric positions share a box. The opener's last move, into the only free cell, needs no
box: 1 + 12 + 108 + 183 = 304 boxes. (Michie's 287 leave out the 17 in which the opponent threatens
two lines at once and MENACE cannot win.) The opener starts with 4, 3, 2, 1 beads of each colour in
the boxes of its 1st to 4th move: 1,720 beads in 1,087 colours. Michie's machine always opened. As
second player (3 + 38 + 153 + 95 = 289 boxes) it starts alike, by its own moves: the reason is the
same, that an early box is used in more games and must outlast more of them before the later
boxes have learned anything.

The article in seed 004 (its code is another rule: `menace-code`): R is 1 for a win, -1 for a loss,
and 0 for a draw: "no need to do anything". There is a box for each configuration that can appear,
the full board apart, with 10 beads of a colour for each free cell. A box is used at every move, the
forced last one included. The article shares boxes among symmetric boards only where it comes to its
code, so here that is an option. It does not say what an empty box does: it resigns, as Michie's.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from typing import Any, ClassVar, Final

import numpy as np
from numpy.typing import NDArray

from afterstate_lab.game import space
from afterstate_lab.game.exact import Floats
from afterstate_lab.learners.engine.backups import backup_towards
from afterstate_lab.learners.engine.choices import RESIGNS, best_of, tied_move
from afterstate_lab.learners.engine.dice import EXPLORE, PICK, WORDS, dice_word
from afterstate_lab.learners.engine.entries import (
    Entries,
    movers,
    padded_edges,
    pair_entries,
    sharing,
)
from afterstate_lab.learners.engine.play import PLIES
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
    """Refill the box of the player's t-th move if its last bead is gone."""
    row = first_move(game, me, t)
    n = number_of_moves(me, t)
    for move in range(row, row + n):
        if v[game.entry[move]] > 0.0:
            return
    for move in range(row, row + n):
        if v[game.entry[move]] == 0.0:
            beads = me.beads[t - 1]
            backup_towards(v, tape, me, game.entry[move], me.nothing, beads, 1.0)


def add_beads(v, tape, me, steps, t, game, boxes):
    """Add the result's beads to the colours of the player's first moves, so many."""
    reward = v[steps[t]]
    if reward == 0.0:
        return
    for i in range(1, boxes + 1):
        colour = steps[i]
        backup_towards(v, tape, me, colour, steps[t], max(v[colour] + reward, 0.0), 1.0)
        if me.empty == REFILL:
            refill(v, tape, me, game, i)


class Matchboxes(Rule):
    """Beads are drawn from matchboxes, and every box used gets those of the result."""

    equation = EQUATION
    draws = True
    by_state = False
    estimates = False

    choose = draw_bead

    def after_game(v, tape, me, steps, greedy, t, over, game):
        add_beads(v, tape, me, steps, t, game, t - 1)

    @classmethod
    def initial_values(cls, entries: Entries, settings: Mapping[str, Any]) -> Floats:
        """The beads of each colour by the player's own move; the fifth is as the fourth."""
        moves_made = space().ply[entries.boards] // 2
        stages = np.array(settings["beads"], dtype=np.float64)
        return stages[np.minimum(moves_made, len(stages) - 1)]

    @classmethod
    def as_played(cls, values: Floats, entries: Entries) -> Floats:
        """The probability with which `draw_bead` makes each of the player's moves.

        What the moves of a position miss of 1 is the probability of resigning.
        """
        s = space()
        cells_alike = sharing(entries)[padded_edges() >= 0]
        weights = np.where(movers(entries.side), values[0][entries.of_edge] / cells_alike, 0.0)
        total = np.bincount(s.edge_state, weights, minlength=len(s.codes))[s.edge_state]
        return np.asarray(weights / np.where(total > 0.0, total, 1.0))


FORCED: Final = 5
"""The opener's 5th move is the game's 9th, and forced."""


class Menace(Matchboxes):
    """MENACE: beads are drawn from matchboxes, added after a win and taken after a loss."""

    name = "menace"
    summary = "matchboxes: beads drawn, added after a win, taken after a loss"
    source = "Michie 1961; 1963"
    options = (
        options.BeadsOption(
            "beads",
            (4, 3, 2, 1),
            "beads of each colour in a new box, by the player's move",
            1,
            MOST,
        ),
        *(
            options.IntegerOption(
                name, beads, f"beads that a {name} adds to each colour played", -MOST, MOST
            )
            for name, beads in (("win", 3), ("draw", 1), ("loss", -1))
        ),
        options.ChoiceOption(
            "empty",
            "resign",
            "what an empty box does: the player resigns, or it is filled again",
            choices=("resign", "refill"),
            source="Michie 1963",
        ),
        replace(options.SYMMETRY, default="on"),
        options.LEARN,
    )

    def after_game(v, tape, me, steps, greedy, t, over, game):
        add_beads(v, tape, me, steps, t, game, min(t, FORCED) - 1)

    @classmethod
    def entries(cls, side: int, settings: Mapping[str, Any]) -> Entries:
        """One for each colour; the one of a forced move stands for "no box" and is not live."""
        colours = pair_entries(side, settings["symmetry"] == "on")
        live = space().ply[colours.boards] < 8
        return replace(colours, live=live)

    @classmethod
    def initial_values(cls, entries: Entries, settings: Mapping[str, Any]) -> Floats:
        """The beads of the new boxes; 1 that never changes where the move is forced."""
        return np.where(entries.live, super().initial_values(entries, settings), 1.0)


class MenaceArticle(Matchboxes):
    """Matchboxes with 10 beads of each colour, one more after a win and one less after a loss."""

    name = "menace-article"
    summary = "matchboxes as in an article's text: 10 beads a move, +1, 0, -1"
    source = "MENACE article, its prose"
    options = options.with_defaults(
        Menace.options, beads=(10, 10, 10, 10), win=1, draw=0, symmetry="off"
    )


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


@cache
def colours_of_both() -> tuple[NDArray[np.int32], NDArray[np.intp]]:
    """The colours of both sides: a free cell of a canonical board; the empty board has 3.

    Returns:
        A move of each colour, and intp[16167], the colour of each move.
    """
    s = space()
    board = s.canonical[s.edge_state]
    colour = s.edge_of[board, s.canonical_cell[s.edge_state, s.edge_cell]]
    colour[:9] = s.canonical_edge[:9]
    kept, of_edge = np.unique(colour, return_inverse=True)
    return kept, of_edge


class MenaceCode(Rule):
    """Matchboxes as an article's code has them: the fullest colour, more beads for short games.

        beads(S_k, A_k) <- max(1, beads(S_k, A_k) + R [ (9 - L) // 2 + (10 - L + k) // 2 ])

    for every own move k (from 0, the opponent's counted too) of a game of L moves that was won (R =
    1) or lost (R = -1); a draw changes nothing. A short game, and a late move in it, count for
    more. Both sides share one table, with a box for each board up to symmetry and 2 beads for each
    free cell of it. The free cells of a symmetric board keep a colour each, except on the empty
    board: it has 2 beads each of corner, edge and centre.

    A move is chosen epsilon-greedily, by the fullest colour, with epsilon changing by quarters of
    the `over` games: both sides at random; X at random against the best O; the best X against a
    random O; 0.3 each, and so on after that. A random choice takes every colour of the box alike,
    so the empty board's centre is a third. It is played greedily once it has learned.

    Where colours are equally full, the code takes the first; here, as everywhere, any of their
    cells.
    """

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
        s = space()
        kept, of_edge = colours_of_both()
        boards = s.edge_state[kept].astype(np.int32)
        return Entries(
            boards=boards,
            cells=s.edge_cell[kept].astype(np.int8),
            of_edge=np.where(movers(side), of_edge, 0),
            of_state=None,
            side=side,
            live=s.ply[boards] % 2 == side,
        )

    @classmethod
    def initial_values(cls, entries: Entries, settings: Mapping[str, Any]) -> Floats:
        return np.full(len(entries.boards), BEADS)
