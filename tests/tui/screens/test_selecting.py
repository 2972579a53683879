"""The selection under the microscope through its keys."""

import threading
from typing import Any

import pytest
from piloting import Desk, desk_of

from afterstate_lab.learners.tape.recording import Backup
from afterstate_lab.learners.tape.timeline import TARGET, WRITE
from afterstate_lab.tui.blocks.block import Quantity, Role
from afterstate_lab.tui.lab.modes import Mode
from afterstate_lab.tui.lab.outcomes import Work

stepped = desk_of(games=200)


async def stepping(desk: Desk) -> None:
    """Look at a backup of a late game as it is written, with nothing selected."""
    await desk.press("s" if desk.session.mode is Mode.STEP else "s s")
    desk.session.timeline.go_to(150)
    while not (isinstance(desk.event, Backup) and desk.event.ply >= 3):
        desk.session.timeline.step()
    await select(desk, None)


async def select(desk: Desk, quantity: Quantity | None) -> Quantity | None:
    desk.session.selection = quantity
    desk.screen.redraw()
    await desk.pilot.pause()
    return selected(desk)


def selected(desk: Desk) -> Quantity | None:
    return desk.session.picture.selected


@pytest.mark.slow
@stepped
async def test_escape_gives_up_a_search_and_keeps_the_selection_which_stays_as_one_steps(
    desk: Desk,
):
    def wait_for(stop: Any) -> None:
        while not stop():
            threading.Event().wait(0.005)

    await stepping(desk)
    await desk.press("tab")
    desk.screen.take(Work(wait_for, says="nothing", run=desk.session.run))
    assert await desk.finish("Esc") == "Given up."
    assert desk.session.selection is not None
    errors = set()
    desk.session.selection = Quantity(Role.OLD)
    for _ in range(40):
        await desk.press("→")
        if isinstance(desk.event, Backup) and desk.session.timeline.phase in (TARGET, WRITE):
            assert selected(desk) == Quantity(Role.OLD, desk.event.entry)
            errors.add(desk.event.error)
    assert len(errors) > 2
