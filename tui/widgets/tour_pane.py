"""The card of a lesson of the tour."""

from __future__ import annotations

from tui.lab.tour import TourView
from tui.look import Line, wrap
from tui.widgets.pane import Pane


class TourPane(Pane[TourView]):
    """What there is to see, and what to press."""

    DEFAULT_CSS = "TourPane { height: 4; }"

    def lines(self, view: TourView, columns: int, rows: int) -> list[Line]:
        """The frame; the text, wrapped where it must be; what to do last."""
        said = wrap(self.look.line(view.text), columns - 4)[: max(1, rows - 3)]
        body = [*said, self.look.line((("» ", "key"), (view.todo, "strong")))]
        return self.framed(view, columns, rows, body)
