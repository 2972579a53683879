"""All there is to know about a run, at one moment: what is stored of it, and what it is made from.

A `RunState` is frozen, and shares nothing that a run still writes: it can be saved by another
thread while the run goes on.
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
    """Who sits where."""

    x: Seat = Seat.LEARNS
    o: Seat = Seat.LEARNS

    @property
    def has_human(self) -> bool:
        """Whether a person plays."""
        return Seat.HUMAN in (self.x, self.o)


@dataclass(frozen=True, eq=False)
class RunState:
    """A run as it stood after a game."""

    x: PlayerSpec
    o: PlayerSpec
    seed: int
    games: int
    """Games that are over."""
    memory: NDArray[np.float64]
    """float64[2N]"""
    tally: NDArray[np.int64]
    """int64[4 + RECENT], the results."""
    legs: tuple[tuple[int, Seating], ...]
    """From which game on who sits where."""
    scripts: Mapping[int, tuple[int, ...]]
    """By game, the moves given from outside."""
    keyframes: tuple[Keyframe, ...]
    """In order of games; the first is the start."""

    @cached_property
    def layout(self) -> Layout:
        """Where everything lies in memory."""
        return Layout.of(self.x, self.o)

    @cached_property
    def sha256(self) -> str:
        """The hash of memory: two runs with the same one have learned the same, bit by bit."""
        return memory_hash(self.memory)
