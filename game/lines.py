"""The eight lines of three that win."""

from typing import Final, Literal

Mark = Literal["X", "O"]
"""A player, and the mark it makes."""

LINES: Final = (
    (0, 1, 2),
    (3, 4, 5),
    (6, 7, 8),
    (0, 3, 6),
    (1, 4, 7),
    (2, 5, 8),
    (0, 4, 8),
    (2, 4, 6),
)
"""Rows, columns, diagonals, as cells 0-8."""


def holds_line(cells: str, mark: Mark) -> bool:
    """Whether `mark` fills a line of a board of nine characters."""
    return any(cells[a] == cells[b] == cells[c] == mark for a, b, c in LINES)
