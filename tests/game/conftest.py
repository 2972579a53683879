"""An independent oracle: the rules and the recursions again, on strings and exact fractions."""

from fractions import Fraction
from functools import cache

import numpy as np
import pytest
import referee

from afterstate_lab.game import space


class SlowOracle:
    """Every quantity by plain recursion, as its definition reads, exactly.

    `rows` is a policy: the probabilities of a board's legal moves; what they miss of 1 resigns.
    """

    mover, minimax = staticmethod(referee.mover), staticmethod(referee.minimax)

    @staticmethod
    def winner(board):
        return {1: "X", -1: "O"}.get(referee.result(board))

    @staticmethod
    def after(board):
        is_over = referee.result(board) is not None
        return [] if is_over else [referee.after(board, cell) for cell in referee.cells(board)]

    @classmethod
    def evaluate(cls, rows):
        """The probabilities (X wins, draw, O wins) of a board under `rows`."""

        @cache
        def value(board):
            after = cls.after(board)
            if not after:
                winner = cls.winner(board)
                return tuple(Fraction(winner == ending) for ending in ("X", None, "O"))
            row = rows(board)
            x, draw, o = (
                sum(p * v for p, v in zip(row, column, strict=True))
                for column in zip(*map(value, after), strict=True)
            )
            rest = 1 - sum(row)
            return (x, draw, o + rest) if cls.mover(board) == "X" else (x + rest, draw, o)

        return value

    @classmethod
    def best(cls, rows, player, rewards, choose=lambda _, values: max(values)):
        """The value to `player` of choosing its moves by `choose` against `rows`.

        `rewards` are those of a win, a draw and a loss.
        """
        win, draw, loss = rewards

        @cache
        def value(board):
            values = [value(after) for after in cls.after(board)]
            if not values:
                winner = cls.winner(board)
                return draw if winner is None else win if winner == player else loss
            if cls.mover(board) == player:
                return choose(board, values)
            row = rows(board)
            resigned = (1 - sum(row)) * win
            return sum(p * v for p, v in zip(row, values, strict=True)) + resigned

        return value

    @classmethod
    def uniform(cls, board):
        count = len(cls.after(board))
        return [Fraction(1, count)] * count

    @classmethod
    def perfect(cls, board):
        keeps = [cls.minimax(after) == cls.minimax(board) for after in cls.after(board)]
        return [Fraction(int(keep), sum(keeps)) for keep in keeps]


@pytest.fixture(scope="session")
def slow():
    return SlowOracle


@pytest.fixture(
    scope="session", params=[0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in (1, 2))]
)
def random_rows(request):
    """A random policy, as exact rows and as the array of its floats.

    Many moves have probability 0, and where the dice say so the mover may or must resign.
    """
    generator = np.random.default_rng(request.param)
    table: dict[str, list[Fraction]] = {}
    policy = np.zeros(16167)
    states = space()
    for state in range(5478):
        edges = slice(states.first_edge[state], states.first_edge[state + 1])
        count = edges.stop - edges.start
        weights = generator.integers(0, 4, count).tolist()
        resigns = int(generator.integers(1, 3)) if generator.random() < 0.1 else 0
        total = sum(weights) + resigns
        if count and total == 0:
            weights[0] = total = 1
        table[states.text(state)] = [Fraction(weight, total) for weight in weights]
        policy[edges] = [weight / total for weight in weights]
    return table.__getitem__, policy
