"""Constant-alpha Monte Carlo (S&B 5.1 and equation 6.1).

    V(S_t) <- V(S_t) + alpha [ G - V(S_t) ],  t = T - 1, ..., 0

At the end of the game, towards its result G (γ = 1). With `step=1/n` the value is the mean of the
results that followed the afterstate. No position repeats within a game, so every visit is a first
visit.
"""

from __future__ import annotations

from typing import Final

from afterstate_lab.learners.engine.backups import EXPLORATORY, backup, no_backup, step_size
from afterstate_lab.learners.rules import options
from afterstate_lab.learners.rules.base import Rule
from afterstate_lab.learners.rules.equation import Equation

FORGET: Final = 1


class MonteCarlo(Rule):
    """The value of every afterstate of a game moves towards the result of the game."""

    name = "mc"
    summary = "constant-α Monte Carlo, at the end of the game"
    equation = Equation("V(Sₜ) ← V(Sₜ) + α [ G − V(Sₜ) ]")
    source = "S&B 5.1, (6.1)"
    options = (
        *options.STEPPED,
        options.DRAW,
        options.INITIAL,
        options.ChoiceOption(
            "exploration",
            "learn",
            "learn from every move, or forget what came before the last exploratory move",
            choices=("learn", "forget"),
            source="5.4, train-compete-play",
        ),
        *options.SHARING,
    )

    def after_game(v, tape, me, steps, greedy, t, over, game):
        forgotten = False
        for k in range(t - 1, -1, -1):
            forgotten = forgotten or (not greedy[k + 1] and me.exploration == FORGET)
            s = steps[k]
            if forgotten:
                no_backup(tape, s, EXPLORATORY)
            else:
                backup(v, tape, me, s, steps[t], 0.0, step_size(v, me, s))
