"""MENACE, the Matchbox Educable Noughts And Crosses Engine (Michie 1961; 1963).

    beads(S_t, A_t) <- max(0, beads(S_t, A_t) + R)    for every box used in the game

R is 3 for a win, 1 for a draw and -1 for a loss; a move is drawn in proportion to the beads of its
colour, and an empty box resigns. There is a box for each position, up to symmetry, in which the
player is to move; symmetric moves share a colour. The opener's last move, into the only free cell,
needs no box: 1 + 12 + 108 + 183 = 304 boxes. (Michie's 287 leave out the 17 in which the opponent
threatens two lines at once and MENACE cannot win.)

The opener starts with 4, 3, 2, 1 beads of each colour in the boxes of its 1st to 4th move: 1,720
beads in 1,087 colours. Michie's machine always opened. As second player (3 + 38 + 153 + 95 = 289
boxes) it starts alike, by its own moves: the reason is the same, that an early box is used in more
games and must outlast more of them before the boxes behind it have learned anything.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from afterstate_lab.game import space
from afterstate_lab.learners.engine.backups import backup
from afterstate_lab.learners.engine.entries import Entries, pair_entries
from afterstate_lab.learners.rules import matchboxes, options
from afterstate_lab.learners.rules.matchboxes import REFILL, Matchboxes, refill

FORCED: Final = 5
"""The opener's 5th move is the game's 9th, and forced."""


class Menace(Matchboxes):
    """MENACE: beads are drawn from matchboxes, added after a win and taken after a loss."""

    name = "menace"
    summary = "matchboxes: beads drawn, added after a win, taken after a loss"
    source = "Michie 1961; 1963"
    options = (
        matchboxes.beads_option(4, 3, 2, 1),
        matchboxes.reward_option("win", 3),
        matchboxes.reward_option("draw", 1),
        matchboxes.reward_option("loss", -1),
        matchboxes.EMPTY,
        replace(options.SYMMETRY, default="on"),
        options.LEARN,
    )

    def after_game(v, tape, me, steps, greedy, t, over, game):
        reward = v[steps[t]]
        if reward == 0.0:
            return
        for i in range(1, min(t, FORCED)):
            colour = steps[i]
            backup(v, tape, me, colour, max(v[colour] + reward, 0.0), 1.0)
            if me.empty == REFILL:
                refill(v, tape, me, game, i)

    @classmethod
    def entries(cls, side: int, settings: Mapping[str, Any]) -> Entries:
        """One for each colour; the one of a forced move stands for "no box" and is not live."""
        colours = pair_entries(side, settings["symmetry"] == "on")
        live = space().ply[colours.boards] < 8
        return replace(colours, live=live, counted=int(np.count_nonzero(live)))

    @classmethod
    def initial_values(cls, entries: Entries, settings: Mapping[str, Any]) -> NDArray[np.float64]:
        """The beads of the new boxes; 1 that never changes where the move is forced."""
        return np.where(entries.live, super().initial_values(entries, settings), 1.0)
