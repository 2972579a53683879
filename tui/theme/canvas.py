"""What panes draw with besides text: a grid of cells, and bars."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from rich.style import Style

from tui.theme.glyphs import Glyphs
from tui.theme.look import Line, Look


class Canvas:
    """Columns × rows of characters with styles. What falls outside is dropped."""

    def __init__(self, columns: int, rows: int) -> None:
        """A blank canvas."""
        self.columns = max(0, columns)
        self.rows = max(0, rows)
        blank = (" ", Style.null())
        self._cells = [[blank] * self.columns for _ in range(self.rows)]

    def put(self, x: int, y: int, text: str, style: Style) -> None:
        """Write `text` from (x, y) to the right."""
        if not 0 <= y < self.rows:
            return
        row = self._cells[y]
        for column, character in enumerate(text, x):
            if 0 <= column < self.columns:
                row[column] = (character, style)

    def over(self, x: int, y: int, character: str, style: Style) -> None:
        """Write one character over what is there, keeping its background."""
        if 0 <= y < self.rows and 0 <= x < self.columns:
            self._cells[y][x] = (character, self._cells[y][x][1] + style)

    def line(self, x: int, y: int, line: Line) -> None:
        """Write a line's pieces from (x, y) to the right."""
        for text, style in line:
            self.put(x, y, text, style)
            x += len(text)

    def fill(self, x: int, y: int, columns: int, rows: int, style: Style) -> None:
        """Blank a rectangle in a style."""
        for row in range(y, y + rows):
            self.put(x, row, " " * columns, style)

    def is_blank(self, x: int, y: int, columns: int) -> bool:
        """Whether nothing is written in a stretch that lies on the canvas."""
        if not 0 <= y < self.rows or x < 0 or x + columns > self.columns:
            return False
        return all(character == " " for character, _ in self._cells[y][x : x + columns])

    def lines(self) -> list[Line]:
        """The canvas as lines."""
        return [
            tuple(
                ("".join(character for character, _ in run), style)
                for style, run in groupby(row, key=lambda cell: cell[1])
            )
            for row in self._cells
        ]


def bar(share: float | None, columns: int, style: Style, glyphs: Glyphs) -> Line:
    """A bar of `share` (0…1, clipped) of `columns`."""
    if share is None or columns <= 0:
        return ()
    parts = len(glyphs.eighths) + 1
    whole, part = divmod(round(max(0.0, min(1.0, share)) * columns * parts), parts)
    text = glyphs.cell("█") * whole + (glyphs.eighths[part - 1] if part else "")
    return ((text, style),) if text else ()


def stacked(shares: Sequence[tuple[str, float, str]], columns: int, look: Look) -> Line:
    """One bar of several parts.

    Args:
        shares: The letter, the amount and the role of each part. Where nothing is painted, the
            letters themselves fill the bar.
        columns: The whole length.
        look: The palette and characters.
    """
    total = sum(amount for _, amount, _ in shares)
    if not total or columns <= 0:
        return ()
    pieces: list[tuple[str, Style]] = []
    done, start = 0.0, 0
    for letter, amount, role in shares:
        done += amount
        end = round(done / total * columns)
        fill = look.glyphs.cell("█") if look.palette.paints else letter
        if end > start:
            pieces.append((fill * (end - start), look.palette.style(role)))
        start = end
    return tuple(pieces)
