"""The number line of an update: target, old, new and exact value between two ends."""

from __future__ import annotations

from typing import Final

from rich.style import Style

from tui.theme.canvas import Canvas
from tui.theme.look import Line, Look
from tui.theme.numerals import decimals
from tui.views.update import MarkView, SpanView
from tui.widgets.selectable_pane import PICKED, POINTER

LEGEND: Final = 23
"""Columns of the legend."""


def number_line(
    look: Look,
    marks: tuple[MarkView, ...],
    scale: tuple[float, float],
    columns: int,
    *,
    spans: tuple[SpanView, ...] = (),
    labelled: bool = True,
) -> list[Line]:
    """Two lines: the marks' labels, and the line itself. Nothing where there is no room for it.

    Not `labelled` it is one line, with a legend at its right. Marks that would share a column stand
    side by side, in the order of their values.
    """
    low, high = scale
    if not labelled and columns >= LEGEND + 16:
        line = number_line(look, marks, scale, columns - LEGEND, spans=spans)
        return [(*line[1], *_legend(look, marks))] if line else []
    ends = [_end(look, value) for value in scale]
    left, right = len(ends[0]) + 1, columns - len(ends[1]) - 2
    if right - left < 10 or high <= low:
        return []
    palette = look.palette
    canvas = Canvas(columns, 2)
    canvas.put(0, 1, ends[0], palette.dim)
    canvas.put(left, 1, look.glyphs.cell("─") * (right - left + 1), palette.faint)
    canvas.put(right + 2, 1, ends[1], palette.dim)

    def column(value: float) -> int:
        share = min(1.0, max(0.0, (value - low) / (high - low)))
        return left + round(share * (right - left))

    for span in spans:
        if span.selected:
            first, last = sorted((column(span.first), column(span.last)))
            stretch = "=" * (last - first + 1)
            canvas.put(first, 1, stretch, palette.key)
    ordered = sorted(marks, key=lambda mark: mark.value)
    exact = [column(mark.value) for mark in ordered]
    labels = [look.glyphs.text(_label(mark)) for mark in ordered]
    places = _apart([(place, 0) for place in exact], right)
    starts = _apart(
        [(place, len(label)) for place, label in zip(places, labels, strict=True)], columns
    )
    for mark, label, place, start in zip(ordered, labels, places, starts, strict=True):
        style = palette.style(mark.role)
        canvas.put(start, 0, label, style + PICKED if mark.selected else style)
        bold = PICKED if mark.selected else Style(bold=True)
        canvas.put(place, 1, look.glyphs.cell(mark.glyph), style + bold)
    return canvas.lines()


def _label(mark: MarkView) -> str:
    return POINTER + mark.label if mark.selected else mark.label


def _legend(look: Look, marks: tuple[MarkView, ...]) -> Line:
    """What each mark means."""
    line: Line = ()
    for mark in marks:
        glyph = (look.glyphs.cell(mark.glyph), look.palette.style(mark.role) + Style(bold=True))
        before = (look.glyphs.text(POINTER) if mark.selected else " ", look.palette.key)
        label, ink = look.piece(mark.label, "dim")
        line = (*line, before, glyph, (label, ink + PICKED if mark.selected else ink))
    return line


def _apart(places: list[tuple[int, int]], columns: int) -> list[int]:
    """Where texts start, centred on their places as far as they leave each other a blank.

    Args:
        places: The wanted place and the length of each, in order.
        columns: Where the last may end.
    """
    starts: list[int] = []
    free = 0
    for place, length in places:
        starts.append(max(place - length // 2, free))
        free = starts[-1] + length + 1
    limit = columns
    for index in range(len(starts) - 1, -1, -1):
        starts[index] = min(starts[index], limit - places[index][1])
        limit = starts[index] - 1
    return starts


def _end(look: Look, value: float) -> str:
    text = f"{value:.0f}" if value == round(value) else decimals(value, 2)
    return look.glyphs.text(text)
