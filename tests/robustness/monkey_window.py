"""A monkey at a real terminal window: its bytes are written as they are, its window is dragged."""

from __future__ import annotations

import re
import sys
import time
from itertools import islice
from pathlib import Path

from monkey_strokes import ESCAPE, Monkey, Stroke
from pseudo_terminal import PseudoTerminal

LAB = "from afterstate_lab.tui.command import main; main()"
OPENINGS = (
    ("--seed", "0"),
    ("--seed", "0", "--record", "lecture.jsonl"),
    ("follow", "lecture.jsonl"),
)
"""What the lab is opened with, in turn."""
REPAINT = b"\x0c"
FOLLOWING = "following"
RESTING = 1.0
"""Seconds after which what waits for the user's hand to rest, or for a slow line, is painted."""
LULL = 1.5
"""Seconds in which a lab that is at rest paints nothing."""
ASLEEP = 1.5
"""Seconds in which a lab comes to rest that neither trains nor plays by itself."""
EVENT = re.compile(rb"\x1b\[200~.*?\x1b\[201~|\x1b\[[0-?]*[@-~]|\x1bO.|.", re.DOTALL)
"""A paste, a key or what the mouse does, as a terminal sends it."""
HARMFUL = b"\x03\x1a\x1c/"
"""No Ctrl-C, Ctrl-Z and Ctrl-\\, and no slash: a file name must not lead out of the folder.

A lab that is ending has given the terminal back, which then sends a signal for such a key.
"""
BETWEEN = 200
"""Strokes after which the way home is tried."""
TOLD = 20_000
"""Bytes at the end of what was written in which an error is looked for, and told."""
MOMENT, PAUSE, WAITING = 0.004, 0.05, 0.3
"""Seconds in which what the lab paints is taken in."""
ENOUGH = 8
"""So often Esc is pressed before it is seen where that led."""
STUCK = 60.0
"""Seconds in which a way must lead home: a bound for a busy machine, not a budget."""


class Window:
    """A lab in a window, opened again wherever the monkey leaves it.

    Args:
        folder: for all that the lab makes.
        interpreted: without the compiler.
    """

    def __init__(self, folder: Path, *, interpreted: bool) -> None:
        self._folder = folder
        self._interpreted = interpreted
        self.opened = self.events = self.compared = 0
        """How often the lab was opened, what it was sent, how often a picture was compared."""
        self.terminal = self._open()

    def _open(self) -> PseudoTerminal:
        options = OPENINGS[self.opened % len(OPENINGS)]
        self.opened += 1
        env = {
            "HOME": str(self._folder),
            "AFTERSTATE_DATA": str(self._folder / "data"),
            "AFTERSTATE_CACHE": str(self._folder / "cache"),
            "AFTERSTATE_INTERPRETED": "1" if self._interpreted else None,
        }
        there = f"import os; os.chdir({str(self._folder)!r})\n"
        command = [sys.executable, "-c", there + LAB, *options]
        terminal = PseudoTerminal(command, env=env, reports=self.opened % 2 == 0)
        terminal.read_until_shown("board", "home", seconds=60)
        return terminal

    def close(self) -> None:
        """Close the window."""
        self.terminal.__exit__(None, None, None)

    def let_loose(self, seed: int, strokes: int) -> None:
        """Let a monkey do so many things.

        Raises:
            AssertionError: the lab ended otherwise than by its own key, or told of an error.
            TimeoutError: no way led back to the lab.
        """
        number = 0
        try:
            for number, stroke in enumerate(islice(Monkey(seed).strokes(), strokes)):
                self.do(stroke)
                if number % BETWEEN == BETWEEN - 1:
                    self.go_home()
        except BaseException as error:
            error.add_note(f"monkey {seed}, stroke {number}, lab {self.opened}")
            raise

    def do(self, stroke: Stroke) -> None:
        """Do one thing; what is painted is taken in, but not waited for."""
        if self.terminal.is_over():
            self._check()
            self.terminal = self._open()
        if stroke.size is not None:
            self.terminal.resize(*stroke.size)
            self.events += 1
        if stroke.data != b"q" or stroke.leaves:
            data = stroke.data.translate(None, HARMFUL)
            self.terminal.send(data)
            self.events += len(EVENT.findall(data))
        self.terminal.read(WAITING if stroke.waits else MOMENT)
        if stroke.compares:
            self.compare()

    def compare(self) -> None:
        """What the terminal shows is what a full repaint shows, where the lab is at rest.

        Raises:
            AssertionError: it is not.
        """
        terminal = self.terminal
        terminal.read(RESTING)
        if not terminal.read_until_asleep(ASLEEP) or terminal.is_over():
            return
        if FOLLOWING in terminal.lines[0]:
            return  # the lecture goes on meanwhile
        before = terminal.cells
        terminal.send(REPAINT)
        if terminal.read_until_asleep(ASLEEP) and not terminal.is_over():
            self.compared += 1
            rows = [y for y, row in enumerate(terminal.cells) if row != before[y]]
            shown = ["".join(str(cell[0]) for cell in before[y]) for y in rows]
            if rows and terminal.read(LULL):
                return  # something goes on in it, such as a clock
            assert is_full(terminal), f"not all of the window is painted:\n{terminal.text}"
            assert not rows, f"rows {rows} showed {shown}; repainted:\n{terminal.text}"

    def go_home(self) -> None:
        """Esc leads back to the lab from wherever this is, and the lab is painted as it should be.

        Raises:
            AssertionError: the lab ended otherwise than by its own key, or told of an error.
            TimeoutError: no way led back to the lab.
        """
        until = time.perf_counter() + STUCK
        while not self._is_home():
            if time.perf_counter() > until:
                raise TimeoutError(f"no way led home; the screen shows:\n{self.terminal.text}")
            for _ in range(ENOUGH):
                self.terminal.send(ESCAPE)
                self.terminal.read(PAUSE)
            self.terminal.send(b"w")
            self.terminal.resize(79, 24)
            self.terminal.read(WAITING)
            self.terminal.resize(80, 24)
            self.terminal.read_until_quiet(WAITING, 2)
        self._check()

    def _is_home(self) -> bool:
        words = ("WATCH", "board", "log", "home")
        return self.terminal.is_over() or all(word in self.terminal.text for word in words)

    def _check(self) -> None:
        told = bytes(self.terminal.written[-TOLD:]).decode(errors="replace")
        reports = sorted((self._folder / "data" / "reports").glob("*"))
        assert not reports, reports[-1].read_text()
        assert "Traceback" not in told, told
        assert self.terminal.status in (None, 0), f"status {self.terminal.status}: {told}"


def is_full(terminal: PseudoTerminal) -> bool:
    """Whether the picture reaches the corner of the window: the lab has a ground of its own."""
    screen = terminal.screen
    return bool(screen.buffer[screen.lines - 1][screen.columns - 1].bg != "default")
