"""A lab whose player is somebody's agent: it is asked while keys are answered."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from textual.pilot import Pilot

from afterstate_lab.tui.app import Afterstate
from afterstate_lab.tui.lab.modes import Mode

AGENT = """
import os, time
def move(board):
    while not os.path.exists({gate!r}):
        time.sleep(0.01)
    return board.index(".") + 1
"""


@pytest.fixture
def agent(tmp_path: Path) -> str:
    """An agent that answers once there is a file `gate`."""
    (tmp_path / "agent.py").write_text(AGENT.format(gate=str(tmp_path / "gate")))
    return f"{tmp_path / 'agent.py'}:move"


async def until(pilot: Pilot[None], done: Callable[[], bool]) -> None:
    for _ in range(1000):
        if done():
            return
        await pilot.pause(0.02)
    raise TimeoutError


@pytest.mark.parametrize("at_home", [False, True], ids=["lab", "home"])
async def test_keys_are_answered_while_an_agent_is_asked(lab, agent, tmp_path, at_home: bool):
    app: Afterstate = lab(x="human", o=agent, at_home=at_home)
    async with app.run_test(size=(80, 24)) as pilot:
        if at_home:
            await pilot.press("w")
        await until(pilot, lambda: app.session.note.startswith(f"asking {agent}"))
        assert app.session.note.endswith("Esc gives up")
        await pilot.press("v")
        assert len(app.screen_stack) == 2
        await pilot.press("escape")
        assert not app.session.run.o.rule.is_asked
        (tmp_path / "gate").touch()
        await until(pilot, lambda: app.session.run.o.rule.is_asked)
        assert (app.session.run.o.rule.name, app.session.mode) == (agent, Mode.PLAY)


async def test_asking_an_agent_is_given_up_though_it_does_not_answer(lab, agent):
    app: Afterstate = lab(o=f"{agent}:seconds=600")
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: app.session.note.startswith("asking"))
        await pilot.press("escape")
        await until(pilot, lambda: app.session.note == "Given up.")
        assert str(app.session.run.o) == "td"


async def test_an_agent_that_cannot_be_asked_is_told_in_the_log(lab, tmp_path):
    (tmp_path / "agent.py").write_text("def move(board):\n    return 10\n")
    app: Afterstate = lab(o=f"{tmp_path / 'agent.py'}:move")
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: app.session.note == "Not opened: see the log.")
        assert str(app.session.run.o) == "td"
