"""Terminals of every size, changed in the middle of everything: nothing fails."""

import pytest
from piloting import Desk
from textual.events import Resize
from textual.geometry import Size

SMALL = [(1, 1), (300, 1), (59, 60)]


@pytest.mark.slow
@pytest.mark.parametrize("places", [["space", "s"], ["w", "p 5", "v", "t", "E", "o"]])
async def test_a_terminal_may_change_in_the_middle_of_anything(desk: Desk, places: list[str]):
    await desk.press(".")
    for keys in places:
        await desk.press(keys)
        for size in (*SMALL, (200, 60), *SMALL, (80, 24)):
            await desk.pilot.resize_terminal(*size)
            await desk.press("↓")
        await desk.pilot.pause()
        assert desk.app.is_running
        assert desk.app.size == (80, 24)
        await desk.go_home()


async def test_a_question_and_the_palette_follow_the_size_and_no_old_one(
    desk: Desk,
):
    screen = desk.screen
    for key in ("t", "colon"):
        await desk.press(key)
        await desk.resize((2, 30), (40, 12))
        assert not screen.places
        await desk.resize((100, 30))
        assert screen.places
        assert screen.paper.lines[29].text.strip()
        assert {screen.paper.render_line(y).cell_length for y in range(30)} == {100}
        await desk.go_home()
    await desk.press("t")
    screen.post_message(Resize(Size(90, 20), Size(90, 20)))
    await desk.pilot.pause()
    assert screen.outer_size == (80, 24)
