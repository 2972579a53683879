"""A learner of plain Python, from section 1.5 of the book, that shares no code with the package.

Two of it play against each other. A board is nine characters; each player has a dict from the
boards after its own moves to values. `mistake` names what it does wrong.
"""

from __future__ import annotations

import random
from functools import cache

LINES = (0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)
MISTAKES = {
    "a draw is worth 0": "museum:draw-as-loss",
    "no losses": "museum:no-losses",
    "first cell": "museum:first-cell",
    "never stored": "museum:lost-copy",
    "boards start at 1": "museum:born-winners",
    "draws teach nothing": "museum:draws-teach-nothing",
}


@cache
def result(board: str) -> str:
    for a, b, c in LINES:
        if board[a] != "." and board[a] == board[b] == board[c]:
            return board[a]
    return "" if "." in board else "draw"


@cache
def moves(board: str, mark: str) -> tuple[str, ...]:
    return tuple(board[:c] + mark + board[c + 1 :] for c in range(9) if board[c] == ".")


class Player:
    def __init__(self, mark: str, alpha: float, epsilon: float, mistake: str, dice: random.Random):
        self.mark, self.alpha, self.epsilon, self.mistake = mark, alpha, epsilon, mistake
        self.dice, self.values = dice, {}
        self.start = 1.0 if mistake == "boards start at 1" else 0.5
        self.draw = 0.0 if mistake == "a draw is worth 0" else 0.5

    def value(self, board: str) -> float:
        ended = result(board)
        if not ended:
            return self.values.get(board, self.start)
        return self.draw if ended == "draw" else float(ended == self.mark)

    def move(self, board: str) -> str:
        """Choose, and learn from the choice unless it explores."""
        after = moves(board, self.mark)
        values = [self.value(one) for one in after]
        best = [one for one, value in zip(after, values, strict=True) if value == max(values)]
        chosen = best[0] if self.mistake == "first cell" else self.dice.choice(best)
        if self.dice.random() < self.epsilon:
            chosen = self.dice.choice(after)
        if self.last and chosen in best:
            self.learn(self.last, chosen)
        self.last = chosen
        return chosen

    def end(self, board: str) -> None:
        """Learn from the last board of the game, if the other player made the last move."""
        is_lesson = self.mistake not in ("no losses", "draws teach nothing")
        if self.mistake == "draws teach nothing":
            is_lesson = result(board) != "draw"
        if self.last and self.last != board and is_lesson:
            self.learn(self.last, board)

    def learn(self, board: str, after: str) -> None:
        if self.mistake == "draws teach nothing" and result(after) == "draw":
            return
        old = self.value(board)
        new = old + self.alpha * (self.value(after) - old)
        if self.mistake != "never stored":
            self.values[board] = new


def train(
    games: int, seed: int, alpha: float = 0.1, epsilon: float = 0.1, mistake: str = ""
) -> tuple[Player, Player]:
    dice = random.Random(seed)
    x, o = (Player(mark, alpha, epsilon, mistake, dice) for mark in "XO")
    for _ in range(games):
        board, mover, other = "." * 9, x, o
        x.last = o.last = ""
        while not result(board):
            board = mover.move(board)
            mover, other = other, mover
        x.end(board)
        o.end(board)
    return x, o


def policy(player: Player) -> dict[str, dict[int, float]]:
    """Return the player's greedy moves on each board, ties with equal probability."""
    found: dict[str, dict[int, float]] = {}
    todo = ["." * 9]
    while todo:
        board = todo.pop()
        if board in found or result(board):
            continue
        mark = "XO"[board.count("X") - board.count("O")]
        after = {c: board[:c] + mark + board[c + 1 :] for c in range(9) if board[c] == "."}
        if mark == player.mark:
            values = {c: player.value(one) for c, one in after.items()}
            best = [c for c, value in values.items() if value == max(values.values())]
            found[board] = {c + 1: 1 / len(best) for c in best}
        else:
            found[board] = {}
        todo += after.values()
    return {board: answer for board, answer in found.items() if answer}


def is_beatable(player: Player) -> bool:
    """Return whether some opponent wins some game against the greedy player."""
    answers = policy(player)
    other = "XO"[player.mark == "X"]

    @cache
    def loses(board: str) -> bool:
        if result(board):
            return result(board) == other
        if board in answers:
            here = (board[: c - 1] + player.mark + board[c:] for c in answers[board])
            return any(map(loses, here))
        return any(map(loses, moves(board, other)))

    return loses("." * 9)
