"""The exact values that a learning curve can be held against, where there are any."""

from __future__ import annotations

from dataclasses import dataclass

from game.exact import (
    epsilon_greedy_policy,
    optimal_response_values,
    uniform_policy,
)
from learners.experiments.metrics import SidedMetric
from learners.experiments.moment import START, Pair
from learners.experiments.sweep import Arm
from learners.judge.evaluation import true_values
from learners.kernel.memory import Layout
from learners.rules.spec import PlayerSpec

OFF_POLICY = ("q", "double-q", "negamax")
"""Learners of what greedy play is worth, although they learn from exploratory moves too."""


@dataclass(frozen=True)
class Reference:
    """An exact value to draw as a line."""

    label: str
    value: float


def reference(arm: Arm, metric: SidedMetric) -> Reference | None:
    """What a metric of an arm comes to at the very best or, for estimates, in the end."""
    side = metric.side
    spec = arm.o if side else arm.x
    if not spec.rule.learns:
        return None
    name = metric.metric.name
    if name == "win":
        best = optimal_response_values(uniform_policy(), side + 1, win=1.0, draw=0.0, loss=0.0)
        return Reference("the most that any player wins", float(best[START]))
    if name not in ("value", "greedy-value", "behaviour-value") or spec.rule.one_table:
        return None
    soft = softness(spec)
    if name == "greedy-value" or (name == "value" and learns_greedy_value(spec)):
        soft = 0.0
    return optimal(arm, side, soft)


def optimal(arm: Arm, side: int, soft: float | None) -> Reference | None:
    """The value of the empty board when a side plays as well as it can.

    Args:
        arm: the players.
        side: 0 for X, 1 for O.
        soft: the share of its moves that it must draw at random; None where that changes.
    """
    pair = Pair(Layout.of(arm.x, arm.o))
    opponent = pair.table(1 - side).spec
    memory = pair.layout.fresh()
    if opponent.rule.learns:
        # Two that go on learning have no fixed point but perfect play, and none with exploration.
        value = float(true_values(pair.layout, memory, side)[START])
        return Reference("minimax", value) if not soft else None
    _, rates = opponent.rule.exploration(1 - side, opponent.settings)
    if soft is None or len(set(rates)) > 1:
        return None
    policy = epsilon_greedy_policy(pair.table(1 - side).preferences(memory), rates[0])
    spec = pair.table(side).spec
    win, draw, loss = spec.rule.rewards(spec.settings)
    values = optimal_response_values(policy, side + 1, win, draw, loss, epsilon=soft)
    label = "v* (never exploring)" if soft == 0.0 else f"best with ε = {soft:g}"
    return Reference(label, float(values[START]))


def softness(spec: PlayerSpec) -> float | None:
    """The constant ε of a learner; None where it changes or its moves are drawn by design."""
    _, rates = spec.rule.exploration(0, spec.settings)
    if spec.rule.draws or len(set(rates)) > 1:
        return None
    return float(rates[0]) if spec.learns else 0.0


def learns_greedy_value(spec: PlayerSpec) -> bool:
    """Whether a learner's values are those of its greedy play, not of its exploring."""
    if spec.rule.name in OFF_POLICY:
        return True
    return spec.settings.get("exploration", "learn") in ("skip", "forget")
