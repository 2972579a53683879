"""Several blocks in one frame."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from afterstate_lab.tui.blocks.block import Block, Room
from afterstate_lab.tui.blocks.span import Line, Pen


@dataclass(frozen=True)
class Card(Block):
    """Parts below each other, with a line between them where there is room; the last grow first."""

    parts: Sequence[Block]

    def draw(self, columns: int, rows: int, pen: Pen) -> list[Line]:
        rooms = [part.room(columns, pen) for part in self.parts]
        spare = max(0, rows - sum(room.least for room in rooms))
        drawn: list[list[Line]] = []
        for part, room in reversed(list(zip(self.parts, rooms, strict=True))):
            more = min(spare, room.most - room.least)
            lines = part.draw(columns, room.least + more, pen)
            spare -= max(0, len(lines) - room.least)
            if drawn and spare and drawn[0]:
                drawn[0].insert(0, ())
                spare -= 1
            drawn.insert(0, lines)
        body = [line for lines in drawn for line in lines]
        if len(body) > rows:
            hidden = f" {len(body) - rows + 1} more"
            body = [*body[: rows - 1], pen.line(((hidden, "dim"),))]
        return body

    def room(self, columns: int, pen: Pen) -> Room:
        rooms = [part.room(columns, pen) for part in self.parts]
        least, most = sum(one.least for one in rooms), sum(one.most + 1 for one in rooms) - 1
        return Room(min(6, least), most)

    def say(self) -> Iterator[str]:
        for part in self.parts:
            yield from part.say()
