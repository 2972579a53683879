"""`afterstate experiment`: plans by name and by file, figures as text and as JSON."""

import csv
import json
from pathlib import Path

import pytest

PLAN = """
title = "Mine"
question = "Which is better?"
games = 200
seeds = 2
metrics = ["value X"]

[[arms]]
name = "A"
x = "td"
o = "random"

[[arms]]
name = "B"
x = "q"
o = "random"
"""


@pytest.fixture
def plan(tmp_path: Path) -> str:
    (tmp_path / "mine.toml").write_text(PLAN)
    return str(tmp_path / "mine.toml")


def test_a_plan_is_run_and_told(afterstate, plan: str):
    told = afterstate("experiment", plan)
    assert told.status == 0
    assert told.err == ""
    lines = told.out.splitlines()
    assert lines[:2] == ["Mine", "Which is better?"]
    assert "value X: what the learner expects at the empty board" in lines
    assert any(line.startswith("  A  X") and "2,423" in line for line in lines)


def test_an_exercise_is_found_by_its_number_and_made_smaller(afterstate):
    told = afterstate("experiment", "1.4", "--seeds", "2", "--games", "50", "--json")
    result = json.loads(told.out)
    assert (result["plan"], result["seeds"], result["games"]) == ("exploration", 2, 50)
    exact = [arm["metrics"]["value X"]["reference"]["value"] for arm in result["arms"]]
    assert [round(value, 4) for value in exact] == [0.9948, 0.9743]


def test_the_answer_is_headed_by_its_own_seeds_and_games_after_what_was_run(afterstate):
    told = afterstate("experiment", "1.4", "--seeds", "2", "--games", "50")
    run, answer = told.out.index("4 trials of 50 games"), told.out.index("\nAnswer, from ")
    assert run < answer
    assert told.out[answer:].startswith("\nAnswer, from 30 seeds of ")
    assert "\n  at the end; 95% interval: Student's t\n" in told.out


def test_a_folder_keeps_everything_and_is_gone_on_with(afterstate, plan: str, tmp_path: Path):
    out = str(tmp_path / "out")
    afterstate("experiment", plan, "--seeds", "1", "--out", out)
    told = afterstate("experiment", plan, "--out", out, "--workers", "1")
    assert "4 trials of 200 games" in told.out
    assert "2 of them before" in told.out
    with (tmp_path / "out" / "metrics.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert {(row["arm"], row["seed"]) for row in rows} == {(a, s) for a in "AB" for s in "01"}
    assert (tmp_path / "out" / "value-x.svg").read_text().startswith("<svg")


def test_a_typo_is_said_with_its_line_and_nothing_is_written(afterstate, tmp_path: Path):
    (tmp_path / "bad.toml").write_text(PLAN.replace('"td"', '"dt"'))
    out = tmp_path / "out"
    told = afterstate("experiment", str(tmp_path / "bad.toml"), "--out", str(out))
    assert told.status == 2
    assert "bad.toml, line 10: arms[1].x: there is no player 'dt'" in told.err
    assert not out.exists()


def test_a_folder_that_cannot_be_written_is_one_line(afterstate, plan: str, tmp_path: Path):
    (tmp_path / "file").write_text("")
    told = afterstate("experiment", plan, "--out", str(tmp_path / "file" / "out"))
    assert (told.status, told.out) == (1, "")
    assert told.err.startswith("afterstate: not a directory")
    assert len(told.err.splitlines()) == 1
