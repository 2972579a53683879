"""A board with what its mover's learner knows of each free cell, as an SVG picture."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from game import Board, space

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from learners.kernel.memory import Layout

CELL: Final = 96
STYLE: Final = (
    "text{font:16px ui-monospace,monospace;text-anchor:middle;dominant-baseline:central;"
    "fill:#6e6e6e}.m{font-size:44px;font-weight:600}.x{fill:#d97706}.o{fill:#3987e5}"
    "rect{stroke:#888;fill:none}.v{fill:#2f9e5b;stroke:#888}.best{font-weight:700}"
    "@media(prefers-color-scheme:dark){text{fill:#a8a8a8}}"
)


def board_svg(layout: Layout, v: NDArray[np.float64], board: Board) -> str:
    """The picture: marks, and on the free cells the values, the greater the greener.

    Args:
        layout: the memory of the two players.
        v: float64[2N], memory.
        board: the position.
    """
    table = layout.o if board.ply % 2 else layout.x
    known: dict[int, float] = {}
    if table.spec.rule.learns:
        ranked = table.preferences(v)
        edges = space().edge_of[board.id]
        known = {cell: float(ranked[edges[cell]]) for cell in board.legal_cells}
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
