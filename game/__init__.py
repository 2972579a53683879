"""Tic-tac-toe: the board, the whole state space, its symmetries, and exact answers.

Importing this package is cheap: each name is loaded and the arrays are built on first use.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from game.space import space

if TYPE_CHECKING:
    from game.arrays import StateSpace
    from game.board import Board, reachable_boards
    from game.constants import Side
    from game.errors import IllegalMoveError, InvalidBoardError

__all__ = [
    "Board",
    "IllegalMoveError",
    "InvalidBoardError",
    "Side",
    "StateSpace",
    "reachable_boards",
    "space",
]

_HOMES = {
    "Board": "game.board",
    "IllegalMoveError": "game.errors",
    "InvalidBoardError": "game.errors",
    "Side": "game.constants",
    "StateSpace": "game.arrays",
    "reachable_boards": "game.board",
}
"""The module of each name; `space` is loaded at once, as a module has its name."""


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
