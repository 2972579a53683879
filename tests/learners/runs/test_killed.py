"""kill -9 at any moment leaves the last announced save, whole."""

import os
import random
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from afterstate_lab.learners.runs.replay import verify
from afterstate_lab.learners.runs.store import Store

LABOUR = Path(__file__).with_name("labour.py")
ENVIRONMENT = os.environ | {"AFTERSTATE_INTERPRETED": "1"}


def killed_after(path, name, saves, delay):
    """Let a process work, and kill it at some moment after so many saves; what it announced."""
    command = [sys.executable, str(LABOUR), "work", str(path), name]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=ENVIRONMENT) as process:
        assert process.stdout is not None
        lines = [process.stdout.readline() for _ in range(saves)]
        end = threading.Timer(delay, process.kill)
        end.start()
        lines += process.stdout.readlines()
        end.join()
    assert lines[0], "it stopped by itself"
    return [line for line in lines if line.endswith("\n")]


def check(path, name, last):
    """The store opens, and holds what was announced last, or what was saved right after it."""
    generation, games, moves, sha256 = last.split()
    loaded = Store.open(path).load(name)
    found = loaded.stored.generation
    assert found in (int(generation), int(generation) + 1)
    if found == int(generation):
        assert loaded.run.games == int(games)
        assert loaded.run.sha256 == sha256
        assert len(loaded.pending.script if loaded.pending else ()) == int(moves)
    return found


@pytest.mark.slow
def test_killed_again_and_again_it_comes_to_the_bits_of_an_undisturbed_run(path):
    dice = random.Random(2)
    for _ in range(20):
        lines = killed_after(path, "run", dice.randrange(1, 4), dice.uniform(0.0, 0.12))
        check(path, "run", lines[-1])
    loaded = Store.open(path).load("run")
    assert verify(loaded).is_same
    told = subprocess.run(
        [sys.executable, str(LABOUR), "undisturbed", str(loaded.run.games)],
        capture_output=True, text=True, check=True, env=ENVIRONMENT,
    )  # fmt: skip
    assert told.stdout.strip() == loaded.run.sha256
