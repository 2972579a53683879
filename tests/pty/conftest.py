"""Labs in real pseudo-terminals."""

import math
import sys
from contextlib import ExitStack

import pytest
from labs import MAIN, PANES, interpreted
from pseudo_terminal import PseudoTerminal


@pytest.fixture
def lab(tmp_path):
    """Opens a lab and waits for its picture; `at_home` begins there, as no option leads on."""
    with ExitStack() as stack:

        def run(*options, env=(), before="", at_home=False, shows=PANES, rate=math.inf, **more):
            words = options if options or at_home else ("--seed", "0")
            command = [sys.executable, "-c", f"{before}\n{MAIN}", *words]
            env = interpreted(tmp_path, **dict(env))
            terminal = stack.enter_context(PseudoTerminal(command, env=env, rate=rate, **more))
            terminal.read_until_shown(*shows)
            terminal.read_until_quiet(0.1 if rate == math.inf else 0.5)
            return terminal

        yield run
