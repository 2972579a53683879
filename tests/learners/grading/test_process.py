"""Grading what somebody else wrote: in a process of its own, with one sentence for what fails."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from afterstate_lab.learners.grading.process import GradingError, graded
from afterstate_lab.learners.grading.report import gradescope, lines_of

HEAD = """
from afterstate_lab.learners import Rule, backup, options, write

class Mine(Rule):
    options = (options.ALPHA, options.DRAW, options.INITIAL, options.EPSILON)
"""
RIGHT = """
    def after_step(v, tape, me, steps, greedy, t, over, game):
        if greedy[t]:
            backup(v, tape, me, steps[t - 1], v[steps[t]], me.alpha)
"""


@pytest.fixture
def rule(tmp_path):
    def written(body, head=HEAD):
        file = tmp_path / "mine.py"
        file.write_text(head + body)
        return f"{file}:Mine"

    return written


def test_a_homework_that_is_right_is_the_same_to_the_bit(rule):
    told = graded(rule(RIGHT), "td", games=40, seeds=2)
    assert (told["verdict"], told["ulps"], told["first"]) == ("same", 0.0, None)
    assert told["score"] == told["max_score"] == 13
    assert "to the bit" in lines_of(told)[0]
    results = gradescope(told)
    assert results["score"] == sum(test["score"] for test in results["tests"]) == 13.0


def test_a_difference_is_a_sentence_with_place_numbers_line_and_command(rule):
    name = rule(RIGHT.replace("if greedy[t]:", "if greedy[t] and not over:"))
    told = graded(name, "td", games=5, seeds=1)
    first = told["first"]
    assert (first["seed"], first["game"], first["ply"]) == (0, 1, 5)
    assert (first["player"], first["board"], first["kind"]) == ("O", ".OX.OX...", "missing")
    assert first["sentence"] == (
        "In game 1 of seed 0, after ply 5, td reads V(.OX.OX..X) = 0 and moves V(.OX.OX...) from "
        "0.5 towards 0 by step size 0.1, to 0.45; mine.py:Mine backs up nothing."
    )
    assert "O must learn from that too" in first["hint"]
    assert first["reference"]["new"] == 0.45
    assert first["reference"]["read"] == {"V(.OX.OX..X)": 0.0}
    assert first["reference"]["line"].startswith("learners/rules/td.py:")
    assert first["command"].endswith("mine.py:Mine --against td --games 5 --seeds 1 --look")
    json.dumps(told, allow_nan=False)
    results = gradescope(told)
    statuses = [test["status"] for test in results["tests"]]
    assert statuses.count("failed") == 3
    assert {tuple(sorted(test)) for test in results["tests"]} == {
        ("max_score", "name", "output", "score", "status", "visibility")
    }


WRONG = {
    "nan": ("backup(v, tape, me, steps[t - 1], float('nan'), me.alpha)", "is not finite"),
    "raises": (
        "raise KeyError('oh\\x1b[2J')",
        r"failed in line 8: 'oh\\x1b\[2J'.*game 1 of seed 0",
    ),
    "behind the tape": ("v[steps[t - 1]] = 1.0", "writes to memory directly in line 8"),
    "another's entry": ("backup(v, tape, me, me.rewards, 1.0, 0.5)", "not its own"),
    "memory": ("x = [0] * (1 << 40)", "MemoryError|memory"),
    "leaves": ("import os; os._exit(0)", "ended the process that ran it"),
}


@pytest.mark.quick("nan")
@pytest.mark.parametrize("name", WRONG)
def test_what_a_rule_does_wrong_is_one_sentence(rule, name):
    line, sentence = WRONG[name]
    body = RIGHT.replace("        if greedy[t]:", f"        {line}\n        if greedy[t]:")
    with pytest.raises(GradingError, match=sentence) as found:
        graded(rule(body), "td", games=5, seeds=1)
    assert str(found.value).isprintable()


@pytest.mark.slow
def test_a_rule_that_hangs_is_ended(rule):
    body = RIGHT.replace("        if", "        while game.clock[0] == 60: pass\n        if")
    with pytest.raises(GradingError, match=r"was not done after 3 s, .*: does it loop forever"):
        graded(rule(body), "td", games=80, seeds=1, seconds=3)


@pytest.mark.slow
def test_what_a_rule_prints_is_no_answer(rule):
    """Neither when its file is run, nor in a game."""
    forged = json.dumps({"report": {"verdict": "same"}})
    shout = f"print('{forged}', flush=True)"
    body = RIGHT.replace("        if greedy[t]:", f"        {shout}\n        if not greedy[t]:")
    told = graded(rule(body, f"{shout}\n{HEAD}"), "td", games=3, seeds=1)
    assert told["verdict"] == "differs"


TESTS = """
def test_same(afterstate_grade):
    told = afterstate_grade("td", games=20, seeds=1)
    assert told["verdict"] == "same"

def test_differs(afterstate_grade):
    afterstate_grade("museum:no-losses", games=20, seeds=1)

def test_part(afterstate_grade):
    afterstate_grade("museum:no-losses", games=20, seeds=1, properties=("exploratory", "step"))

def test_other_part(afterstate_grade):
    afterstate_grade("museum:no-losses", games=20, seeds=1, properties=("others-end",))

def test_broken(afterstate_grade):
    afterstate_grade("museum:nothing")
"""


@pytest.mark.slow
def test_it_fails_with_the_first_difference_and_with_a_property_that_does_not_hold(tmp_path):
    (tmp_path / "test_homework.py").write_text(TESTS)
    plugin = ("-p", "afterstate_lab.learners.grading.pytest_plugin", "-p", "no:cacheprovider")
    ended = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-rf", *plugin, "-c", "/dev/null", str(tmp_path)],
        cwd=Path(__file__).parents[3],
        env=os.environ | {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert "3 failed, 2 passed" in ended.stdout, ended.stdout + ended.stderr
    assert "differs (1 × 20 games, " in ended.stdout
    assert "the opponent made the last move: not in 20 of 20 cases" in ended.stdout
    assert "the museum has no 'nothing'" in ended.stdout
    assert "Traceback" not in ended.stdout


def test_loading_it_imports_nothing_of_the_program():
    code = (
        "import sys, afterstate_lab.learners.grading.pytest_plugin as p; "
        "print([m for m in sys.modules if m.partition('.')[0] in ('afterstate_lab', 'numpy')])"
    )
    command, root = [sys.executable, "-c", code], Path(__file__).parents[3]
    told = subprocess.run(command, cwd=root, capture_output=True, text=True, check=True).stdout
    folders = ("", ".learners", ".learners.grading", ".learners.grading.pytest_plugin")
    assert told.strip() == str([f"afterstate_lab{folder}" for folder in folders])
