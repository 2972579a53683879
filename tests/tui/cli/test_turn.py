"""The knob: the numbers of an experiment, and exact verdicts on all seeds in one pass."""

import json
from pathlib import Path

import numpy as np
import pytest

from afterstate_lab.game import Side
from afterstate_lab.learners.experiments.run import Experiment, Stopped
from afterstate_lab.learners.experiments.turn import read_range, turn, turning
from afterstate_lab.learners.judge.figures import BEATABLE
from afterstate_lab.learners.players.resolve import parse_player

FILE = """
title = "alpha"
question = "?"
games = 400
seeds = 4
metrics = ["rms-minimax X", "rms-minimax O", "value X", "value O"]
[measure]
points = 16
spacing = "log"
[[arms]]
name = "td v td"
x = "td"
o = "td:epsilon=0"
[[sweep]]
option = "alpha"
values = [0.1, 0.45, 0.8]
"""


def test_turn_prints_the_figures_of_an_experiment_file(afterstate, tmp_path: Path):
    (tmp_path / "alpha.toml").write_text(FILE)
    wanted = json.loads(afterstate("experiment", str(tmp_path / "alpha.toml"), "--json").out)
    asked = ("turn", "alpha=.1:.8:3", "--o", "td:epsilon=0", "--games", "400", "--seeds", "4")
    found = json.loads(afterstate(*asked, "--json").out)
    assert [arm["swept"]["alpha"] for arm in found["arms"]] == ["0.1", "0.45", "0.8"]
    for one, other in zip(found["arms"], wanted["arms"], strict=True):
        keys = ("x", "o", "results", "metrics", "verdicts")
        assert [one[key] for key in keys] == [other[key] for key in keys]
    assert "td v td:epsilon=0 alpha=0.45" in afterstate(*asked).out


@pytest.mark.parametrize(
    ("x", "o", "name", "value"),
    [
        ("nstep", "random", "n", "3"),
        ("q", "menace", "gamma", "0.9"),
        ("menace", "tdlambda", "lambda", "0.5"),
        ("negamax", "negamax", "epsilon", "0"),
    ],
)
def test_the_knob_has_the_figures_of_an_experiment(x, o, name, value):
    """To the bit: curves, their intervals, and how many can be beaten."""
    plan = turning(parse_player(x), parse_player(o), name, [value], seeds=3, games=150)
    found = turn(plan, plan.arms[0], lambda: False)
    wanted = Experiment(plan).work().arms[0]
    assert found.results.results == wanted.results
    for metric in plan.metrics:
        one, other = found.results.curve(metric), wanted.curve(metric)
        for line in ("y", "low", "high"):
            assert np.array_equal(getattr(one, line), getattr(other, line), equal_nan=True)
    for side in Side:
        verdict, beatable = wanted.verdict(side), found.beatable.get(side)
        assert (verdict is None) == (beatable is None)
        assert verdict is None or beatable is None or verdict[BEATABLE] == beatable.sum()


def test_a_newer_turn_ends_an_older_one_early(monkeypatch):
    monkeypatch.setenv("AFTERSTATE_INTERPRETED", "1")
    td = parse_player("td")
    plan = turning(td, td, "alpha", ["0.1"], seeds=20, games=10**9)
    with pytest.raises(Stopped):
        turn(plan, plan.arms[0], iter([False] + [True] * 100).__next__)


def test_what_cannot_be_compiled_is_turned_with_one_seed(monkeypatch):
    monkeypatch.setenv("AFTERSTATE_INTERPRETED", "1")
    td = parse_player("td")
    plan = turning(td, td, "alpha", ["0.1"], seeds=1_000, games=50)
    assert turn(plan, plan.arms[0], lambda: False).results.done == 1
    assert turn(plan.with_seeds(20), plan.arms[0], lambda: False).results.done == 20


def test_a_range_is_whole_numbers_for_a_whole_number_and_never_has_a_value_twice():
    players = parse_player("nstep"), parse_player("random")
    for text, values in (
        ("n=1:4:7", ["1", "2", "3", "4"]), ("alpha=0.1:0.3:3", ["0.1", "0.2", "0.3"]),
        ("alpha=1:0:2", ["1", "0"]), ("epsilon=.1:.1:5", ["0.1"]),
    ):  # fmt: skip
        assert read_range(*players, text) == (text.partition("=")[0], values)
