"""The lab before the first move, without the engine."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

from afterstate_lab.tui.blocks.block import Beside, Block, Part, Room, Stack
from afterstate_lab.tui.blocks.cells import Cells, CellView
from afterstate_lab.tui.blocks.curve import Curve
from afterstate_lab.tui.blocks.lists import Log
from afterstate_lab.tui.blocks.stats import SideStats, Stats

Lit = Callable[[str, Any], Any]
"""Returns a block by its name in lessons, lit if a lesson points to it."""
Do = Callable[..., Any]
"""Runs a command of the lab by name; `cell` and a number, 0 to 8, marks a cell."""
BOARD: Final = Room(28, 80, 0.35)
BOARD_ROWS: Final = Room(14, 30, 0.58)
NO_CURVE: Final = "After two games, this shows how often X won, O won or neither did."


def first_curve() -> Curve:
    return Curve(series=(), note=NO_CURVE)


def first_body(lit: Lit) -> Part:
    """Return the body before the first game: what the players begin with needs the engine."""
    cells = [CellView(label=str(cell)) for cell in range(1, 10)]
    return four(
        lit("board", Cells(cells=cells, right="X to move")),
        lit("log", Log(lines=((("no game yet", "dim"),),))),
        lit("stats", Stats(sides=(SideStats("X"), SideStats("O")))),
        lit("curve", first_curve()),
    )


def four(board: Block, log: Block, stats: Block, curve: Block) -> Part:
    """Return the layout: board and curve on the left, log and stats on the right."""
    board = replace(board, width=BOARD, height=BOARD_ROWS)
    curve = replace(curve, width=BOARD, rank=1, is_asked=True)
    stats = replace(stats, height=Room(9, 11, 0.29), is_asked=True)
    return Beside((Stack((board, curve)), Stack((replace(log, rank=1), stats))))
