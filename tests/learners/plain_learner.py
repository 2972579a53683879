"""A learner of plain Python, from section 1.5 of the book, that shares no code with the package.

Two of it play against each other. A board is nine characters; each player has a dict from the
boards after its own moves to values. `mistake` names what it does wrong.
"""

from __future__ import annotations

import random

from referee import EMPTY, WON, Referee, after, afters, result

MISTAKES = {
    "a draw is worth 0": "museum:draw-as-loss",
    "no losses": "museum:no-losses",
    "first cell": "museum:first-cell",
    "never stored": "museum:lost-copy",
    "boards start at 1": "museum:born-winners",
    "draws teach nothing": "museum:draws-teach-nothing",
}


class Player:
    def __init__(self, mark: str, alpha: float, epsilon: float, mistake: str, dice: random.Random):
        self.mark, self.alpha, self.epsilon, self.mistake = mark, alpha, epsilon, mistake
        self.dice, self.values = dice, {}
        self.start = 1.0 if mistake == "boards start at 1" else 0.5
        self.draw = 0.0 if mistake == "a draw is worth 0" else 0.5

    def value(self, board: str) -> float:
        if (ended := result(board)) is None:
            return self.values.get(board, self.start)
        return (self.draw, 1.0, 0.0)[ended * WON[self.mark]]

    def move(self, board: str) -> str:
        """Choose, and learn from the choice unless it explores."""
        options = afters(board)
        values = [self.value(one) for one in options]
        best = [one for one, value in zip(options, values, strict=True) if value == max(values)]
        chosen = best[0] if self.mistake == "first cell" else self.dice.choice(best)
        if self.dice.random() < self.epsilon:
            chosen = self.dice.choice(options)
        if self.last and chosen in best:
            self.learn(self.last, chosen)
        self.last = chosen
        return chosen

    def end(self, board: str) -> None:
        """Learn from the last board of the game, if the other player made the last move."""
        is_lesson = self.mistake not in ("no losses", "draws teach nothing")
        if self.mistake == "draws teach nothing":
            is_lesson = result(board) != 0
        if self.last and self.last != board and is_lesson:
            self.learn(self.last, board)

    def learn(self, board: str, new: str) -> None:
        if self.mistake == "draws teach nothing" and result(new) == 0:
            return
        old = self.value(board)
        if self.mistake != "never stored":
            self.values[board] = old + self.alpha * (self.value(new) - old)


def train(
    games: int, seed: int, alpha: float = 0.1, epsilon: float = 0.1, mistake: str = ""
) -> tuple[Player, Player]:
    dice = random.Random(seed)
    x, o = (Player(mark, alpha, epsilon, mistake, dice) for mark in "XO")
    for _ in range(games):
        board, mover, other = EMPTY, x, o
        x.last = o.last = ""
        while result(board) is None:
            board = mover.move(board)
            mover, other = other, mover
        x.end(board)
        o.end(board)
    return x, o


def referee_of(player: Player) -> Referee:
    return Referee(player.mark, lambda board, cell: player.value(after(board, cell)))


def policy(player: Player) -> dict[str, dict[int, float]]:
    """Return the player's greedy moves on each of its boards, ties with equal probability."""
    judged = referee_of(player)
    return {
        board: {cell + 1: chance for cell, chance in judged.greedy(board).items()}
        for board in judged.own()
    }


def is_beatable(player: Player) -> bool:
    """Return whether some opponent wins some game against the greedy player."""
    return referee_of(player).worst_loss() > 0.0
