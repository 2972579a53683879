"""Tic-tac-toe: the board, the whole state space, its symmetries, and exact answers.

Importing this package is cheap: each name is loaded and the arrays are built on first use.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from game.space import space

if TYPE_CHECKING:
    from game.arrays import StateSpace
    from game.board import Board, IllegalMoveError, InvalidBoardError, reachable_boards
    from game.constants import Side

__all__ = [
    "Board", "IllegalMoveError", "InvalidBoardError", "Side", "StateSpace", "reachable_boards",
    "space",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    home = {"Side": "game.constants", "StateSpace": "game.arrays"}.get(name, "game.board")
    return getattr(import_module(home), name)
