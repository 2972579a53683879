"""Paragraphs in a frame."""

from __future__ import annotations

from tui.theme.look import Line, Look, wrap
from tui.views.experiment import TextView
from tui.views.words import Words
from tui.widgets.pane import Pane


def wrapped(paragraphs: tuple[Words, ...], columns: int, look: Look) -> list[Line]:
    """The lines of paragraphs in so many columns."""
    lines: list[Line] = []
    for words in paragraphs:
        lines += wrap(look.line(words), columns) if words else [()]
    return lines


class TextPane(Pane[TextView]):
    """What there is to read."""

    def lines(self, view: TextView, columns: int, rows: int) -> list[Line]:
        """The frame and the paragraphs; the last row says where something is left out."""
        body = wrapped(view.paragraphs, columns - 4, self.look)
        if len(body) > rows - 2 > 0:
            body = [*body[: rows - 3], self.look.line((("…", "dim"),))]
        return self.framed(view, columns, rows, body, footer=view.footer)
