"""The step size falls with every episode, and soon it is 0.

"α should decay" is right (S&B 2.5), but the sum of the steps must not be finite: here α falls in a
straight line to 0 within the first 1,000 games, and whatever is played later changes nothing. The
program goes on for an hour and prints the same table.

A classic of homework: the rate of decay is taken from a text about another number of games.
"""

from __future__ import annotations

from typing import Final

from learners.engine.backups import EXPLORATORY, backup, no_backup
from learners.engine.play import GAME
from learners.rules.td import LEARN, TemporalDifference

GAMES: Final = 1000.0
"""After so many games the step size is 0."""


class VanishingStep(TemporalDifference):
    """TD(0) whose step size is gone after 1,000 games."""

    name = "museum:vanishing-step"
    summary = "α falls with every game, to 0 after a thousand"
    source = "homework"

    def after_step(v, tape, me, steps, greedy, t, over, game):
        s = steps[t - 1]
        step = me.alpha * max(0.0, 1.0 - game.clock[GAME] / GAMES)
        if greedy[t] or me.exploration == LEARN:
            backup(v, tape, me, s, v[steps[t]], step)
        else:
            no_backup(tape, s, EXPLORATORY)
