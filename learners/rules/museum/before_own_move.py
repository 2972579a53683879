"""The board before the learner's own move is backed up, not the board after it.

It chooses by the boards after its moves, and learns about the boards before them: two tables in one
that never meet. However long it trains, it chooses by values that nobody has ever written.

Document 001 has it: `back_up(state, next_state, …)` is given the state before the move. There the
turn carries over from game to game, so some boards are now and then both, and a little is learned
by that accident. (Of its afterstates 0 of 410 are ever learned.)
"""

from __future__ import annotations

from learners.engine.backups import EXPLORATORY, backup, no_backup, step_size
from learners.rules.td import LEARN, TemporalDifference


class BeforeOwnMove(TemporalDifference):
    """TD(0) that writes the value of the board that it moves from."""

    name = "museum:before-own-move"
    summary = "the board before its own move is backed up, not the afterstate"
    source = "Sutton-Barto notebook"

    def after_step(v, tape, me, steps, greedy, t, over, game):
        ply = 2 * t - 1 + me.side
        s = me.state_entry[game.path[ply - 1]] if ply > 1 else steps[0]
        if over:
            return
        if greedy[t] or me.exploration == LEARN:
            backup(v, tape, me, s, v[steps[t]], step_size(v, me, s))
        else:
            no_backup(tape, s, EXPLORATORY)
