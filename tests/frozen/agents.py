"""Agents that are judged when what a user sees is compared."""

LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))


def first_free(board):
    return board.index(".") + 1


def heuristic(board):
    me, you = ("X", "O") if board.count("X") == board.count("O") else ("O", "X")
    for mark in (me, you):
        for line in LINES:
            marks = [board[cell] for cell in line]
            if marks.count(mark) == 2 and "." in marks:
                return line[marks.index(".")] + 1
    return next(cell + 1 for cell in (4, 0, 2, 6, 8, 1, 3, 5, 7) if board[cell] == ".")


def drawn(board):
    return {cell + 1: 1 / board.count(".") for cell in range(9) if board[cell] == "."}


def taken(board):
    return 5


def broken(board):
    raise RuntimeError("no idea")
