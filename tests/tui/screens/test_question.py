"""What stands before the lab: a question, the palette; the lab behind them follows the size."""

from __future__ import annotations

import pytest
from textual.command import SearchIcon
from textual.events import Resize
from textual.geometry import Size
from textual.widgets import Input


@pytest.mark.parametrize("key", ["t", "colon"])
async def test_the_lab_behind_it_follows_the_size_of_the_terminal(lab, key: str):
    app = lab()
    async with app.run_test(size=(80, 24)) as pilot:
        lab_screen = app.screen
        await pilot.press(key)
        await pilot.resize_terminal(40, 12)
        await pilot.pause()
        assert not lab_screen.places
        await pilot.resize_terminal(100, 30)
        await pilot.pause()
        assert lab_screen.places
        assert lab_screen.paper.lines[29].text.strip()


async def test_the_palette_stands_still_and_needs_no_emoji(lab):
    app = lab()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("colon")
        await pilot.pause()
        assert not app.screen.query_one(Input).cursor_blink
        assert app.screen.query_one(SearchIcon).icon == ">"
        await pilot.press("escape")
        assert not app.screen.is_modal


async def test_the_word_of_a_size_that_is_no_more_is_not_believed(lab):
    app = lab()
    async with app.run_test(size=(80, 24)) as pilot:
        behind, old = app.screen, Size(90, 20)
        await pilot.press("t")
        for screen in (behind, app.screen):
            screen.post_message(Resize(old, old))
        await pilot.pause()
        assert [behind.outer_size, app.screen.outer_size] == [(80, 24), (80, 24)]
