"""The lab before the first move, without the engine."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from afterstate_lab.learners.rules.base import Rule
from afterstate_lab.tui.blocks.block import Beside, Block, Part, Room, Stack
from afterstate_lab.tui.blocks.cells import Cells, CellView, HeatScale
from afterstate_lab.tui.blocks.curve import Curve
from afterstate_lab.tui.blocks.lists import Log
from afterstate_lab.tui.blocks.stats import SideStats, Stats
from afterstate_lab.tui.lab.modes import Mode, Settings

if TYPE_CHECKING:
    from afterstate_lab.learners.rules.spec import PlayerSpec


Lit = Callable[[str, Any], Any]
"""Returns a block by its name in lessons, lit if a lesson points to it."""
Do = Callable[..., Any]
"""Runs a command of the lab by name; `cell` and a number, 0 to 8, marks a cell."""
BOARD: Final = Room(28, 80, 0.35)
BOARD_ROWS: Final = Room(14, 30, 0.58)
NO_CURVE: Final = "After two games, this shows how often X won, O won or neither did."


def first_board(settings: Settings) -> Cells:
    """Return the empty board, with X's initial value of each cell if there is one."""
    value = first_value(settings.x) if settings.mode is Mode.WATCH else None
    heat = None
    if value is not None:
        heat = HeatScale((value,), settings.x.rule.rewards(settings.x.settings)).heat(value)
    cells = tuple(CellView(label=str(cell + 1), value=value, heat=heat) for cell in range(9))
    title = "board" if value is None else "X's values"
    return Cells(title=title, cells=cells, right="X to move")


def first_value(spec: PlayerSpec) -> float | None:
    """Return a learner's initial value of the opening moves, if its rule has a single number."""
    rule = spec.rule
    plain = rule.initial_values.__func__ is Rule.initial_values.__func__  # type: ignore[attr-defined]
    if not (rule.learns and rule.estimates and plain):
        return None
    return float(spec.settings.get("initial", 0.5))


def first_curve() -> Curve:
    return Curve(series=(), note=NO_CURVE)


def first_body(settings: Settings, lit: Lit) -> Part:
    """Return the body before the first game."""
    return four(
        lit("board", first_board(settings)),
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
