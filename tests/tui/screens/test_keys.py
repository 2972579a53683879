"""One meaning a key over all screens, and none that a keyboard has only behind AltGr."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from pkgutil import iter_modules

import pytest
from textual.keys import _character_to_key

from learners.tape.events import Move
from tui import screens
from tui.lab.commands import COMMANDS, Command, Screen
from tui.lab.keys import SHARED, key_meanings
from tui.lab.list_commands import LISTS
from tui.lab.modes import Mode
from tui.pages.page import PAGES
from tui.screens.list_screen import ListScreen

BEHIND_ALTGR = {"German": "[]{}\\|@~", "French": "[]{}\\|@~#^`", "Spanish": "[]{}\\|@~#"}
"""The characters of ASCII that these keyboards have only behind AltGr."""


def all_tables() -> Iterator[tuple[Command, ...]]:
    """The commands of the lab and of every screen with a list, as the screens themselves have."""
    for module in iter_modules(screens.__path__):
        import_module(f"tui.screens.{module.name}")
    yield COMMANDS
    for screen in ListScreen.__subclasses__():
        yield screen.commands


def test_what_can_be_opened_has_a_file_that_says_how():
    """Home and explanations are opened by themselves; a film is told alone."""
    for screen in set(Screen) - {Screen.HOME, Screen.EXPLAIN, Screen.FILM}:
        package = "pages" if screen in PAGES else "screens"
        assert callable(import_module(f"tui.{package}.{screen.value}").open_on)


def test_no_key_has_two_meanings():
    """Commands of one name mean the same; others of one key are told in `SHARED` as one meaning."""
    names: dict[str, set[str]] = {}
    for commands in all_tables():
        for command in commands:
            for key in command.keys:
                names.setdefault(key, set()).add(command.name)
    several = {key: found for key, found in names.items() if len(found) > 1}
    assert several.keys() <= SHARED.keys()
    for key, (_, told) in SHARED.items():
        assert names.get(key, set()) <= told, key


def test_help_tells_every_key_of_every_screen_once():
    assert {id(commands) for commands in all_tables()} == {
        id(commands) for commands in (COMMANDS, *LISTS.values())
    }
    shown = [row.shown for row in key_meanings()]
    assert len(shown) == len(set(shown))
    assert {"c", "C", "[", ",", "1–9", "Esc"} <= set(shown)


@pytest.mark.parametrize("keyboard", BEHIND_ALTGR)
def test_no_command_is_only_behind_altgr(keyboard: str):
    behind = {_character_to_key(character) for character in BEHIND_ALTGR[keyboard]}
    for commands in all_tables():
        for command in commands:
            if command.keys:
                assert set(command.keys) - behind, command.name


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
