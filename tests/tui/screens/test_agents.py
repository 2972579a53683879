"""A lab whose player is somebody's agent: it is asked while keys are answered."""

from collections.abc import Callable
from pathlib import Path

import pytest
from piloting import Desk, at

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


async def until(desk: Desk, done: Callable[[], bool]) -> None:
    for _ in range(1000):
        if done():
            return
        await desk.pilot.pause(0.02)
    raise TimeoutError


@pytest.mark.parametrize("at_home", [False, True], ids=["lab", "home"])
async def test_keys_are_answered_while_an_agent_is_asked(lab, agent, tmp_path, at_home: bool):
    async with at(lab(x="human", o=agent, at_home=at_home)) as desk:
        if at_home:
            await desk.press("w")
        session = desk.session
        await until(desk, lambda: session.note.startswith(f"asking {agent}"))
        assert session.note.endswith("Esc gives up")
        await desk.press("v")
        assert len(desk.screen.sheets) == 2
        await desk.press("Esc")
        assert not session.run.o.rule.is_asked
        (tmp_path / "gate").touch()
        await until(desk, lambda: session.run.o.rule.is_asked)
        assert (session.run.o.rule.name, session.mode) == (agent, Mode.PLAY)


async def test_an_agent_is_given_up_or_told_of_if_it_cannot_be_asked(lab, agent, tmp_path):
    wrong = tmp_path / "wrong.py"
    wrong.write_text("def move(board):\n    return 10\n")
    for spec, key, said in (
        (f"{agent}:seconds=600", "Esc", "Given up."),
        (f"{wrong}:move", "", "On the board "),
    ):
        async with at(lab(o=spec)) as desk:
            if key:
                await until(desk, lambda desk=desk: desk.session.note.startswith("asking"))
            await desk.press(key)
            await until(desk, lambda desk=desk, said=said: desk.session.note.startswith(said))
            assert str(desk.session.run.o) == "td"
