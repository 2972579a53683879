"""One engine: interpreted, compiled, recorded and sliced runs end with the same bits."""

from itertools import pairwise

import numpy as np
import pytest

from learners.kernel import compiler
from learners.kernel.kernel import EVENTS_A_GAME, Kernel, empty_columns, new_tally
from learners.kernel.memory import Layout
from learners.players.resolve import parse_player

GAMES = 20_000
SEEDS = (0, 1, 2)
ODD_SLICES = (0, 1, 8, 71, 1_000, 1_063, 1_064, 7_777, 19_999, GAMES)

needs_compiler = pytest.mark.skipif(not compiler.is_available(), reason="there is no numba")


def layout_of(x="td", o="td"):
    return Layout.of(parse_player(x), parse_player(o))


def train(layout, seed, cuts=(0, GAMES), *, compiled=False, recorded=False, run=None):
    """Memory as bytes, and the results, after games 0 .. cuts[-1] played in these slices."""
    kernel = Kernel(layout, seed)
    if compiled:
        assert kernel.compile(recording=recorded)
    v, tally = layout.fresh(), new_tally()
    tape = (
        empty_columns(EVENTS_A_GAME * max(b - a for a, b in pairwise(cuts))) if recorded else None
    )
    for first, last in pairwise(cuts):
        if tape is not None:
            tape.at[0] = 0
        assert kernel.play(v, first, last, tally, tape=tape) == last
    return v.tobytes(), tally.tolist()


@pytest.fixture(scope="module")
def interpreted():
    return {seed: train(layout_of(), seed) for seed in SEEDS}


@needs_compiler
@pytest.mark.parametrize("seed", SEEDS)
def test_compiled_run_has_the_bits_of_the_interpreted_one(seed, interpreted):
    assert train(layout_of(), seed, compiled=True) == interpreted[seed]


@needs_compiler
@pytest.mark.slow
@pytest.mark.parametrize("seed", SEEDS)
def test_recording_every_event_changes_no_bit(seed, interpreted):
    slices = tuple(range(0, GAMES + 1, 1_000))
    assert train(layout_of(), seed, slices, compiled=True, recorded=True) == interpreted[seed]


@needs_compiler
@pytest.mark.parametrize("seed", SEEDS)
def test_compiled_run_in_odd_slices_has_the_same_bits(seed, interpreted):
    assert train(layout_of(), seed, ODD_SLICES, compiled=True) == interpreted[seed]


@pytest.mark.parametrize(
    "seed", [0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in (1, 2))]
)
def test_interpreted_run_in_odd_slices_has_the_same_bits(seed, interpreted):
    assert train(layout_of(), seed, ODD_SLICES) == interpreted[seed]


def test_interpreted_recording_changes_no_bit():
    layout = layout_of()
    assert train(layout, 5, (0, 40, 500), recorded=True) == train(layout, 5, (0, 500))


@needs_compiler
@pytest.mark.slow
def test_tape_of_the_compiled_run_is_that_of_the_interpreted_one():
    layout = layout_of()
    tapes = []
    for compiled in (False, True):
        kernel, tape = Kernel(layout, 3), empty_columns(EVENTS_A_GAME * 300)
        if compiled:
            assert kernel.compile(recording=True)
        kernel.play(layout.fresh(), 0, 300, new_tally(), tape=tape)
        tapes.append(tape)
    for one, other in zip(*tapes, strict=True):
        assert np.array_equal(one, other)


@needs_compiler
@pytest.mark.slow
def test_every_schedule_gives_the_same_bits_compiled():
    fast = "td:decay=0.8,every=50,epsilon=0.5..0.1,over=200"
    layout = layout_of(fast, "td:step=1/n")
    assert train(layout, 4, (0, 2_000), compiled=True) == train(layout, 4, (0, 2_000))


def test_different_seeds_play_different_games(interpreted):
    assert len({memory for memory, _ in interpreted.values()}) == len(SEEDS)


def test_every_game_is_counted_once(interpreted):
    for _, tally in interpreted.values():
        assert sum(tally[:4]) == GAMES


def test_self_play_learns_to_draw_more(interpreted):
    _, early = train(layout_of(), 0, (0, 1_000))
    _, tally = interpreted[0]
    assert early[3] / 1_000 < tally[3] / GAMES
