"""n-step TD on afterstates (S&B 7.1, equation 7.2 with R = 0 and γ = 1).

    V(S_t) <- V(S_t) + alpha [ V(S_h) - V(S_t) ],  h = min(t + n, T)

Online: S_t is backed up when S_h is reached. By default no horizon lies beyond an exploratory move:
h is then at most the last afterstate before the next one, and where that is S_t itself there is no
backup. n = 1 is TD(0); n = 9 looks to the end of every game, as Monte Carlo does.
"""

from __future__ import annotations

from typing import Final

from afterstate_lab.learners.engine.backups import EXPLORATORY, backup, no_backup, step_size
from afterstate_lab.learners.rules import options
from afterstate_lab.learners.rules.base import Rule
from afterstate_lab.learners.rules.equation import Equation, TargetKind, Term

LEARN: Final = 1


def first_waiting(me, greedy, t):
    """The index of the first of S_0 .. S_t-1 that has no backup yet when S_t is reached."""
    k = t - 1
    while k > 0 and k > t - me.n and (greedy[k] or me.exploration == LEARN):
        k -= 1
    return k


def back_up(v, tape, me, steps, first, last, horizon):
    """Back up S_first .. S_last-1 towards V(S_horizon)."""
    for k in range(first, last):
        s = steps[k]
        backup(v, tape, me, s, steps[horizon], 0.0, step_size(v, me, s))


class NStep(Rule):
    """The value of an afterstate moves towards that of the n-th afterstate after it."""

    name = "nstep"
    summary = "n-step TD on afterstates, online"
    equation = Equation(
        "V(Sₜ) ← V(Sₜ) + α [ V(Sₜ₊ₙ) − V(Sₜ) ]",
        (
            Term(
                "V(Sₜ₊ₙ)",
                "the value of the n-th time step from there, or of the last that counts",
                TargetKind.HORIZON,
                typed="V(S_min(t+n,T))",
            ),
        ),
    )
    source = "S&B 7.1, (7.2)"
    options = (
        options.IntegerOption(
            "n", 2, "how many own moves ahead a backup looks", 1, 9, source="7.1"
        ),
        *options.STATE_VALUES,
    )

    def after_step(v, tape, me, steps, greedy, t, over, game):
        first = first_waiting(me, greedy, t)
        if greedy[t] or me.exploration == LEARN:
            if first == t - me.n:
                back_up(v, tape, me, steps, first, first + 1, t)
        else:
            back_up(v, tape, me, steps, first, t - 1, t - 1)
            no_backup(tape, steps[t - 1], EXPLORATORY)

    def after_game(v, tape, me, steps, greedy, t, over, game):
        if greedy[t] or me.exploration == LEARN:
            first = max(first_waiting(me, greedy, t), t - me.n + 1)
            back_up(v, tape, me, steps, first, t, t)
