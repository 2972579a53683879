"""Keyframes: memory and results before some games of a run, so that the others are not far."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

MOST = 64
"""How many are kept."""


@dataclass(frozen=True, eq=False)
class Keyframe:
    """Memory and results before a game. Nobody writes them any more."""

    game: int
    memory: NDArray[np.float64]
    tally: NDArray[np.int64]

    @cached_property
    def sha256(self) -> str:
        """The hash of memory and results."""
        return memory_hash(np.concatenate((self.memory, self.tally)))


@dataclass(frozen=True, eq=False)
class Keyframes:
    """Keyframes of a run in the order of its games, spread over all of it.

    Never more than `MOST`, and none farther from the next than twice the games divided by `MOST`,
    if training pauses to add one as often as `spacing` says.
    """

    frames: tuple[Keyframe, ...]

    def with_frame(
        self, game: int, memory: NDArray[np.float64], tally: NDArray[np.int64]
    ) -> Keyframes:
        """The same with a copy of what was known before a game, if the last one is far enough back.

        Where that makes too many, the one goes whose neighbours are nearest to each other.
        """
        if game - self.frames[-1].game < spacing(game):
            return self
        frames = [*self.frames, Keyframe(game, memory.copy(), tally.copy())]
        if len(frames) > MOST:
            gaps = [b.game - a.game for a, b in zip(frames, frames[2:], strict=False)]
            del frames[1 + gaps.index(min(gaps))]
        return Keyframes(tuple(frames))

    def until(self, game: int) -> Keyframes:
        """Those that are not after a game."""
        return Keyframes(tuple(frame for frame in self.frames if frame.game <= game))


def spacing(game: int) -> int:
    """Games from one keyframe to the next, at a game."""
    return max(1, game // MOST)


def longest_gap(games: int) -> int:
    """Games that may lie between two keyframes of a run."""
    return 2 * spacing(games)


def memory_hash(memory: NDArray[np.float64]) -> str:
    """sha256 of memory as little-endian float64: equal where all was learned alike, bit by bit."""
    return hashlib.sha256(np.ascontiguousarray(memory, dtype="<f8").data).hexdigest()
