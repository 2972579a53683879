"""Processes and threads on one store lose nothing; a kill leaves the last announced save.

    python test_together.py STORE NAME      plays and saves a run of the store until it is killed

It says what it has saved. Its games are a function of their number alone.
"""

import random
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from afterstate_lab.learners.players.resolve import parse_player
from afterstate_lab.learners.runs.replay import verify
from afterstate_lab.learners.runs.store import Store
from afterstate_lab.learners.tape.run import Run
from afterstate_lab.learners.tape.seating import Seat, Seating

TRAINED = 40
"""Games of training between two games of a person."""


def new_run():
    return Run(parse_player("td:epsilon=0.3"), parse_player("q"), 11)


def played(run, script):
    """Train and play in turn; yield the moves so far of O, which takes the first free cell."""
    while True:
        if not run.seating.has_human:
            run.train(TRAINED)
            run.seat(Seating(Seat.LEARNS, Seat.HUMAN))
            yield {}
        while not (recording := run.play(script)).is_over:
            script[2 * len(script) + 2] = recording.board.legal_cells[0]
            yield script
        script = {}
        run.seat(Seating())
        yield script


def work(store, name):
    if store.has(name):
        loaded = store.load(name)
        run, stored, begun = loaded.run, loaded.stored, dict(loaded.script)
    else:
        run, begun = new_run(), {}
        stored = store.save(run, name=name)
    for script in played(run, begun):
        stored = store.save(run, into=stored, script=script or None)
        print(stored.generation, run.games, len(script), run.sha256, flush=True)


def working(*words):
    return subprocess.Popen(
        [sys.executable, __file__, *map(str, words)], stdout=subprocess.PIPE, text=True
    )


@pytest.mark.slow
def test_two_processes_with_a_run_each_both_keep_theirs(path):
    processes = [working(path, name) for name in ("one", "two")]
    for process in processes:
        for _ in range(12):
            process.stdout.readline()
        process.kill()
        process.communicate()
    store = Store.open(path)
    assert {info.name for info in store.list()} == {"one", "two"}
    for name in ("one", "two"):
        loaded = store.load(name)
        assert loaded.stored.generation > 12
        assert verify(loaded).is_same


def test_two_labs_that_go_on_with_one_run_keep_both(path, begin, assert_same):
    mine, yours = Store.open(path), Store.open(path)
    mine.save(begin(games=10), name="a", note="ours")
    my_run, your_run = mine.load("a"), yours.load("a")
    my_run.run.train(5)
    your_run.run.train(50)
    saved = mine.save(my_run.run, into=my_run.stored)
    kept = yours.save(your_run.run, into=your_run.stored)
    assert (saved.name, saved.is_copy) == ("a", False)
    assert (kept.name, kept.is_copy) == ("a (2)", True)
    assert mine.load("a (2)").note == "ours"
    your_run.run.train(50)
    again = yours.save(your_run.run, into=kept)
    assert (again.name, again.is_copy) == ("a (2)", False)
    assert_same(mine.load("a").run, my_run.run)
    assert_same(mine.load("a (2)").run, your_run.run)


def test_many_threads_may_save_list_and_load_at_once(path, begin):
    store, run, states = Store.open(path), begin(), []
    for _ in range(8):
        run.train(10)
        states.append(run.state())

    def save(worker):
        stored = None
        for state in states:
            stored = store.save(state, into=stored, name=f"run {worker}")
            store.list()
        assert stored is not None
        assert store.load(stored.id).run.games == 80

    with ThreadPoolExecutor(6) as pool:
        list(pool.map(save, range(6)))
    assert [info.games for info in store.list()] == [80] * 6


def killed_after(process, saves, delay):
    """Let a process work, and kill it at some moment after so many saves; what it announced."""
    with process:
        lines = [process.stdout.readline() for _ in range(saves)]
        end = threading.Timer(delay, process.kill)
        end.start()
        lines += process.stdout.readlines()
        end.join()
    assert lines[0], "it stopped by itself"
    return [line for line in lines if line.endswith("\n")]


def check(path, last):
    """The store opens, and holds what was announced last, or what was saved right after it."""
    generation, games, moves, sha256 = last.split()
    loaded = Store.open(path).load("run")
    found = loaded.stored.generation
    assert found in (int(generation), int(generation) + 1)
    if found == int(generation):
        assert (loaded.run.games, loaded.run.sha256) == (int(games), sha256)
        assert len(loaded.script) == int(moves)


@pytest.mark.slow
def test_killed_again_and_again_it_comes_to_the_bits_of_an_undisturbed_run(path):
    dice = random.Random(2)
    for _ in range(20):
        process = working(path, "run")
        check(path, killed_after(process, dice.randrange(1, 4), dice.uniform(0.0, 0.12))[-1])
    loaded = Store.open(path).load("run")
    assert verify(loaded).is_same
    undisturbed = new_run()
    steps = played(undisturbed, {})
    while undisturbed.games < loaded.run.games:
        next(steps)
    assert undisturbed.state().sha256 == loaded.run.sha256


if __name__ == "__main__":
    work(Store.open(Path(sys.argv[1])), sys.argv[2])
