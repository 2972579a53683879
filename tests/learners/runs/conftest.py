"""A store, and runs to put into it."""

import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from afterstate_lab.game import IllegalMoveError
from afterstate_lab.learners.players.resolve import parse_player
from afterstate_lab.learners.runs.store import Store
from afterstate_lab.learners.tape.run import Run, Seat, Seating


@pytest.fixture(autouse=True)
def interpreted(monkeypatch):
    monkeypatch.setenv("AFTERSTATE_INTERPRETED", "1")


@pytest.fixture
def path(tmp_path):
    return tmp_path / "data" / "runs.sqlite"


@pytest.fixture
def store(path):
    return Store.open(path, patience=0.2)


@pytest.fixture
def labour():
    """Starts `labour.py` with these words."""

    def labour(*words):
        command = [sys.executable, str(Path(__file__).with_name("labour.py")), *map(str, words)]
        return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)

    return labour


@pytest.fixture
def edit(path):
    """Changes the file of the store as another program would; what the last statement found."""

    def edit(*statements, **values):
        with closing(sqlite3.connect(path)) as connection, connection:
            return [connection.execute(one, values).fetchall() for one in statements][-1]

    return edit


@pytest.fixture
def begin():
    def begin(x="td", o="td", seed=7):
        return Run(parse_player(x), parse_player(o), seed)

    return begin


@pytest.fixture
def play_as_x():
    """Plays a person's game as X, always on the first free cell, and stands up; its moves."""

    def play_as_x(run):
        run.seat(Seating(Seat.HUMAN, Seat.LEARNS))
        script: dict[int, int] = {}
        while not run.play(script).is_over:
            for cell in range(9):
                try:
                    run.fork(run.games).play(longer := script | {2 * len(script) + 1: cell})
                except IllegalMoveError:
                    continue
                script = longer
                break
        run.seat(Seating())
        return script

    return play_as_x


@pytest.fixture
def assert_same():
    def told(run):
        frames = [(k.game, k.sha256, k.tally.tolist()) for k in run.keyframes]
        settings = run.x, run.o, run.seed, run.games, run.seating_changes, dict(run.scripts)
        return settings, run.memory.tobytes(), run.tally.tolist(), frames

    def assert_same(a, b):
        assert told(a) == told(b)

    return assert_same
