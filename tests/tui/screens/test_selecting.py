"""The selection under the microscope through its keys."""

import time
from typing import Any

import pytest
from piloting import Desk, desk_of

from afterstate_lab.learners.rules.equation import TermRole as Role
from afterstate_lab.learners.tape.recording import Backup
from afterstate_lab.learners.tape.timeline import TARGET, WRITE
from afterstate_lab.tui.blocks.block import Quantity
from afterstate_lab.tui.lab.outcomes import Work


@pytest.mark.slow
@desk_of(games=200)
async def test_escape_gives_up_a_search_and_keeps_the_selection_which_stays_as_one_steps(
    desk: Desk,
):
    def wait_for(stop: Any) -> None:
        while not stop():
            time.sleep(0.005)

    await desk.press("s s")
    desk.session.timeline.go_to(150)
    while not (isinstance(desk.event, Backup) and desk.event.ply >= 3):
        desk.session.timeline.step()
    await desk.press("tab")
    desk.screen.take(Work(wait_for, says="nothing", run=desk.session.run))
    assert await desk.finish("Esc") == "Given up."
    assert desk.session.selection is not None
    errors = set()
    desk.session.selection = Quantity(Role.OLD)
    for _ in range(40):
        await desk.press("→")
        if isinstance(desk.event, Backup) and desk.session.timeline.phase in (TARGET, WRITE):
            assert desk.session.picture.selected == Quantity(Role.OLD, desk.event.entry)
            errors.add(desk.event.error)
    assert len(errors) > 2
