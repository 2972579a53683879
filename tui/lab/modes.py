"""The modes of the lab, and its players. Light: the first paint needs only this."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from afterstate_lab.learners.rules.spec import PlayerSpec

SPEEDS = (0.5, 1.0, 2.0, 4.0, 8.0, 16.0)
"""Moves per second."""


def speed_words(speed: float) -> str:
    """Return a speed of watching: `2 moves a second`."""
    return "1 move a second" if speed == 1 else f"{speed:g} moves a second"


class Mode(Enum):
    """What the lab is doing; all four modes show the same history."""

    PLAY = "play"
    WATCH = "watch"
    STEP = "step"
    TRAIN = "train"


class Help(Enum):
    """What the board shows to a person who plays."""

    OFF = "off"
    HINT = "hint"
    RANKS = "ranks"
    VALUES = "values"
    EXACT = "exact"

    def next(self, by: int = 1) -> Help:
        """Return the next (1) or previous (-1) level, cyclically."""
        levels = list(Help)
        return levels[(levels.index(self) + by) % len(levels)]


@dataclass(frozen=True)
class Settings:
    """The players and the seed.

    Raises:
        UsageError: a player cannot play its side.
    """

    x: PlayerSpec
    o: PlayerSpec
    seed: int = 0

    def __post_init__(self) -> None:
        for side, player in enumerate((self.x, self.o)):
            player.rule.check_side(side)

    @property
    def mode(self) -> Mode:
        """The lab's first mode."""
        return Mode.PLAY if self.x.rule.human or self.o.rule.human else Mode.WATCH
