"""Curves over a common axis: means as lines, intervals as dots, exact values as dashes.

If a cell has too few dots, a curve is drawn with its name's first letter. A place on an axis is a
share of its length, 0 to 1.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
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


class Drawing:
    def __init__(self, view: Curve, canvas: Canvas, pen: Pen) -> None:
        self.view, self.canvas = view, canvas
        self.pen, self.glyphs = pen, pen.glyphs
        low, high, self.step = round_range(*(view.y_range or extent(view)), STEPS)
        ends = view.x_range or span(x for one in view.series for x, _ in one.points)
        self.x, self.y = Axis(*ends, view.log_x), Axis(low, high)
        self.left = 2 + max(len(self._tick(low)), len(self._tick(high)))
        names = [self.glyphs.text(series.label) for series in view.series]
        values = [self.glyphs.text(level.label) for level in view.levels]
        self.letters = all(len(name) <= 1 for name in names)
        self.names = min(WIDEST_NAMES, sum(map(len, names)) if self.letters else longest(names))
        self.right = 2 + self.names + (1 + longest(values) if values else 0)
        self.here = 1.0 if view.cursor is None else self.x.share(view.cursor)
        self.room = canvas.columns - self.left - self.right
        self.plot = Plot(self.room, canvas.rows - 1, self.glyphs)

    def draw(self) -> None:
        if self.plot.width < 8 or self.plot.height < 2:
            return
        self._axis()
        for level in self.view.levels:
            row = self.plot.row_of(self.y.share(level.value))
            dashes = (self.glyphs.cell("─") + " ") * self.canvas.columns
            self.canvas.put(self.left, row, dashes[: self.room], "truth")
        series = sorted(self.view.series, key=lambda one: not one.dim)
        if self.glyphs.name == "ascii":
            for one in series:
                self._written(one)
        else:
            self._dotted(series)
        self._names()

    def _tick(self, value: float) -> str:
        return self.glyphs.text(tick_text(value, self.step))

    def _ticks(self) -> list[float]:
        """Return round numbers, as many as fit with a row between them."""
        steps = round((self.y.high - self.y.low) / self.step)
        values = [self.y.low + n * self.step for n in range(steps + 1)]
        for stride in (1, 2, 5):
            kept = values[::stride]
            rows = [self.plot.row_of(self.y.share(value)) for value in kept]
            if all(row - above > 1 for row, above in pairwise(rows)):
                return kept if kept[-1] == values[-1] or rows[-1] < 2 else [*kept, values[-1]]
        return [values[0], values[-1]]

    def _ends(self, band: Iterable[tuple[float, float, float]]) -> list[tuple[float, float, float]]:
        return [(self.x.share(x), self.y.share(low), self.y.share(top)) for x, low, top in band]

    def _style(self, series: Series) -> str:
        return "faint" if series.dim else series.role

    def _axis(self) -> None:
        """Draw the numbers of both axes."""
        bottom = self.canvas.rows - 1
        if self.view.cursor is not None:
            words, column = "you are here ", self.left + self.plot.column_of(self.here)
            self.canvas.put(column, bottom, self.glyphs.cell("▲"), "key")
            if column - len(words) > self.left:
                self.canvas.put(column - len(words), bottom, words, "dim")
        for value in self._ticks():
            text = self._tick(value)
            row = self.plot.row_of(self.y.share(value))
            self.canvas.put(self.left - 1 - len(text), row, text, "dim")
        first, last = self.x.low, self.x.high
        label = f" games{' (log)' * self.view.log_x}"
        end = min(self.canvas.columns, self.left + self.room + len(label))
        ticks = self.x.ticks(self.room // COLUMNS_A_TICK)
        for value in (last, first, *ticks[1:-1]):
            text = short(value) + (label if value == last else "")
            middle = self.left + self.plot.column_of(self.x.share(value))
            start = middle - len(short(value)) // 2
            start = max(self.left, min(start, end - len(text), self.canvas.columns - len(text)))
            around = max(0, start - 1)
            if self.canvas.is_blank(around, bottom, min(len(text) + 2, end - around)):
                self.canvas.put(start, bottom, text, "dim")

    def _dotted(self, series: list[Series]) -> None:
        """Draw intervals as dotted lines, then the curves."""
        bands = Plot(self.room, self.canvas.rows - 1, self.glyphs)
        for one in series:
            if not one.dim:
                self._band(bands, one)
        bands.draw(self.canvas, self.left)
        for one in series:
            for piece in visible([(self.x.share(x), self.y.share(y)) for x, y in one.points]):
                before, after = parted(piece, self.here)
                if after:
                    self.plot.line(after, "faint")
                if before:
                    self.plot.line(before, self._style(one))
        self.plot.draw(self.canvas, self.left)
        if self.view.point is not None:
            x, y = self.view.point
            column = self.left + self.plot.column_of(self.x.share(x))
            row = self.plot.row_of(self.y.share(y))
            self.canvas.put(column, row, self.glyphs.cell("●"), "key")
        if not self.pen.colours:
            for n, one in enumerate(self.view.series):
                self._lettered(one, n)

    def _band(self, plot: Plot, series: Series) -> None:
        wide = plot.width - 1
        ends = self._ends(series.band)
        for column in range(0, wide + 1, 2):
            for end in between(ends, column / wide) or ():
                if 0 <= end <= 1:
                    plot.line([(column / wide, end)], self._style(series))

    def _along(
        self, ends: list[tuple[float, float, float]], columns: range
    ) -> Iterator[tuple[int, int]]:
        """Yield the columns with visible ends of intervals, and their rows."""
        for column in columns:
            for end in between(ends, column / max(1, self.room - 1)) or ():
                if 0 <= end <= 1:
                    yield self.left + column, self.plot.row_of(end)

    def _lettered(self, series: Series, n: int) -> None:
        """Draw the name's letter on the curve now and then, without colours."""
        ends = self._ends((x, y, y) for x, y in series.points)
        for x, y in self._along(ends, range(4 + 3 * n, self.room, LETTERS_APART)):
            self.canvas.put(x, y, series.label[:1], "strong")

    def _written(self, series: Series) -> None:
        """Draw a curve in letters, and its interval in points."""
        style, columns = self._style(series), range(self.room)
        for x, y in self._along([] if series.dim else self._ends(series.band), columns):
            if self.canvas.is_blank(x, y, 1):
                self.canvas.put(x, y, ".", style)
        letter = self.glyphs.cell(series.label[:1] or "*")
        for x, y in self._along(self._ends((x, y, y) for x, y in series.points), columns):
            self.canvas.put(x, y, letter, style)

    def _names(self) -> None:
        """Draw the curves' names at their ends, then the exact values."""
        column, rows = self.canvas.columns - self.right + 1, self.canvas.rows - 1
        used: dict[int, int] = {}
        for series in sorted(self.view.series, key=lambda one: one.dim):
            if not (series.points and series.label):
                continue
            row = self.plot.row_of(self.y.share(series.points[-1][1]))
            free = [row] if self.letters else rows_near(row, rows, taken=used)
            if free:
                name, done = self.glyphs.text(series.label)[: self.names], used.get(free[0], 0)
                self.canvas.put(column + done, free[0], name, self._style(series))
                used[free[0]] = done + len(name)
        taken: set[int] = set()
        for level in sorted(self.view.levels, key=lambda one: -one.value):
            row = self.plot.row_of(self.y.share(level.value))
            for free_row in rows_near(row, rows, taken=taken)[:1]:
                taken.add(free_row)
                label = self.glyphs.text(level.label)
                self.canvas.put(column + self.names + 1, free_row, label, "truth")


def extent(view: Curve) -> tuple[float, float]:
    found = [level.value for level in view.levels]
    for series in view.series:
        found += [y for _, y in series.points]
        found += [end for _, *ends in series.band if not series.dim for end in ends]
    low, high = span(found)
    if low == high and 0 <= low <= 1:  # nothing but a chance: there is none above 1
        return max(0.0, low - LITTLE), min(1.0, high + LITTLE)
    return low, high


def longest(texts: list[str]) -> int:
    return max(map(len, texts), default=0)


def tick_text(value: float, step: float) -> str:
    """Return a number of an axis with the decimals of its step."""
    places = max(0, -floor(log10(step) + 1e-9))
    if places == 0 and abs(value) >= 10_000:
        return f"{value / 1000:,.0f}k"
    return aligned(value, places)


def parted(places: Sequence[Place], here: float) -> tuple[list[Place], list[Place]]:
    """Return a line up to a share of the width, and the rest."""
    before = [place for place in places if place[0] <= here]
    after = [place for place in places if place[0] > here]
    if before and after:
        (x, y), (x2, y2) = before[-1], after[0]
        edge = here, y + (y2 - y) * (here - x) / (x2 - x)
        before.append(edge)
        after.insert(0, edge)
    return before, after


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
