"""A card for a terminal that is too small for the lab."""

from __future__ import annotations

from tui.theme.look import Line, fit
from tui.widgets.pane import Pane


class TooSmall(Pane[tuple[int, int, int, int]]):
    """Says how large the terminal is and how large it must be; the view is those four numbers."""

    def lines(self, view: tuple[int, int, int, int], columns: int, rows: int) -> list[Line]:
        """A few centred lines."""
        wide, high, least_wide, least_high = view
        said = (
            ("afterstate", "strong"),
            (f"needs {least_wide}×{least_high}", "text"),
            (f"here {wide}×{high}", "dim"),
            ("q leaves", "dim"),
        )
        body = [fit(self.look.line(((text, role),)), columns, "centre") for text, role in said]
        above: list[Line] = [()] * max(0, (rows - len(body)) // 2)
        return above + body
