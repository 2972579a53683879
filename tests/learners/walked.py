"""The exact figures one by one, by `game.exact`: the referee of the evaluator's single walk.

`tests/game` checks what it stands on against recursions that share no code.
"""

import numpy as np

from afterstate_lab.game import exact, space
from afterstate_lab.game.constants import GOES_ON, O_WON, POSITIONS, X_WON
from afterstate_lab.learners.engine.choices import exploration_rate
from afterstate_lab.learners.kernel.hooks import parameters


def evaluate(policy, other, side):
    """How games from each position end where a side and its opponent follow these policies."""
    return exact.evaluate(other, policy) if side else exact.evaluate(policy, other)


def of_policy(policy, side):
    """The figures of a side's policy, by name."""
    states = space()
    may_play, may_resign = policy > 0.0, exact.resignation(policy) > 0.0
    decisions = (states.outcome == GOES_ON) & (states.ply % 2 == side)
    # To resign is optimal only in a lost position.
    errs = may_resign & (exact.minimax_values() != (1 if side else -1))
    errs[states.edge_state[may_play & ~exact.optimal_edges()]] = True
    after = states.outcome[states.edge_successor]
    winning = (after == X_WON) | (after == O_WON)
    can_win, misses = np.zeros(POSITIONS, dtype=bool), may_resign.copy()
    can_win[states.edge_state[winning]] = True
    misses[states.edge_state[may_play & ~winning]] = True
    worst = float(exact.worst_losses(policy, side)[0])
    found = {
        "beatable": worst > 0.0,
        "worst-loss": worst,
        "optimal": (int(np.count_nonzero(decisions & ~errs)), int(np.count_nonzero(decisions))),
        "missed-wins": int(np.count_nonzero(misses & can_win & decisions)),
    }
    for prefix, other in (("", exact.uniform_policy()), ("perfect-", exact.perfect_policy())):
        ends = evaluate(policy, other, side)[0].tolist()
        names = (f"{prefix}{name}" for name in ("win", "draw", "loss"))
        found |= dict(zip(names, ends[:: -1 if side else 1], strict=True))
    return found


def of_memory(layout, v, side, game):
    """The figures of a side of two players who know this, by name; None for errors of beads."""
    chosen = [parameters(t, layout, frozen=not t.spec.learns) for t in (layout.x, layout.o)]

    def greedy(one):
        table = layout.table(one)
        return exact.greedy_policy(table.preferences(v)) if table.rule.learns else behaviour(one)

    def behaviour(one):
        table, rate = layout.table(one), float(exploration_rate(chosen[one], game))
        rule = table.rule
        if (table.spec.learns or not rule.learns) and (
            drawn := rule.as_played(table.values(v), table.entries)
        ) is not None:
            return drawn
        return exact.epsilon_greedy_policy(table.preferences(v), rate)

    table, other = layout.table(side), layout.table(side.other)
    rule, entries = table.rule, table.entries
    win, draw, loss = table.spec.rewards
    rewards = np.array([loss, draw, win] if side else [win, draw, loss])

    def values(policy):
        return evaluate(policy, behaviour(side.other), side) @ rewards

    now = values(behaviour(side))
    found = of_policy(greedy(side), side) | {
        "greedy-value": values(greedy(side))[0],
        "behaviour-value": now[0],
    }
    if not rule.learns:
        return found | {"coverage": (0, 0)}
    counted = entries.live & ((entries.boards > 0) | (entries.cells >= 0))
    written = table.visits(v).sum(axis=0) > 0
    found["coverage"] = int(np.count_nonzero(written & counted)), int(np.count_nonzero(counted))
    if not rule.estimates:
        return found | dict.fromkeys(("rms-minimax", "rms-v*", "rms-v_pi"))
    s = space()
    if entries.of_state is not None:
        states = np.flatnonzero((s.outcome == 0) & (s.ply > 0) & (s.ply % 2 != side))
        known = table.values(v)[0][entries.of_state[states]]
    else:
        edges = np.flatnonzero(s.ply[s.edge_state] % 2 == side)
        states, known = s.edge_successor[edges], table.preferences(v)[edges]
    minimax = np.array([draw, rewards[0], rewards[2]])[exact.minimax_values()]
    best = minimax
    if not other.spec.rule.learns:
        best = exact.optimal_response_values(behaviour(side.other), side, win, draw, loss)
    errors = {"rms-minimax": minimax, "rms-v*": best, "rms-v_pi": now}
    return found | {
        name: np.sqrt(((known - truth[states]) ** 2).mean()) for name, truth in errors.items()
    }
