"""Keys of the lab at the ends of what they move through."""

import pytest
from reading import trained_lab

from afterstate_lab.tui.lab.controller import LabController
from afterstate_lab.tui.lab.modes import SPEEDS, Mode


@pytest.fixture
def lab() -> LabController:
    return trained_lab(games=12)


def test_the_choice_of_a_cell_goes_round_the_free_cells(lab):
    lab.perform("play")
    for cells, name in (([0, 1], "cursor_down"), ([0, 8, 7], "cursor_up"), ([8, 0], "cursor_down")):
        for cell in cells:
            lab.perform(name)
            assert lab.session.cursor == cell


def test_the_speed_ends_at_the_slowest_and_the_fastest(lab):
    session = lab.session
    session.mode, session.is_running = Mode.WATCH, True
    for name, speed in (("slower", SPEEDS[0]), ("faster", SPEEDS[-1])):
        for _ in range(len(SPEEDS) + 1):
            lab.perform(name)
        assert session.speed == speed


def test_the_game_that_beats_a_player_follows_a_game_that_is_over(lab):
    timeline = lab.session.timeline
    for game, at_end, coming in ((6, False, 6), (6, True, 7), (11, True, 12)):
        timeline.go_to(game, at_end=at_end)
        assert lab.session.coming_game == coming


def test_going_to_a_game_pauses_what_is_watched(lab):
    session = lab.session
    session.mode, session.is_running = Mode.WATCH, True
    lab.perform("go_to")
    assert not session.is_running
