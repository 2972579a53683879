"""Keyframes: memory and results before some games of a run, from which the others are replayed."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

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


@dataclass(frozen=True, eq=False)
class Keyframes:
    """Keyframes of a run in the order of its games, spread evenly.

    At most `MOST`. If training adds one every `spacing` games, two neighbours are at most twice the
    number of games divided by `MOST` apart.
    """

    frames: tuple[Keyframe, ...]

    def with_frame(
        self, game: int, memory: NDArray[np.float64], tally: NDArray[np.int64]
    ) -> Keyframes:
        """These and a copy of memory and results before a game, if the last is far enough back.

        If there are too many then, the one whose neighbours are nearest to each other is removed.
        """
        if game - self.frames[-1].game < spacing(game):
            return self
        frames = [*self.frames, Keyframe(game, memory.copy(), tally.copy())]
        if len(frames) > MOST:
            gaps = [b.game - a.game for a, b in zip(frames, frames[2:], strict=False)]
            del frames[1 + gaps.index(min(gaps))]
        return Keyframes(tuple(frames))

    def until(self, game: int) -> Keyframes:
        """The keyframes at or before a game."""
        return Keyframes(tuple(frame for frame in self.frames if frame.game <= game))


def spacing(game: int) -> int:
    """Games from the last keyframe to one before `game`."""
    return max(1, game // MOST)


def longest_gap(games: int) -> int:
    """Maximum number of games between two keyframes of a run."""
    return 2 * spacing(games)


def memory_hash(memory: NDArray[np.float64]) -> str:
    """sha256 of memory as little-endian float64: equal if all learned values are, bit by bit."""
    return hashlib.sha256(np.ascontiguousarray(memory, dtype="<f8").data).hexdigest()
