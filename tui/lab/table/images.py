"""What the symmetries of the board make of an entry, and what is played there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from game import space
from game.symmetry import SYMMETRIES

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from learners.kernel.memory import Layout
    from tui.lab.table.rows import TableRows


@dataclass(frozen=True)
class Image:
    """What a symmetry makes of an entry."""

    board: int
    cell: int
    """0-8, -1 of a state value."""
    row: int
    """The row that holds its value; the same as the entry's own where they share one."""


def images(rows: TableRows, row: int) -> tuple[Image, ...]:
    """The entry in a row and its different images under the eight symmetries, itself first."""
    s = space()
    entries = rows.table.entries
    row_of = rows.index()
    board, cell = int(rows.boards[row]), int(rows.cells[row])
    found: dict[tuple[int, int], Image] = {}
    for number, symmetry in enumerate(SYMMETRIES):
        image = int(s.symmetry_maps[number, board])
        moved = symmetry[cell] if cell >= 0 else -1
        if entries.of_state is not None:
            entry = entries.of_state[image]
        else:
            entry = entries.of_edge[s.edge_of[image, moved]]
        found.setdefault((image, moved), Image(image, moved, int(row_of[entry])))
    return tuple(found.values())


def greedy_cells(layout: Layout, v: NDArray[np.float64], board: int) -> tuple[int, ...]:
    """The cells (0-8) that the player to move in a position prefers, as memory has it."""
    s = space()
    mover = layout.o if s.ply[board] % 2 else layout.x
    edges = slice(int(s.first_edge[board]), int(s.first_edge[board + 1]))
    known = mover.preferences(v)[edges]
    return tuple(int(cell) for cell in s.edge_cell[edges][known == known.max(initial=-np.inf)])
