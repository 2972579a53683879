"""Breakpoints, provenance and what-if through their keys."""

from __future__ import annotations

from piloting import Desk, desk_of

from afterstate_lab.learners.tape.events import Backup


def go_to_backup(desk: Desk, game: int) -> Backup:
    desk.session.timeline.go_to(game)
    while not isinstance(desk.event, Backup):
        desk.session.timeline.step()
    return desk.event


@desk_of(games=200)
async def test_a_search_leads_to_breaks_to_the_last_writer_and_to_what_made_a_value(desk: Desk):
    session = desk.session
    events = session.run.record(0, 200).events()
    large = [event for event in events if isinstance(event, Backup) and abs(event.error) > 0.45]
    await desk.press("s home")
    assert "is not a condition" in await desk.ask("b", "error >> 3")
    await desk.press("Esc")
    assert session.breakpoint == ""
    await desk.ask("b", "error > .45")
    for key, event in zip("ccC", (large[0], large[1], large[0]), strict=True):
        await desk.finish(key)
        assert desk.event == event
    assert "nowhere before" in await desk.finish("C")

    later = go_to_backup(desk, 150)
    await desk.finish("B")
    assert isinstance(desk.event, Backup)
    assert (desk.event.entry, desk.event.new) == (later.entry, later.old)
    assert desk.event.game < 150

    newest = go_to_backup(desk, 150)
    await desk.finish("r")
    assert not desk.in_lab
    rows = len(desk.state.rows)
    await desk.finish("Enter")
    assert len(desk.state.rows) > rows
    await desk.press("Enter ↓ g")
    assert desk.in_lab
    assert isinstance(desk.event, Backup)
    assert (desk.event.entry, desk.event.new) == (newest.entry, newest.old)
