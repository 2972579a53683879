"""The constants of the game: players, results, sizes, and the eight lines that win."""

from typing import Final, Literal

Mark = Literal["X", "O"]
"""A player, and the mark it makes."""

POSITIONS: Final = 5478
"""Positions reachable by legal play, the empty board and the finished games included."""

EDGES: Final = 16167
"""State-action pairs: every legal move of every position that is not over."""

PLAYER_X: Final = 1
"""The player who opens, in arrays and policies."""

PLAYER_O: Final = 2
"""The player who replies."""

GOES_ON: Final = 0
X_WON: Final = 1
O_WON: Final = 2
DRAWN: Final = 3

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
