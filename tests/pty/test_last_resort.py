"""Where good order is not to be had in time, the process ends all the same."""

import signal

import pytest

from afterstate_lab.learners.runs.store import Store

NO_ORDER = """
import time
from afterstate_lab.learners.kernel.kernel import Kernel
from afterstate_lab.tui.terminal import shutdown
Kernel.compile = lambda *_, **__: time.sleep(60)
shutdown.GRACE_SECONDS = 0.0
"""
"""A compiler that holds a thread for a minute, and no time to wait for it."""
PROMPT = 1.0
BUSY = 1.0


@pytest.mark.slow
@pytest.mark.parametrize(
    "is_gone",
    [
        pytest.param(True, id="terminal gone"),
        pytest.param(False, id="terminal there", marks=pytest.mark.slow),
    ],
)
def test_a_training_is_saved_and_left_at_once_while_a_compiler_is_at_work(lab, tmp_path, is_gone):
    from labs import games_shown, train

    terminal = lab(before=NO_ORDER)
    train(terminal)
    shown = games_shown(terminal)
    if is_gone:
        terminal.close()
    else:
        terminal.signal(signal.SIGHUP)
    assert terminal.wait(PROMPT + BUSY) == 128 + signal.SIGHUP
    (info,) = Store.open(tmp_path / "runs.sqlite").list()
    assert info.games >= shown > 0
