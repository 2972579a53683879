"""The lab in a real terminal: it opens, is played, has its keys, fails and ends in good order."""

import re
import signal

import pytest
from kills import killed
from labs import GONE, games_shown, train

from afterstate_lab.learners.runs.store import Store


@pytest.mark.quick
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


@pytest.mark.parametrize("shows", [("play it", "quit"), ()], ids=["seen", "typed ahead"])
def test_one_key_leads_to_a_backup_that_changes_something(lab, shows):
    terminal = lab(at_home=True, shows=shows)
    terminal.press("s")
    terminal.read_until_shown("STEP", "was just played", "4 target")
    terminal.press("q", "q")
    assert terminal.wait(5) == 0


FAILS = """
import afterstate_lab.tui.lab.controller
def fail(*_):
    secret = "a value of a local"
    raise RuntimeError("\\x1b[31mit failed")
from afterstate_lab.tui.verbs import BY_NAME
BY_NAME["{command}"].do = fail
"""


def test_it_says_so_in_one_line_and_loses_nothing(lab, tmp_path):
    terminal = lab(before=FAILS.format(command="step"), shows=())
    terminal.press("w", ".", ".")
    terminal.read_until_quiet()
    terminal.press("s")
    assert terminal.wait(5.0) == 1
    end = terminal.written.rindex(b"\x1b[?1049l")
    said = terminal.written[end:].decode()
    assert "afterstate failed (RuntimeError). The work is saved; a report is in " in said
    assert "Traceback" not in said
    assert terminal.settings == terminal.before
    (report,) = (tmp_path / "reports").iterdir()
    assert str(report) in said
    text = report.read_text()
    assert "--x td --o td --seed 0" in text
    assert "Commands: watch, event, event, step" in text
    assert "RuntimeError: \\x1b[31mit failed" in text
    assert "a value of a local" not in text.replace('secret = "a value of a local"', "")
    assert report.stat().st_mode & 0o077 == 0
    (info,) = Store.open(tmp_path / "runs.sqlite").list()
    assert info.games == 1


NO_ORDER = """
import time
from afterstate_lab.learners.kernel.kernel import Kernel
from afterstate_lab.tui.terminal import shutdown
Kernel.compile = lambda *_, **__: time.sleep(60)
shutdown.GRACE_SECONDS = 0.0
"""
"""A compiler that holds a thread for a minute, and no time to wait for it."""


@pytest.mark.parametrize("key", ["", "ctrl+c"])
def test_what_failed_is_said_at_once_while_a_compiler_is_at_work(lab, key):
    terminal = lab(before=FAILS.format(command="step") + NO_ORDER.partition("shutdown.GRACE")[0])
    train(terminal)
    terminal.press("s")
    terminal.read_until(lambda: b"\x1b[?1049l" in terminal.written)
    if key:
        terminal.press(key)
    terminal.read_until(lambda: b"(RuntimeError). The work is saved" in terminal.written, GONE)
    assert terminal.wait(GONE) == 1
    assert terminal.settings == terminal.before


@pytest.mark.parametrize("is_gone", [True, False], ids=["terminal gone", "terminal there"])
def test_a_training_is_saved_and_left_at_once_while_a_compiler_is_at_work(lab, tmp_path, is_gone):
    terminal = lab(before=NO_ORDER)
    train(terminal)
    shown = games_shown(terminal)
    if is_gone:
        terminal.close()
    else:
        terminal.signal(signal.SIGHUP)
    assert terminal.wait(GONE) == 128 + signal.SIGHUP
    (info,) = Store.open(tmp_path / "runs.sqlite").list()
    assert info.games >= shown > 0


@pytest.mark.parametrize("first", [0, 6])
def test_nothing_is_missing_after_any_way_out_and_nothing_is_left_running(first: int):
    assert not [(kind, wrong) for _, kind, wrong in killed(6, seed=3, first=first) if wrong]
