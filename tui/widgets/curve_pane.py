"""Curves over games: with the exact value as a line, and where the tape stands."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rich.style import Style

from learners.chart_geometry import Axis, Place, rows_near, span
from tui.theme.canvas import Canvas, Plot
from tui.theme.look import Line, wrap
from tui.theme.numerals import decimals, short
from tui.views.lab import CurveView
from tui.widgets.pane import Pane

NAMED: Final = 36
"""From so many columns on the labels are written in full."""
LETTERS: Final = 3
"""How often a curve's letter stands on it, where there is no colour to tell it."""
LITTLE: Final = 0.05
"""Below and above values that are all as good as equal."""


class CurvePane(Pane[CurveView]):
    """Series with labels in a margin at their ends, an optional reference line and cursor."""

    def lines(self, view: CurveView, columns: int, rows: int) -> list[Line]:
        """The frame, the axis labels, the curves and, in the last row, the range of x."""
        canvas = Canvas(columns - 2, rows - 2)
        if view.series or not view.note:
            self._draw(view, canvas)
        else:
            for row, line in enumerate(wrap(self.look.line(view.note, "dim"), columns - 4)):
                canvas.line(1, row, line)
        return self.framed(view, columns, rows, canvas.lines(), air=0)

    def _draw(self, view: CurveView, canvas: Canvas) -> None:
        palette, glyphs = self.look.palette, self.look.glyphs
        across, up = x_axis(view), y_axis(view)
        high, low = tick(up.high), tick(up.low)
        left = 2 + max(len(high), len(low))
        labels = self._labels(view, canvas.columns)
        margin = 1 + max((len(label) for _, label, _ in labels), default=0)
        plot = Plot(canvas.columns - left - margin, canvas.rows - 1, glyphs)
        if plot.width < 2 or plot.height < 2:
            return
        canvas.put(left - 1 - len(high), 0, high, palette.dim)
        canvas.put(left - 1 - len(low), canvas.rows - 2, low, palette.dim)
        end = canvas.columns - margin

        here = None if view.cursor is None else across.share(view.cursor)
        for series in view.series:
            places = [(across.share(x), up.share(y)) for x, y in series.points]
            before, after = (places, []) if here is None else parted(places, here)
            if after:
                plot.line(after, palette.faint)
            if before:
                plot.line(before, palette.style(series.role))
        if view.reference is not None:
            row = plot.row_of(up.share(view.reference))
            canvas.put(left, row, ((glyphs.cell("─") + " ") * end)[: end - left], palette.truth)
        plot.draw(canvas, left, 0)
        if palette.name == "plain" and len(view.series) > 1:
            self._letter(view, canvas, plot, left)
        if view.point is not None:
            x, y = view.point
            column, row_of_point = plot.column_of(across.share(x)), plot.row_of(up.share(y))
            canvas.put(left + column, row_of_point, glyphs.cell("●"), palette.key)
        taken: set[int] = set()
        for value, label, style in labels:
            rows = rows_near(plot.row_of(up.share(value)), canvas.rows - 1, taken=taken, below=True)
            if rows:
                taken.add(rows[0])
                canvas.put(end + 1, rows[0], label, style)
        self._foot(view, canvas, left, end, left + plot.column_of(here or 0.0))

    def _letter(self, view: CurveView, canvas: Canvas, plot: Plot, left: int) -> None:
        """Put letters on the curves, each at places of its own."""
        across, up = x_axis(view), y_axis(view)
        for number, series in enumerate(view.series, 1):
            letter = self.look.glyphs.text(series.label)[:1]
            places = [(across.share(x), up.share(y)) for x, y in series.points]
            for part in range(LETTERS):
                share = (part + number / (len(view.series) + 1)) / LETTERS
                before, after = parted(places, share)
                if before and after:
                    row = plot.row_of(before[-1][1])
                    canvas.put(left + plot.column_of(share), row, letter, self.look.palette.strong)

    def _labels(self, view: CurveView, columns: int) -> list[tuple[float, str, Style]]:
        """Where each label belongs, the label, and its style; from the top of the margin."""
        palette, text = self.look.palette, self.look.glyphs.text
        labels = [
            (
                series.points[-1][1],
                text(series.name if series.name and columns >= NAMED else series.label),
                palette.style(series.role),
            )
            for series in view.series
            if series.points and series.label
        ]
        if view.reference is not None and view.reference_label:
            labels.append((view.reference, text(view.reference_label), palette.truth))
        return sorted(labels, key=lambda label: -label[0])

    def _foot(self, view: CurveView, canvas: Canvas, left: int, end: int, column: int) -> None:
        """The axis: its ends, what it counts, and the cursor."""
        palette, bottom = self.look.palette, canvas.rows - 1
        axis = x_axis(view)
        first, last = short(axis.low), short(axis.high)
        canvas.put(left, bottom, first, palette.dim)
        stop = end
        if view.cursor is not None and column + 1 >= end - len(last):
            stop = column - 1
        canvas.put(stop - len(last), bottom, last, palette.dim)
        if view.cursor is not None:
            words = "you are here "
            canvas.fill(max(left, column - 1), bottom, 3, 1, palette.ground)
            canvas.put(column, bottom, self.look.glyphs.cell("▲"), palette.key)
            if canvas.is_blank(column - len(words) - 1, bottom, len(words) + 1):
                canvas.put(column - len(words), bottom, words, palette.dim)
            elif canvas.is_blank(column + 1, bottom, len(words) + 1):
                canvas.put(column + 2, bottom, words, palette.dim)
        log = (f"{view.x_label}, logarithmic", f"{view.x_label}, log", "log")
        for name in log if view.log_x else (view.x_label,):
            start = left + (end - left - len(name)) // 2
            for place in (start, left + len(first) + 2, stop - len(last) - len(name) - 2):
                if canvas.is_blank(place - 1, bottom, len(name) + 2):
                    canvas.put(place, bottom, name, palette.dim)
                    return


def parted(places: Sequence[Place], here: float) -> tuple[list[Place], list[Place]]:
    """A line up to a share of the width, and from there on."""
    before = [place for place in places if place[0] <= here]
    after = [place for place in places if place[0] > here]
    if before and after:
        (x, y), (x2, y2) = before[-1], after[0]
        edge = here, y + (y2 - y) * (here - x) / (x2 - x)
        before.append(edge)
        after.insert(0, edge)
    return before, after


def tick(value: float) -> str:
    if value == round(value):
        return f"{value:.0f}"
    return decimals(value, 2)


def x_axis(view: CurveView) -> Axis:
    """The horizontal axis; from the points where the view does not say."""
    ends = view.x_range or span(x for series in view.series for x, _ in series.points)
    return Axis(*ends, view.log_x, least=1.0)


def y_axis(view: CurveView) -> Axis:
    """The vertical axis; from all that is drawn where the view does not say.

    Where both ends would be written alike, it reaches a little below and above them.
    """
    if view.y_range is not None:
        return Axis(*view.y_range, flat=0.5)
    exact = () if view.reference is None else (view.reference,)
    point = () if view.point is None else (view.point[1],)
    points = (y for series in view.series for _, y in series.points)
    low, high = span((*points, *exact, *point))
    return Axis(low - LITTLE, high + LITTLE) if tick(low) == tick(high) else Axis(low, high)
