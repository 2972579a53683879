"""One step at 80×24 is at most 1.6 kB, or 2.4 to another game or side, whoever learns."""

import pytest
from labs import stepped, train
from terminal import GAME

WITHIN, ACROSS = 1_600, 2_400
PAIRS = (
    ("td", "tdlambda"), ("negamax", "q"), ("double-q", "menace"), ("expected-sarsa", "menace-code"),
)  # fmt: skip
"""Every kind of panes, in pairs that share nothing: more changes from one to the other."""


@pytest.mark.parametrize(("x", "o"), PAIRS)
def test_a_step_forward_or_back_keeps_the_bar(lab, x: str, o: str):
    terminal = lab(f"--x={x}", f"--o={o}", "--seed=2")
    train(terminal, "150")
    terminal.read_until_shown("TRAIN", "games in")
    terminal.press("s", *"{{{{")
    terminal.read_until_shown("STEP", "game 147")
    assert terminal.read_until_asleep()
    for key, times in (("right", 16), ("]", 6), ("left", 8), ("[", 4)):
        for _ in range(times):
            place = GAME.findall(terminal.text)
            size = stepped(terminal, key, 0.02)  # until its picture is complete
            assert size <= (WITHIN if GAME.findall(terminal.text) == place else ACROSS), key
