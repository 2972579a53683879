"""Pictures are sent when they may be, texts copied, and work in the background gives way."""

import os
import subprocess
import sys
import threading

import pytest

from afterstate_lab.tui.app import NICENESS, Threads
from afterstate_lab.tui.terminal.driver import (
    FIRST_PATIENCE,
    LATE,
    MOST_PATIENCE,
    PATIENCE,
    QUESTION,
    TYPING,
    Pacer,
    copying,
)

SIZE = 1000
TRIP = 0.05


class Line:
    """A pacer, a clock, and a line that does nothing on its own."""

    def __init__(self, *, answers: bool = True) -> None:
        self.now = 100.0
        self.freed = 0
        self.pacer = Pacer(self._free, lambda: self.now)
        self._ask()
        if answers:
            self.now += TRIP
            self.pacer.answered()

    def _free(self) -> None:
        self.freed += 1

    def _ask(self) -> None:
        self.pacer.asked()
        self.pacer.written(len(QUESTION))

    def paint(self) -> bool:
        """Send a picture that the terminal takes at once; whether it is asked."""
        self.pacer.handed_over(SIZE)
        self.pacer.written(SIZE)
        if asks := self.pacer.painted():
            self._ask()
        return asks

    def go(self, step: str) -> None:
        """Do, or check, a step: of a terminal that is asked or not, of a picture free or held."""
        match step.split():
            case ["paint"]:
                self.paint()
            case ["asked" | "unasked"]:
                assert self.paint() == (step == "asked")
            case ["nothing", "asked"]:
                assert not self.pacer.painted()
            case ["answer"]:
                self.pacer.answered()
            case ["wait", seconds]:
                self.now += float(seconds)
            case ["key"]:
                self.pacer.typed()
            case ["bytes"]:
                self.pacer.handed_over(SIZE)
            case ["taken"]:
                self.pacer.written(SIZE)
            case ["free" | "held"]:
                assert (self.pacer.seconds_to_wait() is None) == (step == "free")
            case ["called", times]:
                assert self.freed == int(times)
            case ["due" | "silent"]:
                assert self.pacer.is_waiting == (step == "due")
            case _:
                raise ValueError(step)


OVERDUE = f"wait {TRIP + LATE}"
A_SECOND_LATE = "paint, wait 1, answer"
LONG = f"wait {FIRST_PATIENCE + 1}"


@pytest.mark.parametrize(
    ("answers", "steps"),
    [
        # asked after a picture, not again before it answers, and only after something was sent
        (True, "asked, unasked, answer, nothing asked, asked"),
        # a picture waits for a late answer, and is called for when it comes
        (True, f"paint, {OVERDUE}, held, called 0, answer, called 1, free"),
        # nothing is called for where nothing waits
        (True, f"{A_SECOND_LATE}, called 0"),
        # a long way alone holds no picture back
        (True, ", ".join([f"free, paint, wait {TRIP}, answer"] * 20)),
        # on a line that was late each picture waits for the previous one
        (True, f"{A_SECOND_LATE}, paint, held"),
        # a key waits for the pictures of keys only
        (
            True,
            f"{A_SECOND_LATE}, paint, wait 1, key, free, asked, key, held, answer, answer, free",
        ),
        # what is painted long after a key is not taken for its answer
        (True, f"key, wait {TYPING}, paint, {OVERDUE}, held"),
        # bytes that the terminal has not taken hold every picture back
        (True, "bytes, held, key, held, taken, called 1, free"),
        # answers that nobody waits for change nothing
        (True, "answer, free"),
        # a terminal that never answered is asked once and holds nothing back
        (False, ", ".join([*[f"key, free, unasked, wait {FIRST_PATIENCE / 4}"] * 20, "silent"])),
        # a first answer that comes very late is an answer
        (False, f"{LONG}, silent, answer, asked"),
    ],
)
def test_a_picture_is_sent_when_it_may_be(answers: bool, steps: str):
    line = Line(answers=answers)
    for step in steps.split(", "):
        line.go(step)


def test_an_answer_that_is_lost_holds_pictures_back_no_longer_than_patience_lasts():
    line, waited = Line(), []
    for _ in range(6):
        line.paint()
        began = line.now
        line.now += 1.0
        while (seconds := line.pacer.seconds_to_wait()) is not None:
            line.now += seconds
        waited.append(line.now - began)
    assert waited[0] == pytest.approx(PATIENCE + LATE)
    assert waited == sorted(waited)
    assert waited[-1] == pytest.approx(MOST_PATIENCE + LATE)


def test_on_the_way_out_nothing_is_waited_for_that_is_not_to_come():
    Line().pacer.settle(60)
    silent = Line(answers=False)
    silent.go(LONG)
    silent.pacer.settle(60)


@pytest.mark.skipif(sys.platform != "linux", reason="threads have no priority of their own")
def test_background_work_gives_way_to_the_thread_of_the_keys():
    def priority() -> int:
        return os.getpriority(os.PRIO_PROCESS, threading.get_native_id())

    before = priority()
    with Threads() as crew:
        assert crew.submit(priority).result() == max(before, NICENESS)
    assert priority() == before


LEFT = """
import threading
from pathlib import Path
from afterstate_lab.tui import app

if not {tidies}:
    app.tidied = lambda work: work()
pool, together = app.Threads(), threading.Barrier(4)

def resident():
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096

def work():
    together.wait()
    blocks = [bytearray(60_000) for _ in range(500)]
    return bytearray(60_000)  # lies above what is freed now

before = resident()
kept = [future.result() for future in [pool.submit(work) for _ in range(4)]]
pool.shutdown()
print((resident() - before) / 120e6)
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="another C library has no arenas")
@pytest.mark.parametrize("tidies", [True, False])
def test_what_work_has_freed_is_given_back_to_the_system(tidies):
    """Each of four threads frees 30 MB below a block that it keeps: the part that is left."""
    program = [sys.executable, "-c", LEFT.format(tidies=tidies)]
    left = float(subprocess.run(program, check=True, capture_output=True, text=True).stdout)
    assert (left < 0.2) is tidies, left


TEXT = "afterstate:1/td/td/7/20000@19999.3"
PLAIN = "\x1b]52;c;YWZ0ZXJzdGF0ZToxL3RkL3RkLzcvMjAwMDBAMTk5OTkuMw==\x07"
SCREEN = {"TERM": "screen", "STY": "1.pts"}
TMUX = {"TERM": "tmux-256color", "TMUX": "/tmp/tmux-0/default,1,0"}
WOULD_PRINT_IT = [({"TERM": term}, "") for term in ("linux", "vt100", "dumb", "")]


@pytest.mark.parametrize(
    ("env", "sent"),
    [
        ({"TERM": "xterm-256color"}, PLAIN), (TMUX, f"{PLAIN}\x1bPtmux;\x1b{PLAIN}\x1b\\"),
        (SCREEN, f"\x1bP{PLAIN}\x1b\\"), *WOULD_PRINT_IT,
    ],
)  # fmt: skip
def test_a_terminal_is_sent_what_it_or_tmux_understands(env, sent):
    assert copying(TEXT, env) == sent
    assert copying(TEXT * 50, SCREEN) == ""
