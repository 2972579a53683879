"""A draw teaches nothing: after a drawn game the last backup is left out.

"Nobody won, so there is nothing to learn." But that a board leads to a draw, and to no loss, is
what O has to learn; and a board that once won keeps a value that it no longer deserves.

Document 004 has it: after a draw its matchboxes neither gain nor lose a bead.
"""

from __future__ import annotations

from typing import Final

from learners.engine.backups import EXPLORATORY, backup, no_backup, step_size
from learners.rules.td import LEARN, TemporalDifference

DRAWN: Final = 3


class DrawsTeachNothing(TemporalDifference):
    """TD(0) without the backup towards a drawn board."""

    name = "museum:draws-teach-nothing"
    summary = "nothing is learned from a drawn game's end"
    source = "MENACE article"

    def after_step(v, tape, me, steps, greedy, t, over, game):
        s = steps[t - 1]
        s_next = steps[t]
        if game.outcome[game.path[2 * t - 1 + me.side - over]] == DRAWN:
            return
        if greedy[t] or me.exploration == LEARN:
            backup(v, tape, me, s, v[s_next], step_size(v, me, s))
        else:
            no_backup(tape, s, EXPLORATORY)
