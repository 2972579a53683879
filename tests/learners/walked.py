"""The exact figures by whole-array steps over the plies: the referee of the compiled walk.

This was how the product computed them before; it shares the space, the options of players and the
minimax values with it, which `tests/game` checks against plain recursions.
"""

from dataclasses import dataclass
from functools import cache

import numpy as np

from afterstate_lab.game import Side, space
from afterstate_lab.game.constants import DRAWN, EDGES, GOES_ON, O_WON, POSITIONS, X_WON
from afterstate_lab.game.exact import minimax_values, optimal_edges, terminal_values
from afterstate_lab.learners.engine.choices import exploration_rate
from afterstate_lab.learners.kernel.hooks import parameters

ROUNDING = 1e-9


@dataclass(frozen=True, eq=False)
class Layer:
    """The n non-terminal positions of one ply and their 9 - ply moves each, kept transposed."""

    mover: Side
    ids: np.ndarray
    edges: slice
    successors: np.ndarray

    def of_edges(self, values):
        return values[self.edges].reshape(len(self.ids), -1).T


@cache
def layers():
    states, result = space(), []
    for ply, edges in enumerate(states.ply_edges[:9]):
        ids = np.flatnonzero((states.outcome == GOES_ON) & (states.ply == ply))
        successors = states.edge_successor[edges].reshape(len(ids), 9 - ply).T
        result.append(Layer(Side(ply % 2), ids, edges, successors))
    return tuple(result)


def resignation(policy):
    resigning = np.zeros(POSITIONS)
    for layer in layers():
        resigning[layer.ids] = rest_of(layer.of_edges(policy).sum(axis=0))
    return resigning


def rest_of(total):
    return np.where(total < 1.0 - ROUNDING, 1.0 - total, 0.0)


def expectation(layer, policy, after, resigned):
    probabilities = layer.of_edges(policy)
    total = probabilities.sum(axis=0)
    rest = rest_of(total)
    return ((probabilities * after).sum(axis=-2) + rest * resigned) / (total + rest)


def uniform_over(chosen):
    policy = np.empty(EDGES)
    for layer in layers():
        rows = layer.of_edges(chosen)
        layer.of_edges(policy)[:] = rows / rows.sum(axis=0)
    return policy


def uniform_policy():
    return uniform_over(np.ones(EDGES, dtype=bool))


def greedy_policy(preferences):
    greedy = np.empty(EDGES, dtype=bool)
    for layer in layers():
        preferred = layer.of_edges(preferences)
        layer.of_edges(greedy)[:] = preferred == preferred.max(axis=0)
    return uniform_over(greedy)


def combine(x_policy, o_policy):
    return np.where(space().ply[space().edge_state] % 2 == 0, x_policy, o_policy)


def evaluate(policy):
    endings = [space().outcome == ending for ending in (X_WON, DRAWN, O_WON)]
    values = np.stack(endings).astype(np.float64)
    for layer in reversed(layers()):
        resigned = np.array([[layer.mover == 1], [False], [layer.mover == 0]]) * 1.0
        after = values.take(layer.successors, axis=1)
        values[:, layer.ids] = expectation(layer, policy, after, resigned)
    return values.T


def best_response(policy, side, win=1.0, draw=0.5, loss=0.0):
    values = terminal_values(side, win, draw, loss)
    for layer in reversed(layers()):
        after = values[layer.successors]
        if layer.mover == side:
            values[layer.ids] = after.max(axis=0)
        else:
            values[layer.ids] = expectation(layer, policy, after, win)
    return values


def of_policy(policy, side):
    """The figures of a side's policy, by name."""
    states = space()
    may_play, may_resign = policy > 0.0, resignation(policy) > 0.0
    decisions = (states.outcome == GOES_ON) & (states.ply % 2 == side)
    # To resign is optimal only in a lost position.
    errs = may_resign & (minimax_values() != (1 if side else -1))
    errs[states.edge_state[may_play & ~optimal_edges()]] = True
    after = states.outcome[states.edge_successor]
    winning = (after == X_WON) | (after == O_WON)
    can_win, misses = np.zeros(POSITIONS, dtype=bool), may_resign.copy()
    can_win[states.edge_state[winning]] = True
    misses[states.edge_state[may_play & ~winning]] = True
    worst = float(best_response(policy, side.other, draw=0.0)[0])
    found = {
        "beatable": worst > 0.0,
        "worst-loss": worst,
        "optimal": (int(np.count_nonzero(decisions & ~errs)), int(np.count_nonzero(decisions))),
        "missed-wins": int(np.count_nonzero(misses & can_win & decisions)),
    }
    perfect = uniform_over(optimal_edges())
    for prefix, other in (("", uniform_policy()), ("perfect-", perfect)):
        ends = evaluate(combine(other, policy) if side else combine(policy, other))[0].tolist()
        names = (f"{prefix}{name}" for name in ("win", "draw", "loss"))
        found |= dict(zip(names, ends[:: -1 if side else 1], strict=True))
    return found


def of_memory(layout, v, side, game):
    """The figures of a side of two players who know this, by name; None for errors of beads."""
    chosen = [parameters(t, layout, frozen=not t.spec.learns) for t in (layout.x, layout.o)]

    def greedy(one):
        table = layout.table(one)
        return greedy_policy(table.preferences(v)) if table.spec.rule.learns else behaviour(one)

    def behaviour(one):
        table, rate = layout.table(one), float(exploration_rate(chosen[one], game))
        rule = table.spec.rule
        if (table.spec.learns or not rule.learns) and (
            drawn := rule.as_played(table.values(v), table.entries)
        ) is not None:
            return drawn
        return (1.0 - rate) * greedy_policy(table.preferences(v)) + rate * uniform_policy()

    table, other = layout.table(side), layout.table(side.other)
    rule, entries = table.spec.rule, table.entries
    win, draw, loss = rule.rewards(table.spec.settings)
    rewards = np.array([loss, draw, win] if side else [win, draw, loss])

    def values(policy):
        against = behaviour(side.other)
        return evaluate(combine(against, policy) if side else combine(policy, against)) @ rewards

    now = values(behaviour(side))
    found = of_policy(greedy(side), side) | {
        "greedy-value": values(greedy(side))[0],
        "behaviour-value": now[0],
    }
    if not rule.learns:
        return found | {"coverage": (0, 0)}
    counted = entries.live & ((entries.boards > 0) | (entries.cells >= 0))
    written = table.visits(v).sum(axis=0) > 0
    found["coverage"] = int(np.count_nonzero(written & counted)), entries.counted
    if not rule.estimates:
        return found | dict.fromkeys(("rms-minimax", "rms-v*", "rms-v_pi"))
    s = space()
    if entries.of_state is not None:
        states = np.flatnonzero((s.outcome == 0) & (s.ply > 0) & (s.ply % 2 != side))
        known = table.values(v)[0][entries.of_state[states]]
    else:
        edges = np.flatnonzero(s.ply[s.edge_state] % 2 == side)
        states, known = s.edge_successor[edges], table.preferences(v)[edges]
    minimax = np.array([draw, rewards[0], rewards[2]])[minimax_values()]
    best = minimax
    if not other.spec.rule.learns:
        best = best_response(behaviour(side.other), side, win, draw, loss)
    errors = {"rms-minimax": minimax, "rms-v*": best, "rms-v_pi": now}
    return found | {
        name: np.sqrt(((known - truth[states]) ** 2).mean()) for name, truth in errors.items()
    }
