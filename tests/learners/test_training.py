"""Training: another thread pauses, resumes and stops it, and nothing depends on when."""

import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from itertools import count, pairwise

import made
import pytest

from afterstate_lab.learners.judge.evaluation import evaluate_memory
from afterstate_lab.learners.judge.figures import BEATABLE
from afterstate_lab.learners.training import FIRST_SLICE, SLICE_SECONDS, Goal, Training, next_look

PATIENCE = 30.0
"""Seconds after which a test that waits has failed."""
run_of = partial(made.run_of, seed=1)


def gate(run, monkeypatch):
    """Hold each slice up: semaphores of those that have arrived, and of those that may go on."""
    arrived, allowed, train = threading.Semaphore(0), threading.Semaphore(0), run.train

    def gated(games):
        arrived.release()
        assert allowed.acquire(timeout=PATIENCE)
        train(games)

    monkeypatch.setattr(run, "train", gated)
    return arrived, allowed


def test_training_in_slices_is_training_and_continues_where_the_run_is():
    run, straight = run_of(), run_of(games=3_000)
    training = Training(run, Goal(3_000))
    first = training.snapshot
    snapshot = training.work()
    assert first.state.memory.tobytes() == run_of().memory.tobytes()
    assert run.memory.tobytes() == snapshot.state.memory.tobytes() == straight.memory.tobytes()
    assert (snapshot.games, snapshot.done) == (3_000, 3_000)
    lefts = [replace(snapshot, done=1_000, seconds=seconds).seconds_left for seconds in (0.9, 4)]
    assert lefts == [None, 8.0], "the first second is that of a machine that warms up"
    won_x, won_o, drawn = straight.tally[1:4].tolist()
    assert snapshot.results == (won_x, drawn, won_o)
    assert sum(training.points[-1].results) == 256
    assert snapshot.evaluation == evaluate_memory(run.layout, run.memory)
    second = Training(run, Goal(700))
    assert (second.snapshot.games, second.snapshot.done) == (3_000, 0)
    snapshot = second.work()
    assert (snapshot.games, snapshot.done, sum(snapshot.results)) == (3_700, 700, 700)


def test_a_point_of_the_curve_has_the_verdicts_of_just_so_many_games():
    run = run_of()
    training = Training(run, Goal(1_234), is_judged=True)
    training.work()
    straight, judged = run_of(), [point for point in training.points if point.evaluation]
    assert len({point.games for point in judged}) == 9 + 9 + 9 + 1 + 1
    for point in judged:
        straight.train(point.games - straight.games)
        assert point.evaluation == evaluate_memory(straight.layout, straight.memory)


def test_a_paused_training_plays_nothing_until_it_goes_on(monkeypatch):
    run = run_of()
    (arrived, allowed), training = gate(run, monkeypatch), Training(run, Goal(4 * FIRST_SLICE))
    with ThreadPoolExecutor() as pool:
        work = pool.submit(training.work)
        assert arrived.acquire(timeout=PATIENCE)
        training.pause()
        assert training.is_paused
        allowed.release()
        made.until(lambda: training.snapshot.done == FIRST_SLICE)
        assert not arrived.acquire(timeout=0.05)
        paused = training.snapshot
        assert paused.done == FIRST_SLICE
        assert paused.evaluation == evaluate_memory(run.layout, run.memory)
        training.resume()
        allowed.release(99)
        snapshot = work.result(PATIENCE)
    assert (snapshot.done, training.is_paused) == (4 * FIRST_SLICE, False)
    assert run.memory.tobytes() == run_of(games=4 * FIRST_SLICE).memory.tobytes()


@pytest.mark.parametrize("pauses", [False, True])
def test_a_stopped_training_keeps_the_slice_being_played(monkeypatch, pauses):
    run = run_of()
    (arrived, allowed), training = gate(run, monkeypatch), Training(run, Goal(10**12))
    with ThreadPoolExecutor() as pool:
        work = pool.submit(training.work)
        assert arrived.acquire(timeout=PATIENCE)
        if pauses:
            training.pause()
            allowed.release()
        training.stop()
        allowed.release()
        snapshot = work.result(PATIENCE)
    assert (snapshot.done, run.games) == (FIRST_SLICE, FIRST_SLICE)
    assert run.memory.tobytes() == run_of(games=FIRST_SLICE).memory.tobytes()
    training.wait()


@pytest.mark.slow
def test_it_ends_once_neither_can_be_beaten():
    # At alpha = 1 and epsilon = 1 negamax decides rightly everywhere after 14,000-18,000 games.
    spec = "negamax:alpha=1,epsilon=1"
    run = run_of(spec, spec)
    training = Training(run, Goal(200_000, until_unbeatable=True), is_judged=True)
    training.work()
    assert run.games < 200_000
    assert not any(side[BEATABLE] for side in evaluate_memory(run.layout, run.memory))


@pytest.mark.parametrize(("tick", "begun"), [(1e-9, 0), (SLICE_SECONDS, 100)])
def test_when_that_is_depends_on_the_run_alone(monkeypatch, tick, begun):
    run = run_of("random", "random", begun)
    judged = "afterstate_lab.learners.training.evaluate_memory"
    monkeypatch.setattr(judged, lambda *_: ({BEATABLE: run.games < 600}, None))
    training = Training(run, Goal(9_000, until_unbeatable=True), clock=count(tick, tick).__next__)
    assert training.work().games == 640  # the first multiple of 64 from 600 on


def test_looks_are_rarer_as_games_get_more():
    looks = [0]
    while looks[-1] < 100_000:
        looks.append(next_look(looks[-1]))
    assert looks[:4] == [0, 64, 128, 192]
    assert all(b - a <= max(FIRST_SLICE, a / 16) for a, b in pairwise(looks))
    assert {next_look(games) for games in range(looks[-2], looks[-1])} == {looks[-1]}


def test_an_error_in_a_slice_ends_the_training_and_threads_take_turns_as_before(monkeypatch):
    before, run = sys.getswitchinterval(), run_of()

    def broken(games):
        raise MemoryError("no room")

    Training(run, Goal(100)).work()
    assert sys.getswitchinterval() == before
    monkeypatch.setattr(run, "train", broken)
    training = Training(run, Goal(100))
    with pytest.raises(MemoryError):
        training.work()
    assert sys.getswitchinterval() == before
    training.wait()
