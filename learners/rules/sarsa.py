"""Sarsa (S&B 6.4, equation 6.7).

    Q(S, A) <- Q(S, A) + alpha [ R + gamma Q(S', A') - Q(S, A) ]

On-policy: A' is the move that the player really made at its next turn S', exploratory or not, so
the values include what its exploration costs. R is the worth of the result, at the end only, and
Q(terminal, .) = 0.
"""

from __future__ import annotations

from afterstate_lab.learners.engine.backups import backup, step_size
from afterstate_lab.learners.rules import options
from afterstate_lab.learners.rules.base import Rule
from afterstate_lab.learners.rules.equation import Equation


class Sarsa(Rule):
    """Sarsa: an action value moves towards that of the next move made."""

    name = "sarsa"
    summary = "Sarsa, on-policy, on moves"
    equation = Equation("Q(S,A) ← Q(S,A) + α [ R + γ Q(S′,A′) − Q(S,A) ]")
    source = "S&B 6.4, (6.7)"
    options = options.ACTION_VALUES
    by_state = False

    def after_step(v, tape, me, steps, greedy, t, over, game):
        if t < 2:
            return
        pair = steps[t - 1]
        r = v[steps[t]] if over else 0.0
        pair_next = me.nothing if over else steps[t]
        backup(v, tape, me, pair, pair_next, r, step_size(v, me, pair))
