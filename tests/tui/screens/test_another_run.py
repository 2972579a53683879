"""What was looked for or looked at in one run says nothing about another that takes its place."""

import threading
from collections.abc import Callable
from typing import Any

import pytest
from piloting import Desk, desk_of, play_to_end

from afterstate_lab.learners.players.resolve import parse_player
from afterstate_lab.learners.runs.listing import LoadedRun
from afterstate_lab.learners.runs.store import Store
from afterstate_lab.learners.tape.run import Run
from afterstate_lab.tui.lab.outcomes import Work


@pytest.fixture
def other() -> LoadedRun:
    """A saved run of ten games."""
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
    await play_to_end(desk.pilot)
    end, found = look_for(desk, "it")
    await desk.press("u")
    await play_to_end(desk.pilot, -1)
    end()
    assert await desk.finish() == "Given up."
    assert found == []
