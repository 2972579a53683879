"""A lab that is killed in the middle of what it does, in a real pseudo-terminal."""

import signal
import sys
import time
from typing import Any

import numpy as np
import pytest

from afterstate_lab.learners.players.resolve import parse_player
from afterstate_lab.learners.runs.listing import last_run
from afterstate_lab.learners.runs.replay import OpenedRun
from afterstate_lab.learners.runs.store import Store
from afterstate_lab.learners.tape.run import Run


def terminal(*options: str) -> Any:
    from pseudo_terminal import PseudoTerminal

    return PseudoTerminal([sys.executable, "-m", "afterstate_lab", *options])


def last_saved() -> OpenedRun:
    info = last_run()
    return Store.open().load(info.id)


def wait_for_save(lab: Any, games: int, moves: int = 0) -> None:
    last = time.monotonic() + 40
    while (info := last_run()) is None or info.games < games or len(last_saved().script) < moves:
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
