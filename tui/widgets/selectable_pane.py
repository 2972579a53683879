"""A pane whose numbers can be selected: how the selected ones look, and what a click is on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple, TypeVar

from rich.style import Style
from textual import events
from textual.message import Message

from tui.theme.look import Line
from tui.views.update import Quantity
from tui.widgets.pane import Pane

View = TypeVar("View")

POINTER: Final = "›"
"""Stands before what is selected: it is read where colours and underlines are not."""
PICKED: Final = Style(bold=True, underline=True)
"""Laid over the style of a selected number."""


class Zone(NamedTuple):
    """A stretch of a row that stands for a quantity."""

    row: int
    start: int
    stop: int
    quantity: Quantity | None


class SelectablePane(Pane[View]):
    """A click on a number posts `QuantityChosen`. Subclasses define `zones`."""

    @dataclass
    class QuantityChosen(Message):
        """A number was clicked."""

        quantity: Quantity

    def zones(self, view: View, columns: int, rows: int) -> Sequence[Zone]:
        """Where the numbers of a view lie at a size. Pure, as `lines` is."""
        raise NotImplementedError

    def on_click(self, event: events.Click) -> None:
        """Say which number is under the pointer."""
        if self.view is None:
            return
        for zone in self.zones(self.view, *self.size):
            here = zone.row == event.y and zone.start <= event.x < zone.stop
            if here and zone.quantity is not None:
                self.post_message(self.QuantityChosen(zone.quantity))
                return

    def picked(self, style: Style, selected: bool) -> Style:
        """A number's style."""
        return style + PICKED if selected else style

    def pointer(self, pointed: bool) -> tuple[str, Style]:
        """The column before a row or a number."""
        return (self.look.glyphs.text(POINTER) if pointed else " ", self.look.palette.key)

    def number(self, text: str, columns: int, style: Style, selected: bool) -> Line:
        """A number in its column; only the number itself is underlined."""
        text = self.look.glyphs.text(text)
        return ((text, self.picked(style, selected)), (" " * (columns - len(text)), style))
