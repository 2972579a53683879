"""Every way out leaves the terminal as it was, within a second."""

import os
import signal
import time

import pyte
import pytest
from pseudo_terminal import PATIENCE

PROMPT = 1.0
"""Seconds in which the process is to be gone."""
BUSY = 1.0
"""More of them, for a machine that runs other tests as well."""
RESTORED = (b"\x1b[?1049l", b"\x1b[?25h", b"\x1b[?1000l", b"\x1b[?1003l", b"\x1b[?2004l")
NO_CORE = "import resource; resource.setrlimit(resource.RLIMIT_CORE, (0, 0))"
ALREADY_DEAF = "import signal; signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGHUP})"


def start_training(terminal) -> None:
    terminal.press("t")
    terminal.read_until_shown("how many games")
    terminal.press("1000m", "enter")
    terminal.read_until_shown("TRAIN", "left")


def assert_gone(terminal, status: int) -> None:
    began = time.perf_counter()
    assert terminal.wait(PROMPT + BUSY) == status
    assert time.perf_counter() - began < PROMPT + BUSY


def assert_restored(terminal) -> None:
    for sequence in RESTORED:
        assert sequence in terminal.written
    end = terminal.written.rindex(b"\x1b[?1049l")
    assert b"Traceback" not in terminal.written[end:]
    assert terminal.settings == terminal.before


def is_painted_whole(written: bytearray) -> bool:
    """Whether a terminal that was sent this alone shows the lab."""
    screen = pyte.Screen(80, 24)
    pyte.ByteStream(screen).feed(bytes(written))
    text = "\n".join(screen.display)
    return all(words in text for words in ("log", "stats", "learning", "home"))


@pytest.mark.slow
@pytest.mark.parametrize("keys", [pytest.param(("q", "q"), marks=pytest.mark.slow), ("ctrl+c",)])
def test_keys_end_a_training_lab(lab, keys):
    terminal = lab()
    start_training(terminal)
    terminal.press(*keys)
    assert_gone(terminal, 0)
    assert_restored(terminal)


@pytest.mark.slow
@pytest.mark.parametrize("ahead", [b"." * 5_000, b"\x1b[" + b"5" * 50_000], ids=["keys", "digits"])
def test_ctrl_c_waits_for_nothing_that_was_typed_before_it(lab, ahead):
    terminal = lab()
    terminal.type_ahead(ahead)
    terminal.press("ctrl+c")
    assert_gone(terminal, 0)
    assert_restored(terminal)


@pytest.mark.parametrize(
    "name",
    ["SIGTERM", *(pytest.param(name, marks=pytest.mark.slow) for name in ("SIGHUP", "SIGINT"))],
)
def test_a_signal_ends_a_training_lab(lab, name):
    terminal = lab()
    start_training(terminal)
    number = getattr(signal, name)
    terminal.signal(number)
    assert_gone(terminal, 128 + number)
    assert_restored(terminal)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["SIGTERM", pytest.param("SIGINT", marks=pytest.mark.slow)])
def test_signals_in_numbers_end_it_as_one_does(lab, name):
    terminal, number = lab(), getattr(signal, name)
    while not terminal.is_over():
        terminal.signal(number)
        terminal.read(0.0005)
    assert_gone(terminal, 128 + number)
    assert b"signal wakeup fd" not in terminal.written
    assert_restored(terminal)


@pytest.mark.slow
def test_quit_restores_the_terminal_before_the_lab_dies_of_it(lab):
    terminal = lab(before=NO_CORE)
    start_training(terminal)
    terminal.signal(signal.SIGQUIT)
    assert_gone(terminal, -signal.SIGQUIT)
    assert_restored(terminal)


@pytest.mark.parametrize(
    "before",
    [
        pytest.param("", id="hangup"),
        pytest.param(ALREADY_DEAF, id="no signal comes", marks=pytest.mark.slow),
    ],
)
def test_a_closed_terminal_ends_the_lab_without_spinning(lab, before):
    terminal = lab(before=before)
    terminal.press("space")
    terminal.read(0.3)
    used = terminal.cpu_seconds()
    terminal.close()
    began = time.perf_counter()
    last = used
    while terminal.wait(0.02) is None and time.perf_counter() - began < PROMPT + BUSY:
        last = terminal.cpu_seconds_or(last)
    assert terminal.status == 128 + signal.SIGHUP
    assert last - used < 0.5


@pytest.mark.slow
def test_a_terminal_that_takes_no_more_does_not_hold_the_lab(lab):
    terminal = lab()
    for _ in range(30):
        terminal.press("d")
        time.sleep(0.01)
    terminal.signal(signal.SIGTERM)
    began = time.perf_counter()
    while not terminal.is_over() and time.perf_counter() - began < PROMPT + BUSY:
        time.sleep(0.01)
    assert terminal.status == 128 + signal.SIGTERM


@pytest.mark.slow
def test_the_lab_is_put_to_sleep_and_woken(lab):
    terminal = lab()
    terminal.signal(signal.SIGTSTP)
    terminal.read_until(lambda: b"\x1b[?1049l" in terminal.written)
    until = time.perf_counter() + PATIENCE
    while not (stopped := os.waitpid(terminal.pid, os.WNOHANG | os.WUNTRACED)[1]):
        assert time.perf_counter() < until
        terminal.read(0.02)
    assert os.WIFSTOPPED(stopped)
    assert terminal.settings == terminal.before
    asleep = len(terminal.written)
    terminal.signal(signal.SIGCONT)
    terminal.read_until(lambda: b"\x1b[?1049h" in terminal.written[asleep:], 30)
    terminal.read_until(lambda: is_painted_whole(terminal.written[asleep:]), 30)
    terminal.press("space")
    terminal.read_until_shown("2 moves/s")
    terminal.press("q", "q")
    assert_gone(terminal, 0)
