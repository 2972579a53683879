"""Minimax as students write it: perfect, perfect and quick, and with a bug."""

from functools import cache

LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))


def mover(board):
    return "X" if board.count("X") == board.count("O") else "O"


def moves(board):
    return [cell for cell in range(9) if board[cell] == "."]


def after(board, cell):
    return board[:cell] + mover(board) + board[cell + 1 :]


def has_won(board, mark, lines):
    return any(all(board[cell] == mark for cell in line) for line in lines)


@cache
def value(board, haste, lines):
    """What the board is worth to the one who moves: above 0 a win, the sooner the more."""
    if has_won(board, "O" if mover(board) == "X" else "X", lines):
        return -1 - haste * board.count(".")
    if "." not in board:
        return 0
    return max(-value(after(board, cell), haste, lines) for cell in moves(board))


def best(board, haste, lines):
    return 1 + max(moves(board), key=lambda cell: -value(after(board, cell), haste, lines))


def perfect(board):
    return best(board, 0, LINES)


def quick(board):
    return best(board, 1, LINES)


def buggy(board):
    return best(board, 1, LINES[:-1])
