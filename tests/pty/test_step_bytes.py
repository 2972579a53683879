"""One step of the tape is at most 2 kB at 80×24, whoever learns."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from pseudo_terminal import QUESTION

if TYPE_CHECKING:
    from pseudo_terminal import PseudoTerminal

BAR = 2_000
PAIRS = (
    ("td", "tdlambda"),
    ("chain", "sarsa"),
    ("mc", "nstep"),
    ("negamax", "q"),
    ("double-q", "td"),
    ("expected-sarsa", "menace-code"),
    ("menace", "td"),
    ("menace-article", "q"),
)
"""Every learner, in pairs that share nothing: more changes from one to the other."""


def stepped(terminal: PseudoTerminal, key: str) -> int:
    """The bytes of a step, until its picture is complete: the terminal is asked behind it."""
    before = len(terminal.written)
    terminal.press(key)
    terminal.read_until(lambda: QUESTION in terminal.written[before:])
    terminal.read_until_quiet(0.02)
    return len(terminal.written) - before


@pytest.mark.slow
@pytest.mark.parametrize(("x", "o"), PAIRS)
def test_a_step_forward_or_back_keeps_the_bar(lab, x: str, o: str):
    from labs import train

    terminal = lab(f"--x={x}", f"--o={o}", "--seed=2")
    train(terminal, "150")
    terminal.read_until_shown("TRAIN", "games in")
    terminal.press("s", *"{{{{")
    terminal.read_until_shown("STEP", "game 147")
    assert terminal.read_until_asleep()
    for key, times in (("right", 16), ("]", 6), ("left", 8), ("[", 4)):
        assert max(stepped(terminal, key) for _ in range(times)) <= BAR, key
