"""kill -9 at any moment leaves the last announced save, whole."""

import random
import threading

import pytest

from afterstate_lab.learners.runs.replay import verify
from afterstate_lab.learners.runs.store import Store


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
        assert loaded.run.games == int(games)
        assert loaded.run.sha256 == sha256
        assert len(loaded.pending.script if loaded.pending else ()) == int(moves)


@pytest.mark.slow
def test_killed_again_and_again_it_comes_to_the_bits_of_an_undisturbed_run(path, labour):
    dice = random.Random(2)
    for _ in range(20):
        process = labour("work", path, "run")
        check(path, killed_after(process, dice.randrange(1, 4), dice.uniform(0.0, 0.12))[-1])
    loaded = Store.open(path).load("run")
    assert verify(loaded).is_same
    told, _ = labour("undisturbed", loaded.run.games).communicate()
    assert told.strip() == loaded.run.sha256
