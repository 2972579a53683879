"""MENACE as the article in seed 004 tells it (its code is another rule: `menace-code`).

    beads(S_t, A_t) <- max(0, beads(S_t, A_t) + R)    for every box used in the game

R is 1 for a win, -1 for a loss, and 0 for a draw: "no need to do anything". There is a box for each
configuration that can appear, the full board apart, with 10 beads of a colour for each free cell.
A box is used at every move, the forced last one included. The article shares boxes among symmetric
boards only where it comes to its code, so here that is an option. It does not say what an empty
box does: it resigns, as Michie's.
"""

from __future__ import annotations

from afterstate_lab.learners.engine.backups import backup
from afterstate_lab.learners.rules import matchboxes, options
from afterstate_lab.learners.rules.matchboxes import REFILL, Matchboxes, refill


class MenaceArticle(Matchboxes):
    """Matchboxes with 10 beads of each colour, one more after a win and one less after a loss."""

    name = "menace-article"
    summary = "matchboxes as an article tells them: 10 beads a move, +1, 0, -1"
    source = "MENACE article, its prose"
    options = (
        matchboxes.beads_option(10, 10, 10, 10),
        matchboxes.reward_option("win", 1),
        matchboxes.reward_option("draw", 0),
        matchboxes.reward_option("loss", -1),
        matchboxes.EMPTY,
        options.SYMMETRY,
        options.LEARN,
    )

    def after_game(v, tape, me, steps, greedy, t, over, game):
        reward = v[steps[t]]
        if reward == 0.0:
            return
        for i in range(1, t):
            colour = steps[i]
            backup(v, tape, me, colour, max(v[colour] + reward, 0.0), 1.0)
            if me.empty == REFILL:
                refill(v, tape, me, game, i)
