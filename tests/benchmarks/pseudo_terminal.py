"""A program in a real pseudo-terminal: what it writes, when, and what a terminal then shows."""

import contextlib
import math
import os
import pty
import select
import signal
import termios
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Self

import psutil
import pyte

SAFE_ESCAPE = b"\x1b[27u"
"""Esc as terminals with the newer key protocol send it: nothing has to be waited for."""
MOVES = {
    "up": b"\x1b[A", "down": b"\x1b[B", "right": b"\x1b[C", "left": b"\x1b[D", "home": b"\x1b[H",
    "end": b"\x1b[F", "pageup": b"\x1b[5~", "pagedown": b"\x1b[6~", "f1": b"\x1bOP",
    "shift+tab": b"\x1b[Z", "enter": b"\r", "tab": b"\t", "backspace": b"\x7f",
    "delete": b"\x1b[3~",
}  # fmt: skip
KEYS = {**MOVES, "space": b" ", "escape": b"\x1b", "ctrl+c": b"\x03", "ctrl+z": b"\x1a"}
NOT_PASSED_ON = (
    "COLORTERM", "TERM_PROGRAM", "NO_COLOR", "SSH_CONNECTION", "LANG", "LC_CTYPE", "COLUMNS",
    "LINES",
)  # fmt: skip
"""Variables of whoever runs the tests that must not change what the program draws."""
ROOM = 1 << 16
TICK = 0.005
PACKET = 256
"""Bytes that are typed at a time; a terminal holds 4,096 that nobody has read."""
PATIENCE = 90.0
"""Seconds that something may take on a busy machine: a bound for what never comes, no budget."""
WAITING = (psutil.STATUS_SLEEPING, psutil.STATUS_ZOMBIE)
ASLEEP_SECONDS = 0.12
"""A program that has not waked within them waits: longer than the lab's timers for a picture."""
QUESTION, ANSWER = b"\x1b[5n", b"\x1b[0n"
"""Whether the terminal is there, and that it is."""
GIVEN_BACK = (b"\x1b[?1049l", b"\x1b[?25h", b"\x1b[?1000l", b"\x1b[?1003l", b"\x1b[?2004l")
"""What is written to a terminal that is given back."""
Cell = tuple[object, ...]
"""A cell as a user sees it."""


class PseudoTerminal:
    """A command, its terminal, and all that it has written.

    In `env` None removes a variable. A terminal `answers` when asked whether it is there. Its line
    carries `rate` bytes a second and holds `room`: while it is full, nothing is read.
    """

    def __init__(
        self,
        command: Sequence[str],
        columns: int = 80,
        rows: int = 24,
        env: Mapping[str, str | None] | None = None,
        answers: bool = True,
        rate: float = math.inf,
    ) -> None:
        self.answers = answers
        self.rate, self.room = rate, 1 << 20
        self._answered, self._fed = 0, 0
        self.written = bytearray()
        self.underway = bytearray()
        """What was written and has not arrived."""
        self._arrived_at = time.perf_counter()
        self.status: int | None = None
        """Its exit status, once it is known; -N where signal N ended it."""
        self.last_byte = 0.0
        """When the program wrote last (`time.perf_counter`)."""
        self._screen = pyte.Screen(columns, rows)
        self._stream = pyte.ByteStream(self._screen)
        self.started = time.perf_counter()
        self.pid, self._end = pty.fork()
        if self.pid == 0:
            termios.tcsetwinsize(0, (rows, columns))
            for ignored in (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT):  # by nohup, or a shell
                signal.signal(ignored, signal.SIG_DFL)
            os.execvpe(command[0], [*command], environment(env or {}))
        self.is_open = True
        self.before = termios.tcgetattr(self._end)
        """The terminal's settings before the program changed any."""
        self.process = psutil.Process(self.pid)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
        if self.wait(1) is None:
            self.signal(signal.SIGKILL)
            self.wait(5)

    def close(self) -> None:
        if self.is_open:
            self.is_open = False
            os.close(self._end)

    def resize(self, columns: int, rows: int) -> None:
        self._feed()
        self._screen.resize(rows, columns)
        termios.tcsetwinsize(self._end, (rows, columns))

    def press(self, *keys: str) -> None:
        for key in keys:
            os.write(self._end, KEYS.get(key) or key.encode())

    def type_ahead(self, data: bytes) -> None:
        """Type faster than the program reads; what it writes meanwhile is taken in."""
        for start in range(0, len(data), PACKET):
            while not select.select([], [self._end], [], 0.01)[1]:
                self.read(0.01)
            self.send(data[start : start + PACKET])
            self.read(0.0001)

    def send(self, data: bytes) -> None:
        with contextlib.suppress(OSError):
            os.write(self._end, data)

    def signal(self, number: int) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.pid, number)

    def read(self, seconds: float) -> int:
        """Take in what comes within so many seconds; the number of bytes."""
        until, count = time.perf_counter() + seconds, 0
        while (left := until - time.perf_counter()) > 0:
            came = self._take(left)
            count += came
            if not came and self.is_over():
                break
        return count

    def read_until(self, done: Callable[[], bool], seconds: float = PATIENCE) -> float:
        """Take in what comes until something is the case; the seconds that it took."""
        began = time.perf_counter()
        while not done():
            was_over = self.is_over()
            came = self._take(10 * TICK)
            is_late = time.perf_counter() - began > seconds
            if (is_late or (was_over and not came)) and not done():
                raise TimeoutError(f"not within {seconds} s; the screen shows:\n{self.text}")
        return time.perf_counter() - began

    def read_until_shown(self, *texts: str) -> float:
        return self.read_until(lambda: all(text in self.text for text in texts))

    def read_until_quiet(self, seconds: float = 0.25, at_most: float = 10.0) -> None:
        until = time.perf_counter() + at_most
        while self._take(seconds) and time.perf_counter() < until:
            pass

    def read_until_asleep(self, at_most: float = 30.0) -> bool:
        """Take in what comes until the program waits for something and nothing comes (Linux).

        `read_until_quiet` is deceived by a busy machine on which the program does not get to run.
        """
        until, before = time.perf_counter() + at_most, None
        while time.perf_counter() < until and not self.is_over():
            came = self._take(ASLEEP_SECONDS)
            now = self._waits()
            if not came and now and now == before:
                return True
            before = now
        return self.is_over()

    def _waits(self) -> list[int] | None:
        """How often it and what it has started have waited, if all threads wait; None if one runs.

        What it has started is, for example, a process that compiles.
        """
        try:
            family = [self.process, *self.process.children(recursive=True)]
            threads = [psutil.Process(thread.id) for one in family for thread in one.threads()]
            if any(thread.status() not in WAITING for thread in threads):
                return None
            return [one.num_ctx_switches().voluntary for one in family]
        except psutil.Error:
            return None

    def wait(self, seconds: float = PATIENCE) -> int | None:
        """Take in what comes until the program has ended; its status, None if it has not."""
        until = time.perf_counter() + seconds
        while (left := until - time.perf_counter()) > 0:
            if not self._take(min(left, 10 * TICK)) and self.is_over():
                break
        return self.status

    def is_over(self) -> bool:
        if self.status is None:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                self.status = os.waitstatus_to_exitcode(status)
        return self.status is not None

    @property
    def text(self) -> str:
        screen = self.screen  # pyte's own `display` fails at half a wide character
        rows = (screen.buffer[y] for y in range(screen.lines))
        return "\n".join(
            "".join(row[x].data for x in range(screen.columns)).rstrip() for row in rows
        )

    @property
    def cells(self) -> list[list[Cell]]:
        """What it shows, row by row; of a blank only what can be seen of it."""
        screen = self.screen
        return [
            [seen(screen.buffer[y][x]) for x in range(screen.columns)] for y in range(screen.lines)
        ]

    @property
    def lines(self) -> list[str]:
        return self.text.split("\n")

    @property
    def screen(self) -> pyte.Screen:
        self._feed()
        return self._screen

    @property
    def settings(self) -> list[object]:
        return termios.tcgetattr(self._end)

    @property
    def is_given_back(self) -> bool:
        """Whether it is as it was before: its modes and its settings."""
        modes = all(sequence in self.written for sequence in GIVEN_BACK)
        return modes and self.settings == self.before

    def memory(self) -> float:
        return self.process.memory_info().rss / 2**20

    def cpu_seconds(self) -> float:
        used = self.process.cpu_times()
        return used.user + used.system

    def _feed(self) -> None:
        if self._fed < len(self.written):
            self._stream.feed(bytes(self.written[self._fed :]))
            self._fed = len(self.written)

    def _take(self, seconds: float) -> int:
        """Take in what comes first, within so many seconds or the program's life; its length."""
        until = time.perf_counter() + seconds
        while (left := until - time.perf_counter()) > 0:
            wanted = [self._end] if self.is_open and len(self.underway) < self.room else []
            tick = 10 * TICK if wanted and not self.underway else TICK
            data = b""
            if is_ready := select.select(wanted, [], [], min(left, tick))[0]:
                with contextlib.suppress(OSError):
                    data = os.read(self._end, min(ROOM, self.room - len(self.underway)))
                self.underway += data
            if arrived := self._arrive():
                return arrived
            if not data and not self.underway:
                if self.is_over():
                    break
                if is_ready:  # nobody holds its other end
                    time.sleep(TICK)
        return 0

    def _arrive(self) -> int:
        """Let arrive what the line has carried since the last time; the number of bytes."""
        now = time.perf_counter()
        size = int(min(len(self.underway), (now - self._arrived_at) * self.rate))
        if size:
            self.last_byte = now
            self.written += self.underway[:size]
            del self.underway[:size]
        if size or not self.underway:
            self._arrived_at = now
        while self.answers and (at := self.written.find(QUESTION, self._answered)) >= 0:
            self._answered = at + len(QUESTION)
            self.send(ANSWER)
        self._answered = max(self._answered, len(self.written) - len(QUESTION) + 1)
        return size


def seen(cell: Any) -> Cell:
    is_bare = not (cell.underscore or cell.strikethrough or cell.reverse)
    return (" ", cell.bg) if cell.data == " " and is_bare else tuple(cell)


def environment(changes: Mapping[str, str | None]) -> dict[str, str]:
    """The environment of a plain terminal of 256 colours that writes UTF-8, with changes.

    Settings are those of the folder of data, not of whoever measures.
    """
    env = {name: value for name, value in os.environ.items() if name not in NOT_PASSED_ON}
    env |= {"TERM": "xterm-256color", "LC_ALL": "C.UTF-8"} | changes
    if data := changes.get("AFTERSTATE_DATA"):
        env.setdefault("AFTERSTATE_CONFIG", str(Path(data) / "config.toml"))
    return {name: value for name, value in env.items() if value is not None}
