"""Curves over games: with the exact value as a line, and where the tape stands."""

from __future__ import annotations

from math import log10

from tui.theme.canvas import Canvas
from tui.theme.look import Line
from tui.theme.numerals import decimals, short
from tui.views.curve import CurveView, SeriesView
from tui.widgets.pane import Pane
from tui.widgets.plot import Plot


class CurvePane(Pane[CurveView]):
    """Series with labels at their ends, an optional reference line and cursor."""

    def lines(self, view: CurveView, columns: int, rows: int) -> list[Line]:
        """The frame, the axis labels, the curves and, in the last row, the range of x."""
        canvas = Canvas(columns - 2, rows - 2)
        self._draw(view, canvas)
        return self.framed(view, columns, rows, canvas.lines(), air=0)

    def _draw(self, view: CurveView, canvas: Canvas) -> None:
        palette, glyphs = self.look.palette, self.look.glyphs
        (x_low, x_high), (y_low, y_high) = _x_range(view), _y_range(view)
        high, low = _axis(y_high), _axis(y_low)
        left = 2 + max(len(high), len(low))
        plot = Plot(canvas.columns - left - 1, canvas.rows - 1, glyphs)
        if plot.width < 2 or plot.height < 2:
            return
        canvas.put(left - 1 - len(high), 0, high, palette.dim)
        canvas.put(left - 1 - len(low), canvas.rows - 2, low, palette.dim)

        def across(x: float) -> float:
            if view.log_x:
                x, first, last = (log10(max(1.0, value)) for value in (x, x_low, x_high))
            else:
                first, last = x_low, x_high
            return (x - first) / (last - first) if last > first else 1.0

        def up(y: float) -> float:
            return (y - y_low) / (y_high - y_low) if y_high > y_low else 0.5

        for series in view.series:
            places = [(across(x), up(y)) for x, y in series.points]
            if places:
                plot.line(places, palette.style(series.role))
        if view.reference is not None:
            row = plot.row_of(up(view.reference))
            dashes = (glyphs.cell("─") + " ") * canvas.columns
            canvas.put(left, row, dashes[: canvas.columns - left - 1], palette.truth)
        plot.draw(canvas, left, 0)
        if view.point is not None:
            x, y = view.point
            column, row_of_point = plot.column_of(across(x)), plot.row_of(up(y))
            canvas.put(left + column, row_of_point, glyphs.cell("●"), palette.key)
        if view.reference is not None and view.reference_label:
            label = glyphs.text(view.reference_label)
            canvas.put(canvas.columns - 1 - len(label), row, label, palette.truth)
        for series in view.series:
            if series.points and series.label:
                x, y = series.points[-1]
                self._label(canvas, series, left + plot.column_of(across(x)), plot.row_of(up(y)))
        self._foot(view, canvas, left, left + plot.column_of(across(view.cursor or 0.0)))

    def _label(self, canvas: Canvas, series: SeriesView, column: int, row: int) -> None:
        """The label right-aligned at the line's end, in the nearest blank place."""
        label = self.look.glyphs.text(series.label)
        style = self.look.palette.style(series.role)
        start = min(column + 1, canvas.columns - 1) - len(label)
        nearest = sorted(range(canvas.rows - 1), key=lambda place: (abs(place - row), -place))
        for place in nearest:
            if canvas.is_blank(start, place, len(label)):
                canvas.put(start, place, label, style)
                return

    def _foot(self, view: CurveView, canvas: Canvas, left: int, column: int) -> None:
        """The range of x, and the cursor."""
        palette, bottom = self.look.palette, canvas.rows - 1
        first, last = (short(x) for x in _x_range(view))
        canvas.put(left, bottom, first, palette.dim)
        end = canvas.columns - 1
        if view.cursor is not None and column + 1 >= end - len(last):
            end = column - 1
        canvas.put(end - len(last), bottom, last, palette.dim)
        if view.cursor is None:
            return
        words = "you are here "
        canvas.fill(max(left, column - 1), bottom, 3, 1, palette.ground)
        canvas.put(column, bottom, self.look.glyphs.cell("▲"), palette.key)
        if canvas.is_blank(column - len(words) - 1, bottom, len(words) + 1):
            canvas.put(column - len(words), bottom, words, palette.dim)
        elif canvas.is_blank(column + 1, bottom, len(words) + 1):
            canvas.put(column + 2, bottom, words, palette.dim)


def _axis(value: float) -> str:
    if value == round(value):
        return f"{value:.0f}"
    return decimals(value, 2)


def _x_range(view: CurveView) -> tuple[float, float]:
    if view.x_range is not None:
        return view.x_range
    xs = [x for series in view.series for x, _ in series.points]
    return (min(xs), max(xs)) if xs else (0.0, 1.0)


def _y_range(view: CurveView) -> tuple[float, float]:
    if view.y_range is not None:
        return view.y_range
    ys = [y for series in view.series for _, y in series.points]
    if view.reference is not None:
        ys.append(view.reference)
    return (min(ys), max(ys)) if ys else (0.0, 1.0)
