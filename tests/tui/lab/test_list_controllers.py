"""What the lists can be asked for, without a screen."""

from __future__ import annotations

import pytest

from learners.players.resolve import parse_player
from tui.lab.experiments.controller import ExperimentsController
from tui.lab.list_commands import EXPERIMENT_COMMANDS, TABLE_COMMANDS
from tui.lab.list_controller import ListController, RowWindow
from tui.lab.session import Session, Settings
from tui.lab.table.controller import TableController

WITH_A_KEY = {"sort_by"}
"""Commands that depend on the key that was pressed."""
OF_THE_SCREEN = {"help", "zoom", "next_pane", "explain"}
"""Commands that the screen does itself."""


def table() -> TableController:
    return TableController(Session(Settings(parse_player("td"), parse_player("q"), 7)))


LISTS = [
    (table, TABLE_COMMANDS),
    (ExperimentsController, EXPERIMENT_COMMANDS),
]


@pytest.mark.parametrize(("make", "commands"), LISTS)
def test_every_command_has_a_handler_and_every_handler_a_command(make, commands):
    controller: ListController = make()
    names = {command.name for command in commands} - OF_THE_SCREEN - WITH_A_KEY
    moves = set(ListController().handlers)
    assert names <= controller.handlers.keys()
    assert controller.handlers.keys() - moves <= names


@pytest.mark.parametrize(("make", "commands"), LISTS)
def test_keys_and_names_are_there_once(make, commands):
    keys = [key for command in commands for key in command.keys]
    assert len(keys) == len(set(keys))
    assert len(commands) == len({command.name for command in commands})


def test_a_command_takes_the_note_of_the_one_before_away():
    controller = table()
    controller.note = "said before"
    controller.perform("down")
    assert (controller.note, controller.window.cursor) == ("", 1)


def test_the_window_jumps_by_half_of_itself_and_stays_in_the_list():
    window = RowWindow()
    window.hold(30)
    window.resize(10)
    window.go_to(10)
    assert (window.top, window.cursor) == (5, 10)
    window.turn(1)
    assert (window.top, window.cursor) == (14, 19)
    window.go_to(99)
    assert (window.top, window.cursor) == (20, 29)
    window.hold(3)
    assert (window.top, window.cursor) == (0, 2)
