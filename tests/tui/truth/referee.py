"""Tic-tac-toe once more, in plain Python: what the figures of two players ought to be.

Nothing of the program is used but the numbers that the learners have written. Boards are texts of
nine characters, results are told from X's side: 1, 0 and -1.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache
from math import fsum, sqrt
from typing import Any

LINES = ("012", "345", "678", "036", "147", "258", "048", "246")
EMPTY = "." * 9
OTHER, WON = {"X": "O", "O": "X"}, {"X": 1, "O": -1}
LAST_BITS = 1e-12
"""What rounding can cost a probability."""
Moves = dict[int, float]
"""Cells, each with the chance of its being marked."""
Worth = Callable[[str], Any]


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


def winner(board: str) -> str | None:
    return {1: "X", -1: "O"}.get(result(board) or 0)


@cache
def afters(board: str) -> list[str]:
    """The boards to which it leads, by cell; none once it is over."""
    return [] if result(board) is not None else [after(board, c) for c in cells(board)]


@cache
def boards() -> tuple[str, ...]:
    """All that a game can come to, the empty one first."""
    found, left = {EMPTY: None}, [EMPTY]
    while left:
        board = left.pop()
        if result(board) is None:
            new = [b for b in afters(board) if b not in found]
            found.update(dict.fromkeys(new))
            left += new
    return tuple(found)


@cache
def minimax(board: str) -> int:
    if (ended := result(board)) is not None:
        return ended
    best = max if mover(board) == "X" else min
    return best(map(minimax, afters(board)))


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
        return (self.draw, 1.0, 0.0)[ended * WON[self.side]]

    def own(self) -> Iterator[str]:
        return (b for b in boards() if result(b) is None and mover(b) == self.side)

    def afterstates(self) -> Iterator[str]:
        return (b for b in boards()[1:] if result(b) is None and mover(b) != self.side)

    def against(self, other: Callable[[str], Moves]) -> tuple[float, float, float]:
        """The chances that greedy play wins, draws and loses."""
        sides = {self.side: self.greedy, OTHER[self.side]: other}
        results = (WON[self.side], 0, -WON[self.side])
        win, draw, loss = (
            valued(sides, lambda ended, wanted=wanted: float(ended == wanted))(EMPTY)
            for wanted in results
        )
        return win, draw, loss

    def worst_loss(self) -> float:
        """The largest chance with which anybody beats greedy play."""
        other = OTHER[self.side]
        return best_reply(other, self.greedy, lambda ended: float(ended == WON[other]))(EMPTY)

    def optimal(self) -> tuple[int, int]:
        """Boards at which it gives nothing away, whichever greedy move it takes; of so many."""
        own = list(self.own())
        right = [b for b in own if self.greedy(b).keys() <= perfectly(b).keys()]
        return len(right), len(own)

    def missed_wins(self) -> int:
        won = WON[self.side]
        wins = {b: {c for c in cells(b) if result(after(b, c)) == won} for b in self.own()}
        return sum(bool(wins[b]) and not self.greedy(b).keys() <= wins[b] for b in wins)

    def worth(self, policy: Callable[[str], Moves], other: Callable[[str], Moves]) -> Worth:
        """What boards are worth to it where both move so."""
        sides = {self.side: policy, OTHER[self.side]: other}
        return valued(sides, self.reward)

    def best_against(self, other: Callable[[str], Moves]) -> Worth:
        """What boards are worth to it where it plays its best against such a player."""
        return best_reply(self.side, other, self.reward)


def averaged(board: str, moves: Moves, value: Worth, reward: Callable[[int], Any]) -> Any:
    """The mean over moves; a player resigns with the chance that they miss of 1."""
    resigned = (1 - sum(moves.values())) * reward(-WON[mover(board)])
    return resigned + sum(p * value(after(board, c)) for c, p in moves.items() if p)


def valued(sides: dict[str, Callable[[str], Moves]], reward: Callable[[int], Any]) -> Worth:
    """What each board comes to in the mean where both sides move by chance."""

    @cache
    def value(board: str) -> Any:
        if (ended := result(board)) is not None:
            return reward(ended)
        return averaged(board, sides[mover(board)](board), value, reward)

    return value


def best_reply(side: str, other: Callable[[str], Moves], reward: Callable[[int], Any]) -> Worth:
    """What each board comes to where a side chooses the best move against such a player."""

    @cache
    def worth(board: str) -> Any:
        if (ended := result(board)) is not None:
            return reward(ended)
        if mover(board) == side:
            return max(worth(new) for new in afters(board))
        return averaged(board, other(board), worth, reward)

    return worth


def refutation(policy: Callable[[str], Moves], side: str) -> tuple[float, float, int]:
    """How the best opponent of a side fares.

    Returns:
        Its chance to win; the probability of the likeliest and shortest such game; its length.
    """

    @cache
    def of(board: str) -> tuple[Any, Any, int]:
        if (ended := result(board)) is not None:
            lost = int(ended == -WON[side])
            return lost, lost, 0
        if mover(board) == side:
            moves = policy(board)
            replies = [(p, *of(after(board, c))) for c, p in moves.items() if p]
            rest = 1 - sum(moves.values())
            worst = rest + sum(p * chance for p, chance, _, _ in replies)
            games = [(p * likely, n + 1) for p, _, likely, n in replies] + [(rest, 0)]
        else:
            found = [of(new) for new in afters(board)]
            worst = max(chance for chance, _, _ in found)
            games = [(p, n + 1) for chance, p, n in found if chance >= worst - LAST_BITS]
        likely = max(p for p, _ in games)
        return worst, likely, min(n for p, n in games if p >= likely - LAST_BITS)

    return of(EMPTY)


def rms(pairs: Iterator[tuple[float, float]]) -> float:
    squares = [(a - b) ** 2 for a, b in pairs]
    return sqrt(fsum(squares) / len(squares))
