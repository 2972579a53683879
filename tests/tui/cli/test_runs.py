"""`afterstate runs`, and `afterstate train --run NAME`."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from learners.files import store_file
from learners.players.resolve import parse_player
from learners.runs.listing import Pending
from learners.runs.store import Store
from learners.tape.run import Run, Seat, Seating


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data folder of one's own, which is not there yet."""
    monkeypatch.setenv("AFTERSTATE_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("AFTERSTATE_INTERPRETED", "1")
    return tmp_path / "data"


def test_an_empty_store_is_told_and_not_made(afterstate: Callable[..., Any], data: Path) -> None:
    told = afterstate("runs")
    assert (told.status, told.err) == (0, "")
    assert told.out.startswith("no runs are saved yet")
    assert json.loads(afterstate("runs", "--json").out) == []
    assert not data.exists()


def test_a_table_of_runs(afterstate: Callable[..., Any]) -> None:
    afterstate("train", "--run", "first", "--games", "1500", "--x", "q:alpha=0.2", "--o", "random")
    afterstate("train", "--run", "二番目", "--games", "20")
    with Store.open() as store:
        store.set_note("first", "the good one")
    header, second, first = afterstate("runs").out.splitlines()
    assert header.split() == ["NAME", "X", "O", "GAMES", "UPDATED", "NOTE"]
    assert first.startswith("first   q:alpha=0.2  random  1,500  20")
    assert first.endswith("  the good one")
    assert second.startswith("二番目  td           td         20  20")


def test_runs_as_json(afterstate: Callable[..., Any]) -> None:
    afterstate("train", "--run", "a", "--games", "50", "--o", "random", "--seed", "3")
    (run,) = json.loads(afterstate("runs", "--json").out)
    assert {"name": "a", "x": "td", "o": "random", "seed": 3, "games": 50}.items() <= run.items()
    assert sum(run["results"].values()) == 50
    assert {"created", "updated", "note", "sha256", "in_game"} <= run.keys()


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


def test_the_same_players_may_be_given_again_in_other_words(
    afterstate: Callable[..., Any],
) -> None:
    afterstate("train", "--run", "a", "--games", "20", "--x", "td:alpha=0.1", "--seed", "4")
    told = afterstate("train", "--run", "a", "--games", "20", "--x", "td", "--seed", "4")
    assert told.status == 0
    assert "the run 'a' has 40 games now" in told.out


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--x", "q"), "the run 'a' has --x td, not q: leave --x out, or name another run"),
        (("--seed", "5"), "the run 'a' has --seed 0, not 5: leave --seed out"),
        (("--recipe", "menace"), "the run 'a' has --x td, not menace"),
    ],
)
def test_other_players_are_refused(
    afterstate: Callable[..., Any], words: tuple[str, ...], sentence: str
) -> None:
    afterstate("train", "--run", "a", "--games", "20")
    told = afterstate("train", "--run", "a", "--games", "20", *words)
    assert (told.status, told.out) == (2, "")
    assert sentence in told.err and told.err.count("\n") == 1
    with Store.open() as store:
        assert store.info("a").games == 20


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


@pytest.mark.parametrize("name", ["", "a\x1bb", "n" * 61])
def test_a_bad_name_is_one_sentence(afterstate: Callable[..., Any], name: str) -> None:
    told = afterstate("train", "--run", name, "--games", "20")
    assert told.status == 2
    assert told.err.count("\n") == 1 and "\x1b" not in told.err


def test_a_store_that_is_none_is_one_sentence(afterstate: Callable[..., Any], data: Path) -> None:
    data.mkdir()
    store_file().write_text("my diary\n" * 1000)
    for words in (("runs",), ("runs", "--json"), ("train", "--run", "a", "--games", "20")):
        told = afterstate(*words)
        assert (told.status, told.out) == (2, "")
        assert "is no store of runs: it is not a database" in told.err
        assert told.err.count("\n") == 1
