"""What the lab can be doing, and with whom. Light: the first painting needs nothing else."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from afterstate_lab.learners.rules.spec import PlayerSpec

SPEEDS = (0.5, 1.0, 2.0, 4.0, 8.0, 16.0)
"""Moves a second."""


def speed_words(speed: float) -> str:
    """Return a speed of watching: `2 moves a second`."""
    return "1 move a second" if speed == 1 else f"{speed:g} moves a second"


class Mode(Enum):
    """What the lab is doing; all four look at the same tape."""

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
        """The next one (1), or the previous (-1), round and round."""
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
        """What the lab does first."""
        return Mode.PLAY if self.x.rule.human or self.o.rule.human else Mode.WATCH
