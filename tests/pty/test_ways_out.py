"""Every way out leaves the terminal as it was, within a second."""

import signal
import time

import psutil
import pyte
import pytest
from labs import GONE, PANES, train

NO_CORE = "import resource; resource.setrlimit(resource.RLIMIT_CORE, (0, 0))"
ALREADY_DEAF = "import signal; signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGHUP})"
ENDS = {"q q": 0, "SIGQUIT": -signal.SIGQUIT}
"""A key and a signal, with the status that the lab ends with: kills.py has others."""


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


@pytest.mark.parametrize("way", ENDS)
def test_a_training_lab_ends_in_good_order(lab, way):
    terminal = lab(before=NO_CORE)
    train(terminal)
    if way in signal.Signals.__members__:
        terminal.signal(signal.Signals[way])
    else:
        terminal.press(*way.split())
    assert_ended(terminal, ENDS[way])


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
