"""Q-learning (S&B 6.5, equation 6.8).

    Q(S, A) <- Q(S, A) + alpha [ R + gamma max_a Q(S', a) - Q(S, A) ]

S is the board with the player to move, S' the board at its next turn: the opponent's reply lies in
between. R is the worth of the result, at the end only, and Q(terminal, .) = 0. Off-policy: the
maximum is over what it could do, so exploratory moves are learned from like any others.
"""

from __future__ import annotations

from afterstate_lab.learners.engine.backups import backup_towards, step_size
from afterstate_lab.learners.rules import options
from afterstate_lab.learners.rules.action_values import best_pair
from afterstate_lab.learners.rules.base import Rule
from afterstate_lab.learners.rules.equation import Equation, TargetKind, Term


class QLearning(Rule):
    """Q-learning: an action value moves towards the best value of the next turn."""

    name = "q"
    summary = "Q-learning, off-policy, on moves"
    equation = Equation(
        "Q(S,A) ← Q(S,A) + α [ R + γ max Q(S′,a) − Q(S,A) ]",
        (
            Term(
                "max Q(S′,a)",
                "the highest value at the player's next turn",
                TargetKind.BEST_PAIR,
                typed="max_a Q(S',a)",
            ),
        ),
    )
    source = "S&B 6.5, (6.8)"
    options = (*options.STEPPED, options.GAMMA, *options.REWARDS, options.INITIAL, *options.SHARING)
    by_state = False
    is_off_policy = True

    def after_step(v, tape, me, steps, greedy, t, over, game):
        if t < 2:
            return
        pair = steps[t - 1]
        r = v[steps[t]] if over else 0.0
        best, read = (0.0, me.nothing) if over else best_pair(v, game, me, t)
        backup_towards(v, tape, me, pair, read, r + me.gamma * best, step_size(v, me, pair))
