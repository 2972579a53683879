"""`afterstate train`, `compete`, `evaluate`, `export` and `trace`: their formats are a contract."""

import csv
import json
from pathlib import Path

import click
import pytest

from learners.errors import PolicyFileError
from learners.judge.figures import JUDGED
from tui.cli.group import COMMANDS
from tui.cli.group import afterstate as afterstate_group
from tui.cli.parameters import GamesType

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


def test_evaluate_in_words(afterstate, policy: str):
    lines = afterstate("evaluate", policy).out.splitlines()
    assert lines[0] == "X td, exact, greedy play:"
    assert lines[5] == "O q, exact, greedy play:"
    assert all(line.isascii() for line in lines)


def test_compete_plays_both_frozen_and_says_what_is_exactly_to_be_expected(afterstate, policy: str):
    words = ("compete", "--x", policy, "--o", policy, "--games", "200", "--seed", "3", "--json")
    told = json.loads(afterstate(*words).out)
    assert (told["x"], told["o"]) == (policy, policy)
    assert sum(told["results"].values()) == 200
    exact, results = told["exact"], told["results"]
    assert sum(exact[key] for key in results) == pytest.approx(1.0)
    assert (exact["win"], exact["loss"]) == (exact["x"], exact["o"])
    again = json.loads(afterstate(*words).out)
    assert again["results"] == told["results"]


def test_perfect_players_draw(afterstate):
    told = json.loads(afterstate("compete", "--x=perfect", "--o=perfect", "--json").out)
    assert told["results"] == {"x": 0, "draw": 500, "o": 0}
    assert told["exact"] == {"x": 0.0, "draw": 1.0, "o": 0.0, "win": 0.0, "loss": 0.0}


def test_an_opponent_that_changes_has_no_exact_result(afterstate):
    words = ("compete", "--o=drifting", "--games=50")
    assert json.loads(afterstate(*words, "--json").out)["exact"] is None
    assert "exactly" not in afterstate(*words).out


def test_a_recipe_s_match_is_played_after_its_training(afterstate, tmp_path: Path):
    """Its 500 games are those that `compete` plays with the two that were saved."""
    path = str(tmp_path / "trained.npz")
    words = ("train", "--recipe=train-compete-play", "--games=2k", "--seed=2")
    told = json.loads(afterstate(*words, "--out", path, "--json").out)
    match = told["compete"]
    rivals = ("compete", "--x", path, "--o", path, "--seed=2", "--json")
    again = json.loads(afterstate(*rivals).out)
    assert match == {key: again[key] for key in ("games", "results", "exact")}
    assert match["games"] == sum(match["results"].values()) == 500
    assert "500 games: X won" in afterstate(*words).out
    assert "compete" not in json.loads(afterstate("train", "--games=20", "--json").out)


@pytest.mark.parametrize(
    ("text", "games"), [("1k", 1000), ("2,000", 2000), ("1_000", 1000), ("0.1k", None)]
)
def test_games_are_counted_as_in_the_lab(afterstate, text: str, games: int | None):
    outcome = afterstate("train", "--games", text, "--json")
    if games is None:
        assert outcome.status == 2
        assert "--games=0.1k will not do" in outcome.err
    else:
        assert json.loads(outcome.out)["games"] == games


def test_so_they_are_in_every_command():
    parent = click.Context(afterstate_group)
    commands = [afterstate_group.get_command(parent, name) for name in COMMANDS]
    options = [o for c in commands if c for o in c.params if {"--games", "--train"} & {*o.opts}]
    assert len(options) == 7
    assert all(isinstance(option.type, GamesType) for option in options)


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


def test_a_trace_is_one_object_a_line(afterstate):
    lines = afterstate("trace", "--games", "3").out.splitlines()
    kinds = [json.loads(line)["kind"] for line in lines]
    assert kinds.count("outcome") == 3
    assert kinds[-1] == "outcome"


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("nowhere/x.npz", "there is no folder '"),
        ("x.zip", "will not do: a policy's file name ends in .npz"),
        ("folder.npz", "cannot be written: it is a folder"),
        ("n\x1b[31m/x.npz", "there is no folder '"),
    ],
)
def test_a_place_that_will_not_do_is_refused_before_the_training(
    afterstate, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, why: str
):
    (tmp_path / "folder.npz").mkdir()
    monkeypatch.setattr("learners.tape.run.Run.train", lambda *_: pytest.fail("it trained"))
    outcome = afterstate("train", "--out", str(tmp_path / name))
    assert why in outcome.err
    assert outcome.err[:-1].isprintable()
    assert (outcome.err.count("\n"), outcome.out, outcome.status) == (1, "", 2)


def test_a_save_that_fails_at_the_end_still_tells_what_was_learned(
    afterstate, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    def full(run, path):
        raise PolicyFileError(f"'{path.name}' cannot be written: no space left on device")

    monkeypatch.setattr("learners.players.policy_file.save_policy", full)
    outcome = afterstate("train", "--games=50", "--json", "--out", str(tmp_path / "x.npz"))
    assert json.loads(outcome.out)["games"] == 50
    assert outcome.err == "afterstate: 'x.npz' cannot be written: no space left on device\n"
    assert outcome.status == 1


def test_a_side_without_a_learner_cannot_be_played_from_a_file(afterstate, tmp_path: Path):
    path = str(tmp_path / "x.npz")
    afterstate("train", "--games=20", "--o=random", "--out", path)
    outcome = afterstate("compete", "--o", path)
    assert "holds no learner that plays O" in outcome.err
    assert (outcome.out, outcome.status) == ("", 2)
