"""The complete state of a run after a game: what the store saves, and what a run is restored from.

Keyframes are memory and results before some games, from which the others are replayed.

A `RunState` is frozen and shares nothing that its run still writes, so another thread can save it
while the run continues.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from afterstate_lab.learners.kernel.memory import Layout

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from afterstate_lab.learners.rules.spec import PlayerSpec


MOST = 64
"""Maximum number of keyframes."""


@dataclass(frozen=True, eq=False)
class Keyframe:
    """Memory and results before a game, never written again."""

    game: int
    memory: NDArray[np.float64]
    tally: NDArray[np.int64]

    @cached_property
    def sha256(self) -> str:
        """The hash of memory and results."""
        return memory_hash(np.concatenate((self.memory, self.tally)))


def with_keyframe(
    frames: tuple[Keyframe, ...], game: int, memory: NDArray[np.float64], tally: NDArray[np.int64]
) -> tuple[Keyframe, ...]:
    """Keyframes in the order of games, spread evenly, and one more if the last is far enough back.

    There are at most `MOST`: else the one whose neighbours are nearest to each other is removed. If
    training adds one every `spacing` games, two neighbours are at most `longest_gap` apart.
    """
    if game - frames[-1].game < spacing(game):
        return frames
    frames = (*frames, Keyframe(game, memory.copy(), tally.copy()))
    if len(frames) <= MOST:
        return frames
    gaps = [b.game - a.game for a, b in zip(frames, frames[2:], strict=False)]
    nearest = 1 + gaps.index(min(gaps))
    return (*frames[:nearest], *frames[nearest + 1 :])


def spacing(game: int) -> int:
    """Games from the last keyframe to one before `game`."""
    return max(1, game // MOST)


def longest_gap(games: int) -> int:
    """Maximum number of games between two keyframes of a run."""
    return 2 * spacing(games)


def memory_hash(memory: NDArray[np.float64]) -> str:
    """sha256 of memory as little-endian float64: equal if all learned values are, bit by bit."""
    return hashlib.sha256(np.ascontiguousarray(memory, dtype="<f8").data).hexdigest()


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
