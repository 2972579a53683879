"""Rules that value afterstates: TD(0), a reverse chain, Monte Carlo, n-step TD and TD(lambda).

No position repeats within a game, so every visit is a first visit. Rewards come at the end only and
γ = 1. By default an exploratory move backs up nothing into the afterstate before it, "even though
another sibling move was ranked higher" (S&B, Figure 1.1: c to a and g to e, none from e to c).
"""

from __future__ import annotations

from typing import Final

from afterstate_lab.learners.engine.backups import EXPLORATORY, backup, no_backup, step_size, write
from afterstate_lab.learners.engine.play import PLIES
from afterstate_lab.learners.rules import options
from afterstate_lab.learners.rules.base import Rule
from afterstate_lab.learners.rules.equation import Equation, TargetKind, Term

LEARN: Final = 1
"""The player learns from an exploratory move, too (`skip` is 0)."""
LEARN_IN_CHAIN: Final = 0
"""The same of `chain`, whose usual way it is."""
FORGET: Final = 1
"""The player forgets the boards before its last exploratory move (`mc`, and `chain` as in 003)."""


class TemporalDifference(Rule):
    """TD(0): the value of an afterstate moves towards the value of the next one.

        V(S_t) <- V(S_t) + alpha [ V(S_t+1) - V(S_t) ]

    Online (S&B 1.5; equation 6.2): at each of the player's moves, and when the opponent ends the
    game.
    """

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


OWN: Final = 0


class Chain(Rule):
    """The value of each board moves towards the updated value of the next, last to first.

        V(s_k) <- V(s_k) + alpha [ V(s_k+1) - V(s_k) ],  k = T - 1, ..., 0

    V(s_k+1) is the value that has just been updated, so one game carries its result to every board
    that led there (seeds 000 and 003; on the player's own afterstates this is TD(lambda) with
    lambda = alpha, S&B 12.2). `plies=all` chains the boards after the opponent's moves as well, as
    the seeds do.
    """

    name = "chain"
    summary = "a reverse chain, at the end of the game"
    equation = Equation(
        "V(Sₜ) ← V(Sₜ) + α [ V(Sₜ₊₁) − V(Sₜ) ]",
        spelled="V(s_k) <- V(s_k) + alpha [V(s_k+1) - V(s_k)], last to first",
        is_backward=True,
    )
    source = "two-agents and train-compete-play"
    options = (
        *options.STEPPED,
        *options.REWARDS,
        options.INITIAL,
        options.ChoiceOption(
            "plies",
            "own",
            "the boards in the chain: after the player's own moves, or after all",
            choices=("own", "all"),
            source="two-agents and train-compete-play",
        ),
        options.ChoiceOption(
            "exploration",
            "learn",
            "an exploratory move: learn from it (000), forget all before it (003), or skip it",
            choices=("learn", "forget", "skip"),
            source="two-agents and train-compete-play",
        ),
        *options.SHARING,
    )

    def after_game(v, tape, me, steps, greedy, t, over, game):
        s_next = steps[t]
        k = t - 1 if me.plies == OWN else game.clock[PLIES] - (s_next < me.rewards)
        forgotten = False
        while k >= 0:
            if me.plies == OWN:
                s = steps[k]
                explored = not greedy[k + 1]
            else:
                s = me.state_entry[game.path[k]] if k > 0 else me.start
                explored = (k & 1) == me.side and not greedy[k // 2 + 1]
            explored = explored and me.exploration != LEARN_IN_CHAIN
            if explored or forgotten:
                no_backup(tape, s, EXPLORATORY)
            else:
                backup(v, tape, me, s, s_next, 0.0, step_size(v, me, s))
            forgotten = forgotten or (explored and me.exploration == FORGET)
            s_next = s
            k -= 1


class MonteCarlo(Rule):
    """The value of every afterstate of a game moves towards the result of the game.

        V(S_t) <- V(S_t) + alpha [ G - V(S_t) ],  t = T - 1, ..., 0

    At the end of the game, towards its result G (S&B 5.1; equation 6.1). With `step=1/n` the value
    is the mean of the results that followed the afterstate.
    """

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
    """The value of an afterstate moves towards that of the n-th afterstate after it.

        V(S_t) <- V(S_t) + alpha [ V(S_h) - V(S_t) ],  h = min(t + n, T)

    Online: S_t is backed up when S_h is reached (S&B 7.1; equation 7.2). By default no horizon lies
    beyond an exploratory move: h is then at most the last afterstate before the next one, and where
    that is S_t itself there is no backup. n = 1 is TD(0); n = 9 looks to the end of every game, as
    Monte Carlo does.
    """

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
    """The TD error of each step moves all afterstates before it, the nearest most.

        z <- lambda z for all, then  z(S_t) <- z(S_t) + 1                     (accumulating)
                                               1                              (replacing)
                                               z(S_t) + 1 - alpha z(S_t)      (dutch)
        delta = V(S_t+1) - V(S_t)
        V <- V + alpha delta z  for every entry with z > 0

    Online (S&B 12.2; 12.5). By default an exploratory move backs up nothing and sets all traces to
    0. As no position repeats within a game, a trace is 0 when its afterstate is visited, so the
    three kinds agree, and z(S_k) at the step from S_t is lambda^(t - k). Traces are therefore
    worked out from the path and never stored. (The dutch trace is that of true online TD(lambda),
    12.5; its correction for a value changed since it was looked at is nothing here, for the same
    reason.)

    A recorded backup tells the target V(S_t+1) and the trace z of its entry. The step's first
    backup is that of S_t, newest first, and gives its delta = target - old; each of the step's
    backups (same game, ply and player) is new = old + step * trace * delta.
    """

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
