"""`afterstate train`, `compete`, `evaluate`, `export` and `trace`: their formats are a contract."""

import csv
import json
from pathlib import Path

import click
import pytest

from afterstate_lab.learners.errors import PolicyFileError
from afterstate_lab.learners.judge.figures import JUDGED
from afterstate_lab.tui.cli.group import COMMANDS
from afterstate_lab.tui.cli.group import afterstate as afterstate_group
from afterstate_lab.tui.cli.parameters import WholeNumber

VERDICT = list(dict.fromkeys(figure.path[0] for figure in JUDGED if figure.of_play))
"""The keys of the figures of play; `tests/learners/judge/test_figures.py` has the contract's."""
EVALUATION = ["spec", *dict.fromkeys(f.path[0] for f in JUDGED if not f.at_end_only)]


@pytest.fixture
def policy(afterstate, tmp_path: Path) -> str:
    path = str(tmp_path / "policy.npz")
    assert afterstate("train", "--games", "300", "--o", "q", "--out", path).status == 0
    return path


def test_train_json_is_as_the_contract_says(afterstate):
    outcome = afterstate("train", "--games", "400", "--seed", "7", "--o", "random", "--json")
    told = json.loads(outcome.out)
    assert outcome.out.count("\n") == 1
    assert list(told) == [
        "x",
        "o",
        "games",
        "seed",
        "results",
        "seconds",
        "load_seconds",
        "games_per_second",
        "evaluation",
    ]
    assert (told["x"], told["o"], told["games"], told["seed"]) == ("td", "random", 400, 7)
    assert list(told["results"]) == ["x", "draw", "o"]
    assert sum(told["results"].values()) == 400
    assert told["games_per_second"] == pytest.approx(400 / told["seconds"])
    assert list(told["evaluation"]) == ["X", "O"]
    assert told["evaluation"]["O"] is None
    assert list(told["evaluation"]["X"]) == EVALUATION
    assert told["evaluation"]["X"]["optimal"][1] == 2423
    assert (outcome.err, outcome.status) == ("", 0)


def test_the_same_seed_trains_the_same(afterstate):
    told = [json.loads(afterstate("train", "--games=200", "--json").out) for _ in range(2)]
    assert told[0]["results"] == told[1]["results"]
    assert told[0]["evaluation"] == told[1]["evaluation"]


def test_evaluate_prints_what_train_did(afterstate, tmp_path: Path):
    path = str(tmp_path / "menace.npz")
    words = ("--games=300", "--x=menace", "--o=td:draw=.3", "--json", f"--out={path}")
    trained = json.loads(afterstate("train", *words).out)
    told = json.loads(afterstate("evaluate", path, "--json").out)
    assert told == trained["evaluation"]
    assert list(told["X"]) == [*EVALUATION, "as_played"]
    assert list(told["X"]["as_played"]) == VERDICT
    assert told["O"]["spec"] == "td:draw=0.3"


def test_so_they_are_in_every_command():
    parent = click.Context(afterstate_group)
    commands = [afterstate_group.get_command(parent, name) for name in COMMANDS]
    options = [o for c in commands if c for o in c.params if {"--games", "--train"} & {*o.opts}]
    assert len(options) == 7
    kinds = [option.type.kind for option in options if isinstance(option.type, WholeNumber)]
    assert kinds.count("games") == 6 and kinds.count("goal") == 1


@pytest.mark.slow
def test_a_training_may_last_until_neither_can_be_beaten(afterstate, monkeypatch):
    monkeypatch.setenv("AFTERSTATE_INTERPRETED", "1")
    words = ("train", "--x=negamax:alpha=1,epsilon=.3", "--o=random", "--games=unbeatable")
    told = json.loads(afterstate(*words, "--json").out)
    assert told["games"] < 10**9
    assert told["evaluation"]["X"]["beatable"] is False


def test_export_csv_and_json_tell_the_same_table(afterstate, policy: str):
    lines = afterstate("export", policy).out.splitlines()
    assert lines[0] == "player,board,cell,value,visits"
    rows = list(csv.DictReader(lines))
    told = json.loads(afterstate("export", policy, "--format", "json").out)
    assert len(rows) == len(told) == 2098 + 7536
    for row, entry in zip(rows, told, strict=True):
        assert row["player"] == entry["player"]
        assert row["board"] == entry["board"]
        assert (int(row["cell"]) if row["cell"] else None) == entry["cell"]
        assert float(row["value"]) == entry["value"]
        assert int(row["visits"]) == entry["visits"]


def test_a_trace_replayed_is_the_export_of_the_same_training(afterstate, tmp_path: Path):
    path = str(tmp_path / "td.npz")
    players = ("--x", "td:alpha=.3", "--o", "sarsa", "--seed", "5", "--games", "120")
    afterstate("train", *players, "--out", path)
    rows = csv.DictReader(afterstate("export", path).out.splitlines())
    told = {(r["player"], r["board"], r["cell"]): (float(r["value"]), r["visits"]) for r in rows}
    learned = dict.fromkeys(told, (0.5, "0"))
    for line in afterstate("trace", *players).out.splitlines():
        event = json.loads(line)
        if event["kind"] == "backup":
            entry = event["player"], event["board"], str(event["cell"] or "")
            assert learned[entry][0] == event["old"]
            learned[entry] = event["new"], str(int(learned[entry][1]) + 1)
    assert learned == told


def test_a_save_that_fails_at_the_end_still_tells_what_was_learned(
    afterstate, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    def full(run, path):
        raise PolicyFileError(f"'{path.name}' cannot be written: no space left on device")

    monkeypatch.setattr("afterstate_lab.learners.players.policy_file.save_policy", full)
    outcome = afterstate("train", "--games=50", "--json", "--out", str(tmp_path / "x.npz"))
    assert json.loads(outcome.out)["games"] == 50
    assert outcome.err == "afterstate: 'x.npz' cannot be written: no space left on device\n"
    assert outcome.status == 1
