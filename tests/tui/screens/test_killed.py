"""A lab that is killed in the middle of what it does, in a real pseudo-terminal."""

import importlib.util
import signal
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from afterstate_lab.learners.players.resolve import parse_player
from afterstate_lab.learners.runs.listing import LoadedRun
from afterstate_lab.learners.runs.store import Store, last_run
from afterstate_lab.learners.tape.run import Run

COMMAND = (sys.executable, "-m", "afterstate_lab")


def terminal(*options: str) -> Any:
    """The lab in a terminal of 80×24."""
    path = Path(__file__).parents[2] / "benchmarks" / "pseudo_terminal.py"
    spec = importlib.util.spec_from_file_location("pseudo_terminal", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.PseudoTerminal([*COMMAND, *options])


def last_saved() -> LoadedRun:
    """What the store holds of the run that was saved last."""
    info = last_run()
    assert info is not None
    return Store.open().load(info.id)


def has_saved(games: int, moves: int = 0) -> bool:
    """Whether a run with so many games, or a game with so many moves, is in the store."""
    info = last_run()
    if info is None or info.games < games:
        return False
    loaded = last_saved()
    return len(loaded.pending.script if loaded.pending else ()) >= moves


def wait_for_save(lab: Any, games: int, moves: int = 0) -> None:
    """Wait until so much is saved."""
    last = time.monotonic() + 40
    while not has_saved(games, moves):
        lab.read(0.05)
        assert time.monotonic() < last, lab.text


@pytest.mark.slow
def test_killed_while_a_person_plays_it_goes_on_with_the_same_board():
    with terminal("--seed", "0") as lab:
        lab.read_until_shown("space runs")
        lab.press("p")
        lab.read_until_shown("PLAY")
        lab.press("5")
        wait_for_save(lab, 0, 1)
        lab.press("1" if "O→1" not in lab.text else "2")
        wait_for_save(lab, 0, 2)
        lab.signal(signal.SIGKILL)
        assert lab.wait() == -signal.SIGKILL
    before = last_saved()
    with terminal() as again:
        again.read_until_shown("continue td-td", "your move")
        again.press("c")
        again.read_until_shown("Resumed td-td", "X to move")
        again.press("q", "q")
        assert again.wait() == 0
    assert np.array_equal(last_saved().run.memory, before.run.memory)


@pytest.mark.slow
def test_killed_while_it_trains_it_goes_on_to_the_bits_of_an_undisturbed_run():
    with terminal("--seed", "0") as lab:
        lab.read_until_shown("space runs")
        lab.press("t")
        lab.read_until_shown("how many games")
        lab.press("900m", "enter")
        wait_for_save(lab, 1)
        lab.signal(signal.SIGKILL)
        assert lab.wait() == -signal.SIGKILL
    games = last_saved().run.games
    with terminal() as again:
        again.read_until_shown("continue td-td", f"{games:,}")
        again.press("c")
        again.read_until_shown("Resumed td-td")
        again.press("t")
        again.read_until_shown("how many games")
        again.press("10k", "enter")
        wait_for_save(again, games + 10_000)
        again.signal(signal.SIGHUP)
        assert again.wait() in (0, 128 + signal.SIGHUP)
    whole = Run(parse_player("td"), parse_player("td"), 0)
    whole.kernel().compile()
    whole.train(games + 10_000)
    assert np.array_equal(last_saved().run.memory, whole.memory)
