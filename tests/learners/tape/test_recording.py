"""Recordings and timelines: forwards and backwards over the events, every bit comes back."""

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made import LEARNERS, run_of

from afterstate_lab.learners.players.resolve import parse_player
from afterstate_lab.learners.tape.events import Backup
from afterstate_lab.learners.tape.recording import Cursor, TapePosition
from afterstate_lab.learners.tape.run import Run, Seat, Seating
from afterstate_lab.learners.tape.timeline import GAMES_BEFORE, Timeline

SPECS = [*LEARNERS, "td:decay=.7,every=10", "q:symmetry=on,step=1/n", "menace:empty=refill"]
WARM_UP = 50
GAMES = 12


def recorded(spec, games=GAMES):
    """A run of two such players, and its games after the first few."""
    run = run_of(spec, games=WARM_UP + games, seed=11)
    return run, run.record(WARM_UP, WARM_UP + games)


def pictures(recording):
    """Memory at every place, by the plain reading of one event after the other."""
    v = recording.before.copy()
    told = [v.tobytes()]
    for row, event in enumerate(recording.events()):
        if isinstance(event, Backup):
            assert v[event.entry] == event.old
            v[event.entry] = event.new
            v[event.entry + len(v) // 2] += 1.0
        for table, counted in zip(
            (recording.layout.x, recording.layout.o), recording.counted, strict=True
        ):
            v[table.counter] += counted[row]
        told.append(v.tobytes())
    return told


@lru_cache(maxsize=1)
def walked(spec):
    """A run, its games and its pictures, for all the walks in them."""
    run, recording = recorded(spec)
    return run, recording, pictures(recording)


@pytest.mark.parametrize("spec", SPECS)
@settings(max_examples=12)
@given(data=st.data())
def test_a_random_walk_restores_every_bit(spec, data):
    run, recording, at_place = walked(spec)
    assert at_place[-1] == run.memory.tobytes()
    place = st.integers(0, recording.size)
    cursor = Cursor(recording, data.draw(place))
    for at in data.draw(st.lists(place, min_size=1, max_size=8)):
        cursor.seek(at)
        assert cursor.at == at
        assert cursor.v.tobytes() == at_place[at]


def test_stepping_back_stores_the_old_value_and_never_subtracts():
    # A tape that lies about an old value shows that this is what is written.
    _, recording = recorded("td")
    columns = recording.columns
    lie = replace(recording, columns=columns._replace(numbers=np.full(5 * recording.size, 0.123)))
    row = int(np.flatnonzero(recording.kinds == 1)[0])
    cursor = Cursor(lie, row + 1)
    cursor.seek(row)
    assert cursor.v[recording.event(row).entry] == 0.123  # type: ignore[attr-defined]


@pytest.mark.parametrize("at", [-1, 10**9])
def test_a_place_that_is_not_there_is_refused(at):
    _, recording = recorded("td")
    cursor = Cursor(recording, 5)
    with pytest.raises(IndexError, match=f"is not a moment from 0 to {recording.size}"):
        cursor.seek(at)
    assert cursor.at == 5


def test_greedy_moves_are_counted_only_while_a_decaying_learner_learns():
    spec = parse_player("td:decay=.5,every=3")
    run = Run(spec, parse_player("td"), seed=2)
    run.train(10)
    run.seat(Seating(Seat.FROZEN, Seat.LEARNS))
    run.train(10)
    run.seat(Seating())
    run.train(10)
    recording = run.record(0, 30)
    x, o = recording.counted
    assert run.memory[run.layout.x.counter] == x.sum() > 0
    assert not o.any()
    assert not (x & (recording.games >= 10) & (recording.games < 20)).any()
    assert Cursor(recording, recording.size).v.tobytes() == run.memory.tobytes()


def timeline_at(game):
    run = run_of(games=60, seed=5)
    timeline = Timeline(run)
    timeline.go_to(game)
    return timeline


def where(timeline):
    assert timeline.event is not None
    return timeline.place, timeline.phase, timeline.v.tobytes()


@pytest.mark.parametrize("step", ["step", "step_phase"])
def test_steps_back_over_the_windows_edge_are_those_forth(step):
    # A window begins GAMES_BEFORE games earlier: so many games back lie beyond its edge.
    timeline = timeline_at(50)
    forth: Callable[[], bool] = getattr(timeline, step)
    back: Callable[[], bool] = getattr(timeline, f"{step}_back")
    places = [where(timeline)]
    while timeline.game >= 50 - GAMES_BEFORE - 2:
        assert back()
        places.append(where(timeline))
    for place in reversed(places[:-1]):
        assert forth()
        assert where(timeline) == place


def test_an_event_back_from_a_phase_at_the_windows_edge_is_the_last_of_the_game_before():
    timeline = timeline_at(50)
    first = 50 - GAMES_BEFORE
    timeline.go_to(first)
    timeline.step_phase_back()
    assert timeline.place == TapePosition(first, 0)
    assert timeline.step_back()
    assert timeline.game == first - 1
    assert timeline.row == timeline.rows.stop - 1
