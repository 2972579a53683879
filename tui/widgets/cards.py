"""Panes of text: paragraphs, the help, a lesson of the tour, and the terminal that is too small."""

from __future__ import annotations

from afterstate_lab.tui.blocks.span import EMPTY, Line, fit, wrap
from afterstate_lab.tui.views.lab import TourView
from afterstate_lab.tui.widgets.pane import Pane


class TooSmall(Pane[tuple[int, int, int, int]]):
    """Says how large the terminal is and how large it must be; the view is those four numbers."""

    can_zoom = False

    def lines(self, view: tuple[int, int, int, int], columns: int, rows: int) -> list[Line]:
        wide, high, least_wide, least_high = view
        said = (
            ("afterstate", "strong"),
            (f"needs {least_wide}×{least_high}", "text"),
            (f"here {wide}×{high}", "dim"),
            ("q leaves", "dim"),
        )
        body = [fit(self.pen.line(((text, role),)), columns, "centre") for text, role in said]
        above: list[Line] = [()] * max(0, (rows - len(body)) // 2)
        return above + body


TOUR_ROWS = 5
"""Frame, two lines of text, and what to press."""
MEASURE = 76
"""Longer lines are hard to read, however wide the terminal is."""


class TourPane(Pane[TourView]):
    """A lesson: what to look at, and what to press."""

    DEFAULT_CSS = f"TourPane {{ height: {TOUR_ROWS}; }}"
    can_zoom = False

    def lines(self, view: TourView, columns: int, rows: int) -> list[Line]:
        """The frame, the text, and in the last row what to press."""
        said = wrap(self.pen.line(view.text), min(columns - 4, MEASURE))
        said += [EMPTY] * (rows - 3 - len(said))
        body = [*said, (self.pen.piece("» ", "key"), *self.pen.line(view.todo))]
        return self.framed(view, columns, rows, body)
