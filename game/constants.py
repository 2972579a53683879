"""The constants of the game: players, results, sizes, the lines that win, and the symmetries."""

from __future__ import annotations

from enum import IntEnum
from typing import Final, Literal, cast

Mark = Literal["X", "O"]

POSITIONS: Final = 5478
"""Positions reachable by legal play, the empty board and the finished games included."""

EDGES: Final = 16167
"""State-action pairs: every legal move of every position that is not over."""


class Side(IntEnum):
    """X, who opens, or O, who replies; as a number the index of the player in a pair."""

    X = 0
    O = 1  # noqa: E741

    @classmethod
    def parse(cls, text: str) -> Side:
        if text not in cls.__members__:
            raise ValueError(f"{text!r} is not a side: use X or O.")
        return cls[text]

    @property
    def mark(self) -> Mark:
        return cast(Mark, self.name)

    @property
    def other(self) -> Side:
        return Side(1 - self)


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
    """Return whether `mark` fills a line of a board of nine characters."""
    return any(cells[a] == cells[b] == cells[c] == mark for a, b, c in LINES)


SYMMETRIES: Final = tuple(
    tuple(map(image.index, "012345678"))
    for image in (
        "012345678",
        "630741852",
        "876543210",
        "258147036",
        "210543876",
        "678345012",
        "036147258",
        "852741630",
    )
)
"""``SYMMETRIES[g][c]`` is the cell to which the symmetry g sends cell c.

The images are of the board of cells 0-8: under the identity, three clockwise quarter turns,
then the mirrors, left-right, top-bottom, and the two diagonals.
"""
