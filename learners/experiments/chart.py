"""Curves as an SVG chart that is readable on white and on black, and without colour."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from html import escape
from typing import TYPE_CHECKING, Final

import numpy as np

from afterstate_lab.learners.chart_geometry import Axis, round_range, span

if TYPE_CHECKING:
    from numpy.typing import NDArray

WIDTH: Final = 720
HEIGHT: Final = 400
LEFT, RIGHT, TOP, BOTTOM = 56, 200, 40, 44
ROWS: Final = 6
"""Most steps of the axis on the left."""
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
class Curve:
    name: str
    x: Sequence[float]
    y: NDArray[np.float64]
    low: NDArray[np.float64] | None = None
    high: NDArray[np.float64] | None = None
    reference: float | None = None
    """An exact value, drawn across."""


@dataclass(frozen=True, eq=False)
class Chart:
    """Some curves over a common axis."""

    title: str
    x_label: str
    lines: Sequence[Curve]
    log: bool = False

    @cached_property
    def height(self) -> int:
        return max(HEIGHT, TOP + BOTTOM + 18 * len(self.lines))

    @cached_property
    def x_axis(self) -> Axis:
        low, high = span(v for line in self.lines for v in line.x)
        low = max(low, Axis.least) if self.log else low
        beyond = low * 10 if self.log else low + 1
        return Axis(low, high if high > low else beyond, self.log)

    @cached_property
    def y_axis(self) -> Axis:
        ends = (ys for line in self.lines for ys in (line.y, line.low, line.high) if ys is not None)
        exact = [line.reference for line in self.lines if line.reference is not None]
        low, high = span([*exact, *(y for ys in ends for y in ys.tolist())])
        return Axis(*round_range(low, high, ROWS)[:2])

    def svg(self) -> str:
        bottom, right = self.height - BOTTOM, WIDTH - RIGHT
        parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {self.height}" '
            f'role="img"><title>{escape(self.title)}</title><style>{STYLE}</style>',
            f'<text class="t" x="{LEFT}" y="22">{escape(self.title)}</text>',
        ]
        for tick in self.y_axis.ticks(ROWS):
            y = self._y(tick)
            parts.append(f'<path class="g" d="M{LEFT} {y:.1f}H{right}"/>')
            parts.append(label(LEFT - 6, y + 4, number(tick), "end"))
        ticks = self.x_axis.ticks(5)
        parts += [label(self._x(tick), bottom + 16, number(tick), "middle") for tick in ticks]
        parts.append(f'<path class="a" d="M{LEFT} {bottom}H{right}"/>')
        parts.append(label((LEFT + right) / 2, self.height - 8, self.x_label, "middle"))
        for n, line in enumerate(self.lines):
            parts += self._drawn(line, n)
        return "\n".join([*parts, "</svg>", ""])

    def _x(self, value: float) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * self.x_axis.share(value)

    def _y(self, value: float) -> float:
        return self.height - BOTTOM - (self.height - TOP - BOTTOM) * self.y_axis.share(value)

    def _points(self, x: Sequence[float], y: NDArray[np.float64]) -> list[str]:
        """Return the known points of a curve."""
        pairs = zip(x, y.tolist(), strict=True)
        return [f"{self._x(a):.1f} {self._y(b):.1f}" for a, b in pairs if np.isfinite(b)]

    def _drawn(self, line: Curve, n: int) -> list[str]:
        """Return a curve with its interval, its exact value and its name in the legend."""
        colour, dash = COLOURS[n % len(COLOURS)], DASHES[n % len(DASHES)]
        parts, exact = [], ""
        if line.low is not None and line.high is not None:
            around = self._points(line.x, line.high) + self._points(line.x, line.low)[::-1]
            if around:
                parts.append(f'<path class="b" fill="{colour}" d="M{"L".join(around)}Z"/>')
        if line.reference is not None:
            d = f"M{LEFT} {self._y(line.reference):.1f}H{WIDTH - RIGHT}"
            parts.append(f'<path class="r" stroke="{colour}" d="{d}"/>')
            exact = f" (exact {number(line.reference)})"
        stroke = f'stroke="{colour}"' + (f' stroke-dasharray="{dash}"' if dash else "")
        if points := self._points(line.x, line.y):
            parts.append(f'<path class="c" {stroke} d="M{"L".join(points)}"/>')
        left, top, room = WIDTH - RIGHT + 14, TOP + 6 + 18 * n, 24 - len(exact) // 2
        name = line.name if len(line.name) <= room else line.name[: room - 1] + "…"
        parts.append(f'<path class="c" {stroke} d="M{left} {top}h24"/>')
        return [*parts, label(left + 30, top + 4, name + exact)]


def label(x: float, y: float, text: str, anchor: str = "start") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(text)}</text>'


def number(value: float) -> str:
    """Return a number as an axis shows it: 20,000, 0.25, 0.9948."""
    if abs(value) >= 1000 and value == round(value):
        return f"{value:,.0f}"
    return f"{round(value, 4):g}"
