"""X and O drawn large with lines."""

from __future__ import annotations

from tui.theme.glyphs import Glyphs


def big_mark(mark: str, columns: int, rows: int, glyphs: Glyphs) -> list[str] | None:
    """The rows of a mark that fills a cell of this size; None if it is too small for one."""
    size = min(rows, (columns + 1) // 2 if columns < 14 else columns // 2 - 1)
    size -= 1 - size % 2
    if size < 3 or columns < 7:
        return None
    return _cross(size, glyphs) if mark == "X" else _ring(size, columns, glyphs)


def _cross(size: int, glyphs: Glyphs) -> list[str]:
    down, up, middle = (glyphs.cell(part) for part in "╲╱╳")
    lines: list[str] = []
    for row in range(size):
        cells = [" "] * size
        cells[row], cells[size - 1 - row] = (middle, middle) if 2 * row == size - 1 else (down, up)
        lines.append("".join(cells))
    return lines


def _ring(size: int, columns: int, glyphs: Glyphs) -> list[str]:
    corners = [glyphs.cell(part) for part in "╭╮╰╯"]
    across, down = glyphs.cell("─"), glyphs.cell("│")
    outside = min(2 * size - 2, columns - 2)
    outside += (outside - columns) % 2 * (1 if outside + 1 <= columns - 2 else -1)
    inside = outside - 2
    middle = [down + " " * inside + down] * (size - 2)
    return [
        corners[0] + across * inside + corners[1],
        *middle,
        corners[2] + across * inside + corners[3],
    ]
