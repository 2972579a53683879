"""Two saved runs beside each other: what can be asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from learners.store import compared
from tui.lab.list_controller import ListController
from tui.lab.outcomes import Close
from tui.lab.runs.comparison import measures

if TYPE_CHECKING:
    from learners.store import LoadedRun
    from tui.lab.runs.comparison import Measure


class CompareController(ListController):
    """Run A and run B: the entries that differ, and the curve of one measure.

    Args:
        a: a run.
        b: the other one.
    """

    def __init__(self, a: LoadedRun, b: LoadedRun) -> None:
        super().__init__({"measure": self.next_measure, "back": Close})
        self.a, self.b = a, b
        self.comparison = compared(a.run.state(), b.run.state())
        self.window.hold(len(self.comparison.entries))
        self._measures = measures(a, b)
        self._number = 0

    @property
    def measure(self) -> Measure:
        """What the curves show."""
        return self._measures[self._number]

    def next_measure(self) -> None:
        """Show the curves of the next measure."""
        self._number = (self._number + 1) % len(self._measures)

    def choose(self, row: int) -> None:
        """Nothing: of the two tables only one has a cursor."""
