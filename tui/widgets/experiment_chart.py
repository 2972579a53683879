"""Curves with their bands, and the exact values that they are held against."""

from __future__ import annotations

from itertools import pairwise
from math import log10

from rich.style import Style

from tui.theme.canvas import Canvas
from tui.theme.look import Line
from tui.theme.numerals import short
from tui.views.experiment import ChartSeries, ChartView
from tui.widgets.experiment_axis import round_range, tick_text, x_ticks
from tui.widgets.pane import Pane
from tui.widgets.plot import Plot

LETTERS_APART = 18
"""Columns from one letter on a curve to the next, where curves have no colour."""
WIDEST_NAMES = 12
STEPS = 10
"""Round numbers on the vertical axis at most; those are written for which there is room."""
COLUMNS_A_TICK = 14


class ChartPane(Pane[ChartView]):
    """Means as lines, bands as dotted lines, exact values as dashes; names at the right.

    Where a cell has too few dots, a curve is written with its name's first letter.
    """

    def lines(self, view: ChartView, columns: int, rows: int) -> list[Line]:
        """The frame, the axes and the curves."""
        if view.message:
            return self.framed(view, columns, rows, [self.look.line(view.message, "dim")])
        canvas = Canvas(columns - 2, rows - 2)
        Drawing(self, view, canvas).draw()
        return self.framed(view, columns, rows, canvas.lines(), air=0)


class Drawing:
    """One chart on one canvas."""

    def __init__(self, pane: ChartPane, view: ChartView, canvas: Canvas) -> None:
        self.view, self.canvas = view, canvas
        self.palette, self.glyphs = pane.look.palette, pane.look.glyphs
        high = canvas.rows - 1
        low_y, high_y = view.y_range or extent(view)
        self.low, self.high, self.step = round_range(low_y, high_y, STEPS)
        self.left = 2 + max(len(self._tick(self.low)), len(self._tick(self.high)))
        names = [self.glyphs.text(series.label) for series in view.series]
        values = [self.glyphs.text(reference.label) for reference in view.references]
        self.letters = all(len(name) <= 1 for name in names)
        self.names = min(WIDEST_NAMES, sum(map(len, names)) if self.letters else longest(names))
        self.right = 2 + self.names + (1 + longest(values) if values else 0)
        self.plot = Plot(canvas.columns - self.left - self.right, high, self.glyphs)

    def draw(self) -> None:
        """Everything, from the ground up."""
        if self.plot.width < 8 or self.plot.height < 2:
            return
        self._axis()
        for reference in self.view.references:
            row = self.plot.row_of(self._up(reference.value))
            dashes = (self.glyphs.cell("─") + " ") * self.canvas.columns
            room = self.canvas.columns - self.left - self.right
            self.canvas.put(self.left, row, dashes[:room], self.palette.truth)
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
        """Round numbers, as many as have a row between them."""
        steps = round((self.high - self.low) / self.step)
        values = [self.low + n * self.step for n in range(steps + 1)]
        for stride in (1, 2, 5):
            kept = values[::stride]
            rows = [self.plot.row_of(self._up(value)) for value in kept]
            if all(row - above > 1 for row, above in pairwise(rows)):
                return kept if kept[-1] == values[-1] or rows[-1] < 2 else [*kept, values[-1]]
        return [values[0], values[-1]]

    def _across(self, x: float) -> float:
        first, last = self.view.x_range
        if self.view.log_x:
            x, first, last = (log10(max(1e-12, value)) for value in (x, first, last))
        return (x - first) / (last - first) if last > first else 1.0

    def _up(self, y: float) -> float:
        return (y - self.low) / (self.high - self.low)

    def _style(self, series: ChartSeries) -> Style:
        return self.palette.faint if series.dim else self.palette.style(series.role)

    def _axis(self) -> None:
        """Round numbers at the left and below."""
        bottom = self.canvas.rows - 1
        for value in self._ticks():
            text = self._tick(value)
            row = self.plot.row_of(self._up(value))
            self.canvas.put(self.left - 1 - len(text), row, text, self.palette.dim)
        first, last = self.view.x_range
        room = self.canvas.columns - self.left - self.right
        label = f" {self.view.x_label}"
        end = self.left + room + len(label)
        ticks = x_ticks(first, last, self.view.log_x, room // COLUMNS_A_TICK)
        for value in (last, first, *ticks[1:-1]):
            text = short(value) + (label if value == last else "")
            middle = self.left + self.plot.column_of(self._across(value))
            start = middle - len(short(value)) // 2
            start = max(self.left, min(start, end - len(text), self.canvas.columns - len(text)))
            around = max(0, start - 1)
            if self.canvas.is_blank(around, bottom, min(len(text) + 2, end - around)):
                self.canvas.put(start, bottom, text, self.palette.dim)

    def _dotted(self, series: list[ChartSeries]) -> None:
        """Bands as dotted lines below the curves."""
        bands = Plot(
            self.canvas.columns - self.left - self.right, self.canvas.rows - 1, self.glyphs
        )
        for one in series:
            if not one.dim:
                self._band(bands, one)
        bands.draw(self.canvas, self.left, 0)
        for one in series:
            for piece in pieces([(self._across(x), self._up(y)) for x, y in one.points]):
                self.plot.line(piece, self._style(one))
        self.plot.draw(self.canvas, self.left, 0)
        if self.palette.name == "plain":
            for n, one in enumerate(self.view.series):
                self._lettered(one, n)

    def _band(self, plot: Plot, series: ChartSeries) -> None:
        """The two ends of the band, dotted."""
        if not series.band:
            return
        style = self._style(series)
        wide = plot.width - 1
        ends = [(self._across(x), self._up(low), self._up(top)) for x, low, top in series.band]
        for column in range(0, wide + 1, 2):
            between = at(ends, column / wide)
            if between is None:
                continue
            for end in between:
                if 0 <= end <= 1:
                    plot.line([(column / wide, end)], style)

    def _lettered(self, series: ChartSeries, n: int) -> None:
        """The name's letter on the curve now and then, where there is no colour to tell it."""
        ends = [(self._across(x), self._up(y), self._up(y)) for x, y in series.points]
        room = self.canvas.columns - self.left - self.right
        for column in range(4 + 3 * n, room, LETTERS_APART):
            between = at(ends, column / max(1, room - 1))
            if between is not None and series.label and 0 <= between[0] <= 1:
                row = self.plot.row_of(between[0])
                self.canvas.put(self.left + column, row, series.label[0], self.palette.strong)

    def _written(self, series: ChartSeries) -> None:
        """A curve in letters, the ends of its band in points."""
        style = self._style(series)
        room = self.canvas.columns - self.left - self.right
        ends = [(self._across(x), self._up(low), self._up(top)) for x, low, top in series.band]
        mean = [(self._across(x), self._up(y), self._up(y)) for x, y in series.points]
        for column in range(room):
            share = column / max(1, room - 1)
            for end in () if series.dim else at(ends, share) or ():
                row = self.plot.row_of(end)
                if 0 <= end <= 1 and self.canvas.is_blank(self.left + column, row, 1):
                    self.canvas.put(self.left + column, row, ".", style)
            between = at(mean, share)
            if between is not None and 0 <= between[0] <= 1:
                letter = self.glyphs.cell(series.label[:1] or "*")
                self.canvas.put(self.left + column, self.plot.row_of(between[0]), letter, style)

    def _names(self) -> None:
        """The curves' names at their ends, the exact values behind them."""
        column = self.canvas.columns - self.right + 1
        used: dict[int, int] = {}
        for series in sorted(self.view.series, key=lambda one: one.dim):
            if not (series.points and series.label):
                continue
            row = self.plot.row_of(self._up(series.points[-1][1]))
            if not self.letters:
                free = nearest(row, self.canvas.rows - 1, set(used))
                if free is None:
                    continue
                row = free
            name = self.glyphs.text(series.label)[: self.names]
            self.canvas.put(column + used.get(row, 0), row, name, self._style(series))
            used[row] = used.get(row, 0) + len(name)
        taken: set[int] = set()
        for reference in sorted(self.view.references, key=lambda one: -one.value):
            row = self.plot.row_of(self._up(reference.value))
            free = nearest(row, self.canvas.rows - 1, taken)
            if free is not None:
                taken.add(free)
                label = self.glyphs.text(reference.label)
                self.canvas.put(column + self.names + 1, free, label, self.palette.truth)


def extent(view: ChartView) -> tuple[float, float]:
    """The least and the largest number of a chart."""
    found = [y for series in view.series for _, y in series.points]
    found += [end for series in view.series if not series.dim for _, *ends in series.band
              for end in ends]  # fmt: skip
    found += [reference.value for reference in view.references]
    return (min(found), max(found)) if found else (0.0, 1.0)


def longest(texts: list[str]) -> int:
    """The length of the longest text."""
    return max(map(len, texts), default=0)


def at(ends: list[tuple[float, float, float]], share: float) -> tuple[float, float] | None:
    """The band at a place of the width, between its two neighbours; None outside."""
    for (x, low, high), (x2, low2, high2) in zip(ends, ends[1:] or ends, strict=False):
        if x <= share <= x2:
            part = (share - x) / (x2 - x) if x2 > x else 0.0
            return low + part * (low2 - low), high + part * (high2 - high)
    return None


def pieces(places: list[tuple[float, float]]) -> list[list[tuple[float, float]]]:
    """The parts of a line that lie within 0…1 of the height; a single point is a part."""
    found: list[list[tuple[float, float]]] = []
    for (x, y), (x2, y2) in zip(places, places[1:] or places, strict=False):
        low, high = min(y, y2), max(y, y2)
        if high < 0 or low > 1:
            continue

        def cut(end: float, other: float, at_end: float, at_other: float) -> tuple[float, float]:
            edge = min(1.0, max(0.0, end))
            share = (edge - end) / (other - end) if other != end else 0.0
            return at_end + share * (at_other - at_end), edge

        found.append([cut(y, y2, x, x2), cut(y2, y, x2, x)])
    return found


def nearest(row: int, rows: int, taken: set[int]) -> int | None:
    """The free row that is nearest to a row."""
    free = [other for other in range(rows) if other not in taken]
    return min(free, key=lambda other: (abs(other - row), other)) if free else None
