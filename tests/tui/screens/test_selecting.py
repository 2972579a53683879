"""The selection under the microscope through its keys and the mouse."""

import threading
from typing import Any

import pytest
from piloting import SIZES, Desk, at, desk_of

from afterstate_lab.learners.tape.recording import Backup
from afterstate_lab.learners.tape.timeline import TARGET, WRITE
from afterstate_lab.tui.blocks.block import Quantity, Role, Selectable, means_at
from afterstate_lab.tui.lab.modes import Mode
from afterstate_lab.tui.lab.outcomes import Work
from afterstate_lab.tui.screens.paper import pen_of

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
    scope = desk.session.microscope
    return scope.selected


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


@pytest.mark.quick("menace-80x24")
@pytest.mark.parametrize(
    ("x", "size"),
    [("menace", "80x24"), ("td", "120x40"), ("q", "80x24"), ("double-q", "120x40"),
     ("tdlambda", "80x24")],
)  # fmt: skip
async def test_a_click_on_any_number_selects_it(lab, x: str, size: str):
    async with at(lab(x, "random"), SIZES[size]) as desk:
        desk.session.run.train(200)
        for _ in ("in full", "the picture"):
            await stepping(desk)
            clicked: set[Quantity] = set()
            for number, place in enumerate(list(desk.screen.places)):
                if isinstance(place.block, Selectable):
                    clicked |= await click_all(desk, number)
            assert {Role.OLD, Role.NEW} <= {quantity.role for quantity in clicked}
            assert len(clicked) >= 4
            assert clicked <= set(desk.session.microscope.quantities)


async def click_all(desk: Desk, number: int) -> set[Quantity]:
    """Click on everything in a block that stands for a number; what was selected."""
    taken: set[Quantity] = set()
    await select(desk, None)  # A selected row may take the place of another.
    block, left, top, columns, rows = desk.screen.places[number]
    edge = int(block.framed)
    columns, rows = columns - 2 * edge, rows - 2 * edge
    for y, line in enumerate(block.draw(columns, rows, pen_of(desk.app.look))[:rows]):
        x = 0
        for text, _ in line:
            quantity = means_at(line, x)
            if text and quantity is not None and x < columns and quantity not in taken:
                taken.add(quantity)
                desk.session.selection = None
                desk.screen.redraw()
                await desk.pilot.click(offset=(left + x + edge, top + y + 1 + edge))
                assert desk.session.selection == quantity
            x += len(text)
    return taken
