"""A question and the palette follow the size of the terminal."""

from __future__ import annotations

from piloting import Desk
from textual.events import Resize
from textual.geometry import Size


async def test_they_follow_the_size_of_the_terminal_and_no_old_one(desk: Desk):
    screen = desk.screen
    for key in ("t", "colon"):
        await desk.press(key)
        await desk.resize((2, 30), (40, 12))
        assert not screen.places
        await desk.resize((100, 30))
        assert screen.places
        assert screen.paper.lines[29].text.strip()
        await desk.go_home()
    await desk.press("t")
    screen.post_message(Resize(Size(90, 20), Size(90, 20)))
    await desk.pilot.pause()
    assert screen.outer_size == (80, 24)
