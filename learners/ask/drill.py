"""Prove yourself unbeatable: one answer for each position that your own answers leave open.

A position and its mirror images are one question. What is forced is not asked: you win where you
can and block where you must. Positions are not asked either in which you can no longer lose.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Final

from afterstate_lab.game import Side, space
from afterstate_lab.game.constants import LINES, O_WON, X_WON
from afterstate_lab.game.exact import Bools, minimax_values

Path = tuple[int, ...]
"""The cells 0-8 of a game, from the empty board."""
LOSS: Final = {Side.X: -1, Side.O: 1}
"""The minimax value of a lost position."""


class Drill:
    """Your answers as a side, and the questions that they leave open.

    Args:
        side: your side.
    """

    def __init__(self, side: Side) -> None:
        self.side = side
        self.answers: dict[int, int] = {}
        """By position, your move; of mirror images, the canonical ones."""
        self.lost: dict[Path, Path] = {}
        """By question, the whole game that beats your answer."""

    def open(self) -> Iterator[Path]:
        """Yield the games to the positions that are still to be answered, the next one first."""
        canonical, seen = space().canonical, set()
        todo: list[Path] = [()]
        while todo:
            path = todo.pop()
            state = state_of(path)
            name = int(canonical[state])
            if name in seen or not is_open(self.side)[state]:
                continue
            seen.add(name)
            cells = free(state)
            if space().ply[state] % 2 == self.side:
                kinds = [canonical_move(state, cell) for cell in cells_of(state)]
                if name not in self.answers and len({*kinds}) > 1:
                    yield path
                    continue
                move = self.answers.get(name, kinds[0])
                cells = [cell for cell in cells if canonical_move(state, cell) == move][:1]
            todo += [(*path, cell) for cell in reversed(cells)]

    def answer(self, path: Path, cell: int) -> Path | None:
        """Take your move in a position; return the game that beats it, or None."""
        before, state = state_of(path), state_of((*path, cell))
        self.answers[int(space().canonical[before])] = canonical_move(before, cell)
        if minimax_values()[state] != LOSS[self.side]:
            return None
        self.lost[path] = game = (*path, cell, *losing_line(state))
        return game


def state_of(path: Path) -> int:
    """Return the position after some legal moves."""
    state = 0
    for cell in path:
        state = int(space().successor[state, cell])
    return state


@cache
def free(state: int) -> list[int]:
    """Return the cells that can be marked; none if the game is over."""
    return [int(space().edge_cell[edge]) for edge in space().edges_of(state)]


@cache
def cells_of(state: int) -> list[int]:
    """Return what a player may mark that wins where it can and blocks where it must."""
    board, cells = space().text(state), free(state)

    def completing(mark: str) -> list[int]:
        lines = [line for line in LINES if sorted(board[n] for n in line) == [".", mark, mark]]
        return [n for line in lines for n in line if n in cells]

    own, other = "XO" if space().ply[state] % 2 == 0 else "OX"
    return completing(own) or completing(other) or cells


def canonical_move(state: int, cell: int) -> int:
    """Return the edge that stands for a move and its mirror images."""
    return int(space().canonical_edge[space().edge_of[state, cell]])


@cache
def is_open(side: Side) -> Bools:
    """Return where a side that wins and blocks can still lose, and has not lost yet, bool[5478]."""
    states = space()
    found: Bools = states.outcome == (O_WON if side is Side.X else X_WON)
    for state in reversed(range(len(found))):
        cells = cells_of(state) if states.ply[state] % 2 == side else free(state)
        found[state] |= any(found[states.successor[state, cell]] for cell in cells)
    found &= minimax_values() != LOSS[side]
    return found


@cache
def losing_line(state: int) -> Path:
    """Return how a lost game ends: the winner is quick, the loser holds out."""
    states, value = space(), minimax_values()
    keep = [c for c in free(state) if value[states.successor[state, c]] == value[state]]
    lines = [(cell, *losing_line(int(states.successor[state, cell]))) for cell in keep]
    wins = (states.ply[state] % 2 == 0) == (value[state] > 0)
    return (min if wins else max)(lines, key=len, default=())
