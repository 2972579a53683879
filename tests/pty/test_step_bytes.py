"""One step at 80×24 is at most 1.6 kB, or 2.4 to another game or side, whoever learns."""

import pytest
from terminal import QUICK, stepping

PAIRS = (
    ("td", "tdlambda"), ("negamax", "q"), ("double-q", "menace"), ("expected-sarsa", "menace-code"),
)  # fmt: skip
"""Every kind of panes, in pairs that share nothing: more changes from one to the other."""


@pytest.mark.parametrize(("x", "o"), PAIRS)
def test_a_step_forward_or_back_keeps_the_bar(lab, x: str, o: str):
    terminal = lab(f"--x={x}", f"--o={o}", "--seed=2")
    figures = stepping(terminal, QUICK, games=150)
    assert not [figure.row for figure in figures if figure.is_missed]
