"""One game, one result: compiled or interpreted, recorded or not, forwards or backwards.

For all rules whose entries are moves, on the same dice, bit for bit.
"""

import numpy as np
import pytest

from learners.engine.backups import BACKUP, TapeColumns
from learners.kernel.kernel import EVENTS_A_GAME, Kernel, empty_columns, new_tally
from learners.kernel.memory import Layout
from learners.players.resolve import parse_player

SPECS = [
    "q:gamma=0.9",
    "q:step=1/n,symmetry=on",
    "sarsa:epsilon=0.3..0,over=300",
    "sarsa:decay=0.5,every=400",
    "expected-sarsa:alpha=0.3,epsilon=0.4",
    "double-q:epsilon=0.2",
    "menace",
    "menace:empty=refill,loss=-3",
    "menace-article",
    "menace-code:over=400",
]
PAIRS = [
    ("q:step=1/n,symmetry=on", "random"),
    ("q:gamma=0.9,symmetry=on", "sarsa:epsilon=0.3..0,over=300"),
    ("double-q:step=1/n", "expected-sarsa:alpha=0.3,epsilon=0.4"),
    ("menace:empty=refill", "menace-article"),
    ("menace-code:over=1000", "menace-code:over=1000"),
]
"""Kernels to compile, in which every rule takes part."""


def layout_of(x: str, o: str) -> Layout:
    return Layout.of(parse_player(x), parse_player(o))


def bits(memory: np.ndarray, tally: np.ndarray, tape: TapeColumns | None = None) -> list[bytes]:
    """All that a run leaves behind."""
    columns = () if tape is None else tape.until(int(tape.at[0]))[:-1]
    return [memory.tobytes(), tally.tobytes(), *(column.tobytes() for column in columns)]


@pytest.mark.parametrize("spec", SPECS)
def test_a_tape_changes_nothing_and_leads_forwards_and_back(spec: str):
    layout = layout_of(spec, spec)
    start = layout.fresh()
    plain, recorded = start.copy(), start.copy()
    tallies = new_tally(), new_tally()
    tape = empty_columns(EVENTS_A_GAME * 200)
    Kernel(layout, seed=1).play_interpreted(plain, 0, 200, tallies[0])
    Kernel(layout, seed=1).play_interpreted(recorded, 0, 200, tallies[1], tape=tape)
    assert bits(plain, tallies[0]) == bits(recorded, tallies[1])

    rows = [row for row in range(int(tape.at[0])) if tape.meta[row] & 3 == BACKUP]
    values = slice(0, layout.values)
    counters = [layout.x.counter, layout.o.counter]
    replayed = start.copy()
    for row in rows:
        assert replayed[tape.entry[row]] == tape.old[row]
        replayed[tape.entry[row]] = tape.new[row]
    replayed[counters] = plain[counters]
    assert replayed[values].tobytes() == plain[values].tobytes()
    for row in reversed(rows):
        assert replayed[tape.entry[row]] == tape.new[row]
        replayed[tape.entry[row]] = tape.old[row]
    replayed[counters] = start[counters]
    assert replayed[values].tobytes() == start[values].tobytes()
    assert len(rows) > 200


@pytest.mark.parametrize("spec", SPECS)
def test_a_run_does_not_depend_on_how_it_is_sliced(spec: str):
    layout = layout_of(spec, spec)
    once, sliced = layout.fresh(), layout.fresh()
    tallies = new_tally(), new_tally()
    Kernel(layout, seed=2).play_interpreted(once, 0, 300, tallies[0])
    kernel = Kernel(layout, seed=2)
    for first, last in ((0, 1), (1, 100), (100, 107), (107, 300)):
        kernel.play_interpreted(sliced, first, last, tallies[1])
    assert bits(once, tallies[0]) == bits(sliced, tallies[1])


def assert_same_compiled(x: str, o: str, games: int, recording: bool) -> None:
    """Play by the compiler and by the interpreter and compare."""
    layout = layout_of(x, o)
    kernel = Kernel(layout, seed=3)
    assert kernel.compile(recording=recording)
    results = []
    for play in (kernel.play, kernel.play_interpreted):
        memory, tally = layout.fresh(), new_tally()
        tape = empty_columns(EVENTS_A_GAME * games) if recording else None
        assert play(memory, 0, games, tally, tape=tape) == games
        results.append(bits(memory, tally, tape))
    assert results[0] == results[1]


@pytest.mark.slow
@pytest.mark.parametrize(("x", "o"), PAIRS)
def test_compiled_games_are_the_interpreted_ones(x: str, o: str):
    assert_same_compiled(x, o, games=2000, recording=False)


@pytest.mark.slow
@pytest.mark.parametrize("recording", [False, True], ids=["training", "recording"])
@pytest.mark.parametrize("spec", SPECS)
def test_compiled_self_play_is_the_interpreted_one(spec: str, recording: bool):
    assert_same_compiled(spec, spec, games=2000, recording=recording)
