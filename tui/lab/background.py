"""A search through the run that goes on in the background."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from learners.tape.run import Run

Work = Callable[[Callable[[float], None], Callable[[], bool]], Any]
"""What is done, given whom to tell the part done and whom to ask whether to give up."""


class Search:
    """Something looked for in a thread: how far it has come, and what it found.

    Args:
        title: what is looked for, in words.
        work: the search.
        found: takes what it returned, on the screen's own thread.
        run: the run that is searched; what is found says nothing about another one.
    """

    def __init__(self, title: str, work: Work, found: Callable[[Any], None], run: Run) -> None:
        self.title = title
        self.found = found
        self.run = run
        self.part = 0.0
        """0…1, the part done."""
        self._work = work
        self._stop = threading.Event()

    @property
    def is_stopped(self) -> bool:
        """Whether the user gave up."""
        return self._stop.is_set()

    def stop(self) -> None:
        """Give up."""
        self._stop.set()

    def go(self) -> Any:
        """Do the work; to be called in a thread."""
        return self._work(self._tell, self._stop.is_set)

    def _tell(self, part: float) -> None:
        self.part = part

    @property
    def words(self) -> str:
        """How far it has come."""
        bar = "━" * round(20 * self.part)
        return f"{self.title}  {bar:·<20} {self.part:.0%}  Esc gives up"
