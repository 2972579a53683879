"""What cannot be read is refused, in one printable sentence that says what is wrong."""

import json
from pathlib import Path

import pytest
from made import TINY, is_said, layout_of, run_of, sentences

from afterstate_lab.game import Board, IllegalMoveError, InvalidBoardError, Side
from afterstate_lab.learners import errors
from afterstate_lab.learners.ask.be import ByHand
from afterstate_lab.learners.ask.conditions import parse as parse_condition
from afterstate_lab.learners.ask.table import TableRows, filtered
from afterstate_lab.learners.ask.why import NotLinearError, shares_of
from afterstate_lab.learners.experiments.plan import Plan, find_plan
from afterstate_lab.learners.grading.grade import grade, graded
from afterstate_lab.learners.players.answers import Complaint, probabilities
from afterstate_lab.learners.players.policy_file import check_place
from afterstate_lab.learners.players.resolve import find_recipe, parse_player
from afterstate_lab.learners.rules.equation import Equation
from afterstate_lab.learners.rules.spec import LONGEST_SPEC
from afterstate_lab.learners.runs.address import LONGEST, Address, AddressError, read_scripts
from afterstate_lab.learners.runs.replay import open_address
from afterstate_lab.learners.tape.recording import TapePosition
from afterstate_lab.learners.toml_reader import LARGEST_FILE, TomlError

HEAD = """
import numpy as np

from afterstate_lab import backup, options
from afterstate_lab.learners.rules.state_values import TemporalDifference
class Mine(TemporalDifference):
"""


def written(name, text):
    Path(name).write_bytes(text.encode("latin-1" if name == "binary.toml" else "utf-8"))
    return Path(name)


def filter_of(text, x="td"):
    layout = layout_of(x)
    filtered(TableRows(layout, layout.fresh(), Side.X, 0), text)


def shares(spec):
    run = run_of(spec, "random", 20, 3)
    shares_of(run, run.layout.x.base, TapePosition(19, 99), 0.5)


def place(name):
    Path("folder.npz").mkdir()
    check_place(Path(name))


def script(*moves):
    """Play given moves in a run, which is left as it was."""
    run = run_of(games=3)
    before = run.memory.tobytes(), run.tally.tolist()
    try:
        run.play({int(ply): int(cell) for ply, cell in map(str.split, moves)})
    finally:
        assert (run.games, run.memory.tobytes(), run.tally.tolist()) == (3, *before)


def rule(text):
    return parse_player(f"{written('mine.py', text)}:Mine")


READERS = {
    "board": (Board.parse, InvalidBoardError),
    "id of a board": (lambda text: Board.from_id(int(text)), InvalidBoardError),
    "move": (lambda board, cell: Board.parse(board).play(int(cell)), IllegalMoveError),
    "moves of a game": (script, IllegalMoveError),
    "player": (parse_player, errors.UsageError),
    "condition": (parse_condition, errors.ConditionError),
    "condition of a player": (
        lambda text, x: parse_condition(text).check(layout_of(x, "td")), errors.ConditionError,
    ),
    "filter": (filter_of, errors.UsageError),
    "recipe": (find_recipe, errors.UsageError),
    "address": (Address.parse, AddressError),
    "place of an address": (lambda text: open_address(Address.parse(text)).memory(), AddressError),
    "moves of an address": (
        lambda moves: open_address(Address.parse(f"afterstate:1/td/td/1/1~{moves}")), AddressError,
    ),
    "games of a person": (lambda text: read_scripts(text, 3), AddressError),
    "plan": (lambda old, new: Plan.parse(TINY.replace(old, new, 1), "plan.toml"), TomlError),
    "sweep": (lambda text: Plan.parse(f"{TINY}\n[sweep]\n{text}\n", "plan.toml"), TomlError),
    "experiment": (find_plan, TomlError),
    "file of a plan": (
        lambda name, *text: Plan.load(written(name, *text) if text else Path(name)), TomlError,
    ),
    "table of an agent": (
        lambda text: parse_player(
            str(written("agent.json" if text[:1] in ("[", "{") else "agent.csv", text))
        ), errors.UsageError,
    ),
    "answer of an agent": (lambda told: probabilities(json.loads(told), "....X...."), Complaint),
    "rule": (rule, errors.RuleFileError),
    "part of a rule": (lambda text: rule(f"{HEAD}    {text}\n"), errors.RuleFileError),
    "method of a rule": (
        lambda text: rule(f"{HEAD}    @classmethod\n    def {text}\n"), errors.RuleFileError,
    ),
    "equation": (Equation, ValueError),
    "homework": (lambda spec: graded(spec, "td", games=5, seeds=1), errors.UsageError),
    "comparison of rules": (
        lambda *specs: grade(*map(parse_player, specs), games=1, seeds=1), errors.UsageError,
    ),
    "learner by hand": (lambda spec: ByHand(parse_player(spec), 0), errors.UsageError),
    "what a value is made of": (shares, NotLinearError),
    "place of a policy": (place, errors.PolicyFileError),
}  # fmt: skip
"""How each is read, and the error with which it is refused."""
LONG = (
    ("player", "x" * (LONGEST_SPEC + 1), f"a player spec is at most {LONGEST_SPEC} characters…"),
    ("condition", "draw or " * 60 + "draw", "…at most 400 characters…"),
    ("address", "afterstate:1/" + "t" * LONGEST, "…at most 100,000 characters…"),
    ("address", f"afterstate:{'9' * 5_000}/td/td/7/20", "…is not a whole address…"),
    ("table of an agent", "[" * 100_000, "'agent.json' is not JSON"),
    ("place of a policy", "x" * 300 + ".npz", "…ile name too long…"),
    ("plan", 'title = "Tiny"', "#" * LARGEST_FILE, "…at most 200,000 characters…"),
    ("file of a plan", "deep.toml", "a = " + "[" * 50_000, "…is not valid TOML…"),
)
REFUSED = [*sentences("learners/refusals.txt"), *LONG]


@pytest.mark.parametrize(
    ("kind", "row"), [pytest.param(k, row, id=f"{k}-{n}") for n, (k, *row) in enumerate(REFUSED)]
)
def test_what_cannot_be_read_is_refused_in_one_sentence(kind, row, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    read, error = READERS[kind]
    *given, said = row
    with pytest.raises(error) as refused:
        read(*given)
    told = str(refused.value)
    assert is_said(told, said), told
    assert told.isprintable() and len(told) < 2_000
