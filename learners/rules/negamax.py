"""Negamax by play: value iteration on the boards that games visit (S&B 4.4, 6.8; Shannon 1950).

    V(s) <- V(s) + alpha [ target - V(s) ]
    target = 1/2 + gamma [ (1 - max over the opponent's replies V(s')) - 1/2 ]

V(s) is from the side of the player who has just moved: win 1, draw 1/2, loss 0. What is good for
one player is as bad for the other, so one table serves both, and a draw can only be worth 1/2. The
target looks at every reply, not at the one that is made, so exploratory moves teach as well
(off-policy). Every move is backed up at once; two such players share the table, and one that plays
alone backs up its opponent's moves too, when its own turn comes.

Prefers immediate wins by a discount: gamma < 1 draws every target a little towards the draw (which
stays 1/2 exactly), so that only a win at once is worth 1, and a nearer win is worth more.
"""

from __future__ import annotations

from typing import Final

from afterstate_lab.learners.engine.backups import backup_towards, step_size
from afterstate_lab.learners.rules import options
from afterstate_lab.learners.rules.base import Rule
from afterstate_lab.learners.rules.equation import Equation, TargetKind, Term

DRAW: Final = 0.5


def back_up(v, tape, me, game, ply):
    """Back up the board after `ply`, unless the game is over there."""
    s = game.path[ply]
    if game.outcome[s] == 0:
        entry = me.state_entry[s]
        read = me.state_entry[game.successor[9 * s]]
        best = v[read]
        for i in range(1, 9 - ply):
            reply = me.state_entry[game.successor[9 * s + i]]
            read = reply if v[reply] > best else read
            best = max(best, v[reply])
        target = DRAW + me.gamma * (1.0 - best - DRAW)
        backup_towards(v, tape, me, entry, read, target, step_size(v, me, entry))


class Negamax(Rule):
    """The value of a board moves towards the worst that the opponent's best reply makes of it."""

    name = "negamax"
    summary = "self-play value iteration by play, one table for both sides"
    equation = Equation(
        "V(s) ← V(s) + α [ ½+γ(½−max V(s′)) − V(s) ]",
        (
            Term(
                "½+γ(½−max V(s′))",
                "what the opponent's best reply leaves, drawn to 1/2 by γ",
                TargetKind.BEST_REPLY,
                option="gamma",
                form="½+{option}×(½−{})",
                if_one=Term("1−max V(s′)", form="1−{}"),
            ),
        ),
        spelled="V(s) <- V(s) + alpha [1 - max V(s') - V(s)], targets drawn to 1/2 by gamma",
    )
    source = "S&B 4.4, 6.8"
    all_plies = True
    one_table = True
    is_off_policy = True
    options = (
        *options.STEPPED,
        options.Option("gamma", 0.99, "discount rate γ: below 1 a nearer win is worth more"),
        options.INITIAL,
        *options.SHARING,
    )

    def after_step(v, tape, me, steps, greedy, t, over, game):
        ply = 2 * t - 1 + me.side
        if me.alone and not over and ply > 1:
            back_up(v, tape, me, game, ply - 1)
        if not over:
            back_up(v, tape, me, game, ply)
