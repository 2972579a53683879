"""TD(lambda) on afterstates with eligibility traces (S&B 12.2; 12.5; γ = 1).

    z <- lambda z for all, then  z(S_t) <- z(S_t) + 1                     (accumulating)
                                           1                              (replacing)
                                           z(S_t) + 1 - alpha z(S_t)      (dutch)
    delta = V(S_t+1) - V(S_t)
    V <- V + alpha delta z  for every entry with z > 0

Online: at each of the player's moves, and when the opponent ends the game. By default an
exploratory move backs up nothing and sets all traces to 0. No position repeats within a game: a
trace is 0 when its afterstate is visited, so the three kinds agree, and z(S_k) at the step from S_t
is lambda^(t - k). Traces are therefore worked out from the path and never stored. (The dutch trace
is that of true online TD(lambda), 12.5; its correction for a value changed since it was looked at
is nothing here, for the same reason.)

A recorded backup tells the target V(S_t+1) and the trace z of its entry. The step's first backup
is that of S_t, newest first, and gives its delta = target - old; each of the step's backups (same
game, ply and player) is new = old + step * trace * delta.
"""

from __future__ import annotations

from typing import Final

from afterstate_lab.learners.engine.backups import EXPLORATORY, no_backup, step_size, write
from afterstate_lab.learners.rules import options
from afterstate_lab.learners.rules.base import Rule
from afterstate_lab.learners.rules.equation import Equation

LEARN: Final = 1
ACCUMULATING: Final = 0
REPLACING: Final = 1


def visited(me, z):
    """The trace of an afterstate that is visited while its trace is z."""
    if me.traces == ACCUMULATING:
        return z + 1.0
    if me.traces == REPLACING:
        return 1.0
    return z + 1.0 - me.alpha * z


class TDLambda(Rule):
    """The TD error of each step moves all afterstates before it, the nearest most."""

    name = "tdlambda"
    summary = "TD(λ) on afterstates with eligibility traces, online"
    equation = Equation(
        "V(s) ← V(s) + α δ z(s)", spelled="V <- V + alpha delta z, delta = V(S_t+1) - V(S_t)"
    )
    source = "S&B 12.2, 12.5"
    shares_error = True
    options = (
        options.Option(
            "lambda", 0.8, "trace decay λ: how far back an error reaches", source="12.1"
        ),
        options.ChoiceOption(
            "traces",
            "accumulating",
            "what a visit does to the trace of an afterstate",
            choices=("accumulating", "replacing", "dutch"),
            source="12.2, 12.5",
        ),
        *options.STATE_VALUES,
    )

    def after_step(v, tape, me, steps, greedy, t, over, game):
        s = steps[t - 1]
        target = v[steps[t]]
        delta = target - v[s]
        if not (greedy[t] or me.exploration == LEARN):
            no_backup(tape, s, EXPLORATORY)
            return
        k = t - 1
        z = visited(me, 0.0)
        while k >= 0 and z > 0.0:
            s = steps[k]
            step = step_size(v, me, s)
            write(v, tape, me, s, steps[t], target, step, z, v[s] + step * z * delta)
            if not (greedy[k] or me.exploration == LEARN):
                break
            z = me.lambda_ * z
            k -= 1
