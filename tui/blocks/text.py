"""Paragraphs, bars, several blocks in one frame, a track."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from afterstate_lab.learners import lean_dataclass
from afterstate_lab.tui.blocks.block import Block, Room, shared
from afterstate_lab.tui.blocks.span import Line, Pen, Words, bar, blank, fit, width, wrap
from afterstate_lab.tui.blocks.speech import joined, spoken

LESSON_ROWS = 5
"""Rows of the card of a lesson, frame included."""


@lean_dataclass
class Text(Block):
    """An empty paragraph is a blank line."""

    paragraphs: Sequence[Words]
    least: int = 3

    def draw(self, columns: int, rows: int, pen: Pen) -> list[Line]:
        body = self._wrapped(columns, pen)
        if len(body) > rows > 0:
            body = [*body[: rows - 1], pen.line(f"… {len(body) - rows + 1} more", "dim")]
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
        for words in self.paragraphs:
            if said := spoken(joined(words)):
                yield said if said.endswith((".", "?", "!", ":")) else f"{said}."


class Bar(NamedTuple):
    label: str
    number: str
    share: float
    """Share of the bar's length."""
    role: str
    said: str = ""


@lean_dataclass
class Bars(Block):
    """A bar a row, after its label and its number."""

    bars: Sequence[Bar]

    def draw(self, columns: int, rows: int, pen: Pen) -> list[Line]:
        lines = []
        labels = [pen.glyphs.text(one.label) for one in self.bars]
        wide = max(map(len, labels), default=0)
        for label, one in zip(labels, self.bars, strict=True):
            role = one.role if one.role == "truth" else "text"
            head = (*blank(1), (f"{label:<{wide}} ", "dim"))
            head = (*head, (f"{one.number:>7} ", role))
            room = max(0, columns - 1 - width(head))
            lines.append((*head, *fit(bar(one.share, room, one.role, pen.glyphs), room)))
        return lines

    def room(self, columns: int, pen: Pen) -> Room:
        return Room(len(self.bars), len(self.bars))

    def say(self) -> Iterator[str]:
        told = (f"{one.said or spoken(one.label)} {spoken(one.number)}" for one in self.bars)
        yield f"{', '.join(told)}."


@lean_dataclass
class Card(Block):
    """Parts from top to bottom, with lines between if there is room; the last grow first."""

    parts: Sequence[Block]

    def draw(self, columns: int, rows: int, pen: Pen) -> list[Line]:
        rooms = [part.room(columns, pen) for part in self.parts]
        given = shared(rooms, range(len(rooms), 0, -1), rows)
        parts = zip(self.parts, given, strict=True)
        drawn = [part.draw(columns, own, pen) for part, own in parts if own]
        spare, body = rows - sum(map(len, drawn)), list[Line]()
        for lines in drawn:
            if body and spare > 0:
                body.append(())
                spare -= 1
            body += lines
        return body

    def room(self, columns: int, pen: Pen) -> Room:
        rooms = [part.room(columns, pen) for part in self.parts]
        least, most = sum(one.least for one in rooms), sum(one.most + 1 for one in rooms) - 1
        return Room(min(6, least), most)

    def say(self) -> Iterator[str]:
        for part in self.parts:
            yield from part.say()


@lean_dataclass(kw_only=True)
class Track(Block):
    """A line with a position and marks."""

    at: float
    """The current position, 0…1."""
    marks: tuple[tuple[float, str], ...]
    """Position 0…1 and sign of each mark."""
    said: str
    longest: str = ""
    """The longest words, for which there is room."""
    framed = False
    needs = Room(1, 1)

    def draw(self, columns: int, rows: int, pen: Pen) -> list[Line]:
        long = max(2, columns - 5 - max(len(self.said), len(self.longest)))
        here = round(self.at * (long - 1))
        line = [("─", "dim")] * here + [("─", "faint")] * (long - here)
        for part, sign in self.marks:
            line[round(part * (long - 1))] = sign, "key"
        line[here] = "┃", "selection" if pen.paints else "strong"
        return [pen.line(((" ├", "dim"), *line, ("┤ ", "dim"), (self.said, "text")))]

    def say(self) -> Iterator[str]:
        yield f"{self.said[:1].upper()}{self.said[1:]}."
