"""Prove yourself unbeatable: one answer for each position that your own answers leave open.

A position and its mirror images are one question. What is forced is not asked: you win where you
can and block where you must. Nor are positions in which you can no longer lose.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from typing import TYPE_CHECKING, Final

import numpy as np

from afterstate_lab.game import Side, space
from afterstate_lab.game.constants import EDGES, LINES, O_WON, X_WON
from afterstate_lab.game.exact import minimax_values, which_are_beatable

if TYPE_CHECKING:
    from numpy.typing import NDArray

Path = tuple[int, ...]
"""The cells 0-8 of a game, from the empty board."""
LOSS: Final = {Side.X: -1, Side.O: 1}
"""The minimax value of a lost position."""


class Drill:
    """Your answers as a side, and the questions that they leave open.

    Args:
        side: your side.
        first: games to positions that are asked first, such as earlier mistakes.
    """

    def __init__(self, side: Side, first: Iterable[Path] = ()) -> None:
        self.side = side
        self.asked = 0
        self.lost: dict[Path, Path] = {}
        """By question, the whole game that beats your answer."""
        self._answers: dict[int, int] = {}
        """By position, the move; of each set of mirror images, the canonical ones."""
        self._first = [path for path in first if self._is_question(path)]

    def _is_question(self, path: Path) -> bool:
        """Return whether a position is worth asking."""
        state = state_of(path)
        if state is None or space().ply[state] % 2 != self.side or not self._is_risky(state):
            return False
        return len(set(canonical_moves(state, cells_of(state)))) > 1

    def _is_risky(self, state: int) -> bool:
        """Return whether you can still lose from a position, and have not lost yet."""
        return bool(may_lose(self.side)[state]) and minimax_values()[state] != LOSS[self.side]

    @property
    def open(self) -> Iterator[Path]:
        """Yield the games to the positions that are still to be answered, the next one first."""
        first = [path for path in self._first if canonical(path) not in self._answers]
        yield from first
        seen = set(map(canonical, first))
        todo: list[Path] = [()]
        while todo:
            path = todo.pop()
            name, state = canonical(path), state_of(path)
            if state is None or name in seen or not self._is_risky(state):
                continue
            seen.add(name)
            cells = free(state)
            if space().ply[state] % 2 == self.side:
                cells = cells_of(state)[:1]
                if name in self._answers:
                    moves = canonical_moves(state, free(state))
                    cells = [free(state)[moves.index(self._answers[name])]]
                elif self._is_question(path):
                    yield path
                    continue
            todo += [(*path, cell) for cell in reversed(cells)]

    def answer(self, path: Path, cell: int) -> Path | None:
        """Take your move in a position; return the game that beats it, or None."""
        state = state_of((*path, cell))
        before = state_of(path)
        assert state is not None and before is not None
        self.asked += 1
        self._answers[canonical(path)] = canonical_moves(before, [cell])[0]
        if minimax_values()[state] != LOSS[self.side]:
            return None
        self.lost[path] = game = (*path, cell, *losing_line(state))
        return game

    @property
    def preferences(self) -> NDArray[np.float64]:
        """Return float64[16167]: 1 for your move, or for any where it does not matter."""
        states, found = space(), forced_moves(self.side).copy()
        for name, move in self._answers.items():
            edges = states.canonical[states.edge_state] == name
            found[edges] = states.canonical_edge[edges] == move
        return found

    @property
    def is_beatable(self) -> bool:
        """Whether somebody can beat your answers, exactly."""
        return bool(which_are_beatable(self.preferences[None], self.side)[0])


def state_of(path: Path) -> int | None:
    """Return the position after some moves; None if one is illegal."""
    state = 0
    for cell in path:
        state = int(space().successor[state, cell])
        if state < 0:
            return None
    return state


def canonical(path: Path) -> int:
    state = state_of(path)
    assert state is not None
    return int(space().canonical[state])


@cache
def free(state: int) -> list[int]:
    """Return the cells that can be marked; none if the game is over."""
    return [int(space().edge_cell[edge]) for edge in space().edges_of(state)]


def completing(board: str, mark: str) -> list[int]:
    """Return the cells that complete a line of a mark."""
    lines = ([board[cell] for cell in line] for line in LINES)
    return [
        line[marks.index(".")]
        for line, marks in zip(LINES, lines, strict=True)
        if marks.count(mark) == 2 and "." in marks
    ]


@cache
def cells_of(state: int) -> list[int]:
    """Return what the mover may mark: a win, or else a block, or else any free cell."""
    board, cells = space().text(state), free(state)
    own = Side(int(space().ply[state]) % 2)
    if cells:
        return completing(board, own.mark) or completing(board, own.other.mark) or cells
    return []


def canonical_moves(state: int, cells: Iterable[int]) -> list[int]:
    """Return the edge that stands for each move and its mirror images."""
    states = space()
    return [int(states.canonical_edge[states.edge_of[state, cell]]) for cell in cells]


@cache
def may_lose(side: Side) -> NDArray[np.bool_]:
    """Return in which positions a side that wins and blocks can still lose, bool[5478]."""
    states = space()
    found: NDArray[np.bool_] = states.outcome == (O_WON if side is Side.X else X_WON)
    for state in reversed(range(len(found))):
        cells = cells_of(state) if states.ply[state] % 2 == side else free(state)
        found[state] |= any(found[states.successor[state, cell]] for cell in cells)
    found.flags.writeable = False
    return found


@cache
def forced_moves(side: Side) -> NDArray[np.float64]:
    """Return float64[16167]: 1 for each move that a side may make that wins and blocks."""
    states, found = space(), np.zeros(EDGES)
    for state in np.flatnonzero((states.outcome == 0) & (states.ply % 2 == side)).tolist():
        found[[states.edge_of[state, cell] for cell in cells_of(state)]] = 1.0
    found.flags.writeable = False
    return found


@cache
def losing_line(state: int) -> Path:
    """Return how a lost game ends: the winner is quick, the loser holds out."""
    states, value = space(), minimax_values()
    if states.outcome[state]:
        return ()
    is_x = states.ply[state] % 2 == 0
    keep = [c for c in free(state) if value[states.successor[state, c]] == value[state]]
    lines = [(cell, *losing_line(int(states.successor[state, cell]))) for cell in keep]
    return (min if is_x == (value[state] > 0) else max)(lines, key=len)
