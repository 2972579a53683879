"""It learns at its own moves only: when the opponent ends the game, nothing is learned.

The loop is written from the learner's side: choose, move, back up. The opponent's last move comes
after the learner's last move, and the loop is over. So a loss is never seen, and a board before a
loss is as good as any other.

Document 001 has it, and it is a classic of homework.
"""

from __future__ import annotations

from learners.engine.backups import EXPLORATORY, backup, no_backup, step_size
from learners.rules.td import LEARN, TemporalDifference


class NoLosses(TemporalDifference):
    """TD(0) without the backup at the opponent's ending move."""

    name = "museum:no-losses"
    summary = "the opponent's ending move is not learned from, so no loss is"
    source = "Sutton-Barto notebook, and homework"

    def after_step(v, tape, me, steps, greedy, t, over, game):
        s = steps[t - 1]
        s_next = steps[t]
        if over:
            return
        if greedy[t] or me.exploration == LEARN:
            backup(v, tape, me, s, v[s_next], step_size(v, me, s))
        else:
            no_backup(tape, s, EXPLORATORY)
