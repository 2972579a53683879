"""Things that take a while: Ctrl-C ends them, not the program; now and then a line is said."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

from learners.kernel.kernel import WORTH_COMPILING
from learners.tape.state import Seating
from tui.progress import Stoppable, ended_by_signals

if TYPE_CHECKING:
    from learners.tape.run import Run

SAY_SECONDS: Final = 5.0
"""While something goes on, a line is said so often at most."""

GIVEN_UP: Final = "Given up."

Tell = Callable[[str], None]
Work = Callable[[Callable[[float], None], Callable[[], bool]], Any]
"""What is done, given whom to tell the part done and whom to ask whether to give up."""


class Stop(threading.Event):
    """Whether the user gave up."""

    def stop(self) -> None:
        """Give up."""
        self.set()


@contextmanager
def interruptible(work: Stoppable) -> Iterator[list[int]]:
    """While this lasts, Ctrl-C ends the work only; a termination or hangup ends all after it.

    Yields:
        The signals that came.
    """
    with ended_by_signals(work) as came:
        yield came
    for number in came:
        if number != signal.SIGINT:
            signal.raise_signal(number)


class Patience:
    """Says how far something has come, not too often.

    Args:
        tell: says a line at once.
        clock: seconds, for tests.
    """

    def __init__(self, tell: Tell, clock: Callable[[], float] = time.monotonic) -> None:
        self._tell = tell
        self._clock = clock
        self._told_at = clock()

    def say(self, line: Callable[[], str]) -> None:
        """Say a line, where it is time for one."""
        if self._clock() - self._told_at >= SAY_SECONDS:
            self._told_at = self._clock()
            self._tell(line())


def searched(run: Run, tell: Tell, work: Work) -> Any:
    """What comes of a search through a run; `GIVEN_UP` where Ctrl-C came first.

    Args:
        run: the run; for a long one the compiler is loaded.
        tell: says a line at once.
        work: the search.
    """
    stop, patience = Stop(), Patience(tell)

    def progress(part: float) -> None:
        patience.say(lambda: f"{part:.0%} searched; Ctrl-C gives up.")

    with interruptible(stop):
        if run.games >= WORTH_COMPILING:
            run.kernel(Seating()).compile(recording=True)
        found = work(progress, stop.is_set)
    return GIVEN_UP if stop.is_set() else found
