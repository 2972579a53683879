"""Curves as an SVG chart that is readable on white and on black, and without colour."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Final

import numpy as np

from learners.chart_geometry import Axis, span

if TYPE_CHECKING:
    from numpy.typing import NDArray

WIDTH: Final = 720
HEIGHT: Final = 400
LEFT, RIGHT, TOP, BOTTOM = 56, 200, 40, 44
COLOURS: Final = ("#3987e5", "#d97706", "#2f9e5b", "#c2539b", "#8a7500", "#0f9fb5", "#9a6ae0")
"""Each has a contrast of at least 3 against white and against #111."""
DASHES: Final = ("", "7 3", "2 3", "9 3 2 3", "4 2")
STYLE: Final = (
    "text{font:12px system-ui,sans-serif;fill:#6e6e6e}.t{font-size:14px;font-weight:600}"
    ".g{stroke:#888;stroke-opacity:.25}.a{stroke:#888}.c{fill:none;stroke-width:1.8}"
    ".r{fill:none;stroke-opacity:.7;stroke-dasharray:2 4}.b{fill-opacity:.15}"
    "@media(prefers-color-scheme:dark){text{fill:#a8a8a8}}"
)


@dataclass(frozen=True, eq=False)
class SvgCurve:
    name: str
    x: Sequence[float]
    y: NDArray[np.float64]
    """NaN leaves a gap."""
    low: NDArray[np.float64] | None = None
    high: NDArray[np.float64] | None = None
    reference: float | None = None
    """An exact value, drawn across."""


@dataclass(frozen=True, eq=False)
class SvgChart:
    """Some curves over a common axis."""

    title: str
    x_label: str
    lines: Sequence[SvgCurve]
    log: bool = False

    def svg(self) -> str:
        height = max(HEIGHT, TOP + BOTTOM + 18 * len(self.lines))
        plane = Plane(self._x_axis(), self._y_axis(), height)
        parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" '
            f'role="img"><title>{escape(self.title)}</title><style>{STYLE}</style>',
            f'<text class="t" x="{LEFT}" y="22">{escape(self.title)}</text>',
            *self._axes(plane),
        ]
        for n, line in enumerate(self.lines):
            parts += drawn(line, plane, COLOURS[n % len(COLOURS)], DASHES[n % len(DASHES)], n)
        return "\n".join([*parts, "</svg>", ""])

    def _x_axis(self) -> Axis:
        low, high = span(v for line in self.lines for v in line.x)
        axis = Axis(low, high, self.log)
        if self.log:
            low, high = max(low, axis.least), max(high, axis.least)
        if high > low:
            return axis
        return Axis(low, low * 10 if self.log else low + 1, self.log)

    def _y_axis(self) -> Axis:
        found = [v for line in self.lines for v in line.y.tolist()]
        for line in self.lines:
            for band in (line.low, line.high):
                found += [] if band is None else band.tolist()
            found += [] if line.reference is None else [line.reference]
        low, high = span(found)
        room = 0.05 * (high - low) or 0.05
        return Axis(low - room, high + room)

    def _axes(self, plane: Plane) -> list[str]:
        bottom, right = plane.height - BOTTOM, WIDTH - RIGHT
        parts = []
        for tick in plane.y_axis.ticks(6):
            y = plane.y(tick)
            parts.append(f'<path class="g" d="M{LEFT} {y:.1f}H{right}"/>')
            parts.append(label(LEFT - 6, y + 4, number(tick), "end"))
        x_ticks = plane.x_axis.ticks(5)
        parts += [label(plane.x(tick), bottom + 16, number(tick), "middle") for tick in x_ticks]
        parts.append(f'<path class="a" d="M{LEFT} {bottom}H{right}"/>')
        middle = (LEFT + right) / 2
        return [*parts, label(middle, plane.height - 8, self.x_label, "middle")]


@dataclass(frozen=True)
class Plane:
    """Where a point of the chart is on the page."""

    x_axis: Axis
    y_axis: Axis
    height: int

    def x(self, value: float) -> float:
        """Across, from the left."""
        return LEFT + (WIDTH - LEFT - RIGHT) * self.x_axis.share(value)

    def y(self, value: float) -> float:
        """Down, from the top."""
        share = self.y_axis.share(value)
        return self.height - BOTTOM - (self.height - TOP - BOTTOM) * share

    def points(self, x: Sequence[float], y: NDArray[np.float64]) -> list[str]:
        """The known points of a curve."""
        pairs = zip(x, y.tolist(), strict=True)
        return [f"{self.x(a):.1f} {self.y(b):.1f}" for a, b in pairs if np.isfinite(b)]


def drawn(line: SvgCurve, plane: Plane, colour: str, dash: str, n: int) -> list[str]:
    """A curve with its band, its exact value and its name in the legend."""
    parts = []
    if line.low is not None and line.high is not None:
        there, back = plane.points(line.x, line.high), plane.points(line.x, line.low)[::-1]
        if there:
            d = "M" + "L".join(there + back) + "Z"
            parts.append(f'<path class="b" fill="{colour}" d="{d}"/>')
    if line.reference is not None:
        d = f"M{LEFT} {plane.y(line.reference):.1f}H{WIDTH - RIGHT}"
        parts.append(f'<path class="r" stroke="{colour}" d="{d}"/>')
    stroke = f'stroke="{colour}"' + (f' stroke-dasharray="{dash}"' if dash else "")
    if points := plane.points(line.x, line.y):
        parts.append(f'<path class="c" {stroke} d="M{"L".join(points)}"/>')
    left, top = WIDTH - RIGHT + 14, TOP + 6 + 18 * n
    parts.append(f'<path class="c" {stroke} d="M{left} {top}h24"/>')
    exact = "" if line.reference is None else f" (exact {number(line.reference)})"
    return [*parts, label(left + 30, top + 4, shortened(line.name, 24 - len(exact) // 2) + exact)]


def label(x: float, y: float, text: str, anchor: str = "start") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(text)}</text>'


def shortened(text: str, length: int) -> str:
    return text if len(text) <= length else text[: length - 1] + "…"


def number(value: float) -> str:
    """A number as an axis shows it: 20,000, 0.25, 0.9948."""
    if abs(value) >= 1000 and value == round(value):
        return f"{value:,.0f}"
    return f"{round(value, 4):g}"
