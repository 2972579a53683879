"""The lab for scripts and notebooks."""

from __future__ import annotations

import doctest
import json
from pathlib import Path

import pytest

from learners import Board, judge_agent, open_policy, open_run, train
from learners.errors import StoreError, UsageError

PAGE = Path(__file__).parents[2] / "docs" / "library.md"


@pytest.fixture(scope="module")
def run():
    return train("td", "random", games=300, seed=3)


def test_every_example_of_the_page_holds(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    failed, tried = doctest.testfile(str(PAGE), module_relative=False)
    assert tried > 10
    assert failed == 0


def test_it_is_what_the_commands_say(run, tmp_path, capsys, monkeypatch):
    from tui.command import main

    run.save(tmp_path / "p.npz")
    monkeypatch.setattr("sys.argv", ["afterstate", "evaluate", str(tmp_path / "p.npz"), "--json"])
    main()
    assert json.loads(capsys.readouterr().out) == json.loads(json.dumps(run.evaluate()))
    assert open_policy(tmp_path / "p.npz").evaluate() == run.evaluate()


def test_an_agent_is_judged_as_by_the_command(capsys, monkeypatch):
    from tui.command import main

    monkeypatch.setattr("sys.argv", ["afterstate", "judge", "random", "--as", "O", "--json"])
    with pytest.raises(SystemExit):
        main()
    told = json.loads(capsys.readouterr().out)["O"]
    assert json.loads(json.dumps(judge_agent("random", "O"))) == told
    with pytest.raises(UsageError, match="a person cannot be judged"):
        judge_agent("human")


def test_the_past_is_what_a_shorter_training_knows(run):
    assert run.at(120).memory.tobytes() == train("td", "random", 120, 3).memory.tobytes()
    assert run.at(300).memory.tobytes() == run.memory.tobytes()
    with pytest.raises(IndexError):
        run.at(301)


def test_best_are_the_cells_of_the_largest_value(run):
    values = run.values(Board())
    assert set(values) == set(range(1, 10))
    assert run.best(".........") == [c for c in values if values[c] == max(values.values())]
    with pytest.raises(UsageError, match="O does not learn"):
        run.values("X........")


def test_a_notebook_shows_boards_curves_and_tables(run):
    assert run.board()._repr_svg_().startswith("<svg")
    assert "<title>X td, O random, seed 3</title>" in run.curve(points=3)._repr_svg_()
    assert run.table()._repr_html_().count("<tr>") == 61


@pytest.mark.slow
def test_it_trains_until_neither_can_be_beaten():
    found = train("negamax", "negamax", games=None, seed=1).evaluate()
    assert [found[side]["beatable"] for side in "XO"] == [False, False]


def test_a_run_of_the_lab_is_opened_and_left_as_it_is(run, tmp_path, monkeypatch):
    from learners.store import Store

    monkeypatch.setenv("AFTERSTATE_DATA", str(tmp_path))
    with Store.open() as store:
        store.save(run.run, name="mine")
    opened = open_run("mine")
    assert opened.memory.tobytes() == run.memory.tobytes()
    opened.train(10)
    assert open_run("mine").games == 300
    with pytest.raises(StoreError):
        open_run("yours")
