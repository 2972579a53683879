"""A window that is dragged shows, once at rest, exactly what a full repaint shows."""

import random
import re
import signal

import psutil
import pytest

from afterstate_lab.tui.terminal.driver import LARGEST_SIZE

REPAINT = b"\x0c"
SIZES = ((80, 24), (79, 24), (120, 40), (81, 25), (1, 1), (300, 1), (59, 60), (200, 60), (500, 200))
PLACES = {
    "lab": "", "question": "t", "table": "v", "step": "s", "tour": "T", "play": "p5", "setup": "o",
    "experiments": "E",
}  # fmt: skip
"""What is typed to see a screen; all pages are one."""
MOST_MEGABYTES, MOST_SECONDS = 300, 10
"""What a picture of any size may take in memory and in processor time."""
BESIDE_THE_LOOP = """
import signal, threading
threading.Thread(target=threading.Event().wait, daemon=True).start()
signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGWINCH})
"""
"""Lets the kernel give the word of a new size to a thread that does not draw."""
WITHIN_A_PICTURE = """
import os, signal, sys
from afterstate_lab.tui.terminal.picture import PictureStream
original, inside, sent = PictureStream.rewrite, [], []
def rewrite(self, data):
    if inside:
        os._exit(99)
    inside.append(1)
    if "unbeatable" in data and not sent:
        sent.append(1)
        os.kill(os.getpid(), signal.SIGTSTP)
        sum(range(10_000))
    inside.clear()
    return original(self, data)
PictureStream.rewrite = rewrite
"""

DRAGGED_WITHIN_A_PICTURE = """
import os, signal, sys
sys.unraisablehook = lambda what: os._exit(99)
from afterstate_lab.tui.terminal.picture import PictureStream
original = PictureStream.rewrite
def rewrite(self, data):
    for _ in range(1_000 * ("unbeatable" in data)):
        os.kill(os.getpid(), signal.SIGWINCH)
    return original(self, data)
PictureStream.rewrite = rewrite
"""


def settled(terminal, columns: int, rows: int):
    terminal.resize(columns, rows)
    assert terminal.read_until_asleep()
    return terminal.cells


@pytest.mark.parametrize("place", PLACES)
def test_after_a_storm_the_terminal_shows_what_a_full_repaint_shows(lab, place):
    terminal = lab()
    terminal.press(*PLACES[place])
    assert terminal.read_until_asleep()
    dice = random.Random(place)
    for size in (dice.choice(SIZES[:3]), (80, 24)):
        for _ in range(dice.randint(2, 12)):
            small = dice.randint(1, 130), dice.randint(1, 45)
            terminal.resize(*dice.choice((small, *SIZES)))
            terminal.read(dice.choice((0, 0.004, 0.008, 0.02)))
        after_storm = settled(terminal, *size)
        terminal.send(REPAINT)
        assert terminal.read_until_asleep()
        assert after_storm == terminal.cells
        settled(terminal, size[0] - 1, size[1])
        assert settled(terminal, *size) == after_storm


def test_a_new_size_is_heard_of_whichever_thread_gets_the_signal(lab):
    terminal = lab(before=BESIDE_THE_LOOP)
    terminal.read_until_asleep()
    terminal.resize(100, 30)
    terminal.read_until(lambda: "Esc home" in terminal.lines[29])


def test_a_new_size_is_heard_of_where_garbage_promised_reports(lab):
    terminal = lab()
    terminal.read_until_asleep()
    terminal.send(b"\x1b[?2048;2$y")
    terminal.read_until_asleep()
    whole = terminal.cells
    for columns, rows in ((20, 5), (80, 24)):
        terminal.resize(columns, rows)
    terminal.read_until(lambda: terminal.cells == whole, 5)
    terminal.resize(100, 30)
    terminal.read_until(lambda: "Esc home" in terminal.lines[29])


def test_more_sizes_than_the_loop_can_note_are_not_told(lab):
    terminal = lab(before=DRAGGED_WITHIN_A_PICTURE)
    terminal.press("t")
    terminal.read_until_shown("how many games")
    terminal.resize(100, 30)
    terminal.read_until(lambda: "Esc" in terminal.lines[29])
    assert not terminal.is_over()


def test_a_suspension_waits_for_the_end_of_a_picture(lab):
    terminal = lab(before=WITHIN_A_PICTURE)
    terminal.press("t")
    terminal.read_until(lambda: terminal.process.status() == psutil.STATUS_STOPPED)
    terminal.signal(signal.SIGCONT)
    terminal.read_until_shown("how many games")
    terminal.press("escape")
    terminal.read_until_shown("Esc home")


@pytest.mark.parametrize(
    ("size", "env"),
    [((5000, 5000), {}), ((80, 24), {"COLUMNS": "999999999", "LINES": "999999999"})],
)
def test_an_extreme_size_costs_bounded_memory_and_time(lab, size, env):
    terminal = lab(columns=size[0], rows=size[1], env=env, shows=())
    terminal.read_until(lambda: b"home" in terminal.written)
    assert terminal.read_until_asleep()
    assert max(map(int, re.findall(rb"\x1b\[(\d+)(?:;\d+)?H", terminal.written))) <= LARGEST_SIZE[1]
    assert terminal.memory() < MOST_MEGABYTES
    assert terminal.cpu_seconds() < MOST_SECONDS
    before = len(terminal.written)
    terminal.read(1)
    assert len(terminal.written) == before
    terminal.press("ctrl+c")
    assert terminal.wait() == 0
