"""One pane alone, and back: on every screen with panes, whatever the terminal does meanwhile."""

from __future__ import annotations

import pytest
from piloting import page_screen, state
from textual.geometry import Region

from afterstate_lab.tui.screens.lab import LabScreen
from afterstate_lab.tui.screens.zoom import keys_of_zoom

BETWEEN = Region(0, 1, 100, 28)
"""All but the mode line and the keys, at 100×30."""


def keys_shown(screen) -> tuple[tuple[str, str], ...]:
    return screen.panes.keys.view.keys if isinstance(screen, LabScreen) else screen.keys.view.keys


async def test_z_gives_a_pane_the_whole_screen_and_z_takes_it_back(lab):
    app = lab()
    async with app.run_test(size=(100, 30)) as pilot:
        await pilot.press("full_stop")
        await pilot.pause()
        board = app.screen.panes.board
        before = app.screen.panes.curve.region
        await pilot.press("Z")
        assert app.screen.zoom.pane is board
        assert board.region == BETWEEN
        assert keys_shown(app.screen)[:2] == keys_of_zoom()
        await pilot.press("z")
        await pilot.pause()
        assert app.screen.zoom.pane is None
        assert app.screen.panes.curve.region == before
        assert board.region.width < 50
        assert keys_of_zoom()[0] not in keys_shown(app.screen)


async def test_shift_z_goes_round_all_panes_and_escape_shows_them_all_again(lab):
    app = lab()
    async with app.run_test(size=(100, 30)) as pilot:
        await pilot.press("full_stop")
        seen = []
        for _ in range(5):
            await pilot.press("Z")
            seen.append(app.screen.zoom.pane)
        panes = app.screen.panes
        assert seen == [panes.board, panes.curve, panes.log_, panes.stats, panes.board]
        await pilot.press("escape")
        await pilot.pause()
        assert app.screen.zoom.pane is None
        assert not panes.board.region.overlaps(panes.log_.region)


async def test_z_takes_the_pane_under_the_mouse(lab):
    app = lab()
    async with app.run_test(size=(100, 30)) as pilot:
        await pilot.press("full_stop")
        stats = app.screen.panes.stats
        await pilot.hover(stats)
        await pilot.press("z")
        assert app.screen.zoom.pane is stats


async def test_a_pane_that_leaves_the_screen_is_alone_no_longer(lab):
    app = lab()
    async with app.run_test(size=(100, 30)) as pilot:
        await pilot.press("full_stop", "Z", "s")
        await pilot.pause()
        assert app.screen.zoom.pane is None
        await pilot.press("Z", "Z", "w")
        await pilot.pause()
        assert app.screen.zoom.pane is None
        assert app.screen.panes.log_.region.area


@pytest.mark.quick("(59, 19)", "(1, 1)")
@pytest.mark.parametrize("size", [(1, 1), (79, 23), (80, 24), (200, 60)], ids=str)
async def test_a_zoomed_pane_stays_so_when_the_terminal_changes(lab, size):
    app = lab()
    async with app.run_test(size=(100, 30)) as pilot:
        await pilot.press("full_stop", "Z", "Z")
        curve = app.screen.panes.curve
        await pilot.resize_terminal(*size)
        await pilot.pause()
        fits = app.screen.panes.fits
        assert (app.screen.zoom.pane is curve) == fits
        if fits:
            assert curve.region == Region(0, 1, size[0], size[1] - 2)
            assert keys_shown(app.screen)[0] == keys_of_zoom()[0]
        else:
            assert app.screen.panes.too_small.region.size == size
        await pilot.resize_terminal(100, 30)
        await pilot.press("z" if fits else "full_stop")
        await pilot.pause()
        assert app.screen.zoom.pane is None
        assert app.screen.panes.stats.region.right == 100


async def test_a_list_shows_as_many_rows_as_it_has_room_for(lab):
    app = lab()
    async with app.run_test(size=(100, 30)) as pilot:
        await pilot.press("v")
        await pilot.pause()
        rows = state(pilot).list.height
        await pilot.press("z")
        await pilot.pause()
        (place,) = page_screen(pilot).places
        assert (place.columns, place.rows) == BETWEEN.size
        assert state(pilot).list.height == rows + 4
        await pilot.press("z")
        await pilot.pause()
        assert state(pilot).list.height == rows


async def test_the_panes_of_an_experiment_can_be_alone(lab):
    app = lab()
    async with app.run_test(size=(100, 30)) as pilot:
        await pilot.press("E", "enter", "z")
        await pilot.pause()
        assert len(page_screen(pilot).places) == 1
        await pilot.press("escape")
        await pilot.pause()
        assert len(page_screen(pilot).places) == 2
