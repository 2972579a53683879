"""The settings of a new run as a user types them, checked."""

from __future__ import annotations

from learners.engine.dice import LARGEST_SEED
from learners.errors import UsageError
from learners.rules.options import IntegerOption
from learners.rules.spec import PlayerSpec
from tui.lab.modes import Settings

SEED = IntegerOption("seed", 0, "", 0, LARGEST_SEED)


def seed_of(text: str) -> int:
    """The seed that a user typed.

    Raises:
        UsageError: it is no whole number from 0 to the largest seed.
    """
    return SEED.parse(text.strip())


def checked_settings(x: PlayerSpec, o: PlayerSpec, seed: int) -> Settings:
    """The settings of a new run in which somebody learns.

    Raises:
        UsageError: two humans play, or a player cannot play its side.
    """
    if x.rule.human and o.rule.human:
        raise UsageError("two people need no learner; play --plain --x human --o human is for them")
    return Settings(x, o, seed)
