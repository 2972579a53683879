"""A small neural net that nobody trained."""

import numpy as np

RNG = np.random.default_rng(7)
W1, W2 = RNG.normal(size=(18, 12)), RNG.normal(size=(12, 9))


def scores(board):
    me = "X" if board.count("X") == board.count("O") else "O"
    own = [mark == me for mark in board]
    theirs = [mark not in (me, ".") for mark in board]
    return np.tanh(np.array(own + theirs, dtype=float) @ W1) @ W2


def move(board):
    free = np.array([mark == "." for mark in board])
    return np.argmax(np.where(free, scores(board), -np.inf)) + 1


def softmax(board):
    free = np.array([mark == "." for mark in board])
    powers = np.exp(scores(board)) * free
    return (powers / powers.sum()).astype(np.float32)
