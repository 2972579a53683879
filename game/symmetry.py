"""The eight symmetries of the square, as permutations of the nine cells.

A symmetry g sends the mark on cell c to cell ``SYMMETRIES[g][c]``. They form the dihedral group of
order 8: S&B exercise 1.2 asks what a learner gains and loses by treating their images as one.
"""

from collections.abc import Callable
from typing import Final, overload


def _permutation(move: Callable[[int, int], tuple[int, int]]) -> tuple[int, ...]:
    """The cell permutation of a map of (row, column)."""
    targets = (move(cell // 3, cell % 3) for cell in range(9))
    return tuple(3 * row + column for row, column in targets)


SYMMETRIES: Final[tuple[tuple[int, ...], ...]] = (
    _permutation(lambda r, c: (r, c)),
    _permutation(lambda r, c: (c, 2 - r)),
    _permutation(lambda r, c: (2 - r, 2 - c)),
    _permutation(lambda r, c: (2 - c, r)),
    _permutation(lambda r, c: (r, 2 - c)),
    _permutation(lambda r, c: (2 - r, c)),
    _permutation(lambda r, c: (c, r)),
    _permutation(lambda r, c: (2 - c, 2 - r)),
)
"""Identity, three clockwise quarter turns, then the mirrors: left-right, top-bottom, and the two
diagonals. ``SYMMETRIES[g][c]`` is the cell to which g sends cell c."""

INVERSES: Final = tuple(tuple(map(targets.index, range(9))) for targets in SYMMETRIES)
"""``INVERSES[g][c]`` is the cell that g sends to cell c."""


@overload
def apply(symmetry: int, item: str) -> str: ...
@overload
def apply(symmetry: int, item: int) -> int: ...
def apply(symmetry: int, item: str | int) -> str | int:
    """The image under `symmetry` (0-7) of a board of nine characters, or of a cell 0-8."""
    if isinstance(item, str):
        return "".join(item[source] for source in INVERSES[symmetry])
    return SYMMETRIES[symmetry][item]
