"""Curves over games: with the exact value as a line, and where the tape stands."""

from __future__ import annotations

from learners.chart_geometry import Axis, rows_near, span
from tui.theme.canvas import Canvas, Plot
from tui.theme.look import Line
from tui.theme.numerals import decimals, short
from tui.views.lab import CurveView, SeriesView
from tui.widgets.pane import Pane


class CurvePane(Pane[CurveView]):
    """Series with labels at their ends, an optional reference line and cursor."""

    def lines(self, view: CurveView, columns: int, rows: int) -> list[Line]:
        """The frame, the axis labels, the curves and, in the last row, the range of x."""
        canvas = Canvas(columns - 2, rows - 2)
        self._draw(view, canvas)
        return self.framed(view, columns, rows, canvas.lines(), air=0)

    def _draw(self, view: CurveView, canvas: Canvas) -> None:
        palette, glyphs = self.look.palette, self.look.glyphs
        across, up = x_axis(view), y_axis(view)
        high, low = tick(up.high), tick(up.low)
        left = 2 + max(len(high), len(low))
        plot = Plot(canvas.columns - left - 1, canvas.rows - 1, glyphs)
        if plot.width < 2 or plot.height < 2:
            return
        canvas.put(left - 1 - len(high), 0, high, palette.dim)
        canvas.put(left - 1 - len(low), canvas.rows - 2, low, palette.dim)

        for series in view.series:
            places = [(across.share(x), up.share(y)) for x, y in series.points]
            if places:
                plot.line(places, palette.style(series.role))
        if view.reference is not None:
            row = plot.row_of(up.share(view.reference))
            dashes = (glyphs.cell("─") + " ") * canvas.columns
            canvas.put(left, row, dashes[: canvas.columns - left - 1], palette.truth)
        plot.draw(canvas, left, 0)
        if view.point is not None:
            x, y = view.point
            column, row_of_point = plot.column_of(across.share(x)), plot.row_of(up.share(y))
            canvas.put(left + column, row_of_point, glyphs.cell("●"), palette.key)
        if view.reference is not None and view.reference_label:
            label = glyphs.text(view.reference_label)
            canvas.put(canvas.columns - 1 - len(label), row, label, palette.truth)
        for series in view.series:
            if series.points and series.label:
                x, y = series.points[-1]
                column, row = left + plot.column_of(across.share(x)), plot.row_of(up.share(y))
                self._label(canvas, series, column, row)
        self._foot(view, canvas, left, left + plot.column_of(across.share(view.cursor or 0.0)))

    def _label(self, canvas: Canvas, series: SeriesView, column: int, row: int) -> None:
        """The label right-aligned at the line's end, in the nearest blank place."""
        label = self.look.glyphs.text(series.label)
        style = self.look.palette.style(series.role)
        start = min(column + 1, canvas.columns - 1) - len(label)
        for place in rows_near(row, canvas.rows - 1, below=True):
            if canvas.is_blank(start, place, len(label)):
                canvas.put(start, place, label, style)
                return

    def _foot(self, view: CurveView, canvas: Canvas, left: int, column: int) -> None:
        """The range of x, and the cursor."""
        palette, bottom = self.look.palette, canvas.rows - 1
        axis = x_axis(view)
        first, last = short(axis.low), short(axis.high)
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


def tick(value: float) -> str:
    if value == round(value):
        return f"{value:.0f}"
    return decimals(value, 2)


def x_axis(view: CurveView) -> Axis:
    """The horizontal axis; from the points where the view does not say."""
    ends = view.x_range or span(x for series in view.series for x, _ in series.points)
    return Axis(*ends, view.log_x, least=1.0)


def y_axis(view: CurveView) -> Axis:
    """The vertical axis; from the points and the exact value where the view does not say."""
    exact = () if view.reference is None else (view.reference,)
    points = (y for series in view.series for _, y in series.points)
    return Axis(*(view.y_range or span((*points, *exact))), flat=0.5)
