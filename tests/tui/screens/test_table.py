"""The table through its keys."""

from __future__ import annotations

import numpy as np
import pytest
from piloting import answer, proposed, refusal, settled
from textual.pilot import Pilot

from learners.tape.events import Backup
from learners.training import Goal
from tui.app import Afterstate
from tui.lab.list_commands import TABLE_COMMANDS
from tui.lab.session import Mode
from tui.screens.lab import LabScreen
from tui.screens.table import TableScreen


def table(app: Afterstate) -> TableScreen:
    assert isinstance(app.screen, TableScreen)
    return app.screen


async def opened(pilot: Pilot[None], games: int = 40) -> TableScreen:
    """Train, look at the last game, and open the table."""
    app = pilot.app
    assert isinstance(app, Afterstate)
    if games:
        app.session.run.train(games)
        app.session.timeline.go_to(games - 1, at_end=True)
    await pilot.press("v")
    await pilot.pause()
    return table(app)


async def test_v_opens_the_table_and_q_or_escape_leads_back(lab):
    app = lab()
    async with app.run_test(size=(80, 24)) as pilot:
        for key in ("q", "escape"):
            screen = await opened(pilot, 0)
            assert screen.table.view is not None
            assert len(screen.table.view.rows) == 15
            await pilot.press(key)
            assert isinstance(app.screen, LabScreen)


async def test_the_cursor_moves_and_stays_in_the_table(lab):
    app = lab()
    async with app.run_test(size=(80, 24)) as pilot:
        controller = (await opened(pilot)).controller
        await pilot.press("up", "down", "down", "j", "k")
        assert controller.window.cursor == 2
        await pilot.press("pagedown", "pagedown", "pageup")
        assert controller.window.cursor == 2 + 14
        await pilot.press("end")
        assert controller.window.cursor == len(controller.order) - 1
        await pilot.press("down", "home")
        assert (controller.window.cursor, controller.window.top) == (0, 0)


async def test_a_step_of_the_cursor_sends_only_two_rows_of_the_table(lab):
    app = lab()
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await opened(pilot)
        before = screen.table.view
        await pilot.press("down")
        after = screen.table.view
        assert before is not None
        assert after is not None
        assert before.rows == after.rows
        assert (before.cursor, after.cursor) == (0, 1)


async def test_s_sorts_by_the_next_column_and_a_digit_by_that_one(lab):
    app = lab()
    async with app.run_test(size=(120, 40)) as pilot:
        screen = await opened(pilot)
        await pilot.press("S")
        assert screen.controller.column == "value"
        await pilot.press("6")
        assert screen.controller.column == "visits"
        visits = screen.controller.rows.visits[screen.controller.order]
        assert np.all(np.diff(visits) <= 0)
        await pilot.press("6")
        visits = screen.controller.rows.visits[screen.controller.order]
        assert np.all(np.diff(visits) >= 0)
        await pilot.press("U")
        marks = [column.sorted for column in screen.table.view.columns]
        assert marks == ["", "", "", "", "", "▼", "", ""]


async def test_a_filter_is_asked_for_in_one_line_and_can_be_dropped(lab):
    app = lab()
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await opened(pilot)
        await pilot.press("slash")
        await answer(pilot, "ply=1 visits>0")
        assert 0 < len(screen.controller.order) <= 9
        assert "ply=1 visits>0" in str(screen.table.view.footer)
        await pilot.press("slash")
        assert proposed(pilot) == "ply=1 visits>0"
        await pilot.press("escape", "a")
        assert len(screen.controller.order) == 2098


async def test_a_wrong_filter_is_refused_in_place(lab):
    app = lab()
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await opened(pilot)
        await pilot.press("slash")
        await answer(pilot, "beauty>3")
        assert "cannot be compared" in refusal(pilot)
        await pilot.press("escape")
        assert len(screen.controller.order) == 2098


async def test_c_shows_the_class_of_the_entry(lab):
    app = lab()
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await opened(pilot)
        await pilot.press("down", "l")
        rows = screen.controller.rows
        assert len(screen.controller.order) == 4
        assert len(set(rows.classes[screen.controller.order])) == 1


async def test_tab_shows_the_other_player(lab):
    app = lab("td", "menace")
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await opened(pilot)
        await pilot.press("tab")
        assert screen.controller.side == 1
        assert [column.title for column in screen.table.view.columns][1:4] == [
            "cell", "beads", "share"
        ]  # fmt: skip
        await pilot.press("tab")
        assert screen.controller.side == 0


async def test_enter_steps_from_the_last_write_of_the_entry(lab):
    app = lab()
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await opened(pilot)
        await pilot.press("6", "down", "down")
        entries = screen.controller.rows.memory_indices(screen.controller.selected)
        await pilot.press("enter")
        await settled(pilot)
        assert isinstance(app.screen, LabScreen)
        assert app.session.mode is Mode.STEP
        event = app.session.timeline.event
        assert isinstance(event, Backup)
        assert event.entry in entries


async def test_the_last_write_is_told_when_the_cursor_rests(lab):
    app = lab()
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await opened(pilot)
        screen.look_up(screen.controller.selected)
        await settled(pilot)
        assert screen.entry.view.footer == "last: game 40"


async def test_an_entry_without_a_write_has_no_history(lab):
    app = lab()
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await opened(pilot)
        await pilot.press("slash")
        await answer(pilot, "never")
        await pilot.press("g")
        assert "Nothing has written" in str(screen.table.view.footer)
        assert app.screen is screen


@pytest.mark.quick("random-perfect-size0", "negamax-q-size2")
@pytest.mark.parametrize(
    ("x", "o", "size"),
    [("random", "perfect", (80, 24)), ("human", "menace", (80, 24)), ("negamax", "q", (40, 12))],
)
async def test_every_command_is_answered_before_the_first_game(lab, x, o, size):
    app = lab(x, o)
    async with app.run_test(size=size) as pilot:
        screen = await opened(pilot, 0)
        for command in TABLE_COMMANDS:
            if command.name != "back":
                screen.action_perform(command.name, command.keys[-1])
                await pilot.pause()
                if app.screen is not screen:
                    await pilot.press("escape")
                assert app.screen is screen


async def test_a_training_is_looked_on(lab):
    app = lab()
    async with app.run_test(size=(80, 24)) as pilot:
        app.session.run.train(20)
        app.session.begin_training(Goal(1000))
        await pilot.press("v")
        screen = table(app)
        app.session.run.train(20)
        screen.refresh_numbers()
        assert np.array_equal(screen.controller.memory, app.session.snapshot.memory)
        assert screen.controller.rows.visits.max() == 20
        await pilot.press("enter")
        assert "training is over" in str(screen.table.view.footer)


async def test_a_game_goes_on_after_a_look_at_the_table(lab):
    app = lab()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("p", "5")
        await opened(pilot, 0)
        await pilot.press("q")
        assert app.session.mode is Mode.PLAY
        assert app.session.board.ply == 2


async def test_help_tells_every_key_of_the_footer(lab):
    app = lab()
    async with app.run_test(size=(120, 40)) as pilot:
        screen = await opened(pilot, 0)
        keys = screen.keys.view
        await pilot.press("question_mark")
        pane = app.screen.query("HelpPane").first()
        told = {key for _, section in pane.view.sections for key, _ in section}
        for shown, _ in keys.keys:
            assert set(shown.split()) <= told


async def test_a_click_selects_a_row_and_the_wheel_scrolls(lab):
    app = lab()
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await opened(pilot)
        await pilot.click("TablePane", offset=(10, 6))
        assert screen.controller.window.cursor == 4
        screen.table.on_mouse_scroll_down()
        await pilot.pause()
        assert screen.controller.window.cursor == 7


async def test_a_small_terminal_gets_a_card_and_a_larger_one_the_table(lab):
    app = lab()
    async with app.run_test(size=(40, 12)) as pilot:
        screen = await opened(pilot, 0)
        assert screen.too_small.display
        await pilot.resize_terminal(100, 30)
        await pilot.pause()
        assert not screen.too_small.display
        assert len(screen.table.view.rows) == 21


async def test_at_200_columns_rows_stand_in_two_blocks_and_a_click_finds_its_row(lab):
    app = lab()
    async with app.run_test(size=(200, 60)) as pilot:
        app.session.run.train(200)
        await pilot.press("v")
        table, window = app.screen.table, app.screen.controller.window
        high = table.size.height - 3
        assert table.view.blocks == 2
        assert len(table.view.rows) == window.height == 2 * high
        await pilot.click(table, offset=(table.size.width // 2 + 4, 2 + 5))
        assert window.cursor == high + 5
        await pilot.click(table, offset=(0, 2 + 3))
        assert window.cursor == 3
        assert table.row_at(1, 2 + high) not in range(len(table.view.rows))
        titles, first = ("".join(cell for cell, _ in line) for line in table.lines(
            table.view, *table.size)[1:3])  # fmt: skip
        assert titles.count("board") == 2
        assert first.count(".5") >= 2
