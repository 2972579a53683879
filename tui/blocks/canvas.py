"""Draw cells, bars, and curves of dots."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from afterstate_lab.tui.blocks.span import Line, Piece, meaning_of
from afterstate_lab.tui.theme.glyphs import Glyphs


class Canvas:
    """A grid of styled characters; everything outside is dropped."""

    def __init__(self, columns: int, rows: int) -> None:
        self.columns = max(0, columns)
        self.rows = max(0, rows)
        blank = (" ", "")
        self._cells = [[blank] * self.columns for _ in range(self.rows)]

    def put(self, x: int, y: int, text: str, style: str) -> None:
        if not 0 <= y < self.rows:
            return
        row = self._cells[y]
        for column, character in enumerate(text, x):
            if 0 <= column < self.columns:
                row[column] = (character, style)

    def line(self, x: int, y: int, line: Line) -> None:
        for text, style in line:
            self.put(x, y, text, style)
            x += len(text)

    def fill(self, x: int, y: int, columns: int, rows: int, style: str) -> None:
        for row in range(y, y + rows):
            self.put(x, row, " " * columns, style)

    def overlay(self, x: int, y: int, glyph: str, style: str, under: tuple[str, ...]) -> None:
        """Put a character, but only colour one whose style starts like one of `under`."""
        if 0 <= y < self.rows and 0 <= x < self.columns:
            text, was = self._cells[y][x]
            is_kept = text != " " and was.startswith(under)
            self._cells[y][x] = (text if is_kept else glyph, style)

    def is_blank(self, x: int, y: int, columns: int) -> bool:
        """Return whether a stretch of the canvas is blank."""
        if not 0 <= y < self.rows or x < 0 or x + columns > self.columns:
            return False
        return all(character == " " for character, _ in self._cells[y][x : x + columns])

    def lines(self) -> list[Line]:
        return [tuple(self._pieces(row)) for row in self._cells]

    def _pieces(self, row: list[Piece]) -> Iterator[Piece]:
        start, style = 0, row[0][1] if row else ""
        for end, (_, other) in enumerate([*row, ("", None)]):
            if other is style or (other == style and meaning_of(other) == meaning_of(style)):
                continue
            if end:
                yield "".join([character for character, _ in row[start:end]]), style
            start, style = end, other or ""


def bar(share: float | None, columns: int, style: str, glyphs: Glyphs) -> Line:
    """Return a bar of `share` (0…1, clipped) of `columns`."""
    if share is None or columns <= 0:
        return ()
    parts = len(glyphs.eighths) + 1
    whole, part = divmod(round(max(0.0, min(1.0, share)) * columns * parts), parts)
    text = glyphs.cell("█") * whole + (glyphs.eighths[part - 1] if part else "")
    return ((text, style),) if text else ()


def stacked(shares: Sequence[tuple[str, float, str]], columns: int) -> Line:
    """Return one bar of several parts: the character, the amount and the role of each."""
    total = sum(amount for _, amount, _ in shares)
    if not total or columns <= 0:
        return ()
    pieces: list[Piece] = []
    done, start = 0.0, 0
    for fill, amount, role in shares:
        done += amount
        end = round(done / total * columns)
        if end > start:
            pieces.append((fill * (end - start), role))
        start = end
    return tuple(pieces)


_BRAILLE = ((0x01, 0x02, 0x04, 0x40), (0x08, 0x10, 0x20, 0x80))
"""The bit of each dot, by column and row of a cell."""


class Plot:
    """Lines of dots on a rectangle of a canvas."""

    def __init__(self, columns: int, rows: int, glyphs: Glyphs) -> None:
        self._glyphs = glyphs
        self._wide, self._high = glyphs.dots
        self.width = columns * self._wide
        self.height = rows * self._high
        self._dots: dict[tuple[int, int], int] = {}
        self._styles: dict[tuple[int, int], str] = {}

    def line(self, places: Sequence[tuple[float, float]], style: str) -> None:
        """Draw a line through points, as shares of the width and of the height from below left."""
        ends = [self._dot(*place) for place in places]
        for (x, y), (x2, y2) in zip(ends, ends[1:] or ends, strict=False):
            steps = max(abs(x2 - x), abs(y2 - y), 1)
            for step in range(steps + 1):
                self._set(
                    round(x + (x2 - x) * step / steps), round(y + (y2 - y) * step / steps), style
                )

    def draw(self, canvas: Canvas, left: int, top: int) -> None:
        for (column, row), bits in self._dots.items():
            character = (
                chr(0x2800 + bits) if self._high == 4 else self._glyphs.halves[(0, 0, 1, 2)[bits]]
            )
            canvas.put(left + column, top + row, character, self._styles[column, row])

    def row_of(self, share: float) -> int:
        """Return the row of cells at a share of the height."""
        return self._dot(0.0, share)[1] // self._high

    def column_of(self, share: float) -> int:
        """Return the column of cells at a share of the width."""
        return self._dot(share, 0.0)[0] // self._wide

    def _dot(self, x: float, y: float) -> tuple[int, int]:
        x, y = min(1.0, max(0.0, x)), min(1.0, max(0.0, y))
        return round(x * (self.width - 1)), round((1 - y) * (self.height - 1))

    def _set(self, x: int, y: int, style: str) -> None:
        (column, i), (row, j) = divmod(x, self._wide), divmod(y, self._high)
        bit = _BRAILLE[i][j] if self._high == 4 else 1 << j
        self._dots[column, row] = self._dots.get((column, row), 0) | bit
        self._styles[column, row] = style
