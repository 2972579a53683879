"""The lab in a real terminal: it opens, is played, trains, steps and follows the window's size."""

import re

import pytest


@pytest.mark.slow
def test_all_panes_are_painted_in_far_less_than_30_kb_and_then_nothing_is_written(lab):
    terminal = lab()
    assert terminal.text.startswith(" p play  w WATCH  s step  t train ")
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
