"""Expected Sarsa (S&B 6.6, equation 6.9).

    Q(S, A) <- Q(S, A) + alpha [ R + gamma sum_a pi(a | S') Q(S', a) - Q(S, A) ]

pi is the player's own epsilon-greedy policy at the time: with probability epsilon any legal move,
else one of the best, which share that mass, so sum_a pi(a) Q(a) = epsilon mean_a Q(a) +
(1 - epsilon) max_a Q(a). With epsilon = 0 this is Q-learning. Q(terminal, .) = 0.
"""

from __future__ import annotations

from afterstate_lab.learners.engine.backups import SEVERAL, backup_towards, step_size
from afterstate_lab.learners.engine.choices import exploration_rate
from afterstate_lab.learners.engine.play import GAME
from afterstate_lab.learners.rules import options
from afterstate_lab.learners.rules.action_values import best_pair, mean_value
from afterstate_lab.learners.rules.base import Rule
from afterstate_lab.learners.rules.equation import Equation, TargetKind, Term


class ExpectedSarsa(Rule):
    """Expected Sarsa: an action value moves towards what the policy expects of the next turn."""

    name = "expected-sarsa"
    summary = "Expected Sarsa, on-policy, on moves"
    equation = Equation(
        "Q(S,A) ← Q(S,A) + α [ R + γ Σ π(a)Q(S′,a) − Q(S,A) ]",
        (
            Term(
                "Σ π(a)Q(S′,a)",
                "what the player can expect of its next turn",
                TargetKind.EXPECTED_PAIR,
                variable="expected",
                typed="sum_a pi(a|S') Q(S',a)",
            ),
        ),
    )
    source = "S&B 6.6, (6.9)"
    options = options.ACTION_VALUES
    by_state = False

    def after_step(v, tape, me, steps, greedy, t, over, game):
        if t < 2:
            return
        pair = steps[t - 1]
        r = v[steps[t]] if over else 0.0
        expected = 0.0 if over else expected_value(v, game, me, t)
        read = me.nothing if over else SEVERAL
        target = r + me.gamma * expected
        backup_towards(v, tape, me, pair, read, target, step_size(v, me, pair))


def expected_value(v, game, me, t):
    """sum_a pi(a | S_t) Q(S_t, a) under the epsilon of this game."""
    epsilon = exploration_rate(me, game.clock[GAME])
    best, _ = best_pair(v, game, me, t)
    return (1.0 - epsilon) * best + epsilon * mean_value(v, game, me, t)
