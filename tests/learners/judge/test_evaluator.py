"""The evaluator against `game.exact`, both ways it runs.

`tests/game` checks that by plain recursions, and `tests/tui/truth` has a referee of plain Python.
"""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from made import LEARNERS, layout_of, needs_compiler

from afterstate_lab.game import Side, exact, space
from afterstate_lab.game.constants import EDGES, GOES_ON, O_WON, POSITIONS, X_WON
from afterstate_lab.learners.engine.choices import exploration_rate
from afterstate_lab.learners.judge import evaluator as ev
from afterstate_lab.learners.judge.evaluated_state import EvaluatedState
from afterstate_lab.learners.judge.figures import BEATABLE, FIGURES
from afterstate_lab.learners.kernel import compiler
from afterstate_lab.learners.kernel.hooks import parameters

OPPONENTS = ("", "random", "perfect:epsilon=.3", "drifting:over=20", "winblock", "menace")


@pytest.fixture
def machine_code(monkeypatch):
    """Let the evaluator run compiled, from the cache: a child compiles, this process loads."""
    monkeypatch.setattr(compiler, "compiled_here", None)
    ev.load(ev.EVALUATOR)
    yield
    ev._code.clear()


def tables(layout, n, rng):
    """What two players may know: random numbers, few of them where `n` ties, some never visited."""
    v = layout.fresh()
    steps = (1, 2, 5, 1_000_000)[n % 4]
    for table in (layout.x, layout.o):
        if table.spec.rule.learns:
            kept = table.values(v) if table.spec.rule.estimates else np.zeros(1)
            drawn = rng.integers(0, steps + 1, table.values(v).shape) / steps
            table.values(v)[:] = drawn if n % 3 else np.where(drawn > 0.5, drawn, kept)
            table.visits(v)[:] = rng.integers(0, 3, table.visits(v).shape)
    return v


def of_policy(policy, side):
    """The figures of a side's policy, by name."""
    states = space()
    may_play, may_resign = policy > 0.0, exact.resignation(policy) > 0.0
    decisions = (states.outcome == GOES_ON) & (states.ply % 2 == side)
    # To resign is optimal only in a lost position.
    errs = may_resign & (exact.minimax_values() != (1 if side else -1))
    errs[states.edge_state[may_play & ~exact.optimal_edges()]] = True
    winning = np.isin(states.outcome[states.edge_successor], (X_WON, O_WON))
    can_win, misses = np.zeros(POSITIONS, dtype=bool), may_resign.copy()
    can_win[states.edge_state[winning]] = True
    misses[states.edge_state[may_play & ~winning]] = True
    worst = exact.worst_loss(policy, side)
    found = {
        "beatable": worst > 0.0,
        "worst-loss": worst,
        "optimal": (int(np.count_nonzero(decisions & ~errs)), int(np.count_nonzero(decisions))),
        "missed-wins": int(np.count_nonzero(misses & can_win & decisions)),
    }
    for prefix, other in (("", exact.uniform_policy()), ("perfect-", exact.perfect_policy())):
        ends = exact.evaluate(*both(policy, other, side))[0].tolist()
        names = (f"{prefix}{name}" for name in ("win", "draw", "loss"))
        found |= dict(zip(names, ends[:: -1 if side else 1], strict=True))
    return found


def both(own, other, side):
    """The policies of X and O."""
    return (other, own) if side else (own, other)


def of_memory(layout, v, side, game):
    """The figures of a side of two players who know this, by name; None for errors of beads."""
    chosen = [parameters(t, layout, frozen=not t.spec.learns) for t in (layout.x, layout.o)]

    def greedy(one):
        table = layout.table(one)
        learns = table.spec.rule.learns
        return exact.greedy_policy(table.preferences(v)) if learns else behaviour(one)

    def behaviour(one):
        table, rate = layout.table(one), float(exploration_rate(chosen[one], game))
        rule = table.spec.rule
        if (table.spec.learns or not rule.learns) and (
            drawn := rule.as_played(table.values(v), table.entries)
        ) is not None:
            return drawn
        return exact.epsilon_greedy_policy(table.preferences(v), rate)

    table, other = layout.table(side), layout.table(side.other)
    rule, entries, s = table.spec.rule, table.entries, space()
    win, draw, loss = rule.rewards(table.spec.settings)
    rewards = np.array([loss, draw, win] if side else [win, draw, loss])

    def values(policy):
        return exact.evaluate(*both(policy, behaviour(side.other), side)) @ rewards

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
    if entries.of_state is not None:
        states = np.flatnonzero((s.outcome == GOES_ON) & (s.ply > 0) & (s.ply % 2 != side))
        known = table.values(v)[0][entries.of_state[states]]
    else:
        edges = np.flatnonzero(s.ply[s.edge_state] % 2 == side)
        states, known = s.edge_successor[edges], table.preferences(v)[edges]
    best = minimax = np.array([draw, rewards[0], rewards[2]])[exact.minimax_values()]
    if not other.spec.rule.learns:
        best = exact.optimal_response_values(behaviour(side.other), side, win, draw, loss)
    errors = {"rms-minimax": minimax, "rms-v*": best, "rms-v_pi": now}
    return found | {
        name: np.sqrt(((known - truth[states]) ** 2).mean()) for name, truth in errors.items()
    }


def compare(state):
    """Assert that all figures of both sides are the referee's."""
    for side in Side:
        wanted = of_memory(state.layout, state.memory, side, state.game)
        for figure in FIGURES:
            if figure.name in wanted:
                found = figure.measure(state, side)
                same = found == wanted[figure.name]
                assert same or found == pytest.approx(wanted[figure.name], abs=1e-12), figure.name
                assert same or type(found) is float


def check_players(x, count):
    rng = np.random.default_rng(count)
    for n in range(count):
        layout = layout_of(x, OPPONENTS[n % len(OPPONENTS)])
        compare(EvaluatedState(layout, tables(layout, n, rng), game=3 * n))


@pytest.mark.parametrize("x", LEARNERS)
def test_the_figures_of_any_table_are_the_referees(x):
    check_players(x, 2)


@pytest.mark.slow
@needs_compiler
@pytest.mark.usefixtures("machine_code")
@pytest.mark.parametrize("x", LEARNERS)
def test_the_figures_of_any_table_are_the_referees_compiled(x):
    """`check_players(x, 770)` of every learner compares 10,000 tables, in four minutes."""
    check_players(x, 80)


def columns(layout, v):
    """All of a table, each learner's."""
    state = EvaluatedState(layout, v, 7)
    learners = [side for side in Side if layout.table(side).spec.rule.learns]
    state.ask(ev.ALL, ev.ALL)
    return [state.column(column, side) for side in learners for column in range(ev.COLUMNS)]


@needs_compiler
def test_compiled_and_interpreted_have_the_same_bits(machine_code):
    rng = np.random.default_rng(5)
    for x, o in (("td", "double-q"), ("q:symmetry=on", "random"), ("menace", "negamax")):
        layout = layout_of(x, o)
        for n in range(5):
            v = tables(layout, n, rng)
            compiled = columns(layout, v)
            code, ev._code[:] = ev._code[:], [None]
            assert columns(layout, v) == compiled
            ev._code[:] = code


@needs_compiler
def test_two_threads_evaluate_at_once(machine_code):
    layout, rng = layout_of("td"), np.random.default_rng(6)
    memories = [tables(layout, n, rng) for n in range(8)]
    alone = [columns(layout, v) for v in memories]
    with ThreadPoolExecutor(4) as pool:
        assert [*pool.map(lambda v: columns(layout, v), 20 * memories)] == 20 * alone


@pytest.mark.parametrize("side", Side)
def test_who_can_be_beaten_is_what_the_referee_finds(side):
    """Some near perfect play, so that both verdicts come, with many ties."""
    layout, rng = layout_of("q"), np.random.default_rng(3)
    table, memories = layout.table(side), []
    for kept in np.linspace(0.9, 1.0, 9):
        v = layout.fresh()
        ranks = np.where(rng.random(EDGES) < kept, ev.optimal_edges(), 0.5)[ev.own_edges(side)]
        table.values(v)[0] = ranks
        memories.append(v)
    found = [BEATABLE.measure(EvaluatedState(layout, v), side) for v in memories]
    ranks = [table.preferences(v) for v in memories]
    losses = [exact.worst_loss(exact.greedy_policy(one), side) for one in ranks]
    assert found == [loss > 0.0 for loss in losses]
    assert 0 < sum(found) < 9


@pytest.mark.parametrize("side", Side)
def test_a_policy_that_draws_and_resigns_is_judged_as_the_referee_does(side):
    rng = np.random.default_rng(4)
    for n in range(6):
        policy = exact.greedy_policy(rng.integers(0, 3, EDGES).astype(float))
        policy = policy * rng.integers(0, 2, EDGES) if n % 2 else policy * rng.random(EDGES)
        wanted, play = of_policy(policy, side), EvaluatedState.of_play(policy, side)
        for figure in FIGURES:
            if figure.is_of_play:
                found = figure.measure(play, side)
                assert found == pytest.approx(wanted[figure.name], abs=1e-12)
