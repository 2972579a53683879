"""Tic-tac-toe: the board, the whole state space, its symmetries, and exact answers.

Importing this package is cheap: numpy is loaded and the arrays are built on first use.
"""

from typing import TYPE_CHECKING, Any

from game.board import Board, reachable_boards
from game.constants import Side
from game.errors import IllegalMoveError, InvalidBoardError
from game.space import space

if TYPE_CHECKING:
    from game.arrays import StateSpace

__all__ = [
    "Board",
    "IllegalMoveError",
    "InvalidBoardError",
    "Side",
    "StateSpace",
    "reachable_boards",
    "space",
]


def __getattr__(name: str) -> Any:
    if name == "StateSpace":
        from game.arrays import StateSpace

        return StateSpace
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
