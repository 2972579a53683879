"""A pane that draws a block."""

from __future__ import annotations

from dataclasses import dataclass, replace

from textual import events
from textual.message import Message

from afterstate_lab.tui.blocks.block import Block, Place, pasted
from afterstate_lab.tui.blocks.meaning import Quantity, Selectable, means_at
from afterstate_lab.tui.blocks.span import Line
from afterstate_lab.tui.widgets.pane import Pane


class BlockPane(Pane[Block]):
    """A click on what stands for something posts `MeaningClicked`, on another row `RowClicked`."""

    @dataclass
    class MeaningClicked(Message):
        quantity: Quantity

    @dataclass
    class RowClicked(Message):
        pane: BlockPane
        row: int

    def lines(self, view: Block, columns: int, rows: int) -> list[Line]:
        shown = replace(view, spot=True) if self.is_lit else view
        return pasted([Place(shown, 0, 0, columns, rows)], rows, self.pen)

    def on_click(self, event: events.Click) -> None:
        if self.view is None:
            return
        edge = 1 if self.view.framed else 0
        columns, rows = self.size.width - 2 * edge, self.size.height - 2 * edge
        x, y = event.x - edge, event.y - edge
        if isinstance(self.view, Selectable) and 0 <= y < rows and x >= 0:
            drawn = self.view.draw(columns, rows, self.pen)
            means = means_at(drawn[y], x) if y < len(drawn) else None
            if means is not None:
                event.prevent_default()
                self.post_message(self.MeaningClicked(means))
            return
        row = self.view.row_at(x, y, columns, rows)
        if row is not None:
            event.prevent_default()
            self.post_message(self.RowClicked(self, row))
