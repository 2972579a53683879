"""The doctor asks a real terminal how long the way to it and back is."""

import sys

import pytest

ASK = """
import sys
import termios
from afterstate_lab.tui.terminal import detect
from afterstate_lab.tui.command import main
detect.PATIENCE = {patience}
before = termios.tcgetattr(0)
try:
    sys.argv = ["afterstate", "doctor"]
    main()
finally:
    print("as before" if termios.tcgetattr(0) == before else "changed")
"""


@pytest.mark.quick("True-20- ms")
@pytest.mark.parametrize(("answers", "patience", "said"), [(True, 20, " ms"), (False, 0.1, "no")])
def test_it_says_how_long_the_terminal_took_to_answer(answers: bool, patience: float, said: str):
    from pseudo_terminal import PseudoTerminal

    command = [sys.executable, "-c", ASK.format(patience=patience)]
    with PseudoTerminal(command, 160, 99, answers=answers) as terminal:
        terminal.read_until_shown("as before")
        assert said in next(line for line in terminal.lines if line.startswith("round trip"))
