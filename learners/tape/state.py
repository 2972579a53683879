"""The complete state of a run after a game: what the store saves, and what a run is restored from.

A `RunState` is frozen and shares nothing that its run still writes, so another thread can save it
while the run continues.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from typing import TYPE_CHECKING

from learners.kernel.memory import Layout
from learners.tape.keyframes import memory_hash

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from learners.rules.spec import PlayerSpec
    from learners.tape.keyframes import Keyframe


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


@dataclass(frozen=True, eq=False)
class RunState:
    """The state of a run after a game."""

    x: PlayerSpec
    o: PlayerSpec
    seed: int
    games: int
    """Number of games that are over."""
    memory: NDArray[np.float64]
    """float64[2N]"""
    tally: NDArray[np.int64]
    """int64[4 + RECENT], the results."""
    seating_changes: tuple[tuple[int, Seating], ...]
    """(game, seating): the seating from that game on."""
    scripts: Mapping[int, tuple[int, ...]]
    """By game, the moves given from outside."""
    keyframes: tuple[Keyframe, ...]
    """In order of games; the first is the start."""

    @cached_property
    def layout(self) -> Layout:
        return Layout.of(self.x, self.o)

    @cached_property
    def sha256(self) -> str:
        """The hash of memory: equal for two runs if all they learned is, bit by bit."""
        return memory_hash(self.memory)
