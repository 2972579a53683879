"""It learns before the opponent has answered, and takes a game that goes on for a lost one.

Right after its own move it moves the value of that very board towards the reward: 1 for a win, and
a loss "otherwise". A board after which the game goes on is not won yet, so it is punished. It never
looks at what comes of the board; the history is cleared each time, so every chain has length 1.

Document 002 has it: the more often a move is tried, the worse it looks, and no value ever rises.
"""

from __future__ import annotations

from typing import Final

from learners.engine.backups import backup, step_size
from learners.rules.td import TemporalDifference

OTHER_WINS: Final = 2
"""The result of a game that X has lost; less the side, that of the other player's loss."""


class BeforeTheAnswer(TemporalDifference):
    """TD(0) that takes every board after its own move for lost, unless it has won there."""

    name = "museum:before-the-answer"
    summary = "it learns before the opponent has answered, and punishes what goes on"
    source = "Q-learning article"

    def after_step(v, tape, me, steps, greedy, t, over, game):
        s = steps[t]
        if not over and game.outcome[game.path[2 * t - 1 + me.side]] == 0:
            backup(v, tape, me, s, v[me.rewards + OTHER_WINS - me.side], step_size(v, me, s))
