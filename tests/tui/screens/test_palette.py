"""The palette of commands, with its list gone or not there yet."""

from __future__ import annotations

import pytest
from textual.command import CommandList
from textual.widgets import Input

from tui.screens.palette import LabPalette


@pytest.mark.parametrize(
    "key", ["down", "up", "pagedown", "home", "end", "enter", "x", "backspace"]
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
