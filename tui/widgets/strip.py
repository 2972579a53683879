"""A line of a pane that sends only the cells that changed."""

from __future__ import annotations

from collections.abc import Iterable

from rich.console import Console
from rich.segment import Segment
from textual.strip import Strip

from tui.theme.cells import Span


class PaneStrip(Strip):
    """A strip that knows which of its cells the terminal does not show yet.

    For a partial update Textual crops a widget's line at the end of the changed region, but sends
    it from the widget's left edge: 40 unchanged cells to change one number. This strip answers that
    crop with jumps over what has not changed. Any other use of it, a full update or a crop that is
    not about its own changes, gets the line as ever.
    """

    __slots__ = ["_pending"]

    def __init__(self, segments: Iterable[Segment], length: int, pending: list[Span]) -> None:
        """A whole line and what of it is new.

        Args:
            segments: The whole line.
            length: Its columns.
            pending: The spans not sent yet, in order; emptied here, in place, when they are.
        """
        super().__init__(segments, length)
        self._pending = pending

    def crop(self, start: int, end: int | None = None) -> Strip:
        """The strip from `start` to `end`; jumps to what is pending if that ends at `end`."""
        if start or not self._pending or end != self._pending[-1][1]:
            return super().crop(start, end)
        segments: list[Segment] = []
        column = 0
        for first, last in self._pending:
            if first > column:
                segments.append(Segment(f"\x1b[{first - column}C"))
            segments.extend(super().crop(first, last))
            column = last
        self._pending.clear()
        return Strip(segments, end)

    def render(self, console: Console) -> str:
        """The whole line as terminal sequences: nothing is pending after it."""
        self._pending.clear()
        return super().render(console)

    def whole(self, start: int, end: int) -> Strip:
        """The columns from `start` to `end`, never with jumps."""
        return super().crop(start, end)
