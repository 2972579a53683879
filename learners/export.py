"""The whole table of a saved policy, row by row."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from game import space

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from learners.kernel.memory import Layout, Table

HEADER = "player,board,cell,value,visits"


@dataclass(frozen=True)
class Row:
    """One entry of a learner's table."""

    player: str
    board: str
    cell: int | None
    """1-9, or None for a state value."""
    value: float
    visits: int

    def as_csv(self) -> str:
        """The row of `export --format csv`."""
        cell = "" if self.cell is None else str(self.cell)
        return f"{self.player},{self.board},{cell},{self.value:.17g},{self.visits}"


def table_rows(layout: Layout, v: NDArray[np.float64]) -> Iterator[Row]:
    """One row for each entry that a backup can reach, sorted by player, board and cell.

    An entry of a table that both players write is told once, as that of the player who writes it.
    """
    shared = layout.x.base == layout.o.base
    rows = [*player_rows(layout.x, v, shared), *player_rows(layout.o, v, shared)]
    yield from sorted(rows, key=lambda row: (row.player, row.board, row.cell or 0))


def player_rows(table: Table, v: NDArray[np.float64], shared: bool) -> Iterator[Row]:
    """The rows of one player, none when it is not a learner."""
    if not table.spec.rule.learns:
        return
    texts = space().texts
    entries = table.entries
    values = table.spec.rule.preferences(table.values(v), entries)
    visits = table.visits(v).sum(axis=0)
    live = entries.live
    if shared:
        after_own_move = space().ply[entries.boards] % 2 != table.side
        live = live & (after_own_move == (entries.cells < 0))
    for n in np.flatnonzero(live).tolist():
        cell = int(entries.cells[n])
        yield Row(
            player="XO"[table.side],
            board=texts[entries.boards[n]],
            cell=None if cell < 0 else cell + 1,
            value=float(values[n]),
            visits=int(visits[n]),
        )
