"""The board: an immutable position of tic-tac-toe that only legal play can reach.

`space` has every position and every move as arrays (`game.arrays`), which are loaded on first use.
"""

from __future__ import annotations

import operator
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Final, SupportsIndex

from afterstate_lab.game.constants import POSITIONS, Mark, holds_line

if TYPE_CHECKING:
    from afterstate_lab.game.arrays import StateSpace

EMPTY: Final = "........."

_DIGIT_OF_MARK: Final = str.maketrans(".XO", "012")


SHOWN: Final = 24
"""Maximum number of characters of a wrong text in a message."""
LARGEST_SHOWN: Final = 10**12
"""The largest wrong number in a message: Python refuses to print thousands of digits."""


class InvalidBoardError(ValueError):
    """A text, code or id that is not a position reachable by legal play."""


class IllegalMoveError(ValueError):
    """A move that the rules do not allow: taken cell, off the board, or the game is over."""


def shorten(number: int) -> str:
    """Return a number as text if it is not long."""
    return f"{number}" if abs(number) < LARGEST_SHOWN else "a number of many digits"


@cache
def space() -> StateSpace:
    """Return the state space, built on first use (in a few milliseconds)."""
    from afterstate_lab.game.arrays import StateSpace

    return StateSpace()


@dataclass(frozen=True, slots=True, repr=False)
class Board:
    """A position: nine cells, numbered 0-8 row by row; X opens. ``Board()`` is the empty board.

    Equal, hashed and printed by its nine characters `X`, `O`, `.`.
    """

    _cells: str = field(default=EMPTY, init=False)

    @classmethod
    def parse(cls, text: str) -> Board:
        """Return the position written as nine characters `X`, `O`, `.`, row by row."""
        fault = _fault(text)
        if fault is not None:
            cut = "..." * (len(text) > SHOWN)
            raise InvalidBoardError(f"{text[:SHOWN]!r}{cut} is not a board: {fault}.")
        return _trusted(text)

    @classmethod
    def from_id(cls, id: SupportsIndex) -> Board:
        """Return the position with this dense id in `game.space`."""
        id = operator.index(id)
        if not 0 <= id < POSITIONS:
            raise InvalidBoardError(
                f"{shorten(id)} is not a board's id: ids run from 0 to {POSITIONS - 1}."
            )
        return _trusted(space().text(id))

    @property
    def to_move(self) -> Mark:
        """The player to move; on a finished board, the player who would move."""
        return "X" if self.ply % 2 == 0 else "O"

    @property
    def ply(self) -> int:
        return 9 - self._cells.count(".")

    @property
    def winner(self) -> Mark | None:
        """The player with a line of three."""
        if holds_line(self._cells, "X"):
            return "X"
        return "O" if holds_line(self._cells, "O") else None

    @property
    def is_over(self) -> bool:
        return "." not in self._cells or self.winner is not None

    @property
    def legal_cells(self) -> tuple[int, ...]:
        """The free cells, 0-8 ascending; none if the game is over."""
        if self.is_over:
            return ()
        return tuple(cell for cell, mark in enumerate(self._cells) if mark == ".")

    def play(self, cell: SupportsIndex) -> Board:
        """Return the board after the player to move marks `cell` (0-8; messages call it 1-9)."""
        cell = operator.index(cell)
        if not 0 <= cell < 9:
            raise IllegalMoveError(f"Cell {shorten(cell + 1)} is off the board: cells are 1 to 9.")
        if self.is_over:
            ending = "is a draw" if self.winner is None else f"is won by {self.winner}"
            raise IllegalMoveError(f"The game is over: {self} {ending}.")
        if self._cells[cell] != ".":
            free = ", ".join(str(legal + 1) for legal in self.legal_cells)
            raise IllegalMoveError(
                f"Cell {cell + 1} is taken by {self._cells[cell]}: free cells are {free}."
            )
        return _trusted(self._cells[:cell] + self.to_move + self._cells[cell + 1 :])

    @property
    def code(self) -> int:
        """Σ 3^i·d_i over the cells i, with d = 0 empty, 1 X, 2 O."""
        return int(self._cells[::-1].translate(_DIGIT_OF_MARK), 3)

    @property
    def id(self) -> int:
        """The dense id 0-5477 in `game.space`, in order of ply and then code."""
        return int(space().id_of_code[self.code])

    @property
    def canonical(self) -> Board:
        """The board with the smallest id among its images under the eight symmetries."""
        return Board.from_id(int(space().canonical[self.id]))

    def __str__(self) -> str:
        return self._cells

    def __repr__(self) -> str:
        return f"Board.parse({self._cells!r})"


def reachable_boards() -> Iterator[Board]:
    """Yield all 5,478 positions reachable by legal play, in order of their ids."""
    return map(_trusted, space().texts)


def _trusted(cells: str) -> Board:
    """Return the board of nine characters that are known to be reachable."""
    board = Board()
    object.__setattr__(board, "_cells", cells)
    return board


def _fault(text: str) -> str | None:
    """Return why `text` is not a reachable position, or None if it is."""
    if len(text) != 9:
        return f"its length is {len(text)}, a board has 9 characters"
    stranger = next((character for character in text if character not in ".XO"), None)
    if stranger is not None:
        return f"it contains {stranger!r}, a board has only 'X', 'O' and '.'"
    x_count, o_count = text.count("X"), text.count("O")
    if x_count - o_count not in (0, 1):
        counts = f"X has {x_count} and O has {o_count} marks"
        return f"{counts}, but X opens and the players take turns"
    x_won, o_won = holds_line(text, "X"), holds_line(text, "O")
    if x_won and o_won:
        return "both players have three in a row"
    if x_won and x_count == o_count:
        return "play continued after X won"
    if o_won and x_count > o_count:
        return "play continued after O won"
    return None
