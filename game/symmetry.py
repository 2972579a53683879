"""The eight symmetries of the square, as permutations of the nine cells.

A symmetry g sends the mark on cell c to cell ``SYMMETRIES[g][c]``. They form the dihedral group of
order 8: S&B exercise 1.2 asks what a learner gains and loses by treating their images as one.
"""

from collections.abc import Callable
from typing import Final, overload

IDENTITY: Final = 0
"""The index of the symmetry that leaves every cell in place."""


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

COMPOSITION: Final[tuple[tuple[int, ...], ...]] = tuple(
    tuple(SYMMETRIES.index(tuple(second[cell] for cell in first)) for first in SYMMETRIES)
    for second in SYMMETRIES
)
"""``COMPOSITION[h][g]`` is the symmetry that does g first and then h."""

INVERSES: Final[tuple[int, ...]] = tuple(row.index(IDENTITY) for row in COMPOSITION)
"""``INVERSES[g]`` undoes g."""


def inverse(symmetry: int) -> int:
    """The symmetry that undoes `symmetry` (an index 0-7)."""
    return INVERSES[symmetry]


def compose(second: int, first: int) -> int:
    """The symmetry that does `first` and then `second` (indices 0-7)."""
    return COMPOSITION[second][first]


@overload
def apply(symmetry: int, item: str) -> str: ...
@overload
def apply(symmetry: int, item: int) -> int: ...
def apply(symmetry: int, item: str | int) -> str | int:
    """The image under `symmetry` (0-7) of a board of nine characters, or of a cell 0-8."""
    if isinstance(item, str):
        undo = SYMMETRIES[INVERSES[symmetry]]
        return "".join(item[source] for source in undo)
    return SYMMETRIES[symmetry][item]
