"""The saved runs as they are walked through: searched, selected, marked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tui.lab.list_controller import RowWindow

if TYPE_CHECKING:
    from learners.store import RunInfo


class RunsBrowser:
    """A list of runs, what of it is shown, and where one is.

    Args:
        open_id: the run that is open in the lab; None where it is not saved yet.
    """

    def __init__(self, open_id: int | None = None) -> None:
        self.open_id = open_id
        self.window = RowWindow()
        self.runs: tuple[RunInfo, ...] = ()
        self.shown: tuple[RunInfo, ...] = ()
        self.search = ""
        self.marked: int | None = None
        """The run that another one is to be compared with."""
        self.is_reading = True
        self.note = ""

    @property
    def selected(self) -> RunInfo | None:
        """The run under the cursor."""
        return self.shown[self.window.cursor] if self.shown else None

    def take(self, runs: Sequence[RunInfo], select: int | None = None) -> None:
        """Show these runs; the cursor goes to the one with this id, or stays where it was."""
        selected = self.selected
        self.is_reading = False
        self.runs = tuple(runs)
        if all(run.id != self.marked for run in runs):
            self.marked = None
        wanted = select if select is not None else None if selected is None else selected.id
        self._arrange(wanted)

    def look_for(self, text: str) -> None:
        """Show the runs in whose name, note or players a text occurs, whatever its case."""
        selected = self.selected
        self.search = " ".join(text.split())
        self._arrange(None if selected is None else selected.id)

    def toggle_mark(self) -> None:
        """Mark the selected run, or mark none."""
        if self.selected is not None:
            self.marked = None if self.marked == self.selected.id else self.selected.id

    def is_taken(self, name: str) -> bool:
        """Whether another run than the selected one has this name."""
        return any(run.name == name and run is not self.selected for run in self.runs)

    def _arrange(self, wanted: int | None) -> None:
        text = self.search.casefold()
        self.shown = tuple(run for run in self.runs if text in searched(run))
        self.window.hold(len(self.shown))
        places = [place for place, run in enumerate(self.shown) if run.id == wanted]
        if places:
            self.window.go_to(places[0])


def searched(run: RunInfo) -> str:
    """What of a run a search looks at."""
    return "\n".join((run.name, run.note, run.x, run.o)).casefold()
