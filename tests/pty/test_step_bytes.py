"""One step of the tape is at most 2 kB at 80×24, whoever learns."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

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


def largest(terminal: PseudoTerminal, key: str, times: int) -> int:
    from labs import stepped

    return max(stepped(terminal, key) for _ in range(times))


@pytest.mark.slow
@pytest.mark.parametrize(("x", "o"), PAIRS)
def test_a_step_forward_or_back_keeps_the_bar(lab, x: str, o: str):
    from labs import pressed, train

    terminal = lab(f"--x={x}", f"--o={o}", "--seed=2")
    train(terminal, "150")
    terminal.read_until_shown("TRAIN", "games in")
    terminal.read_until_quiet(0.5)
    pressed(terminal, "s", *"{{{{", quiet=0.5)
    for key, times in (("right", 16), ("]", 6), ("left", 16), ("[", 6)):
        assert largest(terminal, key, times) <= BAR, key
