"""Every way out leaves the terminal as it was, within a second."""

import signal
import time

import psutil
import pyte
import pytest
from kills import killed
from labs import GONE, PANES, WAYS, games_shown, train

from afterstate_lab.learners.runs.store import Store

NO_CORE = "import resource; resource.setrlimit(resource.RLIMIT_CORE, (0, 0))"
ALREADY_DEAF = "import signal; signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGHUP})"
NO_COMPILER = """
import time
from afterstate_lab.learners.kernel.kernel import Kernel
Kernel.compile = lambda *_, **__: time.sleep(60)
"""
"""One that holds a thread for a minute."""
NO_GRACE = "from afterstate_lab.tui.terminal import shutdown; shutdown.GRACE_SECONDS = 0.0"
FAILS = """
import afterstate_lab.tui.lab.controller
def fail(*_):
    secret = "a value of a local"
    raise RuntimeError("\\x1b[31mit failed")
from afterstate_lab.tui.verbs import BY_NAME
BY_NAME["step"].do = fail
"""
CRASH = f"""{NO_CORE}
import ctypes, threading
from afterstate_lab.tui.verbs import BY_NAME
BY_NAME["step"].do = lambda *_: {{how}}
"""


def assert_ended(terminal, status: int) -> None:
    """It is gone in time, and the terminal is given back."""
    began = time.perf_counter()
    assert terminal.wait(GONE) == status
    assert time.perf_counter() - began < GONE
    assert terminal.is_given_back
    end = terminal.written.rindex(b"\x1b[?1049l")
    assert b"Traceback" not in terminal.written[end:]


def is_painted_whole(written: bytearray) -> bool:
    """Whether a terminal that was sent this alone shows the lab."""
    screen = pyte.Screen(80, 24)
    pyte.ByteStream(screen).feed(bytes(written))
    return all(words in "\n".join(screen.display) for words in PANES)


@pytest.mark.parametrize(
    ("end", "status"),
    [(lambda terminal: terminal.press("q", "q"), 0), (WAYS["SIGQUIT"], -signal.SIGQUIT)],
)
def test_a_training_lab_ends_in_good_order(lab, end, status):
    """kills.py has other ways."""
    terminal = lab(before=NO_CORE)
    train(terminal)
    end(terminal)
    assert_ended(terminal, status)


@pytest.mark.parametrize("name", ["SIGTERM", "SIGINT"])
def test_signals_in_numbers_end_it_as_one_does(lab, name):
    terminal = lab()
    while not terminal.is_over():
        terminal.signal(signal.Signals[name])
        terminal.read(0.0005)
    assert_ended(terminal, 128 + signal.Signals[name])
    assert b"signal wakeup fd" not in terminal.written


@pytest.mark.parametrize("before", ["", ALREADY_DEAF], ids=["hangup", "no signal comes"])
def test_a_closed_terminal_ends_the_lab_without_spinning(lab, before):
    terminal = lab(before=before)
    terminal.press("space")
    terminal.read(0.3)
    last = used = terminal.cpu_seconds()
    terminal.close()
    began = time.perf_counter()
    while terminal.wait(0.02) is None and time.perf_counter() - began < GONE:
        last = max(last, terminal.cpu_seconds())
    assert terminal.status == 128 + signal.SIGHUP
    assert last - used < 0.5


def test_a_terminal_that_takes_no_more_does_not_hold_the_lab(lab):
    terminal = lab()
    for _ in range(30):
        terminal.press("d")
        time.sleep(0.01)
    terminal.signal(signal.SIGTERM)
    began = time.perf_counter()
    while not terminal.is_over() and time.perf_counter() - began < GONE:
        time.sleep(0.01)
    assert terminal.status == 128 + signal.SIGTERM


def test_the_lab_is_put_to_sleep_and_woken(lab):
    terminal = lab()
    terminal.signal(signal.SIGTSTP)
    terminal.read_until(lambda: b"\x1b[?1049l" in terminal.written)
    terminal.read_until(lambda: terminal.process.status() == psutil.STATUS_STOPPED)
    assert terminal.settings == terminal.before
    asleep = len(terminal.written)
    terminal.signal(signal.SIGCONT)
    terminal.read_until(lambda: b"\x1b[?1049h" in terminal.written[asleep:], 30)
    terminal.read_until(lambda: is_painted_whole(terminal.written[asleep:]), 30)
    terminal.press("space")
    terminal.read_until_shown("2 moves/s")
    terminal.press("q", "q")
    assert_ended(terminal, 0)


def test_what_fails_is_said_in_one_line_and_nothing_is_lost(lab, tmp_path):
    terminal = lab(before=FAILS, shows=())
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


@pytest.mark.parametrize("key", ["", "ctrl+c"])
def test_what_failed_is_said_at_once_while_a_compiler_is_at_work(lab, key):
    terminal = lab(before=FAILS + NO_COMPILER)
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
    terminal = lab(before=NO_COMPILER + NO_GRACE)
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


@pytest.mark.parametrize("name", ["SIGSEGV", "SIGABRT", "SIGBUS", "SIGILL"])
def test_a_crash_from_below_leaves_the_terminal_as_it_was(lab, name):
    number = signal.Signals[name]
    how = f"ctypes.CDLL(None)['raise']({number:d})"
    if name == "SIGSEGV":
        how = "threading.Thread(target=ctypes.memset, args=(0, 0, 1)).start()"
    terminal = lab(before=CRASH.format(how=how))
    terminal.press("s")
    assert terminal.wait(GONE) == -number
    assert terminal.is_given_back
