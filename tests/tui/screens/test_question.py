"""What stands before the lab, a question or the palette: the lab behind it follows the size."""

from __future__ import annotations

from piloting import Desk
from textual.events import Resize
from textual.geometry import Size


async def test_the_lab_behind_it_follows_the_size_of_the_terminal_and_no_old_one(desk: Desk):
    behind = desk.screen
    for key in ("t", "colon"):
        await desk.press(key)
        await desk.resize((2, 30), (40, 12))
        assert not behind.places
        await desk.resize((100, 30))
        assert behind.places
        assert behind.paper.lines[29].text.strip()
        await desk.go_home()
    await desk.press("t")
    for screen in (behind, desk.screen):
        screen.post_message(Resize(Size(90, 20), Size(90, 20)))
    await desk.pilot.pause()
    assert [behind.outer_size, desk.screen.outer_size] == [(80, 24), (80, 24)]
