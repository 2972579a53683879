"""The knob: the numbers of an experiment, and exact verdicts on all seeds in one pass."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from afterstate_lab.game import Side
from afterstate_lab.learners.errors import UsageError
from afterstate_lab.learners.experiments.run import Experiment, Stopped
from afterstate_lab.learners.experiments.turn import as_json, knob, settings_of, turn, turning
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
        assert [one[key] for key in ("x", "o", "results", "metrics")] == [
            other[key] for key in ("x", "o", "results", "metrics")
        ]
        for side in "XO":
            same = ("seeds", "beatable")
            assert one["verdicts"][side] == {key: other["verdicts"][side][key] for key in same}
        assert len(one["opening"]) == 9 and one["x"] == f"td:alpha={one['swept']['alpha']}"


@pytest.mark.parametrize(
    ("x", "o", "name", "value"),
    [
        ("nstep", "random", "n", "3"),
        ("q", "menace", "x.gamma", "0.9"),
        ("menace", "tdlambda", "lambda", "0.5"),
        ("negamax", "negamax", "epsilon", "0"),
    ],
)
def test_any_learner_gives_the_figures_of_an_experiment(x, o, name, value):
    plan = turning(parse_player(x), parse_player(o), name, [value], seeds=3, games=150)
    told = as_json(plan, [turn(plan, plan.arms[0])])["arms"][0]
    results = Experiment(plan).work().results
    wanted = results.as_json()["arms"][0]
    assert (told["metrics"], told["results"]) == (wanted["metrics"], wanted["results"])
    for side in Side:
        verdict = results.arms[0].verdict(side)
        found = told["verdicts"][side.mark]
        assert found == (verdict and {"seeds": 3, "beatable": verdict.as_json()["beatable"]})


def test_a_newer_turn_ends_an_older_one_early(monkeypatch):
    monkeypatch.setenv("AFTERSTATE_INTERPRETED", "1")
    td = parse_player("td")
    plan = turning(td, td, "alpha", ["0.1"], seeds=20, games=10**9)
    with pytest.raises(Stopped):
        turn(plan, plan.arms[0], iter([False] + [True] * 100).__next__)


def test_what_cannot_be_compiled_is_turned_with_one_seed_if_asked_to_be_quick(monkeypatch):
    monkeypatch.setenv("AFTERSTATE_INTERPRETED", "1")
    td = parse_player("td")
    plan = turning(td, td, "alpha", ["0.1"], seeds=1_000, games=50)
    assert turn(plan, plan.arms[0], is_quick=True).results.done == 1
    assert turn(plan.with_seeds(20), plan.arms[0], is_quick=True).results.done == 20


def test_a_range_is_whole_numbers_for_a_whole_number_and_never_has_a_value_twice():
    tdn = parse_player("nstep")
    assert settings_of(knob(tdn, tdn, "n"), "1:4:7") == ["1", "2", "3", "4"]
    alpha = knob(tdn, tdn, "o.alpha")
    assert settings_of(alpha, "0.1:0.3:3") == ["0.1", "0.2", "0.3"]
    assert settings_of(alpha, "1:0:2") == ["1", "0"]


@pytest.mark.parametrize(
    ("x", "name", "given", "refusal"),
    [
        ("td", "alhpa", "", "'alhpa' is not a numeric option of td. Did you mean alpha?"),
        ("td", "gamma", "", "'gamma' is not a numeric option of td. Turn alpha, decay, "),
        ("td", "exploration", "", "'exploration' is not a numeric option of td."),
        ("td", "o.alpha", "", "nothing to turn: random cannot learn"),
        ("td", "z.alpha", "", "'z.alpha' is not an option. Try alpha or x.alpha"),
        ("td", "alpha", ".1", "'.1' is not a range. Try alpha=.05:.5:10, "),
        ("td", "alpha", ".1:.2", "'.1:.2' is not a range."),
        ("td", "alpha", ".1:.2:many", "'.1:.2:many' is not a range."),
        ("td", "alpha", ".1:.2:0", "'.1:.2:0' is not a range of 1 to 100 settings."),
        ("td", "alpha", ".1:.2:101", "is not a range of 1 to 100 settings."),
        ("td", "alpha", "nan:.2:3", "'nan:.2:3' is not a range"),
        ("td", "alpha", ".1:2:3", "alpha=2 is not valid: use 0 to 1"),
        ("nstep", "n", "1.5:3:3", "n=1.5 is not valid: use a whole number"),
    ],
)
def test_what_cannot_be_turned_is_refused(x, name, given, refusal):
    with pytest.raises(UsageError) as refused:
        settings_of(knob(parse_player(x), parse_player("random"), name), given)
    assert refusal in str(refused.value)
