"""The lab in a real terminal: it opens, is played, trains, steps and follows the window's size."""

from __future__ import annotations

import re

import pytest


def test_all_panes_are_painted_in_far_less_than_30_kb_and_then_nothing_is_written(lab):
    terminal = lab()
    assert terminal.text.startswith("  p play  w WATCH  s step  t train ")
    assert "no game yet" in terminal.text
    assert len(terminal.written) < 12_000
    assert terminal.read(1.0) == 0


def test_a_game_is_played_to_its_end(lab):
    terminal = lab("--x", "human", "--o", "perfect", shows=("PLAY", "board", "X to move"))
    for cell in "519736428":
        before = len(terminal.written)
        terminal.press(cell)
        terminal.read_until(lambda at=before: len(terminal.written) > at)
        terminal.read_until_quiet(0.1)
        if re.search("draw|wins", terminal.text.splitlines()[1]):
            break
    assert re.search("draw|O wins", terminal.text.splitlines()[1])


@pytest.mark.slow
def test_a_training_is_stepped_through_back_and_forth(lab):
    terminal = lab()
    terminal.press("t")
    terminal.read_until_shown("how many games")
    terminal.press("300", "enter")
    terminal.read_until_shown("TRAIN", "t trains at full speed")
    terminal.press("s")
    terminal.read_until_shown("STEP", "the update")
    terminal.read_until_quiet(0.2)
    pictures = [terminal.text]
    for _ in range(4):
        terminal.press("]")
        terminal.read_until_quiet(0.2)
        pictures.append(terminal.text)
    assert len(set(pictures)) > 2
    for picture in reversed(pictures[:-1]):
        terminal.press("[")
        terminal.read_until_quiet(0.2)
        assert terminal.text == picture


@pytest.mark.slow
def test_keys_typed_ahead_do_not_change_an_answer(lab):
    terminal = lab()
    terminal.press("t")
    terminal.read_until_shown("how many games")
    terminal.press("300\r?")
    terminal.read_until_shown("HELP")
    terminal.press("\x1b")
    terminal.read_until_shown("300 games in")


@pytest.mark.slow
def test_the_panes_follow_the_size_of_the_window(lab):
    terminal = lab()
    terminal.press("space")
    terminal.resize(40, 12)
    terminal.read_until_shown("80")
    assert "to move" not in terminal.text
    for columns, rows in ((120, 40), (200, 60), (80, 24)):
        terminal.resize(columns, rows)
        terminal.read_until(
            lambda width=columns: (
                "stats" in terminal.text
                and any(len(line) == width and line.endswith("╮") for line in terminal.lines)
            )
        )
    terminal.press("space")
    terminal.read_until_shown("paused")
