"""The update is written into a copy of the table, and the copy is thrown away.

`values = dict(self.values)`, a few lines that are right, and no line that puts it back. Everything
is computed, nothing is learned, and a test of the computed number alone does not find it.

A classic of homework.
"""

from __future__ import annotations

from learners.rules.td import LEARN, TemporalDifference


class LostCopy(TemporalDifference):
    """TD(0) that computes its backups and keeps none of them."""

    name = "museum:lost-copy"
    summary = "updates are written into a copy that is thrown away"
    source = "homework"

    def after_step(v, tape, me, steps, greedy, t, over, game):
        value = v[steps[t - 1]]
        if greedy[t] or me.exploration == LEARN:
            value += me.alpha * (v[steps[t]] - value)
