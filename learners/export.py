"""A learner's table as rows, and its values on a board as an SVG picture."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from afterstate_lab.game import Board, space
from afterstate_lab.learners.kernel.memory import Layout, Table
from afterstate_lab.learners.tape.recording import mover_values

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
    """Yield one row for each entry that a backup can reach, sorted by player, board and cell.

    An entry of a shared table appears once, under the player that updates it.
    """
    shared = layout.is_shared
    rows = [*player_rows(layout.x, v, shared), *player_rows(layout.o, v, shared)]
    yield from sorted(rows, key=lambda row: (row.player, row.board, row.cell or 0))


def player_rows(table: Table, v: NDArray[np.float64], shared: bool) -> Iterator[Row]:
    """The rows of one player; none if it is not a learner."""
    if not table.spec.rule.learns:
        return
    texts = space().texts
    entries = table.entries
    values = table.spec.rule.preferences(table.values(v))
    visits = table.visits(v).sum(axis=0)
    live = entries.live
    if shared:
        after_own_move = space().ply[entries.boards] % 2 != table.side
        live = live & (after_own_move == (entries.cells < 0))
    for n in np.flatnonzero(live).tolist():
        cell = int(entries.cells[n])
        board, place = texts[entries.boards[n]], None if cell < 0 else cell + 1
        yield Row(table.side.mark, board, place, float(values[n]), int(visits[n]))


CELL: Final = 96
STYLE: Final = (
    "text{font:16px ui-monospace,monospace;text-anchor:middle;dominant-baseline:central;"
    "fill:#6e6e6e}.m{font-size:44px;font-weight:600}.x{fill:#d97706}.o{fill:#3987e5}"
    "rect{stroke:#888;fill:none}.v{fill:#2f9e5b;stroke:#888}.best{font-weight:700}"
    "@media(prefers-color-scheme:dark){text{fill:#a8a8a8}}"
)


def board_svg(layout: Layout, v: NDArray[np.float64], board: Board) -> str:
    """A board as SVG: marks, and on free cells the mover's values, greener for larger ones.

    Args:
        layout: the memory of the two players.
        v: float64[2N], memory.
    """
    table = layout.o if board.ply % 2 else layout.x
    known = mover_values(table, v, board.id) if table.spec.rule.learns else {}
    low, high = min(known.values(), default=0.0), max(known.values(), default=0.0)
    parts = []
    for cell, mark in enumerate(str(board)):
        x, y = CELL * (cell % 3), CELL * (cell // 3)
        middle = f'x="{x + CELL // 2}" y="{y + CELL // 2}"'
        share = (known[cell] - low) / (high - low) if cell in known and high > low else 0.0
        parts.append(
            f'<rect class="v" fill-opacity="{0.6 * share:.2f}" x="{x}" y="{y}" '
            f'width="{CELL}" height="{CELL}"/>'
        )
        if mark != ".":
            parts.append(f'<text class="m {mark.lower()}" {middle}>{mark}</text>')
        elif cell in known:
            best = " best" if known[cell] == high else ""
            parts.append(f'<text class="n{best}" {middle}>{known[cell]:.4g}</text>')
    size = 3 * CELL
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-2 -2 {size + 4} {size + 4}" '
        f'role="img" aria-label="{board}"><style>{STYLE}</style>{"".join(parts)}</svg>\n'
    )
