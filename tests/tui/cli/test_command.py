"""The command line: what it says of itself, and what it loads."""

import re
from contextlib import nullcontext

import pytest

from afterstate_lab.learners.experiments.plan import Plan
from afterstate_lab.learners.players import user_rule
from afterstate_lab.tui.cli import experiment
from afterstate_lab.tui.cli.group import COMMANDS, GROUPS
from afterstate_lab.tui.cli.group import afterstate as group

PLAN = """
title = "two"
question = "which?"
games = 5
seeds = 1
metrics = ["win X"]
[[arms]]
name = "A"
x = "loop.py:Mine"
o = "td"
"""


def test_each_line_of_help_names_a_command_whole_in_80_columns_in_four_groups(
    afterstate, monkeypatch
):
    monkeypatch.setenv("COLUMNS", "80")
    outcome = afterstate("--help")
    assert (outcome.status, outcome.err) == (0, "")
    assert all(f"\n  {command} " in outcome.out for command in COMMANDS)
    assert afterstate("-h").out == outcome.out
    lines = outcome.out.splitlines()
    assert max(map(len, lines)) <= 80
    at = [lines.index(f"{title}:") for title in GROUPS]
    assert len(at) == 4 and at == sorted(at)
    said = [line for line in lines[at[0] :] if line[:1] == " "]
    assert all(line.endswith(".") and not line.endswith("...") for line in said)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help(afterstate, command: str):
    outcome = afterstate(command, "-h")
    assert (outcome.status, outcome.err) == (0, "")
    assert outcome.out.startswith(f"Usage: afterstate {command} ")
    assert f"\n  {COMMANDS[command]}" in outcome.out
    assert max(map(len, outcome.out.splitlines())) <= 100


def test_the_experiment_in_its_help_is_one(afterstate):
    told = afterstate("experiment", "-h").out
    file = told.partition("each variant:")[2].partition("Optional")[0]
    assert [arm.name for arm in Plan.parse(file, "help.toml").arms] == ["A"]


def test_an_address_alone_is_the_run_of_the_lab():
    address = "afterstate:1/td/td/1/2000"
    context = group.make_context("afterstate", ["--ascii", address, "--no-mouse"])
    assert context.params["run_name"] == address
    assert (context.params["ascii_only"], context.params["no_mouse"]) == (True, True)


@pytest.mark.parametrize(
    ("line", "typed"),
    [
        ("train --x {}", ""),
        ("expect {}", ""),
        ("judge random --like {}", ""),
        pytest.param("grade td --against {}", "", marks=pytest.mark.slow),
        ("experiment plan.toml --trust", ""),
        ("play --plain", "be {}"),
    ],
)
def test_a_rule_that_loops_forever_ends_every_command_with_a_sentence(
    afterstate, tmp_path, monkeypatch, line: str, typed: str
):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(user_rule, "SECONDS", 0.2)
    (tmp_path / "loop.py").write_text("while True: pass")
    (tmp_path / "plan.toml").write_text(PLAN)
    spec = "loop.py:Mine"
    outcome = afterstate(*line.format(spec).split(), stdin=f"{typed.format(spec)}\nq\n")
    told = outcome.out if typed else outcome.err
    said = r"'loop.py' was not done after (0\.2|10) s, in line 1: does it loop forever\?"
    assert re.search(said, told)
    assert outcome.status == (0 if typed else 2)


@pytest.mark.parametrize(
    ("words", "kept"),
    [
        ("experiment 1.4 --seeds 1", "; give --out to keep them"),
        ("turn alpha=.1:.2:2 --seeds 1", ""),
        ("players museum:lost-copy --seeds 1", ""),
    ],
)
def test_who_stops_an_experiment_is_told_to_keep_it_only_where_that_is_possible(
    afterstate, monkeypatch, words, kept
):
    monkeypatch.setattr(experiment.Experiment, "work", lambda self: self.snapshot)
    monkeypatch.setattr(experiment, "ended_by_signals", lambda stop: nullcontext([2]))
    outcome = afterstate(*words.split(), "--games", "5")
    assert (outcome.status, outcome.err) == (
        130,
        f"afterstate: Stopped after 0 of 2 trials{kept}.\n",
    )
