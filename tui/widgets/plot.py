"""Curves as dots: braille where the terminal has it, half cells elsewhere."""

from __future__ import annotations

from collections.abc import Sequence

from rich.style import Style

from tui.theme.canvas import Canvas
from tui.theme.glyphs import Glyphs

_BRAILLE = ((0x01, 0x02, 0x04, 0x40), (0x08, 0x10, 0x20, 0x80))
"""The bit of each dot, by column and row of a cell."""


class Plot:
    """Lines drawn with dots onto a rectangle of a canvas."""

    def __init__(self, columns: int, rows: int, glyphs: Glyphs) -> None:
        """A blank plot of so many cells."""
        self._glyphs = glyphs
        self._wide, self._high = glyphs.dots
        self.width = columns * self._wide
        self.height = rows * self._high
        self._dots: dict[tuple[int, int], int] = {}
        self._styles: dict[tuple[int, int], Style] = {}

    def line(self, places: Sequence[tuple[float, float]], style: Style) -> None:
        """Join places given as shares of the width and of the height, both 0…1 from below left."""
        ends = [self._dot(*place) for place in places]
        for (x, y), (x2, y2) in zip(ends, ends[1:] or ends, strict=False):
            steps = max(abs(x2 - x), abs(y2 - y), 1)
            for step in range(steps + 1):
                self._set(
                    round(x + (x2 - x) * step / steps), round(y + (y2 - y) * step / steps), style
                )

    def draw(self, canvas: Canvas, left: int, top: int) -> None:
        """Put the dots on a canvas."""
        for (column, row), bits in self._dots.items():
            character = (
                chr(0x2800 + bits) if self._high == 4 else self._glyphs.halves[(0, 0, 1, 2)[bits]]
            )
            canvas.put(left + column, top + row, character, self._styles[column, row])

    def row_of(self, share: float) -> int:
        """The row of cells in which a share of the height lies."""
        return self._dot(0.0, share)[1] // self._high

    def column_of(self, share: float) -> int:
        """The column of cells in which a share of the width lies."""
        return self._dot(share, 0.0)[0] // self._wide

    def _dot(self, x: float, y: float) -> tuple[int, int]:
        x, y = min(1.0, max(0.0, x)), min(1.0, max(0.0, y))
        return round(x * (self.width - 1)), round((1 - y) * (self.height - 1))

    def _set(self, x: int, y: int, style: Style) -> None:
        (column, i), (row, j) = divmod(x, self._wide), divmod(y, self._high)
        bit = _BRAILLE[i][j] if self._high == 4 else 1 << j
        self._dots[column, row] = self._dots.get((column, row), 0) | bit
        self._styles[column, row] = style
