"""Run work in a command, with a progress line, until a signal stops it."""

from __future__ import annotations

import math
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, closing, contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

from afterstate_lab.tui.terminal.detect import terminal_size
from afterstate_lab.tui.theme.numerals import seconds_text

if TYPE_CHECKING:
    from afterstate_lab.learners.tape.run import Run
    from afterstate_lab.learners.training import Snapshot, Training

Result = TypeVar("Result")
BAR = 24
REDRAW_SECONDS = 0.25
FIRST_LINE_SECONDS, LINE_SECONDS = 2.0, 10.0
"""Seconds until a line where a bar cannot be drawn, and until the next."""
ENDINGS = ("SIGINT", "SIGTERM", "SIGHUP")


def load(run: Run, games: int) -> float:
    """Load or compile the kernel if there are enough games; return the seconds it took."""
    from afterstate_lab.learners.kernel.kernel import WORTH_COMPILING

    began = time.perf_counter()
    if games >= WORTH_COMPILING:
        run.kernel().compile()
    return time.perf_counter() - began


@contextmanager
def signals_call(
    handler: Callable[[int, Any], None], names: Sequence[str] = ENDINGS
) -> Iterator[None]:
    """Let Ctrl-C, a termination or a hangup call a handler, unless they are ignored."""
    before = {}
    for name in names:
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) is not signal.SIG_IGN:
            before[number] = signal.signal(number, handler)
    try:
        yield
    finally:
        for number, earlier in before.items():
            if signal.getsignal(number) is not signal.SIG_IGN:  # as a lab that is leaving does
                signal.signal(number, earlier)


def interruptible() -> AbstractContextManager[None]:
    """Let Ctrl-C raise KeyboardInterrupt, to save or restore something first."""
    return signals_call(signal.default_int_handler, ENDINGS[:1])


@contextmanager
def ended_by_signals(stop: Callable[[], object]) -> Iterator[list[int]]:
    """Let signals call a function that stops the work, instead of ending the process.

    Yields:
        The list of the signals received so far.
    """
    came: list[int] = []

    def end(number: int, frame: Any) -> None:
        came.append(number)
        stop()

    with signals_call(end):
        yield came


class ProgressLine:
    """A progress line on the terminal.

    Args:
        speaks: whether to print a line now and then if stderr is not a terminal.
    """

    def __init__(self, *, speaks: bool = False) -> None:
        self._shows = sys.stderr is not None and sys.stderr.isatty()
        self._speaks = speaks and not self._shows
        self._is_shown = False
        self._at = time.monotonic()
        self._pause = FIRST_LINE_SECONDS

    def show(self, line: Callable[[], str]) -> None:
        """Show a line, if the previous one is old enough."""
        if self._shows and time.monotonic() - self._at >= REDRAW_SECONDS:
            self._at, self._is_shown = time.monotonic(), True
            self._write(line())
        elif self._speaks and time.monotonic() - self._at >= self._pause:
            self._at, self._pause = time.monotonic(), LINE_SECONDS
            print(f"afterstate: {line()}", file=sys.stderr, flush=True)

    def told(self, what: str, many: int = 0) -> Callable[[float], None]:
        """Return a callback for the part, 0 to 1, of the work or of so many things that is done."""

        def text(part: float) -> str:
            return f"{round(part * many):,} of {many:,} {what}" if many else f"{part:.0%} {what}"

        return lambda part: self.show(lambda: bar_of(part, text(part)))

    def close(self) -> None:
        """Remove the line."""
        if self._is_shown:
            self._is_shown = False
            self._write("")

    def _write(self, line: str) -> None:
        """Overwrite the current line of the terminal, without escape codes or wrapping."""
        width = terminal_size().columns - 1
        print(f"\r{line[:width]:<{width}}\r", end="", file=sys.stderr, flush=True)


def bar_of(share: float, told: str, seconds_left: float | None = None) -> str:
    left = "" if seconds_left is None else f"  {seconds_text(seconds_left)} left"
    return f"[{'#' * round(BAR * share):.<{BAR}}] {told}{left}"


def in_thread(work: Callable[[], Result], tick: Callable[[], None] = lambda: None) -> Result:
    """Do work in a thread, wait for its end, and return what it returns or raise what it raises.

    Args:
        tick: called a few times a second meanwhile.
    """
    from concurrent.futures import ThreadPoolExecutor, wait  # every command imports this module

    pool = ThreadPoolExecutor(1)
    found = pool.submit(work)
    pool.shutdown(wait=False)
    while wait([found], REDRAW_SECONDS).not_done:
        tick()
    return found.result()


def abandonable(work: Callable[[ProgressLine], Result]) -> Result:
    """Do work that leaves nothing to save; a signal ends the process at once.

    The work is done in a thread: the compiler would make a signal wait for seconds.
    """

    def end(number: int, frame: Any) -> None:
        line.close()
        if sys.stderr is not None:
            print("afterstate: Stopped.", file=sys.stderr, flush=True)
        os._exit(128 + number)

    with closing(ProgressLine(speaks=True)) as line, signals_call(end):
        return in_thread(lambda: work(line))


def told_to_stop(
    work: Callable[[Callable[[], bool], Callable[[float], object]], Result],
    patience: float = math.inf,
) -> tuple[Result, list[int]]:
    """Do work with a progress bar; signals ask it to stop.

    Args:
        work: takes a function that returns whether to stop, and one that receives the part done.
        patience: seconds without news of it after which the process ends, with status 2.

    Returns:
        What it returns, and the signals that came.
    """
    stopped, latest = threading.Event(), [time.monotonic(), 0.0]
    with closing(ProgressLine()) as line, ended_by_signals(stopped.set) as signals:
        show = line.told("done")

        def look() -> None:
            since, part = latest
            if time.monotonic() - since > patience:
                line.close()
                says = f"nothing was done for {patience:.0f} s: does the rule loop forever?"
                print(f"afterstate: {says}", file=sys.stderr, flush=True)
                os._exit(2)
            show(part)

        def tell(part: float) -> None:
            latest[:] = time.monotonic(), part

        found = in_thread(lambda: work(stopped.is_set, tell), look)
    return found, signals


def watched(training: Training, tick: Callable[[Training], None] | None = None) -> Snapshot:
    """Train to the end, with a progress bar if stderr is a terminal.

    Args:
        training: what to run.
        tick: called a few times a second meanwhile.
    """

    def look() -> None:
        if tick is not None:
            tick(training)
        line.show(text)

    def text() -> str:
        found = training.snapshot
        told = f"{found.done:,} games  {found.rate:,.0f}/s"
        return bar_of(found.done / max(1, found.goal.games), told, found.seconds_left)

    with closing(ProgressLine()) as line:
        in_thread(training.work, look)
    return training.snapshot
