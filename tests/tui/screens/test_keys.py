"""What opens, the keys that help tells, and none that a keyboard has only behind AltGr."""

from __future__ import annotations

from importlib import import_module

import pytest
from textual.keys import _character_to_key

from afterstate_lab.learners.tape.events import Move
from afterstate_lab.tui.lab.commands import ALL, COMMANDS, Screen
from afterstate_lab.tui.lab.modes import Mode
from afterstate_lab.tui.pages.help import sections_of
from afterstate_lab.tui.pages.page import PAGES

BEHIND_ALTGR = {"German": "[]{}\\|@~", "French": "[]{}\\|@~#^`", "Spanish": "[]{}\\|@~#"}
"""The characters of ASCII that these keyboards have only behind AltGr."""


def test_what_can_be_opened_has_a_file_that_says_how():
    """Home and explanations are opened by themselves; a film is told alone."""
    for screen in set(Screen) - {Screen.HOME, Screen.EXPLAIN, Screen.FILM}:
        package = "pages" if screen in PAGES else "screens"
        assert callable(import_module(f"afterstate_lab.tui.{package}.{screen.value}").open_on)


@pytest.mark.parametrize("keyboard", BEHIND_ALTGR)
def test_no_command_is_only_behind_altgr(keyboard: str):
    behind = {_character_to_key(character) for character in BEHIND_ALTGR[keyboard]}
    for command in COMMANDS:
        if command.keys:
            assert set(command.keys) - behind, command.name


@pytest.mark.parametrize("mode", Mode)
def test_help_tells_the_keys_of_the_mode_first_and_every_key(mode: Mode):
    (now, first), *_ = sections = sections_of(mode)
    with_keys = [command for command in COMMANDS if command.keys and command.help]
    assert now == f"{mode.value} (now)"
    own = {command.all_shown for command in with_keys if mode in command.modes != ALL}
    assert {key for key, _ in first} == own
    told = {key for _, keys in sections for key, _ in keys}
    assert told == {command.all_shown for command in with_keys}


@pytest.mark.parametrize(
    ("key", "second"),
    [
        ("left_square_bracket", "comma"),
        ("right_square_bracket", "full_stop"),
        ("left_curly_bracket", "left_parenthesis"),
        ("right_curly_bracket", "right_parenthesis"),
    ],
)
@pytest.mark.parametrize("mode", ["s", "w"])
async def test_second_keys_do_the_same(lab, key: str, second: str, mode: str):
    app = lab()
    async with app.run_test(size=(80, 24)) as pilot:
        app.session.run.train(30)
        await pilot.press(mode)
        places = []
        for pressed in (key, second):
            app.session.timeline.go_to(20)
            app.session.timeline.step()
            await pilot.press(pressed)
            places.append(app.session.timeline.place)
        assert places[0] == places[1]


async def test_watch_goes_back_over_the_moves_that_it_went(lab):
    app = lab()
    async with app.run_test(size=(80, 24)) as pilot:
        session = app.session
        session.run.train(30)
        session.timeline.go_to(20)
        await pilot.press("right")
        ends = [(session.timeline.place, session.board)]
        for _ in range(12):
            await pilot.press("right")
            ends.append((session.timeline.place, session.board))
        assert session.timeline.game > 20
        for place, board in reversed(ends[:-1]):
            await pilot.press("left")
            assert (session.timeline.place, session.board) == (place, board)
        assert session.mode is Mode.WATCH


async def test_watch_plays_on_from_where_it_went_back_to(lab):
    app = lab()
    async with app.run_test(size=(80, 24)) as pilot:
        session = app.session
        await pilot.press("right_curly_bracket", "right_curly_bracket")
        assert session.run.games == 2
        await pilot.press("left_curly_bracket", "left_square_bracket", "left_square_bracket")
        assert session.timeline.game == 0
        assert session.run.games == 2
        await pilot.press("home")
        assert isinstance(session.timeline.event, Move)
        assert session.timeline.event.ply == 1
        await pilot.press("plus")
        assert session.note == "4 moves a second."
