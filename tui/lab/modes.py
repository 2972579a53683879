"""The modes of the lab, its players, and how long they train. Light: for the first paint."""

from __future__ import annotations

import re
from enum import Enum
from typing import TYPE_CHECKING, Final

from afterstate_lab.learners import lean_dataclass
from afterstate_lab.learners.rules.spec import PlayerSpec

if TYPE_CHECKING:
    from afterstate_lab.learners.training import Goal


SPEEDS = (0.5, 1.0, 2.0, 4.0, 8.0, 16.0)
"""Moves per second."""


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
    VALUES = "values"
    EXACT = "exact"


@lean_dataclass
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


LARGEST_TRAINING: Final = 10**9
"""Games."""
NUMBER: Final = re.compile(
    r"(?P<digits>[0-9]{1,3}([,_][0-9]{3}){1,3}|[0-9]{1,12})(?:(?P<unit>[km])|e(?P<zeros>[0-9]))?"
)
UNTIL: Final = re.compile(r"^(?:(?:until|till) )?(?:they are )?")


def goal_of(text: str) -> Goal | None:
    """Parse a goal: `20000`, `100k`, `1m`, `unbeatable` or `until unbeatable`."""
    from afterstate_lab.learners.training import PATIENCE, Goal

    word = UNTIL.sub("", text.strip().lower())
    if word and "unbeatable".startswith(word):
        return Goal(PATIENCE, until_unbeatable=True)
    games = games_of(word)
    return Goal(games) if games is not None and 1 <= games <= LARGEST_TRAINING else None


def games_of(text: str) -> int | None:
    """Parse a number of games or seeds: `20000`, `20,000`, `100k`, `1m` or `1e6`."""
    match = NUMBER.fullmatch(text.strip().lower())
    if match is None:
        return None
    digits = match["digits"].replace(",", "").replace("_", "")
    zeros = {"k": 3, "m": 6}.get(match["unit"], int(match["zeros"] or 0))
    return int(digits + "0" * zeros)
