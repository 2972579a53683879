"""Tic-tac-toe once more, in plain Python: what the figures of two players ought to be.

Nothing of the program is used but the numbers that the learners have written. Boards are texts of
nine characters, results are told from X's side: 1, 0 and -1.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache
from math import fsum, sqrt

LINES = ("012", "345", "678", "036", "147", "258", "048", "246")
EMPTY = "." * 9
Moves = dict[int, float]
"""Cells, each with the chance of its being marked."""
Worth = Callable[[str], float]


def mover(board: str) -> str:
    return "X" if board.count("X") == board.count("O") else "O"


def cells(board: str) -> list[int]:
    return [cell for cell in range(9) if board[cell] == "."]


def after(board: str, cell: int) -> str:
    return board[:cell] + mover(board) + board[cell + 1 :]


@cache
def result(board: str) -> int | None:
    for line in LINES:
        marks = {board[int(cell)] for cell in line}
        if len(marks) == 1 and marks != {"."}:
            return 1 if marks == {"X"} else -1
    return None if "." in board else 0


@cache
def boards() -> tuple[str, ...]:
    """All that a game can come to, the empty one first."""
    found, left = {EMPTY: None}, [EMPTY]
    while left:
        board = left.pop()
        if result(board) is None:
            new = [b for cell in cells(board) if (b := after(board, cell)) not in found]
            found.update(dict.fromkeys(new))
            left += new
    return tuple(found)


@cache
def minimax(board: str) -> int:
    if (ended := result(board)) is not None:
        return ended
    best = max if mover(board) == "X" else min
    return best(minimax(after(board, cell)) for cell in cells(board))


def evenly(chosen: list[int]) -> Moves:
    return {cell: 1 / len(chosen) for cell in chosen}


def at_random(board: str) -> Moves:
    return evenly(cells(board))


def perfectly(board: str) -> Moves:
    """Any of the moves that give nothing away."""
    return evenly([cell for cell in cells(board) if minimax(after(board, cell)) == minimax(board)])


@dataclass
class Referee:
    """A player of a side: what its moves are worth to it, and how it moves.

    Args:
        side: X or O.
        prefers: by board and cell, the number by which it ranks a move.
        draw: its reward for a draw; it has 1 for a win and 0 for a loss.
        epsilon: its chance of moving at random.
    """

    side: str
    prefers: Callable[[str, int], float]
    draw: float = 0.5
    epsilon: float = 0.0
    _greedy: dict[str, Moves] = field(default_factory=dict)

    def greedy(self, board: str) -> Moves:
        if board not in self._greedy:
            ranks = {cell: self.prefers(board, cell) for cell in cells(board)}
            best = max(ranks.values())
            self._greedy[board] = evenly([cell for cell in ranks if ranks[cell] == best])
        return self._greedy[board]

    def behaves(self, board: str) -> Moves:
        greedy, share = self.greedy(board), self.epsilon / len(cells(board))
        return {c: share + (1 - self.epsilon) * greedy.get(c, 0.0) for c in cells(board)}

    def reward(self, ended: int) -> float:
        return (self.draw, 1.0, 0.0)[ended if self.side == "X" else -ended]

    def own(self) -> Iterator[str]:
        return (b for b in boards() if result(b) is None and mover(b) == self.side)

    def afterstates(self) -> Iterator[str]:
        return (b for b in boards()[1:] if result(b) is None and mover(b) != self.side)

    def against(self, other: Callable[[str], Moves]) -> tuple[float, float, float]:
        """The chances that greedy play wins, draws and loses."""
        sides = {self.side: self.greedy, "O" if self.side == "X" else "X": other}
        results = (1, 0, -1) if self.side == "X" else (-1, 0, 1)
        win, draw, loss = (
            valued(sides, lambda ended, wanted=wanted: float(ended == wanted))(EMPTY)
            for wanted in results
        )
        return win, draw, loss

    def worst_loss(self) -> float:
        """The largest chance with which anybody beats greedy play."""

        @cache
        def chance(board: str) -> float:
            if (ended := result(board)) is not None:
                return float(ended == (-1 if self.side == "X" else 1))
            if mover(board) == self.side:
                return fsum(p * chance(after(board, c)) for c, p in self.greedy(board).items())
            return max(chance(after(board, cell)) for cell in cells(board))

        return chance(EMPTY)

    def optimal(self) -> tuple[int, int]:
        """Boards at which it gives nothing away, whichever greedy move it takes; of so many."""
        own = list(self.own())
        right = [b for b in own if self.greedy(b).keys() <= perfectly(b).keys()]
        return len(right), len(own)

    def missed_wins(self) -> int:
        won = 1 if self.side == "X" else -1
        wins = {b: {c for c in cells(b) if result(after(b, c)) == won} for b in self.own()}
        return sum(bool(wins[b]) and not self.greedy(b).keys() <= wins[b] for b in wins)

    def worth(self, policy: Callable[[str], Moves], other: Callable[[str], Moves]) -> Worth:
        """What boards are worth to it where both move so."""
        sides = {self.side: policy, "O" if self.side == "X" else "X": other}
        return valued(sides, self.reward)

    def best_against(self, other: Callable[[str], Moves]) -> Worth:
        """What boards are worth to it where it plays its best against such a player."""

        @cache
        def worth(board: str) -> float:
            if (ended := result(board)) is not None:
                return self.reward(ended)
            if mover(board) == self.side:
                return max(worth(after(board, cell)) for cell in cells(board))
            return fsum(p * worth(after(board, c)) for c, p in other(board).items())

        return worth


def valued(sides: dict[str, Callable[[str], Moves]], reward: Callable[[int], float]) -> Worth:
    """What each board comes to in the mean where both sides move by chance."""

    @cache
    def value(board: str) -> float:
        if (ended := result(board)) is not None:
            return reward(ended)
        moves = sides[mover(board)](board)
        return fsum(p * value(after(board, c)) for c, p in moves.items() if p)

    return value


def rms(pairs: Iterator[tuple[float, float]]) -> float:
    squares = [(a - b) ** 2 for a, b in pairs]
    return sqrt(fsum(squares) / len(squares))
