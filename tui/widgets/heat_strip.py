"""The whole table in two lines of growing characters, with the place of the cursor below."""

from __future__ import annotations

from typing import Final

from tui.theme.canvas import Canvas
from tui.theme.look import Line
from tui.views.table import StripView
from tui.widgets.pane import Pane

LABEL: Final = 8
"""Columns of the lines' names."""
AROUND: Final = LABEL + 4
"""Columns that are not the strip itself."""
SHADES: Final = {"ascii": ".:-=+%#", "linux": "·░▒▓█", "unicode": "▁▂▃▄▅▆▇█"}
"""From nothing to the most, by set of characters."""


class HeatStrip(Pane[StripView]):
    """A character for each bucket, the denser the more; plies and the cursor in the border."""

    def lines(self, view: StripView, columns: int, rows: int) -> list[Line]:
        """The frame with a line for each measure."""
        body = [
            (self.look.piece(f"{name:<{LABEL}}", "dim"), *self._shades(heats))
            for name, heats in view.lines
        ]
        drawn = self.framed(view, columns, rows, body)
        if view.lines and len(drawn) == rows:
            drawn[-1] = self._axis(view, columns, drawn[-1])
        return drawn

    def _shades(self, heats: tuple[float | None, ...]) -> Line:
        look = self.look
        shades = SHADES[look.glyphs.name]
        steps = len(shades) - 1
        line: list[tuple[str, str]] = []
        for heat in heats:
            level = 0 if not heat else min(steps, 1 + int(heat * steps))
            shade = " " if heat is None else shades[level]
            role = "text" if level else "faint"
            if line and line[-1][1] == role:
                line[-1] = (line[-1][0] + shade, role)
            else:
                line.append((shade, role))
        return tuple((text, look.palette.style(role)) for text, role in line)

    def _axis(self, view: StripView, columns: int, border: Line) -> Line:
        """The lower border with the plies and the cursor in it."""
        look = self.look
        canvas = Canvas(columns, 1)
        canvas.line(0, 0, border)
        left = 2 + LABEL
        canvas.put(2, 0, " ply ", look.palette.dim)
        for start, ply in view.plies:
            canvas.put(left + start, 0, str(ply), look.palette.dim)
        if view.cursor is not None:
            canvas.put(left + view.cursor, 0, look.glyphs.cell("▲"), look.palette.key)
        return canvas.lines()[0]
