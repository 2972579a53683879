"""An address stands for a file or a run wherever a command takes one."""

from __future__ import annotations

import json
from urllib.parse import quote

import pytest

from learners.ask.what_if import replay_game
from learners.files import LOCK
from learners.judge.evaluation import evaluate_memory, evaluations_json
from learners.players.resolve import parse_player
from learners.runs.address import Address
from learners.runs.replay import open_address
from learners.tape.recording import Cursor
from learners.tape.trace import trace_recording
from tui.cli.group import afterstate as group

RUN = "afterstate:1/td/td/1/2000"


@pytest.fixture(autouse=True)
def interpreted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AFTERSTATE_INTERPRETED", "1")
    monkeypatch.setenv(LOCK, "")


@pytest.fixture
def trained_file(afterstate, tmp_path):
    """What a training of the same run saved."""
    file = tmp_path / "policy.npz"
    assert afterstate("train", "--seed=1", "--games=2000", f"--out={file}").status == 0
    return str(file)


@pytest.mark.quick("words0")
@pytest.mark.parametrize("words", [("evaluate", "--json"), ("evaluate",), ("export",)])
def test_it_prints_what_training_and_evaluating_print(afterstate, trained_file, words):
    expected = afterstate(*words, trained_file)
    assert afterstate(*words, RUN) == expected
    assert afterstate(*words, "--run", RUN) == expected
    assert (expected.status, expected.err) == (0, "")


def test_a_place_is_judged_as_it_was_there(afterstate):
    there = afterstate("evaluate", f"{RUN}@501.0", "--json")
    assert there.status == 0
    assert there.out == afterstate("evaluate", "afterstate:1/td/td/1/500", "--json").out


def test_it_is_traced_as_the_same_games_are(afterstate):
    expected = afterstate("trace", "--seed=1", "--games=70").out.splitlines()
    assert afterstate("trace", "afterstate:1/td/td/1/70").out.splitlines() == expected
    of_game = [line for line in expected if json.loads(line)["game"] == 66]
    assert afterstate("trace", "afterstate:1/td/td/1/70@67.3").out.splitlines() == of_game


@pytest.mark.parametrize("what_if", ["+x=mc", "+o=td:alpha=0.5,epsilon=0.9", "+x=q"])
def test_a_what_if_is_traced_and_judged_as_it_plays(afterstate, what_if):
    """Up to its first backup both games are equal; then the other player plays and learns."""
    run = open_address(Address.parse(RUN)).run
    spec = parse_player(what_if[3:])
    found = replay_game(run, 66, **{what_if[1]: spec}).other
    traced = afterstate("trace", f"{RUN}@67{what_if}")
    assert [json.loads(line) for line in traced.out.splitlines()] == list(trace_recording(found))
    assert traced.out != afterstate("trace", f"{RUN}@67").out
    end = json.loads(traced.out.splitlines()[-1])["ply"]
    for place, events in (("67.0", 0), ("67", 1), (f"67.{end}", None)):
        told = afterstate("evaluate", f"{RUN}@{place}{what_if}", "--json")
        rows = [k for k, event in enumerate(found.events()) if event.ply == end]
        memory = Cursor(found, rows[0] + 1 if events is None else events).v
        judged = evaluations_json(evaluate_memory(found.layout, memory))
        assert json.loads(told.out) == json.loads(json.dumps(judged))


def test_its_players_compete_with_what_they_know(afterstate):
    told = json.loads(afterstate("compete", RUN, "--games=10", "--json").out)
    assert (told["x"], told["o"], told["seed"]) == ("td", "td", 1)
    after = afterstate("compete", "afterstate:1/td/perfect/1/2000", "--games=10").out
    assert "X wins 0.0000" in after


def test_a_training_goes_on_from_its_end(afterstate, trained_file, tmp_path):
    file = tmp_path / "on.npz"
    told = afterstate("train", "--run", "afterstate:1/td/td/1/1500", "--games=500", f"--out={file}")
    assert told.status == 0
    assert afterstate("export", str(file)) == afterstate("export", trained_file)


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("evaluate", "afterstate:1/td/td/1"), "is no whole address"),
        (("evaluate", f"{RUN}@3.1.60"), "move 1 of game 3 has"),
        (("trace", RUN, "--games=3"), "the address says who plays, and the seed: leave --games"),
        (("compete", RUN, "--seed=3"), "leave --seed out"),
        (("train", "--run", RUN, "--x=q"), "leave --x out"),
        (("train", "--run", f"{RUN}@3"), "training continues from the end of a run"),
        (("address", "--run", RUN, "--at", "9999"), "there is no game 9,999"),
        (("evaluate", f"afterstate:1/td/sha256-{'0' * 64}.npz/1/5"), "--file FILE"),
        (("--tour", RUN), "the lab needs a terminal"),
    ],
)
def test_what_is_wrong_is_one_line(afterstate, words, why):
    told = afterstate(*words)
    assert (told.status, told.out) == (2, "")
    assert why in told.err
    assert len(told.err.splitlines()) == 1


def test_a_saved_run_has_an_address(afterstate):
    assert afterstate("train", "--seed=1", "--games=2000", "--run=mine").status == 0
    assert afterstate("address", "--run=mine").out == f"{RUN}\n"
    assert afterstate("address", "--run=mine", "--at=12.3").out == f"{RUN}@12.3\n"
    with_engine = afterstate("address", "--run=mine", "--engine").out.strip()
    assert with_engine[: len(RUN) + 1] == f"{RUN}!"
    assert len(with_engine) == len(RUN) + 9
    assert afterstate("evaluate", with_engine).err == ""
    warned = afterstate("evaluate", f"{RUN}!00000000")
    assert (warned.status, "Another engine wrote this address" in warned.err) == (0, True)


def test_a_file_is_named_beside_it(afterstate, trained_file):
    run = f"afterstate:1/td/{quote(trained_file, safe='')}/1/50"
    assert "is a path" in afterstate("evaluate", run).err
    assert afterstate("train", f"--o={trained_file}", "--games=50", "--run=f").status == 0
    address = afterstate("address", "--run=f").out.strip()
    assert trained_file not in address
    assert "--file FILE" in afterstate("evaluate", address).err
    assert afterstate("evaluate", address, "--file", trained_file).out == (
        afterstate("evaluate", "--run=f").out
    )


def test_a_locked_lab_reads_no_file_elsewhere(afterstate, trained_file):
    afterstate("train", f"--o={trained_file}", "--games=50", "--run=f")
    address = afterstate("address", "--run=f").out.strip()
    told = afterstate("--locked", "evaluate", address, "--file", trained_file)
    assert (told.status, "this lab is locked" in told.err) == (2, True)


def test_without_a_command_it_is_the_run_of_the_lab():
    context = group.make_context("afterstate", ["--ascii", RUN, "--no-mouse"])
    assert context.params["run_name"] == RUN
    assert (context.params["ascii_only"], context.params["no_mouse"]) == (True, True)
