"""Paragraphs, wrapped; and facts below each other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from afterstate_lab.tui.blocks.block import Block, Room
from afterstate_lab.tui.blocks.span import Line, Pen, blank, wrap
from afterstate_lab.tui.blocks.speech import joined, spoken
from afterstate_lab.tui.views.words import Words


@dataclass(frozen=True)
class Text(Block):
    """An empty paragraph is a blank line."""

    paragraphs: Sequence[Words]
    least: int = 3

    def draw(self, columns: int, rows: int, pen: Pen) -> list[Line]:
        body = self._wrapped(columns, pen)
        if len(body) > rows > 0:
            more = f"… {len(body) - rows + 1} more"
            body = [*body[: rows - 1], pen.line(((more, "dim"),))]
        return [(*blank(1), *line) for line in body]

    def _wrapped(self, columns: int, pen: Pen) -> list[Line]:
        lines: list[Line] = []
        for words in self.paragraphs:
            lines += wrap(pen.line(words), columns - 2) if words else [()]
        return lines

    def room(self, columns: int, pen: Pen) -> Room:
        many = len(self._wrapped(columns, pen))
        return Room(min(self.least, many), many)

    def say(self) -> Iterator[str]:
        yield from (spoken(joined(words)) for words in self.paragraphs if words)
