"""How a terminal's cursor is brought to a cell, in as few bytes as can be."""

from __future__ import annotations

from functools import lru_cache

CursorPosition = tuple[int, int]
"""Row and column, from 1."""


@lru_cache(maxsize=4096)
def shortest_move(at: CursorPosition | None, to: CursorPosition) -> str:
    """The shortest sequence from one cell to another, of those that a VT100 knows.

    Args:
        at: where the cursor is; None where that is not known, or is beyond the edge.
        to: where it is wanted.
    """
    row, column = to
    absolute = f"\x1b[{row};{column}H" if column > 1 else f"\x1b[{row}H"
    if at is None:
        return absolute
    down, right = row - at[0], column - at[1]
    relative = step(down, "B") + step(-down, "A") + step(right, "C") + step(-right, "D")
    return min(absolute, relative, key=len)


def step(count: int, way: str) -> str:
    """So many cells in a direction; nothing for less than one."""
    return f"\x1b[{count}{way}" if count > 1 else f"\x1b[{way}" if count == 1 else ""
