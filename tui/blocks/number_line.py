"""Values as marks on a line from a loss to a win."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from afterstate_lab.tui.blocks.block import Block
from afterstate_lab.tui.blocks.canvas import Canvas
from afterstate_lab.tui.blocks.span import Line, Pen
from afterstate_lab.tui.theme.numerals import decimals


class Mark(NamedTuple):
    value: float
    label: str
    role: str
    glyph: str
    """One character: `┃` target or v*, `●` old, `○` new."""


@dataclass(frozen=True)
class NumberLine(Block):
    """Two lines, for the marks' labels and the line; nothing without marks or room.

    Equal values share a mark with all their names; others that would share a column are put side by
    side, in order.
    """

    marks: tuple[Mark, ...] = ()
    """The marks; later marks cover earlier ones."""
    scale: tuple[float, float] = (0.0, 1.0)

    def draw(self, columns: int, rows: int, pen: Pen) -> list[Line]:
        low, high = self.scale
        marks = merged(self.marks)
        ends = [
            pen.glyphs.text(f"{end:.0f}" if end == round(end) else decimals(end, 2))
            for end in self.scale
        ]
        left, right = len(ends[0]) + 1, columns - len(ends[1]) - 2
        if not marks or right - left < 10 or high <= low:
            return []
        canvas = Canvas(columns, 2)
        canvas.put(0, 1, ends[0], "dim")
        canvas.put(left, 1, pen.glyphs.cell("─") * (right - left + 1), "faint")
        canvas.put(right + 2, 1, ends[1], "dim")

        def column(value: float) -> int:
            share = min(1.0, max(0.0, (value - low) / (high - low)))
            return left + round(share * (right - left))

        ordered = sorted(marks, key=lambda mark: mark.value)
        labels = [pen.glyphs.text(mark.label) for mark in ordered]
        places = _apart([(column(mark.value), 0) for mark in ordered], right)
        starts = _apart(list(zip(places, map(len, labels), strict=True)), columns)
        for mark, label, place, start in zip(ordered, labels, places, starts, strict=True):
            canvas.put(start, 0, label, mark.role)
            canvas.put(place, 1, pen.glyphs.cell(mark.glyph), f"bold {mark.role}")
        return canvas.lines()

    def say(self) -> Iterator[str]:
        """Yield nothing: its title and what is next to it say its values."""
        yield from ()


def merged(marks: tuple[Mark, ...]) -> tuple[Mark, ...]:
    """Return one mark per value, with all names and the look of the last."""
    found: dict[float, Mark] = {}
    for mark in marks:
        same = found.get(mark.value)
        if same is not None:
            mark = mark._replace(label=f"{same.label}={mark.label}")
        found[mark.value] = mark
    return tuple(found.values())


def _apart(places: list[tuple[int, int]], columns: int) -> list[int]:
    """Return the starts of texts, centred on their places if they do not touch.

    Args:
        places: The wanted place and the length of each, in order.
        columns: Where the last may end.
    """
    starts: list[int] = []
    free = 0
    for place, long in places:
        starts.append(max(place - long // 2, free))
        free = starts[-1] + long + 1
    limit = columns
    for index in range(len(starts) - 1, -1, -1):
        starts[index] = min(starts[index], limit - places[index][1])
        limit = starts[index] - 1
    return starts
