"""What was looked for or looked at in one run says nothing about another that takes its place."""

from __future__ import annotations

import threading

import pytest
from piloting import play_to_end, settled
from textual.pilot import Pilot

from afterstate_lab.learners.players.resolve import parse_player
from afterstate_lab.learners.runs.store import LoadedRun, Store
from afterstate_lab.learners.tape.run import Run
from afterstate_lab.tui.lab.outcomes import Search
from afterstate_lab.tui.screens.lab import LabScreen
from afterstate_lab.tui.screens.page import PageScreen


@pytest.fixture
def other() -> LoadedRun:
    """A saved run of ten games."""
    run = Run(parse_player("td"), parse_player("td"))
    run.train(10)
    with Store.open() as store:
        return store.load(store.save(run.state()).id)


async def stepping(pilot: Pilot[None]) -> LabScreen:
    """Step from the end of a run of 200 games."""
    session = pilot.app.session  # type: ignore[attr-defined]
    session.run.train(200)
    await pilot.press("s", "end", "left_square_bracket")
    assert isinstance(pilot.app.screen, LabScreen)
    return pilot.app.screen


@pytest.mark.parametrize(("key", "kind"), [("r", PageScreen), ("v", PageScreen)])
async def test_what_shows_a_run_is_left_when_another_is_opened(lab, other, key: str, kind: type):
    app = lab()
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await stepping(pilot)
        await pilot.press(key)
        await settled(pilot)
        assert isinstance(app.screen, kind)
        await pilot.press("question_mark")
        assert isinstance(app.screen, PageScreen)
        screen.take(screen.controller.current.resume(other))
        await pilot.pause()
        assert app.screen is screen
        assert app.session.run is other.run
        await pilot.press("s", "right", "left_square_bracket")


async def test_what_is_found_in_the_run_before_is_not_gone_to(lab, other):
    app = lab()
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await stepping(pilot)
        may_end, found = threading.Event(), []
        run = app.session.run
        screen.look_for(Search("something", lambda *_: may_end.wait(30), found.append, run))
        screen.take(screen.controller.current.resume(other))
        may_end.set()
        await settled(pilot)
        assert found == []
        assert app.session.note == "Given up."


async def test_what_is_found_in_a_game_that_was_taken_back_is_not_gone_to(lab):
    app = lab(x="human")
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        await play_to_end(pilot)
        may_end, found = threading.Event(), []
        run = app.session.run
        app.screen.look_for(Search("it", lambda *_: may_end.wait(30), found.append, run))
        await pilot.press("u")
        await play_to_end(pilot, -1)
        may_end.set()
        await settled(pilot)
        assert found == []
        assert app.session.note == "Given up."


async def test_the_second_of_two_searches_is_the_one_that_counts(lab):
    app = lab()
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await stepping(pilot)
        may_end, found = threading.Event(), []
        run = app.session.run
        screen.look_for(Search("one", lambda *_: may_end.wait(30), found.append, run))
        screen.look_for(Search("two", lambda *_: may_end.wait(30) and "two", found.append, run))
        await pilot.pause()
        may_end.set()
        await settled(pilot)
        assert found == ["two"]
