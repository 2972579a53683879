"""Dice that a script answers; estimates of the chance to lose; what certainly loses."""

import itertools
import os
import signal
import sys
from collections import defaultdict
from dataclasses import replace
from fractions import Fraction
from itertools import chain
from types import SimpleNamespace

import numpy as np
import pytest
from made import sentences

from afterstate_lab.game import Side, exact, space
from afterstate_lab.learners.players import asking, scripted
from afterstate_lab.learners.players.answers import MOVES
from afterstate_lab.learners.players.judged import judged_player
from afterstate_lab.learners.players.process import Child, NoAnswer
from afterstate_lab.learners.players.resolve import parse_player

LATE = """
def move(board):
    {imports}
    return 1 + int({roll})
"""
ROLLS = """
import random

class Cell:
    def __index__(self):
        return random.choice([1, 2])

def move(board):
    return Cell()
"""


def asked(folder, source, *requests):
    """Return what the host answers to requests, a board and how often, with a file's function."""
    path, lines = folder / "agent.py", list[str]()
    path.write_text(source)
    with Child("-P", "function", str(path), "move") as child:
        child.write(requests)
        while len(lines) <= len(requests):
            lines += [line for line in child.lines(30.0, most=8) if line]
    return [asking.outcomes(line) for line in lines[1:]]


DICE = """
import math, random, secrets, time
import numpy as np
from random import choice
rng, old, own = np.random.default_rng(), np.random.RandomState(3), random.Random(5)
def cumulative(odds):
    draw, total = random.random(), 0.0
    for index, chance in enumerate(odds):
        total += chance
        if draw < total:
            return index
def move(number):
    return eval(SOURCES[int(number)])
"""
ODDS = sentences("learners/players/dice.txt")


def test_the_odds_are_those_by_hand_or_the_script_says_that_it_cannot_follow(tmp_path):
    sources = [source for source, _ in ODDS]
    asks = [f"{number} 0" for number in range(len(sources))]
    answers = asked(tmp_path, f"SOURCES = {sources!r}\n{DICE}", *asks)
    for (source, said), told in zip(ODDS, answers, strict=True):
        if said in ("?", "too many ways"):
            assert told == (None if said == "?" else []), source
        else:
            by_hand = (one.split(": ") for one in said.split(", "))
            odds = {int(cell): float(Fraction(chance)) for cell, chance in by_hand}
            assert dict(told) == pytest.approx(odds, abs=1e-12), source


def test_ways_are_not_followed_for_ever(monkeypatch):
    """Of a slow player that shuffles, 10 s were spent on each of a thousand boards."""
    monkeypatch.setattr(scripted.Script, "wasted", 0.0)
    seconds = itertools.count()

    def shuffles():
        return [scripted.even(9) for _ in range(9)]

    raised = []
    for _ in range(4):
        with pytest.raises(scripted.Wild) as error:
            scripted.odds(shuffles, lambda: next(seconds))
        raised.append(error.type)
    assert raised == [scripted.TooMany, scripted.Wild, scripted.Wild, scripted.Wild]
    assert next(seconds) < 100


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells a child of its parent's end")
def test_an_agent_ends_with_its_guard_whatever_kills_that(tmp_path):
    (tmp_path / "agent.py").write_text("def move(board):\n    return 1\n")
    with Child("-P", "function", str(tmp_path / "agent.py"), "move") as child:
        child.lines(30.0)
        os.kill(child._process.pid, signal.SIGKILL)
        with pytest.raises(NoAnswer, match="is ended by SIGKILL"):
            child.lines(5.0)


@pytest.mark.parametrize("number", [signal.SIGHUP, signal.SIGINT, signal.SIGTERM])
def test_a_guard_that_is_told_to_end_first_ends_what_the_agent_started(tmp_path, number):
    (tmp_path / "agent.py").write_text(
        "import subprocess\n"
        "nap = subprocess.Popen(['sleep', '60'])\n"
        f"open({str(tmp_path / 'nap')!r}, 'w').write(str(nap.pid))\n"
        "def move(board):\n    return 1\n"
    )
    with Child("-P", "function", str(tmp_path / "agent.py"), "move") as child:
        child.lines(30.0)
        os.kill(child._process.pid, number)
        with pytest.raises(NoAnswer):
            child.lines(5.0)
    with pytest.raises(ProcessLookupError):
        os.kill(int((tmp_path / "nap").read_text()), 0)


SYSTEM = "random.SystemRandom().getrandbits(40) % 2"


@pytest.mark.parametrize("roll", ["secrets.randbits(32) % 2", SYSTEM, "default_rng().normal() > 0"])
def test_dice_that_no_script_follows_are_not_loaded(tmp_path, roll):
    """The system's generator was never seeded: 0 for ever, and numpy's seeds came from it."""
    imports = "import random, secrets; from numpy.random import default_rng"
    late = LATE.format(imports=imports, roll=roll)
    ways, often = asked(tmp_path, late, "......... 0", "......... 64")
    assert not ways
    assert dict(often).keys() == {1, 2}


@pytest.mark.parametrize(
    "source",
    [
        LATE.format(imports="import numpy as np", roll="np.random.choice(2)"),
        LATE.format(imports="import numpy as np", roll="np.random.default_rng().integers(2)"),
        LATE.format(imports="import helper, random", roll="random.randrange(helper.SIDES)"),
        ROLLS,
    ],
    ids=["numpy", "a generator", "a module that rolls", "an answer that rolls as it is read"],
)
def test_a_module_that_a_call_loads_is_none_of_its_chance_and_its_answer_is(tmp_path, source):
    (tmp_path / "helper.py").write_text("import random\nrandom.random()\nSIDES = 2\n")
    assert asked(tmp_path, source, "......... 0") == [[(1, 0.5), (2, 0.5)]]


def rounds_of(policy, side, asks, rounds, dice):
    """Rounds in which a policy was asked so often on each board that it reaches."""
    s, reached = space(), exact.reached_positions(policy, side)
    own = np.flatnonzero(reached & (s.outcome == 0) & (s.ply % 2 == side) & (s.ply < 8)).tolist()
    found = []
    for _ in range(rounds):
        heard = {}
        for board in own:
            edges = s.edges_of(board)
            counts = dice.multinomial(asks, policy[edges] / policy[edges].sum())
            cells = s.edge_cell[edges].tolist()
            pairs = zip(cells, counts.tolist(), strict=True)
            heard[board] = {MOVES[cell]: float(count) for cell, count in pairs if count}
        found.append(heard)
    return found


@pytest.mark.slow
def test_the_interval_covers_the_exact_loss_of_a_player_with_random_moves():
    """At least 95% of the time; an estimate by the best response to its own counts is too large."""
    policy = 0.9 * exact.perfect_policy() + 0.1 * exact.uniform_policy()
    truth, dice = exact.worst_losses(policy, Side.X)[exact.START], np.random.default_rng(1)
    covered, asks = 0, 12
    for _ in range(20):
        rounds = rounds_of(policy, Side.X, asks, 8, dice)
        pooled: defaultdict = defaultdict(asking.Counts)
        for board, counts in chain.from_iterable(heard.items() for heard in rounds):
            pooled[board].update(counts)
        estimate = policy.copy()
        asking.set_rows(estimate, pooled)
        middle, error = asking.estimated_loss(estimate, rounds, Side.X, asks * 8)
        covered += abs(middle - truth) <= error
        assert error < 0.2
    assert covered >= 19


def test_a_verdict_is_certain_after_the_boards_of_one_losing_game():
    policy = exact.uniform_policy().copy()
    game = {".........": 0, "XO.......": 2, "XOX.O....": 3}  # then O 8 wins
    boards = [next(b for b in range(5478) if space().text(b) == text) for text in game]
    asking.set_rows(
        policy, dict(zip(boards, ({MOVES[cell]: 1.0} for cell in game.values()), strict=True))
    )
    assert not asking.is_beaten(policy, boards[:2], Side.X)
    assert asking.is_beaten(policy, boards, Side.X)
    assert not asking.is_beaten(policy, boards, Side.O)


@pytest.mark.parametrize(
    ("chance", "asks", "is_known"),
    [(None, 0, True), (None, 28, False), (None, 29, True), ("exact", 0, True),
     ("estimated", 99, False)],
)  # fmt: skip
def test_nobody_is_said_to_beat_an_agent_only_after_it_was_asked_enough(chance, asks, is_known):
    """0 asks: nothing was counted. Of 28, 1 in 10 goes unseen with odds .052, of 29 with .047."""
    (perfect,) = judged_player(parse_player("perfect"), [Side.O])
    told = SimpleNamespace(chance=chance, counted=asks > 0, unseen=0.9**asks)
    verdict = replace(perfect, answers=told).verdict
    assert verdict.endswith("nobody beats it" if is_known else "no answer was seen that loses")
