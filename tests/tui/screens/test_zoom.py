"""One block alone, and back: on every page, whatever the terminal does meanwhile."""

from __future__ import annotations

import pytest
from piloting import page_screen, state

from afterstate_lab.tui.blocks.cells import Cells
from afterstate_lab.tui.blocks.curve import Curve
from afterstate_lab.tui.blocks.log import Log
from afterstate_lab.tui.blocks.stats import Stats


def alone(pilot) -> type | None:
    """The kind of block that has the whole page; None where all are shown."""
    screen = page_screen(pilot)
    if len(screen.places) != 1:
        return None
    (place,) = screen.places
    assert (place.columns, place.rows) == (screen.size.width, screen.size.height - 2)
    return type(place.block)


async def test_z_gives_the_largest_block_the_whole_page_and_z_takes_it_back(lab):
    app = lab()
    async with app.run_test(size=(100, 30)) as pilot:
        await pilot.press("full_stop", "z")
        assert alone(pilot) is Log
        await pilot.press("z")
        assert alone(pilot) is None
        assert len(page_screen(pilot).places) == 4


async def test_shift_z_goes_round_all_blocks_and_escape_shows_them_all_again(lab):
    app = lab()
    async with app.run_test(size=(100, 30)) as pilot:
        await pilot.press("full_stop")
        seen = []
        for _ in range(5):
            await pilot.press("Z")
            seen.append(alone(pilot))
        assert seen == [Cells, Curve, Log, Stats, Cells]
        await pilot.press("escape")
        assert alone(pilot) is None


@pytest.mark.quick("(1, 1)")
@pytest.mark.parametrize("size", [(1, 1), (79, 23), (80, 24), (200, 60)], ids=str)
async def test_a_block_stays_alone_when_the_terminal_changes(lab, size):
    app = lab()
    async with app.run_test(size=(100, 30)) as pilot:
        await pilot.press("full_stop", "Z", "Z")
        await pilot.resize_terminal(*size)
        await pilot.pause()
        assert (alone(pilot) is Curve) == (size[0] >= 80 and size[1] >= 24)
        await pilot.resize_terminal(100, 30)
        await pilot.pause()
        assert alone(pilot) is Curve
        await pilot.press("z")
        assert alone(pilot) is None


async def test_a_list_shows_as_many_rows_as_it_has_room_for(lab):
    app = lab()
    async with app.run_test(size=(100, 30)) as pilot:
        await pilot.press("v")
        await pilot.pause()
        rows = state(pilot).list.height
        await pilot.press("z")
        await pilot.pause()
        assert alone(pilot) is not None
        assert state(pilot).list.height == rows + 4
        await pilot.press("z")
        await pilot.pause()
        assert state(pilot).list.height == rows
