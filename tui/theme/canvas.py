"""A grid of cells to draw on, for panes that are pictures rather than lines of text."""

from __future__ import annotations

from itertools import groupby

from rich.style import Style

from tui.theme.look import Line


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
