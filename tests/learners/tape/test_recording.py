"""Recordings and cursors: forwards and backwards over the events, every bit comes back."""

from dataclasses import replace
from functools import lru_cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from afterstate_lab.learners.players.resolve import parse_player
from afterstate_lab.learners.rules.spec import rules
from afterstate_lab.learners.tape.events import Backup
from afterstate_lab.learners.tape.recording import Cursor
from afterstate_lab.learners.tape.run import Run, Seat, Seating

NAMES = [rule.name for rule in rules().values() if rule.learns]
SPECS = [*NAMES, "td:decay=.7,every=10", "q:symmetry=on,step=1/n", "menace:empty=refill"]
WARM_UP = 50
GAMES = 12


def recorded(spec, games=GAMES):
    """A run of two such players, and its games after the first few."""
    run = Run(parse_player(spec), parse_player(spec), seed=11)
    run.train(WARM_UP + games)
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
