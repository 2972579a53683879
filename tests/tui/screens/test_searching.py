"""Breakpoints, provenance and what-if through their keys."""

from __future__ import annotations

import pytest
from piloting import answer, block, painted, refusal, settled, state
from textual.pilot import Pilot

from afterstate_lab.learners.tape.events import Backup, Move
from afterstate_lab.learners.tape.run import Run
from afterstate_lab.tui.blocks.log import Log
from afterstate_lab.tui.lab.outcomes import Search
from afterstate_lab.tui.pages.what_if import BothGames
from afterstate_lab.tui.screens.lab import LabScreen
from afterstate_lab.tui.screens.page import PageScreen


async def stepping(pilot: Pilot[None], games: int = 200) -> None:
    """Train without a screen, then step from the first event."""
    session = pilot.app.session  # type: ignore[attr-defined]
    session.run.train(games)
    await pilot.press("s", "home")


async def broken(pilot: Pilot[None], condition: str, key: str) -> None:
    await pilot.press("b")
    await answer(pilot, condition)
    await pilot.press(key)
    await settled(pilot)


def backups_over(run: Run, threshold: float) -> list[Backup]:
    events = run.record(0, run.games).events()
    return [e for e in events if isinstance(e, Backup) and abs(e.error) > threshold]


async def test_c_runs_to_the_next_large_error_and_big_c_back(lab):
    app = lab()
    async with app.run_test(size=(80, 24)) as pilot:
        await stepping(pilot)
        large = backups_over(app.session.run, 0.45)
        await broken(pilot, "error > .45", "c")
        assert app.session.timeline.event == large[0]
        await pilot.press("c")
        await settled(pilot)
        assert app.session.timeline.event == large[1]
        await pilot.press("C")
        await settled(pilot)
        assert app.session.timeline.event == large[0]
        await pilot.press("C")
        await settled(pilot)
        assert "nowhere before" in app.session.note


async def test_a_wrong_condition_is_refused_in_place(lab):
    app = lab()
    async with app.run_test(size=(80, 24)) as pilot:
        await stepping(pilot)
        await pilot.press("b")
        await answer(pilot, "error >> 3")
        assert "is no condition" in refusal(pilot)
        await pilot.press("escape")
        assert app.session.breakpoint == ""


async def test_the_last_writer_of_a_value_is_where_it_became_what_it_is(lab):
    app = lab()
    async with app.run_test(size=(80, 24)) as pilot:
        await stepping(pilot)
        app.session.timeline.go_to(150)
        while not isinstance(app.session.timeline.event, Backup):
            app.session.timeline.step()
        later = app.session.timeline.event
        await pilot.press("B")
        await settled(pilot)
        writer = app.session.timeline.event
        assert isinstance(writer, Backup)
        assert writer.entry == later.entry
        assert writer.new == later.old
        assert writer.game < 150


async def test_provenance_lists_the_backups_that_made_a_value_and_goes_there(lab):
    app = lab()
    async with app.run_test(size=(80, 24)) as pilot:
        await stepping(pilot)
        app.session.timeline.go_to(150)
        while not isinstance(app.session.timeline.event, Backup):
            app.session.timeline.step()
        newest = app.session.timeline.event
        await pilot.press("r")
        await settled(pilot)
        assert isinstance(app.screen, PageScreen)
        rows = len(app.screen.make.__self__.rows)
        await pilot.press("enter")
        await settled(pilot)
        assert len(app.screen.make.__self__.rows) > rows
        await pilot.press("enter", "down", "g")
        assert isinstance(app.screen, LabScreen)
        event = app.session.timeline.event
        assert isinstance(event, Backup)
        assert (event.entry, event.new) == (newest.entry, newest.old)


@pytest.mark.quick("random")
@pytest.mark.parametrize(
    "other",
    [
        *("td:exploration=learn", "random"),
        *(pytest.param(other, marks=pytest.mark.slow) for other in ("mc", "q")),
    ],
)
async def test_what_if_plays_the_same_game_under_another_rule(lab, other: str):
    app = lab()
    async with app.run_test(size=(80, 24)) as pilot:
        await stepping(pilot, 60)
        app.session.timeline.go_to(50)
        assert isinstance(app.session.timeline.event, Move)
        await pilot.press("W")
        await answer(pilot, other)
        await settled(pilot)
        asked = state(pilot)
        assert isinstance(asked, BothGames)
        assert "same game, same dice" in painted(pilot)
        await pilot.press("tab")
        await settled(pilot)
        await pilot.pause()
        assert "if so, at the end" in painted(pilot)
        assert "same game, same dice" not in painted(pilot)
        assert [line.label for line in asked.runs[0].series] == ["was", "if"]
        await pilot.press("tab")
        assert "same game, same dice" in painted(pilot)
        await pilot.press("question_mark")
        assert isinstance(app.screen, PageScreen)
        await pilot.press("escape", "escape")
        assert isinstance(app.screen, LabScreen)


async def test_what_was_asked_stays_beside_the_update_of_that_game_where_there_is_room(lab):
    app = lab()
    async with app.run_test(size=(120, 40)) as pilot:
        await stepping(pilot, 60)
        app.session.timeline.go_to(50)
        await pilot.press("W")
        await answer(pilot, "q")
        await settled(pilot)
        assert isinstance(state(pilot), BothGames)
        await pilot.press("escape")
        assert block(app, Log).title == "what if X were q"
        assert ("≠ ", "key") in block(app, Log).lines[0]
        await pilot.press("right_curly_bracket")
        assert block(app, Log).title != "what if X were q"
        await pilot.press("left_curly_bracket")
        assert block(app, Log).title == "what if X were q"


async def test_escape_gives_up_a_search(lab):
    app = lab()
    async with app.run_test(size=(80, 24)) as pilot:
        await stepping(pilot)
        screen = app.screen
        assert isinstance(screen, LabScreen)
        search = Search("nothing", lambda _, stop: wait_for(stop), lambda _: None, app.session.run)
        screen.look_for(search)
        await pilot.press("escape")
        await settled(pilot)
        assert app.session.note == "Given up."


def wait_for(stop) -> None:  # type: ignore[no-untyped-def]
    while not stop():
        pass
