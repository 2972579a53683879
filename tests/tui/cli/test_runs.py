"""`afterstate runs`, and `afterstate train --run NAME`."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from afterstate_lab.learners.files import store_file
from afterstate_lab.learners.players.resolve import parse_player
from afterstate_lab.learners.runs.store import Pending, Store
from afterstate_lab.learners.tape.run import Run, Seat, Seating


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data folder of one's own, which is not there yet."""
    monkeypatch.setenv("AFTERSTATE_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("AFTERSTATE_INTERPRETED", "1")
    return tmp_path / "data"


def test_training_goes_on_with_a_run(afterstate: Callable[..., Any]) -> None:
    afterstate("train", "--run", "a", "--games", "300", "--x", "q")
    told = json.loads(afterstate("train", "--run", "a", "--games", "200", "--json").out)
    assert (told["games"], told["run"], told["run_games"], told["x"]) == (200, "a", 500, "q")
    undisturbed = Run(parse_player("q"), parse_player("td"))
    undisturbed.train(500)
    with Store.open() as store:
        loaded = store.load("a")
    assert loaded.run.memory.tobytes() == undisturbed.memory.tobytes()
    games = [point.games for point in loaded.history]
    assert games[0] == 0 and games[-1] == 500 and games == sorted(set(games))


def test_a_run_in_the_middle_of_a_game_is_left_alone(afterstate: Callable[..., Any]) -> None:
    run = Run(parse_player("td"), parse_player("td"))
    run.seat(Seating(Seat.HUMAN, Seat.LEARNS))
    with Store.open() as store:
        stored = store.save(run, name="a", pending=Pending({1: 4}, "X"))
        told = afterstate("train", "--run", "a", "--games", "20")
        assert told.status == 2 and "in the middle of a game" in told.err
        store.save(run, into=stored, pending=Pending({}, "X"))
        assert afterstate("train", "--run", "a", "--games", "20").status == 0
        assert store.info("a").games == 20


def test_a_store_that_is_none_is_one_sentence(afterstate: Callable[..., Any], data: Path) -> None:
    data.mkdir()
    store_file().write_text("my diary\n" * 1000)
    for words in (("runs",), ("runs", "--json"), ("train", "--run", "a", "--games", "20")):
        told = afterstate(*words)
        assert (told.status, told.out) == (2, "")
        assert "is no store of runs: it is not a database" in told.err
        assert told.err.count("\n") == 1
