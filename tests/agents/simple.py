"""The first free cell, also as a program, and any free cell."""

import sys


def first_free(board):
    return board.index(".") + 1


def anything(board):
    return {cell + 1: 1 / board.count(".") for cell in range(9) if board[cell] == "."}


if __name__ == "__main__":
    for line in sys.stdin:
        print(first_free(line), flush=True)
