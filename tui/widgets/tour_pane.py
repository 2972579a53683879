"""The card of a lesson of the tour."""

from __future__ import annotations

from tui.theme.look import EMPTY, Line, wrap
from tui.views.tour import TourView
from tui.widgets.pane import Pane

ROWS = 5
"""Frame, two lines of text, and what to press."""
MEASURE = 76
"""Longer lines are hard to read, however wide the terminal is."""


class TourPane(Pane[TourView]):
    """What there is to see, and what to press."""

    DEFAULT_CSS = f"TourPane {{ height: {ROWS}; }}"

    def lines(self, view: TourView, columns: int, rows: int) -> list[Line]:
        """The frame, the text, and in the last row what to press."""
        said = wrap(self.look.line(view.text), min(columns - 4, MEASURE))
        said += [EMPTY] * (rows - 3 - len(said))
        body = [*said, (self.look.piece("» ", "key"), *self.look.line(view.todo))]
        return self.framed(view, columns, rows, body)
