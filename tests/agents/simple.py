"""The first free cell, and any free cell."""


def first_free(board):
    return board.index(".") + 1


def anything(board):
    return {cell + 1: 1 / board.count(".") for cell in range(9) if board[cell] == "."}
