"""Tic-tac-toe: the board, the whole state space, its symmetries, and exact answers.

Importing this package is cheap: numpy is loaded and the arrays are built on first use.
"""

from game.board import Board, reachable_boards
from game.errors import IllegalMoveError, InvalidBoardError
from game.space import StateSpace, space

__all__ = [
    "Board",
    "IllegalMoveError",
    "InvalidBoardError",
    "StateSpace",
    "reachable_boards",
    "space",
]
