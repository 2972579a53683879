"""The mode line and the footer: what gives way where there is little room."""

from __future__ import annotations

import re

import pytest

from afterstate_lab.tui.lab.commands import footer
from afterstate_lab.tui.lab.modes import Mode
from afterstate_lab.tui.views.lab import KeysView, ModeView
from afterstate_lab.tui.widgets.mode_line import KeyBar, ModeLine


def keys(mode: Mode, columns: int, *, is_over: bool = False) -> str:
    view = KeysView(footer(mode, is_over=is_over))
    return "".join(text for text, _ in KeyBar().lines(view, columns, 1)[0])


def test_a_narrow_footer_of_step_names_games_and_go():
    shown = keys(Mode.STEP, 80)
    assert "{ } game  g go  i ? help  q home" in shown
    assert len(shown) <= 80
    assert "i explain  ? help" in keys(Mode.STEP, 120)


def test_a_click_on_a_key_without_a_word_chooses_it():
    view = KeysView(footer(Mode.STEP))
    places = {key: start for start, key, _ in KeyBar()._places(view, 80)}
    assert keys(Mode.STEP, 80)[places["i"] :].startswith("i ? help")
    assert places["?"] == places["i"] + 2


def test_after_a_game_and_after_a_training_the_footer_names_what_comes_next():
    assert keys(Mode.PLAY, 80).startswith(" 1–9 move")
    assert keys(Mode.PLAY, 80, is_over=True).startswith(" Enter review  u undo  n new")
    assert "esc stop" in keys(Mode.TRAIN, 80)
    after = keys(Mode.TRAIN, 80, is_over=True)
    assert "t train" in after
    assert not re.search("stop|pause", after)


@pytest.mark.parametrize(
    ("x", "columns", "told"),
    [
        ("museum:draw-as-loss α.1 ε.1", 67, " X museum:draw-as-loss α.1…  O td α.1 ε.1 "),
        ("museum:draw-as-loss α.1 ε.1", 58, " X museum:draw-as-…  O td α.1 ε.1 "),
        ("rules/of/mine.py:Optimist α.1", 70, " X mine.py:Optimist α.1  O td α.1 ε.1 "),
        ("td:alpha=.12345,symmetry=on", 64, " X td:alpha=.12345…  O td α.1 ε.1 "),
    ],
)
def test_long_players_lose_options_before_they_lose_their_names(x: str, columns: int, told: str):
    view = ModeView("WATCH", x, "td α.1 ε.1", (("game", "1/1"), ("ply", "0")), status="▶ 2/s")
    shown = "".join(text for text, _ in ModeLine().lines(view, columns, 1)[0])
    assert told in shown
    assert len(shown) == columns


def test_players_without_room_are_not_named():
    view = ModeView("WATCH", "td α.1", "td α.1", (("game", "1/1"),), status="▶ 16 moves/s")
    shown = "".join(text for text, _ in ModeLine().lines(view, 40, 1)[0])
    assert " O " not in shown
    assert "game 1/1" in shown
