"""Curves over a common axis: means as lines, intervals as dots, exact values as dashes.

If a cell has too few dots, a curve is drawn with its name's first letter. A place on an axis is a
share of its length, 0 to 1.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import ceil, floor, isfinite, log10

from afterstate_lab.learners import lean_dataclass
from afterstate_lab.tui.blocks.block import Block, Room
from afterstate_lab.tui.blocks.span import Canvas, Line, Pen, Plot, Words, blank, wrap
from afterstate_lab.tui.blocks.speech import figure, spoken
from afterstate_lab.tui.theme.numerals import aligned, short

LETTERS_APART = 18
"""Columns between letters on a curve, without colours."""
WIDEST_NAMES = 12
STEPS = 10
"""Maximum number of round numbers on the vertical axis."""
COLUMNS_A_TICK = 14
LITTLE = 0.05
"""Margin around a single chance."""
SHARE = 0.4

Place = tuple[float, float]
"""Shares of the width and of the height, from below left."""


@dataclass(frozen=True, slots=True)
class Series:
    """A curve with its interval, from left to right."""

    points: Sequence[tuple[float, float]]
    band: Sequence[tuple[float, float, float]] = ()
    """(x, low, high)."""
    role: str = "text"
    label: str = ""
    """The short label at the right end."""
    name: str = ""
    """Its name when read out."""
    dim: bool = False
    """Whether another curve is selected."""


@dataclass(frozen=True, slots=True)
class Level:
    """An exact value: a line across."""

    value: float
    label: str


@lean_dataclass(frozen=True, kw_only=True)
class Curve(Block):
    title: Words = "learning"
    series: Sequence[Series] = ()
    levels: Sequence[Level] = ()
    x_range: tuple[float, float] | None = None
    """The range of the axis; None fits the points."""
    y_range: tuple[float, float] | None = None
    """The range of the axis; by default round numbers around the points."""
    log_x: bool = False
    cursor: float | None = None
    """The current x; later points are dim."""
    point: tuple[float, float] | None = None
    """The selected point."""
    note: Words = ""
    """The text if there is no curve."""

    def draw(self, columns: int, rows: int, pen: Pen) -> list[Line]:
        if not self.series:
            return [(*blank(1), *line) for line in wrap(pen.line(self.note, "dim"), columns - 2)]
        canvas = Canvas(columns, rows)
        Drawing(self, canvas, pen).draw()
        return canvas.lines()

    def room(self, columns: int, pen: Pen) -> Room:
        return Room(least=5, share=SHARE)

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


class Drawing:
    def __init__(self, view: Curve, canvas: Canvas, pen: Pen) -> None:
        self.view, self.canvas, self.pen = view, canvas, pen
        low, high, self.step = round_range(*view.extent(), STEPS)
        ends = view.x_range or span(x for one in view.series for x, _ in one.points)
        self.x, self.y = Axis(*ends, view.log_x), Axis(low, high)
        self.left = 2 + max(len(self._tick(low)), len(self._tick(high)))
        names = [len(pen.glyphs.text(series.label)) for series in view.series]
        values = [len(pen.glyphs.text(level.label)) + 1 for level in view.levels]
        self.letters = all(name <= 1 for name in names)
        self.names = min(WIDEST_NAMES, sum(names) if self.letters else max(names))
        self.right = 2 + self.names + max(values, default=0)
        self.here = 1.0 if view.cursor is None else self.x.share(view.cursor)
        self.room = canvas.columns - self.left - self.right
        self.plot = Plot(self.room, canvas.rows - 1, pen.glyphs)

    def draw(self) -> None:
        if self.plot.width < 8 or self.plot.height < 2:
            return
        self._axis()
        for level in self.view.levels:
            dashes = (self.pen.glyphs.cell("─") + " ") * self.canvas.columns
            self.canvas.put(self.left, self._row(level.value), dashes[: self.room], "truth")
        series = sorted(self.view.series, key=lambda one: not one.dim)
        if self.pen.glyphs.name == "ascii":
            for one in series:
                self._written(one)
        else:
            self._dotted(series)
        self._names()

    def _row(self, y: float) -> int:
        return self.plot.row_of(self.y.share(y))

    def _column(self, x: float) -> int:
        return self.left + self.plot.column_of(self.x.share(x))

    def _tick(self, value: float) -> str:
        """Return a number of the vertical axis with the decimals of its step."""
        places = max(0, -floor(log10(self.step) + 1e-9))
        if places == 0 and abs(value) >= 10_000:
            return f"{value / 1000:,.0f}k"
        return self.pen.glyphs.text(aligned(value, places))

    def _ticks(self) -> list[float]:
        """Return round numbers, as many as fit with a row between them."""
        steps = round((self.y.high - self.y.low) / self.step)
        values = [self.y.low + n * self.step for n in range(steps + 1)]
        for stride in (1, 2, 5):
            kept = values[::stride]
            rows = [self._row(value) for value in kept]
            if all(row - above > 1 for row, above in pairwise(rows)):
                return kept if kept[-1] == values[-1] or rows[-1] < 2 else [*kept, values[-1]]
        return [values[0], values[-1]]

    def _style(self, series: Series) -> str:
        return "faint" if series.dim else series.role

    def _axis(self) -> None:
        """Draw the numbers of both axes."""
        bottom = self.canvas.rows - 1
        if self.view.cursor is not None:
            words, column = "you are here ", self._column(self.view.cursor)
            self.canvas.put(column, bottom, self.pen.glyphs.cell("▲"), "key")
            if column - len(words) > self.left:
                self.canvas.put(column - len(words), bottom, words, "dim")
        for value in self._ticks():
            text = self._tick(value)
            self.canvas.put(self.left - 1 - len(text), self._row(value), text, "dim")
        first, last = self.x.low, self.x.high
        label = f" games{' (log)' * self.view.log_x}"
        end = min(self.canvas.columns, self.left + self.room + len(label))
        ticks = self.x.ticks(self.room // COLUMNS_A_TICK)
        for value in (last, first, *ticks[1:-1]):
            text = short(value) + (label if value == last else "")
            start = self._column(value) - len(short(value)) // 2
            start = max(self.left, min(start, end - len(text)))
            around = max(0, start - 1)
            if self.canvas.is_blank(around, bottom, min(len(text) + 2, end - around)):
                self.canvas.put(start, bottom, text, "dim")

    def _dotted(self, series: list[Series]) -> None:
        """Draw intervals as dotted lines, then the curves."""
        bands = Plot(self.room, self.canvas.rows - 1, self.pen.glyphs)
        wide = bands.width - 1
        for one in series:
            for place in self._ends(one, [n / wide for n in range(0, wide + 1, 2)]):
                bands.line([place], one.role)
        bands.draw(self.canvas, self.left)
        for one in series:
            for piece in visible([(self.x.share(x), self.y.share(y)) for x, y in one.points]):
                if self.here < 1:
                    self.plot.line(piece, "faint")
                self.plot.line(piece, self._style(one), self.here)
        self.plot.draw(self.canvas, self.left)
        if self.view.point is not None:
            x, y = self.view.point
            self.canvas.put(self._column(x), self._row(y), self.pen.glyphs.cell("●"), "key")
        for n, one in enumerate(() if self.pen.colours else self.view.series):
            columns = range(4 + 3 * n, self.room, LETTERS_APART)
            self._lettered(one, one.label[:1], "strong", columns)

    def _ends(self, series: Series, shares: Sequence[float]) -> Iterator[Place]:
        """Yield the visible ends of a bright curve's interval at shares of the width."""
        if not series.dim:
            ends = [(self.x.share(x), self.y.share(a), self.y.share(b)) for x, a, b in series.band]
            for share in shares:
                yield from ((share, y) for y in between(ends, share) or () if 0 <= y <= 1)

    def _lettered(self, series: Series, letter: str, style: str, columns: range) -> None:
        """Draw a curve in letters."""
        line = replace(series, band=[(x, y, y) for x, y in series.points], dim=False)
        for share, y in self._ends(line, [column / (self.room - 1) for column in columns]):
            column = self.left + round(share * (self.room - 1))
            self.canvas.put(column, self.plot.row_of(y), letter, style)

    def _written(self, series: Series) -> None:
        """Draw a curve in letters, and its interval in points."""
        style, columns = self._style(series), range(self.room)
        for share, y in self._ends(series, [column / (self.room - 1) for column in columns]):
            column, row = self.left + round(share * (self.room - 1)), self.plot.row_of(y)
            if self.canvas.is_blank(column, row, 1):
                self.canvas.put(column, row, ".", style)
        self._lettered(series, self.pen.glyphs.cell(series.label[:1] or "*"), style, columns)

    def _names(self) -> None:
        """Draw the curves' names at their ends, then the exact values."""
        column, rows = self.canvas.columns - self.right + 1, self.canvas.rows - 1
        used: dict[int, int] = {}
        for series in sorted(self.view.series, key=lambda one: one.dim):
            if not (series.points and series.label):
                continue
            row = self._row(series.points[-1][1])
            for free in [row] if self.letters else rows_near(row, rows, taken=used)[:1]:
                name, done = self.pen.glyphs.text(series.label)[: self.names], used.get(free, 0)
                self.canvas.put(column + done, free, name, self._style(series))
                used[free] = done + len(name)
        taken: set[int] = set()
        for level in sorted(self.view.levels, key=lambda one: -one.value):
            for free in rows_near(self._row(level.value), rows, taken=taken)[:1]:
                taken.add(free)
                label = self.pen.glyphs.text(level.label)
                self.canvas.put(column + self.names + 1, free, label, "truth")


@dataclass(frozen=True)
class Axis:
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
            digits = (1, 2, 5) if high < 100 * low else (1,)
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
    return next((k * power for k in (1, 2, 5) if k * power >= least * 0.999999), 10 * power)


def round_range(low: float, high: float, most: int) -> tuple[float, float, float]:
    """Return a range of at most `most` whole steps that contains both ends, and the step."""
    if not high > low:
        room = 0.05 * abs(high) or 0.05
        low, high = low - room, high + room
    step = round_step(high - low, most)
    while ceil(high / step - 1e-9) - floor(low / step + 1e-9) > max(1, most):
        step = round_step(step * 1.01 * most, most)
    return floor(low / step + 1e-9) * step, ceil(high / step - 1e-9) * step, step


def between(ends: Sequence[tuple[float, float, float]], share: float) -> Place | None:
    """Return the interval (x, low, high) at a place, between its neighbours; None outside."""
    for (x, low, high), (x2, low2, high2) in zip(ends, ends[1:] or ends, strict=False):
        if x <= share <= x2:
            part = (share - x) / (x2 - x) if x2 > x else 0.0
            return low + part * (low2 - low), high + part * (high2 - high)
    return None


def visible(places: Sequence[Place]) -> list[list[Place]]:
    """Return the parts of a line within the height; a single point is a part."""
    found: list[list[Place]] = []
    for (x, y), (x2, y2) in zip(places, places[1:] or places, strict=False):
        if max(y, y2) < 0 or min(y, y2) > 1:
            continue
        found.append([cut(y, y2, x, x2), cut(y2, y, x2, x)])
    return found


def cut(end: float, other: float, at_end: float, at_other: float) -> Place:
    """Return the end of a line segment, moved along it to the edge of the height."""
    edge = min(1.0, max(0.0, end))
    share = (edge - end) / (other - end) if other != end else 0.0
    return at_end + share * (at_other - at_end), edge


def rows_near(row: int, rows: int, *, taken: Collection[int] = ()) -> list[int]:
    """Return the free rows, nearest first; of two equally near, the upper."""
    free = [other for other in range(rows) if other not in taken]
    return sorted(free, key=lambda other: (abs(other - row), other))
