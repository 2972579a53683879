"""The evaluator against the referee, both ways it runs."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
import walked
from made import LEARNERS, layout_of, needs_compiler

from afterstate_lab.game import Side, exact
from afterstate_lab.game.constants import EDGES
from afterstate_lab.learners.judge import evaluator as ev
from afterstate_lab.learners.judge.evaluated_state import EvaluatedState
from afterstate_lab.learners.judge.figures import FIGURES, asked_by
from afterstate_lab.learners.kernel import compiler

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
        if table.rule.learns:
            kept = table.values(v) if table.rule.estimates else np.zeros(1)
            drawn = rng.integers(0, steps + 1, table.values(v).shape) / steps
            table.values(v)[:] = drawn if n % 3 else np.where(drawn > 0.5, drawn, kept)
            table.visits(v)[:] = rng.integers(0, 3, table.visits(v).shape)
    return v


def compare(state):
    """Assert that all figures of both sides are the referee's."""
    for side in Side:
        wanted = walked.of_memory(state.layout, state.memory, side, state.game)
        for figure in FIGURES:
            if figure.name in wanted:
                found = figure.measure(state, side)
                same = found == wanted[figure.name]
                assert same or found == pytest.approx(wanted[figure.name], abs=1e-12), figure.name
                assert same or type(found) is float


@pytest.mark.parametrize("x", LEARNERS)
def test_the_figures_of_any_table_are_the_referees(x, count=2):
    rng = np.random.default_rng(count)
    for n in range(count):
        layout = layout_of(x, OPPONENTS[n % len(OPPONENTS)])
        compare(EvaluatedState(layout, tables(layout, n, rng), game=3 * n))


@pytest.mark.slow
@needs_compiler
@pytest.mark.usefixtures("machine_code")
@pytest.mark.parametrize("x", LEARNERS)
def test_the_figures_of_any_table_are_the_referees_compiled(x):
    """A count of 770 compares 10,000 tables of all learners, in four minutes."""
    test_the_figures_of_any_table_are_the_referees(x, 80)


def columns(layout, v):
    """All of a table, each learner's."""
    state = EvaluatedState(layout, v, 7)
    learners = [side for side in Side if layout.table(side).rule.learns]
    state.ask(*2 * [(1 << ev.COLUMNS) - 1])
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
def test_a_policy_that_draws_and_resigns_or_is_near_perfect_is_judged_as_the_referee_does(side):
    """Both verdicts come, and many ties."""
    rng, beatable = np.random.default_rng(4), set()
    for n in range(15):
        if n < 6:
            policy = exact.greedy_policy(rng.integers(0, 3, EDGES).astype(float))
            policy = policy * rng.integers(0, 2, EDGES) if n % 2 else policy * rng.random(EDGES)
        else:
            is_kept = rng.random(EDGES) < 0.9 + (n - 6) / 80
            policy = exact.greedy_policy(np.where(is_kept, ev.optimal_edges(), 0.5))
        wanted, play = walked.of_policy(policy, side), EvaluatedState.of_play(policy, side)
        beatable.add(wanted["beatable"])
        for figure in FIGURES:
            if asked_by([figure]) & ev.OF_PLAY:
                found = figure.measure(play, side)
                assert found == pytest.approx(wanted[figure.name], abs=1e-12)
    assert beatable == {True, False}
