"""A class is judged and graded to the end, whoever breaks, and continues where it was ended."""

import csv
import json
import os
import subprocess
import sys

import pytest

from afterstate_lab.game import Side
from afterstate_lab.learners.errors import UsageError
from afterstate_lab.learners.grading import submissions

FIRST_FREE = "def move(board):\n    return board.index('.') + 1\n"
HANGS = "import time\ndef move(board):\n    time.sleep(60)\n"
AGENTS = {"ann": FIRST_FREE, "bob": HANGS, "cy": "def move(board:\n", "dee": "def other(b): 1\n"}
RULE = """
from afterstate_lab import Rule, backup, options
class MyRule(Rule):
    options = options.STATE_VALUES
    def after_step(v, tape, me, steps, greedy, t, over, game):
        {}: backup(v, tape, me, steps[t - 1], steps[t], 0.0, me.alpha)
"""
RULES = {
    "ann": "if greedy[t]",
    "bob": "while True: pass\n        if True",
    "cy": "if unknown",
    "dee": "if True",
}


@pytest.fixture
def out(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for who, source in AGENTS.items():
        (tmp_path / "class" / who).mkdir(parents=True)
        (tmp_path / "class" / who / "agent.py").write_text(source)
        (tmp_path / "class" / who / "my_rule.py").write_text(RULE.format(RULES[who]))
    return tmp_path / "out.csv"


def rows(out):
    with out.open(newline="") as file:
        return {row["who"].split("/")[1]: row for row in csv.DictReader(file)}


def test_a_second_call_continues_also_after_half_a_row(out):
    asked = []

    def ask(spec, check):
        asked.append(spec)
        if "cy" in spec:
            raise ValueError("oh\x1b[2J")
        return [{"beatable": "no", "side": "X"}]

    def call():
        pattern, columns = "class/*/agent.py:move", submissions.JUDGED
        return submissions.in_class(pattern, out, columns, ask, 9.0, lambda: False, print)

    assert not call()
    assert sorted(asked) == [f"class/{who}/agent.py:move" for who in AGENTS]
    assert rows(out)["cy"]["said"] == "oh\\x1b[2J" and rows(out)["ann"]["beatable"] == "no"
    whole = out.read_bytes()
    out.write_bytes(whole[:-5])
    asked.clear()
    assert not call() and len(asked) == 1
    assert len(rows(out)) == 4
    out.write_text("who,score\n")
    with pytest.raises(UsageError, match="has other columns: choose another file"):
        call()
    with pytest.raises(UsageError, match=r"no file matches 'no/\*.py:move'"):
        submissions.submissions("no/*.py:move")


def test_a_row_is_in_the_file_when_the_disk_is_told_to_keep_it(out, monkeypatch):
    kept = []
    monkeypatch.setattr(os, "fsync", lambda file: kept.append(out.read_text()))
    submissions.append(out, submissions.GRADED, [{"who": "ann", "same": "yes"}])
    assert kept == ["ann,,,yes,,,\n"]


def test_a_stopped_class_leaves_the_rows_that_are_known(out):
    stopped = []

    def ask(spec, check):
        stopped.append(spec)
        check()
        return [{"same": "yes"}]

    rules, columns = "class/*/my_rule.py:MyRule", submissions.GRADED
    assert not submissions.in_class(rules, out, columns, ask, 9.0, lambda: len(stopped) > 1, print)
    assert len(rows(out)) <= 1


@pytest.mark.slow
def test_a_class_is_judged_and_graded_by_the_commands(out, afterstate):
    outcome = afterstate("judge", "class/*/agent.py:move", "--csv", str(out), "--seconds", "4")
    assert (outcome.status, outcome.err) == (2, "")
    found = rows(out)
    assert (found["ann"]["side"], found["ann"]["game"]) == ("O", "X 1 O 2 X 4 O 3 X 7")
    assert found["bob"]["said"] == "not done within 4 s"
    assert "SyntaxError" in found["cy"]["said"]
    assert "there is no move" in found["dee"]["said"]
    line = ("grade", "class/*/my_rule.py:MyRule", "--games=40", "--seeds=1", "--seconds=6")
    assert afterstate(*line, "--csv", str(out.with_name("g.csv"))).status == 2
    graded = rows(out.with_name("g.csv"))
    assert [graded[who]["score"] for who in AGENTS] == ["13", "", "", "9"]
    assert graded["bob"]["said"] == "not done within 6 s"
    assert "name 'unknown' is not defined" in graded["cy"]["said"]
    assert graded["dee"]["first_difference"].startswith("In game 4 of seed 0, after ply 5")


@pytest.mark.slow
def test_a_class_is_compared_with_learners(out, afterstate):
    line = ("judge", "class/ann/agent.py:move", "--csv", str(out), "--like", "td", "--as", "O")
    assert afterstate(*line, "--games", "2000").status == 0
    assert rows(out)["ann"]["like"] == "not normal"


@pytest.mark.slow
def test_a_rule_that_loops_is_given_up_as_what_an_agent_is_compared_with(out):
    line = ["judge", "perfect", "--as", "O", "--like", "class/bob/my_rule.py:MyRule"]
    code = (
        "import sys; from afterstate_lab.tui.cli import expect; expect.PATIENCE = 1.0; "
        f"sys.argv[1:] = {line!r}; from afterstate_lab.tui.command import main; main()"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "afterstate: nothing was done for 1 s: does the rule loop forever?\n"


@pytest.mark.slow
def test_judge_writes_results_for_gradescope(out, afterstate):
    agent = "class/ann/agent.py:move"
    outcome = afterstate("judge", agent, "--gradescope", str(out))
    told = json.loads(out.read_text())
    assert (outcome.status, told["score"], len(told["tests"])) == (3, 0, 2)
    assert "X 1   O 2   X 4   O 3   X 7" in told["tests"][1]["output"]
    again = "judge", "class/cy/agent.py:move", "--force", "--gradescope", str(out)
    assert afterstate(*again).status == 2
    told = json.loads(out.read_text())
    assert "SyntaxError" in told["tests"][0]["output"] and told["score"] == 0


def test_an_unbeatable_side_is_a_point_for_gradescope():
    told = submissions.gradescope_of_sides({"X": (False, "fine"), "O": (True, "a game")})
    assert [(test["name"], test["score"]) for test in told["tests"]] == [
        ("nobody beats it as X", 1.0), ("nobody beats it as O", 0.0),
    ]  # fmt: skip
    assert told["score"] == 1.0


def test_an_illegal_cell_is_a_mistake_and_resigning_is_not_called_faultless(out, afterstate):
    (out.parent / "five.py").write_text("def move(board):\n    return 5\n")
    (row,) = submissions.judge_rows("five.py:move", lambda *_: None, [Side.X])
    assert row["said"].startswith("illegal on ") and row["mistakes"] > 0
    (out.parent / "one.csv").write_text("board,cell,value\n.........,5,1\nX.......O,5,1\n")
    told = afterstate("judge", "one.csv", "--as", "X")
    assert "it resigns" in told.out and "none of its moves is a mistake" in told.out
    assert not any(line and not line.strip() for line in told.out.splitlines())
