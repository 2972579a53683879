"""The selection under the microscope through its keys and the mouse."""

from __future__ import annotations

import pytest
from piloting import proposed, settled
from textual.pilot import Pilot

from afterstate_lab.learners.tape.events import Backup
from afterstate_lab.learners.tape.timeline import TARGET, WRITE
from afterstate_lab.tui.blocks.meaning import Quantity, Role, Selectable, means_at
from afterstate_lab.tui.lab.modes import Mode
from afterstate_lab.tui.lab.outcomes import Search
from afterstate_lab.tui.lab.searches import microscope_of
from afterstate_lab.tui.screens.lab import LabScreen
from afterstate_lab.tui.screens.page import PageScreen
from afterstate_lab.tui.screens.paper import pen_of


async def stepping(pilot: Pilot[None], games: int = 200) -> None:
    """Train without a screen, then look at a backup of a late game as it is written."""
    session = pilot.app.session  # type: ignore[attr-defined]
    session.run.train(games)
    await pilot.press("s")
    session.timeline.go_to(150)
    while not (isinstance(session.timeline.event, Backup) and session.timeline.event.ply >= 3):
        session.timeline.step()
    screen = pilot.app.screen
    assert isinstance(screen, LabScreen)
    screen.redraw()
    await pilot.pause()


def selected(app) -> Quantity | None:  # type: ignore[no-untyped-def]
    scope = microscope_of(app.session)
    assert scope is not None
    return scope.selected


def shown(app) -> str:  # type: ignore[no-untyped-def]
    """The characters of the screen."""
    lines = app.screen._compositor.render_strips()
    return "\n".join("".join(strip.text for strip in line) for line in lines)


@pytest.mark.quick("tab-shift+tab")
@pytest.mark.parametrize(("on", "back"), [("tab", "shift+tab"), ("down", "up")])
async def test_keys_go_through_all_numbers_and_back(lab, on: str, back: str):
    app = lab()
    async with app.run_test(size=(80, 24)) as pilot:
        await stepping(pilot)
        quantities = microscope_of(app.session).quantities
        seen = []
        for _ in quantities:
            await pilot.press(on)
            seen.append(selected(app))
        assert seen == list(quantities)
        await pilot.press(on)
        assert app.session.selection is None
        for quantity in reversed(quantities):
            await pilot.press(back)
            assert selected(app) == quantity
        await pilot.press(back)
        assert app.session.selection is None


async def test_the_selection_is_pointed_at_without_colours_and_told_in_a_line(lab):
    app = lab()
    async with app.run_test(size=(80, 24)) as pilot:
        await stepping(pilot)
        assert "›" not in shown(app)
        await pilot.press("tab")
        event = app.session.timeline.event
        assert selected(app) == Quantity(Role.NEW, event.entry)
        text = shown(app)
        assert "RULE    ›V(Sₜ)" in text
        assert "NUMBERS ›" in text
        assert "›○ new" in text
        assert "╰─ new V(Sₜ) ." in text
        assert text.count("›") >= 6


async def test_escape_clears_the_selection_before_it_leaves_the_microscope(lab):
    app = lab()
    async with app.run_test(size=(80, 24)) as pilot:
        await stepping(pilot)
        await pilot.press("tab", "escape")
        assert app.session.selection is None
        assert "›" not in shown(app)
        assert app.session.mode is Mode.STEP
        await pilot.press("escape")
        assert app.session.mode is Mode.WATCH


async def test_escape_gives_up_a_search_and_keeps_the_selection(lab):
    app = lab()
    async with app.run_test(size=(80, 24)) as pilot:
        await stepping(pilot)
        await pilot.press("tab")
        search = Search("nothing", lambda _, stop: wait_for(stop), lambda _: None, app.session.run)
        app.screen.look_for(search)
        await pilot.press("escape")
        await settled(pilot)
        assert app.session.selection is not None


def wait_for(stop) -> None:  # type: ignore[no-untyped-def]
    while not stop():
        pass


async def test_the_selection_stays_while_one_steps(lab):
    app = lab()
    async with app.run_test(size=(80, 24)) as pilot:
        await stepping(pilot)
        app.session.selection = Quantity(Role.ERROR)
        errors = set()
        for _ in range(40):
            await pilot.press("right")
            event = app.session.timeline.event
            if isinstance(event, Backup) and app.session.timeline.phase in (TARGET, WRITE):
                assert selected(app) == Quantity(Role.ERROR)
                errors.add(event.error)
            else:
                assert selected(app) is None
        assert len(errors) > 2


async def test_the_last_writer_is_that_of_the_selected_entry_which_stays_selected(lab):
    app = lab()
    async with app.run_test(size=(80, 24)) as pilot:
        await stepping(pilot)
        app.session.selection = Quantity(Role.READ)
        read = selected(app)
        assert read is not None
        assert read.entry != app.session.timeline.event.entry
        before = app.session.timeline.place
        await pilot.press("B")
        await settled(pilot)
        writer = app.session.timeline.event
        assert isinstance(writer, Backup)
        assert writer.entry == read.entry
        assert app.session.timeline.place < before
        assert selected(app) == Quantity(Role.NEW, read.entry)


async def test_provenance_is_that_of_the_selected_entry(lab):
    app = lab()
    async with app.run_test(size=(80, 24)) as pilot:
        await stepping(pilot)
        app.session.selection = Quantity(Role.READ)
        read = selected(app)
        assert read is not None
        await pilot.press("r")
        await settled(pilot)
        assert isinstance(app.screen, PageScreen)
        await pilot.press("g")
        event = app.session.timeline.event
        assert isinstance(event, Backup)
        assert event.entry == read.entry
        assert selected(app) == Quantity(Role.NEW, read.entry)


async def test_a_break_where_the_selected_entry_is_written_is_proposed(lab):
    app = lab()
    async with app.run_test(size=(80, 24)) as pilot:
        await stepping(pilot)
        app.session.selection = Quantity(Role.READ)
        read = selected(app)
        assert read is not None
        await pilot.press("b")
        assert proposed(pilot).startswith("wrote X ")
        await pilot.press("enter", "C")
        await settled(pilot)
        assert app.session.timeline.event.entry == read.entry


async def test_without_a_selected_entry_the_break_of_now_is_proposed(lab):
    app = lab()
    async with app.run_test(size=(80, 24)) as pilot:
        await stepping(pilot)
        app.session.breakpoint = "flip"
        app.session.selection = Quantity(Role.ERROR)
        await pilot.press("b")
        assert proposed(pilot) == "flip"


async def test_where_nothing_has_happened_there_is_nothing_to_select(lab):
    app = lab(x="random", o="random")
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("s", "home", "tab")
        assert app.session.selection is None
        assert "no number to select" in app.session.note


@pytest.mark.parametrize(
    "size", [(80, 24), pytest.param((120, 40), marks=pytest.mark.slow)], ids=str
)
@pytest.mark.parametrize(
    "x",
    [
        "menace",
        *(pytest.param(x, marks=pytest.mark.slow) for x in ("td", "q", "double-q", "tdlambda")),
    ],
)
async def test_a_click_on_any_number_selects_it(lab, size: tuple[int, int], x: str):
    app = lab(x=x, o="random")
    async with app.run_test(size=size) as pilot:
        await stepping(pilot)
        clicked = set()
        for number, place in enumerate(list(app.screen.places)):
            if not isinstance(place.block, Selectable):
                continue
            taken: set[Quantity] = set()
            app.session.selection = None  # A selected row may take the place of another.
            app.screen.redraw()
            block, left, top, columns, rows = app.screen.places[number]
            columns, rows = columns - 2, rows - 2
            for y, line in enumerate(block.draw(columns, rows, pen_of(app.look))[:rows]):
                x = 0
                for text, _ in line:
                    quantity = means_at(line, x)
                    if text and quantity is not None and x < columns and quantity not in taken:
                        taken.add(quantity)
                        app.session.selection = None
                        app.screen.redraw()
                        await pilot.click(offset=(left + x + 1, top + y + 2))
                        assert app.session.selection == quantity
                    x += len(text)
            clicked |= taken
        roles = {quantity.role for quantity in clicked}
        assert {Role.OLD, Role.NEW} <= roles
        assert len(clicked) > 4
        clicked |= {
            quantity
            for quantity in microscope_of(app.session).quantities
            if quantity.role is Role.STEP
        }
        assert clicked <= set(microscope_of(app.session).quantities)


async def test_the_entry_selected_shows_its_life_where_there_is_room(lab):
    app = lab()
    async with app.run_test(size=(120, 40)) as pilot:
        await stepping(pilot)
        scope = microscope_of(app.session)
        read = scope.next_afterstate().cells
        app.session.selection = Quantity(Role.READ)
        app.screen.redraw()
        await pilot.pause()
        assert f"life of {read}" in shown(app)
        await pilot.press("escape")
        assert f"life of {scope.afterstate().cells}" in shown(app)
