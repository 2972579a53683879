"""The seats of a game: people and learners; and the moves prescribed for it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum

from afterstate_lab.game import IllegalMoveError
from afterstate_lab.game.board import shorten


class Seat(Enum):
    """Who plays a side, and whether it learns from the game."""

    LEARNS = "learns"
    FROZEN = "frozen"
    HUMAN = "human"


@dataclass(frozen=True)
class Seating:
    """The seats of X and O."""

    x: Seat = Seat.LEARNS
    o: Seat = Seat.LEARNS

    @property
    def has_human(self) -> bool:
        """Whether a person plays."""
        return Seat.HUMAN in (self.x, self.o)

    @property
    def has_one_human(self) -> bool:
        """Whether a person plays against a program."""
        return (self.x is Seat.HUMAN) != (self.o is Seat.HUMAN)


def seating_at(changes: Sequence[tuple[int, Seating]], game: int) -> Seating:
    """Return the seating of a game."""
    return next(seats for first, seats in reversed(changes) if first <= game)


def script_of(moves: Mapping[int, int]) -> tuple[int, ...]:
    """Return a script from cells (0-8) by ply (1-9)."""
    for ply, cell in moves.items():
        if not (1 <= ply <= 9 and 0 <= cell <= 8):
            raise IllegalMoveError(
                f"No cell {shorten(cell + 1)} at ply {shorten(ply)}: both are 1 to 9."
            )
    return tuple(moves.get(ply, -1) for ply in range(10))


def cells_of(script: Sequence[int]) -> dict[int, int]:
    """Return the cells of a script by ply."""
    return {ply: cell for ply, cell in enumerate(script) if cell >= 0}
