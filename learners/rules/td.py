"""TD(0) on afterstates (S&B 1.5; equation 6.2 with R = 0 and γ = 1).

    V(S_t) <- V(S_t) + alpha [ V(S_t+1) - V(S_t) ]

Online: at each of the player's moves, and when the opponent ends the game. By default an
exploratory move backs up nothing into the afterstate before it, "even though another sibling move
was ranked higher" (Figure 1.1: c to a and g to e, none from e to c).
"""

from __future__ import annotations

from typing import Final

from afterstate_lab.learners.engine.backups import EXPLORATORY, backup, no_backup, step_size
from afterstate_lab.learners.rules import options
from afterstate_lab.learners.rules.base import Rule
from afterstate_lab.learners.rules.equation import Equation

LEARN: Final = 1


class TemporalDifference(Rule):
    """TD(0): the value of an afterstate moves towards the value of the next one."""

    name = "td"
    summary = "TD(0) on afterstates, online"
    equation = Equation("V(Sₜ) ← V(Sₜ) + α [ V(Sₜ₊₁) − V(Sₜ) ]")
    source = "S&B 1.5, (6.2)"
    options = options.STATE_VALUES

    def after_step(v, tape, me, steps, greedy, t, over, game):
        s = steps[t - 1]
        s_next = steps[t]
        if greedy[t] or me.exploration == LEARN:
            backup(v, tape, me, s, s_next, 0.0, step_size(v, me, s))
        else:
            no_backup(tape, s, EXPLORATORY)
