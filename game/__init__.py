"""Tic-tac-toe: the board, the whole state space, its symmetries, and exact answers.

Importing this package is cheap: each name is loaded and the arrays are built on first use.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from afterstate_lab.game.arrays import StateSpace
    from afterstate_lab.game.board import (
        Board,
        IllegalMoveError,
        InvalidBoardError,
        reachable_boards,
        space,
    )
    from afterstate_lab.game.constants import Side

__all__ = [
    "Board", "IllegalMoveError", "InvalidBoardError", "Side", "StateSpace", "reachable_boards",
    "space",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    home = {"Side": "constants", "StateSpace": "arrays"}.get(name, "board")
    return getattr(import_module(f"afterstate_lab.game.{home}"), name)
