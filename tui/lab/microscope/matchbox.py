"""An open matchbox: the colours of its beads, and which cells each stands for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from game import space
from tui.lab.microscope.reading import edges_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from learners.kernel.memory import Table


@dataclass(frozen=True)
class Colour:
    """The beads of one colour in a box."""

    number: int
    """Its cell on the canonical board, 0-8: symmetric positions show the same colours."""
    cells: tuple[int, ...]
    """The cells that it stands for: more than one where a symmetry exchanges them."""
    beads: float
    share: float
    """Of all beads in the box; 0 in an empty one."""
    entry: int
    """Index into memory; -1 where a move is forced and needs no bead."""


def colours_of(table: Table, v: NDArray[np.float64], board: int) -> tuple[Colour, ...]:
    """The colours of a position's box, by their first cell."""
    s = space()
    values = table.values(v)[0]
    cells: dict[int, list[int]] = {}
    for edge in edges_of(board):
        entry = int(table.entries.of_edge[edge])
        cells.setdefault(entry, []).append(int(s.edge_cell[edge]))
    total = sum(float(values[entry]) for entry in cells)
    return tuple(
        Colour(
            number=int(table.entries.cells[entry]),
            cells=tuple(alike),
            beads=float(values[entry]),
            share=float(values[entry]) / total if total else 0.0,
            entry=table.base + entry if table.entries.live[entry] else -1,
        )
        for entry, alike in cells.items()
    )
