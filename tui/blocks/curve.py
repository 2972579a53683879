"""Curves over a common axis: means as lines, intervals as dots, exact values as dashes.

Without colours, letters on the curves distinguish them. A place on an axis is a share of its
length, 0 to 1.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from math import ceil, floor, isfinite, log10
from typing import Final, NamedTuple

from afterstate_lab.learners import lean_dataclass
from afterstate_lab.tui.blocks.block import Block, Room
from afterstate_lab.tui.blocks.span import HALVES, Canvas, Line, Pen, Words, blank, wrap
from afterstate_lab.tui.blocks.speech import figure, spoken
from afterstate_lab.tui.theme.numerals import aligned, short

APART = 18
"""Columns between letters on a curve."""
STEPS = 10
"""Maximum number of round numbers on the vertical axis."""
COLUMNS_A_TICK = 14
DIGITS = (1, 2, 5)
"""The first digits of round numbers."""
LITTLE = 0.05
"""Margin around a single chance."""


@lean_dataclass
class Series:
    """A curve with its interval, from left to right."""

    points: Sequence[tuple[float, float]]
    band: Sequence[tuple[float, float, float]] = ()
    """(x, low, high)."""
    role: str = "text"
    label: str = ""
    """The letter at the right end."""
    name: str = ""
    """Its name when read out."""
    dim: bool = False
    """Whether another curve is selected."""


class Level(NamedTuple):
    """An exact value: a line across."""

    value: float
    label: str


@lean_dataclass(kw_only=True)
class Curve(Block):
    title: Words = "learning"
    series: Sequence[Series] = ()
    levels: Sequence[Level] = ()
    x_range: tuple[float, float] = (0.0, 1.0)
    y_range: tuple[float, float] | None = None
    """The range of all points; None finds it."""
    log_x: bool = False
    cursor: float | None = None
    """The current x; later points are dim."""
    point: tuple[float, float] | None = None
    """The selected point."""
    note: Words = ""
    """The text if there is no curve."""
    needs = Room(5, share=0.4)

    def draw(self, columns: int, rows: int, pen: Pen) -> list[Line]:
        if not self.series:
            return [(*blank(1), *line) for line in wrap(pen.line(self.note, "dim"), columns - 2)]
        canvas = Canvas(columns, rows)
        Drawing(self, canvas, pen).draw()
        return canvas.lines()

    def say(self) -> Iterator[str]:
        for one in self.series:
            if one.points:
                x, y = one.points[-1]
                ends = [f", 95% between {figure(b[1])} and {figure(b[2])}" for b in one.band[-1:]]
                start = f"from {figure(one.points[0][1])} " if len(one.points) > 1 else ""
                name = spoken(one.name or one.label)
                told = f"{start}to {figure(y)} at {short(x)} games{''.join(ends)}."
                yield f"{name}: {told}" if name else told[0].upper() + told[1:]
        yield from (f"{spoken(level.label)}." for level in self.levels)

    def extent(self) -> tuple[float, float]:
        """Return the lowest and the highest number of curves, intervals and levels."""
        if self.y_range is not None:
            return self.y_range
        found = [level.value for level in self.levels]
        for series in self.series:
            found += [y for _, y in series.points]
            found += [end for _, *ends in series.band if not series.dim for end in ends]
        low, high = span(found)
        if low == high and 0 <= low <= 1:  # nothing but a chance: there is none above 1
            return max(0.0, low - LITTLE), min(1.0, high + LITTLE)
        return low, high


Dots = dict[tuple[int, int], tuple[int, str]]
"""The dots of a cell as bits, and their role, by column and row."""
BRAILLE: Final = ((0x01, 0x02, 0x04, 0x40), (0x08, 0x10, 0x20, 0x80))
"""The bit of each dot, by column and row of a cell; two rows of dots have half blocks."""


class Drawing:
    def __init__(self, view: Curve, canvas: Canvas, pen: Pen) -> None:
        self.view, self.canvas, self.pen = view, canvas, pen
        self.is_ascii = pen.glyphs.name == "ascii"
        dimmed = [replace(one, role="faint") if one.dim else one for one in view.series]
        self.series = sorted(dimmed, key=lambda one: not one.dim)
        low, high, self.step = round_range(*view.extent(), STEPS)
        self.x, self.y = Axis(*view.x_range, view.log_x), Axis(low, high)
        self.left = 2 + max(len(self._tick(low)), len(self._tick(high)))
        self.names = sum(len(series.label) for series in view.series)
        values = [len(pen.glyphs.text(level.label)) + 1 for level in view.levels]
        self.end = canvas.columns - 1 - self.names - max(values, default=0)
        """The column of the letters after the curves."""
        self.room = self.end - 1 - self.left
        self.wide, self.high = pen.glyphs.dots

    def draw(self) -> None:
        if self.room * self.wide < 8 or (self.canvas.rows - 1) * self.high < 2:
            return
        self._axis()
        for level in self.view.levels:
            dashes = "─ " * self.canvas.columns
            self.canvas.put(self.left, self._row(level.value), dashes[: self.room], "truth")
        self._curves()
        self._names()

    def _dot(self, x: float, y: float) -> tuple[int, int]:
        """Return the column and the row of the dot at a place, or at the edge nearest to it."""
        across, up = (min(1.0, max(0.0, share)) for share in (self.x.share(x), self.y.share(y)))
        columns, rows = self.room * self.wide, (self.canvas.rows - 1) * self.high
        return round(across * (columns - 1)), round((1 - up) * (rows - 1))

    def _row(self, y: float) -> int:
        return self._dot(self.x.low, y)[1] // self.high

    def _column(self, x: float) -> int:
        return self.left + self._dot(x, self.y.low)[0] // self.wide

    def _tick(self, value: float) -> str:
        """Return a number of the vertical axis with the decimals of its step."""
        places = max(0, -floor(log10(self.step) + 1e-9))
        if places == 0 and abs(value) >= 10_000:
            return f"{value / 1000:,.0f}k"
        return aligned(value, places)

    def _ticks(self) -> list[float]:
        """Return round numbers, as many as fit with a row between them."""
        steps = round((self.y.high - self.y.low) / self.step)
        values = [self.y.low + n * self.step for n in range(steps + 1)]
        for stride in DIGITS:
            kept = values[::stride]
            rows = [self._row(value) for value in kept]
            if all(row - above > 1 for row, above in pairwise(rows)):
                return kept if kept[-1] == values[-1] or rows[-1] < 2 else [*kept, values[-1]]
        return [values[0], values[-1]]

    def _axis(self) -> None:
        """Draw the numbers of both axes."""
        bottom = self.canvas.rows - 1
        if self.view.cursor is not None:
            words, column = "you are here ", self._column(self.view.cursor)
            self.canvas.put(column, bottom, "▲", "key")
            if column - len(words) > self.left:
                self.canvas.put(column - len(words), bottom, words, "dim")
        for value in self._ticks():
            text = self._tick(value)
            self.canvas.put(self.left - 1 - len(text), self._row(value), text, "dim")
        first, last = self.x.low, self.x.high
        label = f" games{' (log)' * self.view.log_x}"
        end = min(self.canvas.columns, self.end - 1 + len(label))
        ticks = self.x.ticks(self.room // COLUMNS_A_TICK)
        for value in (last, first, *ticks[1:-1]):
            text = short(value) + (label if value == last else "")
            start = self._column(value) - len(short(value)) // 2
            start = max(self.left, min(start, end - len(text)))
            around = max(0, start - 1)
            if self.canvas.is_blank(around, bottom, min(len(text) + 2, end - around)):
                self.canvas.put(start, bottom, text, "dim")

    def _curves(self) -> None:
        """Draw intervals as dotted lines, then the curves."""
        bands, curves = Dots(), Dots()
        for one in self.series:
            for end in () if one.dim else (1, 2):
                self._trace(bands, [(each[0], each[end]) for each in one.band], one.role, gap=2)
        self._paint(bands)
        cells = []
        for one in self.series:
            if self.view.cursor is not None and self.x.share(self.view.cursor) < 1:
                self._trace(curves, one.points, "faint")
            cells.append(self._trace(curves, one.points, one.role, until=self.view.cursor))
        self._paint(curves)
        for n, one in enumerate(self.series if self.is_ascii or not self.pen.colours else ()):
            places = range(self.room) if self.is_ascii else range(4 + 3 * n, self.room, APART)
            for column in cells[n].keys() & places:
                self.canvas.put(self.left + column, cells[n][column], one.label, one.role)
        if self.view.point is not None:
            x, y = self.view.point
            self.canvas.put(self._column(x), self._row(y), "●", "key")

    def _trace(
        self,
        dots: Dots,
        points: Sequence[tuple[float, float]],
        role: str,
        gap: int = 1,
        until: float | None = None,
    ) -> dict[int, int]:
        """Set the dots of a line through points.

        Args:
            dots: the dots.
            points: (x, y), from left to right.
            role: its role.
            gap: the columns from one dot to the next.
            until: the x at which it ends, if it does.

        Returns:
            The row of its last cell in each column.
        """
        last, _ = self._dot(self.x.high if until is None else until, self.y.low)
        ends = [self._dot(*point) for point in points]
        cells = {}
        for (x, y), (x2, y2) in zip(ends, ends[1:] or ends, strict=False):
            steps = max(abs(x2 - x), abs(y2 - y), 1)
            for step in range(steps + 1):
                across = round(x + (x2 - x) * step / steps)
                if across > last:
                    break
                column, i = divmod(across, self.wide)
                row, j = divmod(round(y + (y2 - y) * step / steps), self.high)
                if across % gap == 0:
                    bits, _ = dots.get((column, row), (0, ""))
                    dots[column, row] = bits | BRAILLE[i][j], role
                    cells[column] = row
        return cells

    def _paint(self, dots: Dots) -> None:
        for (column, row), (bits, role) in dots.items():
            sign = chr(0x2800 + bits) if self.high == 4 else HALVES[bits]
            self.canvas.put(self.left + column, row, sign, role)

    def _names(self) -> None:
        """Draw the curves' letters at their ends, then the exact values."""
        used: Counter[int] = Counter()
        for series in sorted(self.series, key=lambda one: one.dim):
            if series.points:
                row = self._row(series.points[-1][1])
                self.canvas.put(self.end + used[row], row, series.label, series.role)
                used[row] += len(series.label)
        free = set(range(self.canvas.rows - 1))
        for level in sorted(self.view.levels, key=lambda one: -one.value)[: len(free)]:
            row = min(free, key=lambda row: (abs(row - self._row(level.value)), row))
            free.remove(row)
            label = self.pen.glyphs.text(level.label)
            self.canvas.put(self.end + self.names + 1, row, label, "truth")


class Axis(NamedTuple):
    """A range of numbers along a line, linear or logarithmic."""

    low: float
    high: float
    log: bool = False

    def share(self, value: float) -> float:
        """Return the place of a number; on a logarithmic axis from 0, which begins at 1, of 1."""
        low, high = self.low, self.high
        if self.log:
            least = low if low > 0 else 1.0
            value, low, high = (log10(max(least, number)) for number in (value, low, high))
        return (value - low) / (high - low) if high > low else 1.0

    def ticks(self, most: int) -> list[float]:
        """Return both ends of the axis and round numbers between them."""
        low, high = self.low, self.high
        if self.log and low > 0:
            digits = DIGITS if high < 100 * low else DIGITS[:1]
            decades = range(floor(log10(low)), ceil(log10(high)) + 1)
            found = [k * 10.0**n for n in decades for k in digits if low < k * 10.0**n < high]
            return [low, *found[:: max(1, -(-len(found) // max(1, most)))], high]
        step = round_step(high - low, most) if high > low else 1.0
        inner = [n * step for n in range(ceil(low / step), floor(high / step) + 1)]
        return sorted({low, *inner, high})


def span(values: Iterable[float]) -> tuple[float, float]:
    """Return the least and the largest finite number; 0 and 1 if there is none."""
    known = [float(value) for value in values if isfinite(value)]
    return (min(known), max(known)) if known else (0.0, 1.0)


def round_step(length: float, most: int) -> float:
    """Return the smallest of 1, 2, 5, 10, … that divides `length` into at most `most` parts."""
    least = length / max(1, most)
    power = 10.0 ** floor(log10(least)) if least > 0 else 1.0
    return next((k * power for k in DIGITS if k * power >= least * 0.999999), 10 * power)


def round_range(low: float, high: float, most: int) -> tuple[float, float, float]:
    """Return a range of at most `most` whole steps that contains both ends, and the step."""
    if not high > low:
        room = 0.05 * abs(high) or 0.05
        low, high = low - room, high + room
    step = round_step(high - low, most)
    while ceil(high / step - 1e-9) - floor(low / step + 1e-9) > max(1, most):
        step = round_step(step * 1.01 * most, most)
    return floor(low / step + 1e-9) * step, ceil(high / step - 1e-9) * step, step
