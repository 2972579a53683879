"""Grading: what is right is the same, a mistake is found where it is, what fails is a sentence."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from made import LEARNERS, is_said, sentences

from afterstate_lab.learners.ask.what_if import EventDifference
from afterstate_lab.learners.engine.backups import backup, write
from afterstate_lab.learners.errors import UsageError
from afterstate_lab.learners.grading import grade as grading
from afterstate_lab.learners.grading.grade import Property, graded, lines_of
from afterstate_lab.learners.players.resolve import parse_player
from afterstate_lab.learners.rules.base import Rule
from afterstate_lab.learners.rules.museum import PIECES, story
from afterstate_lab.learners.rules.spec import PlayerSpec
from afterstate_lab.learners.rules.state_values import TemporalDifference

TD, GAMES = parse_player("td"), 60


def compared(rule, games=GAMES, seeds=1):
    return grading.grade(rule, TD, games=games, seeds=seeds)


def failing(found):
    return {which for which in found.properties if not found.holds(which)}


@pytest.mark.quick("double-q", "tdlambda")
@pytest.mark.parametrize("name", LEARNERS)
def test_every_rule_is_the_same_as_itself(name):
    told = grading.report(
        grading.grade(parse_player(name), parse_player(name), games=GAMES, seeds=1)
    )
    assert (told["verdict"], told["ulps"], told["score"]) == ("same", 0.0, told["max_score"])


def test_a_backup_that_only_the_rule_makes_is_the_first_difference():
    first = compared(parse_player("museum:learns-from-exploring")).first
    assert first.pair.difference is EventDifference.EXTRA


def test_other_initial_values_show_before_the_first_game():
    found = compared(parse_player("td:initial=.4"), games=3)
    assert (found.first.pair, found.first.initial[1:]) == (None, (0.5, 0.4))
    assert failing(found) == {Property.INITIAL}


def test_a_rule_has_the_options_of_the_reference_but_for_its_own():
    reference = parse_player("td:alpha=.3,epsilon=.2")
    found = grading.grade(parse_player("td:alpha=.4"), reference, games=1, seeds=1).rule
    assert (found.settings["alpha"], found.settings["epsilon"]) == (0.4, ("constant", (0.2,)))


class OtherOrder(TemporalDifference):
    """TD(0) that takes the mean of the old value and the target."""

    def after_step(v, tape, me, steps, greedy, t, over, game):
        if greedy[t]:
            s, target = steps[t - 1], v[steps[t]]
            new = (1.0 - me.alpha) * v[s] + me.alpha * target
            write(v, tape, me, s, steps[t], target, me.alpha, 1.0, new)


def test_a_sum_in_another_order_is_the_same_within_units_in_the_last_place(monkeypatch):
    found = compared(PlayerSpec(OtherOrder), seeds=2)
    assert found.first is None
    assert 0.0 < found.ulps <= 2.0
    monkeypatch.setattr(grading, "ULPS", 0.0)
    strict = compared(PlayerSpec(OtherOrder), seeds=2)
    assert strict.first.pair.difference is EventDifference.NEW
    assert failing(strict) == {Property.NEW, Property.SAME_TABLE}


BITES = {
    piece: {Property[name.upper().replace("-", "_")] for name in lacking.split()}
    for piece, lacking in sentences("learners/grading/bites.txt")
}


@pytest.mark.quick("vanishing-step")
@pytest.mark.parametrize("name", PIECES)
def test_a_piece_of_the_museum_lacks_what_its_mistake_breaks_and_nothing_else(name):
    found = compared(parse_player(f"museum:{name}"), games=100, seeds=2)
    learns_otherwise = BITES[name] - {Property.CHOICE, Property.INITIAL}
    assert failing(found) == BITES[name] | ({Property.SAME_TABLE} if learns_otherwise else set())
    assert len(story(name)) >= 3


RIGHT = """
from afterstate_lab import Rule, backup, options, write
from afterstate_lab.learners.rules.state_values import TemporalDifference as T

class Mine(Rule):
    options = (options.ALPHA, options.DRAW, options.INITIAL, options.EPSILON)

    def after_step(v, tape, me, steps, greedy, t, over, game):
        if greedy[t]:
            backup(v, tape, me, steps[t - 1], steps[t], 0.0, me.alpha)
"""


@pytest.fixture
def rule(tmp_path):
    """Writes the right rule with some of its texts replaced; its spec."""

    def written(changes):
        file, source = tmp_path / "mine.py", RIGHT
        for old, new in changes.items():
            assert source.count(old) == 1
            source = source.replace(old, new)
        file.write_text(source)
        return f"{file}:Mine"

    return written


def test_a_homework_that_is_right_is_the_same_to_the_bit(rule):
    told = graded(rule({}), "td", games=40, seeds=2)
    assert (told["verdict"], told["ulps"], told["first"]) == ("same", 0.0, None)
    assert told["score"] == told["max_score"] == 13
    assert "to the bit" in lines_of(told)[0]
    results = grading.gradescope(told)
    assert results["score"] == sum(test["score"] for test in results["tests"]) == 13.0


def test_a_difference_is_a_sentence_with_place_numbers_line_and_command(rule):
    told = graded(rule({"greedy[t]": "greedy[t] and not over"}), "td", games=5, seeds=1)
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
    assert first["reference"]["line"].startswith("learners/rules/state_values.py:")
    assert first["command"].endswith("mine.py:Mine --against td --games 5 --seeds 1 --look")
    json.dumps(told, allow_nan=False)
    results = grading.gradescope(told)
    whole = json.dumps(results)
    for once in (first["sentence"], first["hint"], told["properties"][4]["says"]):
        assert whole.count(json.dumps(once)[1:-1]) == 1
    statuses = [test["status"] for test in results["tests"]]
    assert statuses.count("failed") == 3
    assert {tuple(sorted(test)) for test in results["tests"]} == {
        ("max_score", "name", "output", "score", "status", "visibility")
    }


SPOILT = [
    pytest.param(row, marks=pytest.mark.slow if "slow" in row[0] else [])
    for row in sentences("learners/grading/homework.txt")
]


@pytest.mark.parametrize("row", SPOILT)
def test_a_rule_that_cannot_earn_points_is_told_its_own_mistake(rule, row):
    kind, *changes, said = row
    spec = rule(dict(change.split(" → ") for change in changes))
    with pytest.raises(UsageError) as refused:
        if kind == "compared":
            compared(parse_player(spec), games=5)
        graded(spec, "td", games=5, seeds=1)
    told = str(refused.value)
    assert is_said(told, said) and told.isprintable(), told


def test_a_rule_without_options_is_told_why_its_step_size_is_0(rule):
    told = graded(rule({"options = (": "others = ("}), "td", games=5, seeds=1)
    assert told["first"]["hint"].startswith("me.alpha is 0 because the class lists no options")


@pytest.mark.slow
def test_what_a_rule_prints_is_no_answer(rule):
    """Neither when its file is run, nor in a game."""
    forged = json.dumps({"report": {"verdict": "same"}})
    shout = f"print('{forged}', flush=True)"
    changes = {"class": f"{shout}\nclass", "if greedy": f"{shout}\n        if not greedy"}
    told = graded(rule(changes), "td", games=3, seeds=1)
    assert told["verdict"] == "differs"


TESTS = """
def test_same(afterstate_grade):
    told = afterstate_grade("td", games=20, seeds=1)
    assert told["verdict"] == "same"

def test_differs(afterstate_grade):
    afterstate_grade("museum:no-losses", games=20, seeds=1)

def test_broken(afterstate_grade):
    afterstate_grade("museum:nothing")

def test_unbeatable(afterstate_judge):
    assert not afterstate_judge("perfect")["O"]["beatable"]

def test_beaten(afterstate_judge):
    afterstate_judge("winblock", "O")
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
    assert "it loses to its best opponent with probability" in ended.stdout
    assert "differs (1 × 20 games, " in ended.stdout
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


class AfterTheGame(TemporalDifference):
    """TD(0) that makes all its backups after the game, in the same order."""

    after_step = Rule.after_step

    def after_game(v, tape, me, steps, greedy, t, over, game):
        for s in range(1, t + 1):
            if greedy[s]:
                backup(v, tape, me, steps[s - 1], steps[s], 0.0, me.alpha)


def test_the_same_values_in_another_order_differ_and_it_is_said_that_order_counts():
    found = grading.grade(PlayerSpec(AfterTheGame), TD, games=60, seeds=2)
    assert {each for each in found.properties if not found.holds(each)} == {Property.ENTRIES}
    assert found.holds(Property.SAME_TABLE) and found.first is not None
    last = grading.report(found)["properties"][-1]
    assert (last["name"], last["holds"]) == ("same-table", True)


@pytest.mark.parametrize(
    ("rule", "against", "is_the_end"),
    [("mc", "chain", False), ("chain", "mc", True), ("td:draw=0.2", "td", True)],
)
def test_what_the_end_is_worth_is_said_only_of_that_target(rule, against, is_the_end):
    told = grading.report(
        grading.grade(parse_player(rule), parse_player(against), games=40, seeds=1)
    )["first"]
    assert told["kind"] == "target"
    assert (" that is worth " in told["hint"]) is is_the_end
