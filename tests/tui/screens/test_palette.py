"""The palette of commands, with its list gone or not there yet."""

from __future__ import annotations

import pytest
from piloting import state
from textual.command import CommandList
from textual.widgets import Input

from afterstate_lab.tui.lab.modes import Mode
from afterstate_lab.tui.screens.palette import LabFinder, LabPalette, on_board, on_cell


@pytest.mark.quick("down")
@pytest.mark.parametrize(
    "key",
    [
        *("down", "home", "enter"),
        *(
            pytest.param(k, marks=pytest.mark.slow)
            for k in ("up", "pagedown", "end", "x", "backspace")
        ),
    ],
)
async def test_a_key_without_a_list_does_nothing(lab, key: str):
    app = lab()
    async with app.run_test() as pilot:
        await pilot.press("colon")
        await pilot.pause()
        palette = app.screen
        assert isinstance(palette, LabPalette)
        await palette.query(CommandList).remove()
        palette.query_one(Input).focus()
        await pilot.press(key)
        await pilot.pause()
        assert not isinstance(app.screen, LabPalette) or app.screen is palette


async def test_the_actions_of_a_palette_that_is_not_composed_do_nothing(lab):
    app = lab()
    async with app.run_test() as pilot:
        palette = LabPalette()
        await pilot.pause()
        for action in ("cursor_down", "command_list('cursor_up')", "command_list('page_down')"):
            name, _, argument = action.partition("(")
            arguments = (argument[1:-2],) if argument else ()
            getattr(palette, f"_action_{name}")(*arguments)
        assert palette.query_one(CommandList).option_count == 0


FOUND = (
    ("greatest lives", ""),
    ("undo", "undo (u)"),
    ("backups that made", "whence (r)"),
    ("parameter study", "experiment A parameter study"),
    ("two-agents", "recipe two-agents"),
    ("root mean square", "what is rms"),
    ("menace as O", "choose learner menace as O"),
    ("winblock as X", "choose opponent winblock as X"),
    ("tour", "lesson "),
    ("dark", "theme (d)"),
    ("breakpoint", "break (C)"),
)
"""What is typed, and how what it finds begins; nothing where no command has these words."""


async def test_everything_is_found_by_what_it_is(lab):
    app = lab()
    async with app.run_test() as pilot:
        app.session.run.train(3)
        titles = {}
        for key in "sp":
            await pilot.press(key)
            titles[key] = [command.title for command in app.get_system_commands(app.screen)]
    for typed, title in FOUND:
        found = [known for known in titles["s" if "backups" in typed else "p"] if typed in known]
        assert any(known.startswith(title) for known in found) == bool(title), typed


async def test_a_plan_and_a_word_are_opened_from_the_palette(lab):
    app = lab()
    async with app.run_test() as pilot:
        app.session.run.train(3)
        commands = {command.title: command for command in app.get_system_commands(app.screen)}
        next(c for title, c in commands.items() if title.startswith("what is rms:")).callback()
        await pilot.pause()
        assert type(app.screen).__name__ == "ExplainScreen"
        await pilot.press("escape")
        next(c for t, c in commands.items() if t.startswith("experiment Symmetries")).callback()
        await pilot.pause()
        assert state(pilot).plan.title == "Symmetries"


async def found(pilot, typed: str) -> list[str]:
    """The titles that the palette, which is open, offers for a text, best first."""
    provider = LabFinder(pilot.app.screen_stack[-2])
    hits = [hit async for hit in provider.search(typed)]
    return [hit.text for hit in sorted(hits, key=lambda hit: -hit.score)]


async def test_a_board_a_cell_and_a_word_in_full_come_first(lab):
    app = lab("td", "menace")
    async with app.run_test() as pilot:
        app.session.run.train(3)
        await pilot.press("s", "colon")
        board = "board XO..X....: its values, visits and exact values"
        assert (await found(pilot, "xo..x...."))[0] == board
        assert not any("board XX" in title for title in await found(pilot, "XX......."))
        assert "board X........: its matchbox" in await found(pilot, "X........")
        titles = await found(pilot, "cell 5")
        assert titles[0] == "cell 5: mark it in your game"
        assert "cell 5: play it here instead, in a line of its own" in titles
        assert (await found(pilot, "rms"))[0].startswith("what is rms:")
        assert (await found(pilot, "setup"))[0].startswith("setup (o):")
        assert (await found(pilot, "menace"))[0].startswith("choose learner menace as O")


async def test_a_board_is_shown_in_the_table_of_the_player_who_has_it(lab):
    app = lab()
    async with app.run_test() as pilot:
        app.session.run.train(3)
        for board, side in (("X........", "X"), ("XO..X.O..", "O")):
            (shown,) = on_board(app.screen_stack[0], board)
            shown.callback()
            await pilot.pause()
            table = state(pilot)
            assert (table.side.mark, table.filter_text, len(table.order)) == (side, board, 1)
            await pilot.press("escape")


async def test_a_cell_is_marked_or_forked_from_the_palette(lab):
    app = lab()
    async with app.run_test() as pilot:
        app.session.run.train(3)
        await pilot.press("s", "home")
        run = app.session.run
        mark, fork = on_cell(app.screen_stack[0], "3")
        fork.callback()
        await pilot.pause()
        assert app.session.run is not run
        assert str(app.session.board) == "..X......"
        mark.callback()
        await pilot.pause()
        assert app.session.mode is Mode.PLAY
        assert str(app.session.board)[2] == "X"


async def test_over_a_list_the_palette_has_what_the_list_and_the_lab_can_do(lab):
    app = lab()
    async with app.run_test() as pilot:
        app.session.run.train(3)
        await pilot.press("v")
        table = app.screen
        await pilot.press("colon")
        found_here = await found(pilot, "sort the other way round")
        await pilot.press("escape")
        assert found_here[0] == "reverse (U): sort the other way round"
        commands = {command.title: command for command in app.get_system_commands(table)}
        rows = state(pilot)
        first = rows.order[0]
        commands[found_here[0]].callback()
        assert rows.order[-1] == first
        next(c for t, c in commands.items() if t.startswith("step (s)")).callback()
        await pilot.pause()
        assert app.screen_stack == [app.screen]
        assert app.session.mode.value == "step"
