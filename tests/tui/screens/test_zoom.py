"""One block alone, and back: on every page, whatever the terminal does meanwhile."""

from __future__ import annotations

from piloting import Desk, desk_of

from afterstate_lab.tui.blocks.cells import Cells
from afterstate_lab.tui.blocks.curve import Curve
from afterstate_lab.tui.blocks.log import Log
from afterstate_lab.tui.blocks.stats import Stats


def alone(desk: Desk) -> type | None:
    """The kind of block that has the whole page; None where all are shown."""
    screen = desk.screen
    if len(screen.places) != 1:
        return None
    (place,) = screen.places
    assert (place.columns, place.rows) == (screen.size.width, screen.size.height - 2)
    return type(place.block)


@desk_of(size=(100, 30))
async def test_z_gives_a_block_the_whole_page_whatever_the_terminal_does_and_takes_it_back(
    desk: Desk,
):
    await desk.press(". z")
    assert alone(desk) is Log, "the largest"
    await desk.press("z")
    assert alone(desk) is None
    assert len(desk.screen.places) == 4
    seen = []
    for _ in range(5):
        await desk.press("Z")
        seen.append(alone(desk))
    assert seen == [Cells, Curve, Log, Stats, Cells]
    await desk.press("Esc")
    assert alone(desk) is None
    await desk.press("Z Z")
    for size in ((1, 1), (79, 23), (80, 24), (200, 60)):
        await desk.resize(size)
        assert (alone(desk) is Curve) == (size[0] >= 80 and size[1] >= 24)
        await desk.resize((100, 30))
        assert alone(desk) is Curve
    await desk.press("z")
    assert alone(desk) is None
