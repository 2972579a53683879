"""`afterstate judge`: agents of known strength, each verdict checked by plain recursion."""

import json
import sys
from importlib import import_module
from pathlib import Path

import pytest
import referee

AGENTS = Path(__file__).parents[2] / "agents"


def function(name: str):
    """One of the functions in the folder: how to name it, and its odds by cell, from 0."""
    file, _, attribute = name.partition(":")
    move = getattr(import_module(file), attribute)

    def policy(board: str) -> dict[int, float]:
        answer = move(board)
        odds = answer if isinstance(answer, dict) else {int(answer): 1.0}
        return {cell - 1: chance for cell, chance in odds.items()}

    return f"{AGENTS / file}.py:{attribute}", policy


@pytest.mark.quick("simple:first_free")
@pytest.mark.parametrize(
    "who",
    ["minimax:perfect", "minimax:quick", "minimax:buggy", "heuristic:move", "simple:first_free",
     "simple:anything", "program in Python"],
)  # fmt: skip
def test_the_verdict_is_that_of_plain_recursion(afterstate, who: str):
    name, policy = function("simple:first_free" if who == "program in Python" else who)
    if who == "program in Python":
        name = f"cmd:{sys.executable} {AGENTS / 'simple.py'}"
    outcome = afterstate("judge", name, "--json")
    assert outcome.err == ""
    told = json.loads(outcome.out)
    for side in "XO":
        found = told[side]
        chance, probability, length = referee.refutation(policy, side)
        assert found["worst_loss"] == pytest.approx(chance, abs=1e-6)
        assert found["beatable"] == (chance > 0)
        boards = [b for b in referee.boards() if referee.afters(b) and referee.mover(b) == side]
        wrong = {
            (board, cell + 1)
            for board in boards
            for cell, p in policy(board).items()
            if p > 0 and referee.minimax(referee.after(board, cell)) != referee.minimax(board)
        }
        assert {(error["board"], error["played"]) for error in found["errors"]} == wrong
        for error in found["errors"]:
            board, played = error["board"], error["played"]
            worth = {c + 1: referee.minimax(referee.after(board, c)) for c in referee.cells(board)}
            best = referee.minimax(board)
            assert error["loss"] == abs(best - worth[played]) / 2
            assert error["best"] == [cell for cell in worth if worth[cell] == best]
            assert error["probability"] == pytest.approx(policy(board)[played - 1], rel=1e-5)
        assert found["optimal"] == [len(boards) - len({board for board, _ in wrong}), len(boards)]
        chances = found["inconsistent"], found["chance"], found["worst_loss_error"]
        assert chances == ([], None, 0.0)
        if chance == 0:
            assert found["refutation"] is None
            continue
        board, played = referee.EMPTY, 1.0
        for cell in found["refutation"]:
            if referee.mover(board) == side:
                played *= policy(board)[cell - 1]
            board = referee.after(board, cell - 1)
        assert referee.winner(board) == referee.OTHER[side]
        assert played == pytest.approx(found["probability"], rel=1e-5)
        assert found["probability"] == pytest.approx(probability, rel=1e-5)
        assert len(found["refutation"]) == length
    assert outcome.status == (3 if told["X"]["beatable"] or told["O"]["beatable"] else 0)


@pytest.mark.parametrize(
    ("name", "data", "says"),
    [
        ("q.pkl", b"\x80\x04}.", "a pickle, which could run any code here: load it in a function"),
        ("q.npy", b"\x93NUMPY\x01\x00", "an array of numpy: load it"),
        ("play.ipynb", b"{}", "a notebook: call judge_agent in it"),
        ("tic-tac-toe.data", b"x,x,x,x,o,o,x,o,o,positive\n", "a data set of boards without moves"),
    ],
)
def test_a_file_of_another_kind_is_named_for_what_it_is(afterstate, tmp_path, name, data, says):
    (tmp_path / name).write_bytes(data)
    outcome = afterstate("judge", str(tmp_path / name))
    assert outcome.status == 2
    assert f"'{tmp_path / name}' is {says}" in outcome.err
