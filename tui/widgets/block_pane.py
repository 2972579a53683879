"""A pane that draws a block."""

from __future__ import annotations

from dataclasses import dataclass, replace

from textual import events
from textual.message import Message

from tui.blocks.block import Block, Place, pasted
from tui.blocks.span import Pen
from tui.theme.look import Line, Look
from tui.widgets.pane import Pane


class BlockPane(Pane[Block]):
    """A click on a row of the block posts `RowClicked`."""

    @dataclass
    class RowClicked(Message):
        pane: BlockPane
        row: int

    def lines(self, view: Block, columns: int, rows: int) -> list[Line]:
        shown = replace(view, spot=True) if self.is_lit else view
        drawn = pasted([Place(shown, 0, 0, columns, rows)], rows, pen_of(self.look))
        style = self.look.palette.style
        return [tuple((text, style(role)) for text, role in line) for line in drawn]

    def on_click(self, event: events.Click) -> None:
        if self.view is None:
            return
        edge = 1 if self.view.framed else 0
        columns, rows = self.size.width - 2 * edge, self.size.height - 2 * edge
        row = self.view.row_at(event.x - edge, event.y - edge, columns, rows)
        if row is not None:
            event.prevent_default()
            self.post_message(self.RowClicked(self, row))


def pen_of(look: Look) -> Pen:
    """What blocks draw with in a look."""
    palette = look.palette
    return Pen(look.glyphs, palette.paints, look.has_beads, palette.has_heat)
