"""What is asked and searched in the background: keys are answered, and another run drops it."""

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from piloting import Desk, at, desk_of

from afterstate_lab.learners.players.resolve import parse_player
from afterstate_lab.learners.runs.replay import OpenedRun
from afterstate_lab.learners.runs.store import Store
from afterstate_lab.learners.tape.run import Run
from afterstate_lab.tui.lab.modes import Mode
from afterstate_lab.tui.lab.outcomes import Work

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


@pytest.mark.parametrize("at_home", [False, True], ids=["lab", "home"])
async def test_keys_are_answered_while_an_agent_is_asked(lab, agent, tmp_path, at_home: bool):
    async with at(lab(x="human", o=agent, at_home=at_home)) as desk:
        if at_home:
            await desk.press("w")
        session = desk.session
        await desk.until(lambda: session.note.startswith(f"asking {agent}"))
        assert session.note.endswith("Esc gives up")
        await desk.press("v")
        assert len(desk.screen.sheets) == 2
        await desk.press("Esc")
        assert not session.run.o.rule.is_asked
        (tmp_path / "gate").touch()
        await desk.until(lambda: session.run.o.rule.is_asked)
        assert (session.run.o.rule.name, session.mode) == (agent, Mode.PLAY)


async def test_an_agent_is_given_up_or_told_of_if_it_cannot_be_asked(lab, agent, tmp_path):
    wrong = tmp_path / "wrong.py"
    wrong.write_text("def move(board):\n    return 10\n")
    for spec, key, said in (
        (f"{agent}:seconds=600", "Esc", "Given up."),
        (f"{wrong}:move", "", "On the board "),
    ):
        async with at(lab(o=spec)) as desk:
            for keys, told in (("", "asking"), (key, said)) if key else (("", said),):
                await desk.press(keys)
                await desk.until(lambda desk=desk, told=told: desk.session.note.startswith(told))
            assert str(desk.session.run.o) == "td"


@pytest.fixture
def other() -> OpenedRun:
    run = Run(parse_player("td"), parse_player("td"))
    run.train(10)
    store = Store.open()
    return store.load(store.save(run.state()).id)


def look_for(desk: Desk, *names: str) -> tuple[Callable[[], None], list[Any]]:
    """Begin searches, each in place of the one before; what ends them, and what they found."""
    may_end, found = threading.Event(), list[Any]()
    for name in names:
        work = lambda *_, name=name: may_end.wait(30) and name  # noqa: E731
        run = desk.session.run
        desk.screen.take(Work(work, says=name, then=found.append, run=run))
    return may_end.set, found


@desk_of(games=200)
async def test_what_shows_or_searches_a_run_is_left_when_another_is_opened(desk: Desk, other):
    await desk.press("s end [")
    screen = desk.screen
    end, found = look_for(desk, "one", "two")
    await desk.pilot.pause()
    end()
    await desk.finish()
    assert found == ["two"], "the second of two searches counts"
    for key in "rv":
        await desk.finish(key)
        assert not desk.in_lab
        await desk.press("?")
        assert not desk.in_lab
        screen.take(screen.controller.resume(other))
        await desk.pilot.pause()
        assert desk.screen is screen
        assert desk.session.run is other.run
        await desk.press("s → [")
        desk.session.start(desk.session.settings)
        desk.session.run.train(20)
        await desk.press("s end [")
    end, found = look_for(desk, "something")
    screen.take(screen.controller.resume(other))
    end()
    assert await desk.finish() == "Given up."
    assert found == []


@desk_of(x="human")
async def test_what_is_found_in_a_game_that_was_taken_back_is_not_gone_to(desk: Desk):
    await desk.pilot.pause()
    await desk.play_to_end()
    end, found = look_for(desk, "it")
    await desk.press("u")
    await desk.play_to_end(-1)
    end()
    assert await desk.finish() == "Given up."
    assert found == []
