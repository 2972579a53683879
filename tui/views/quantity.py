"""What a number on the screen stands for, so that all places where it is shown can be marked."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Role(Enum):
    """What a number is in the update that is looked at."""

    OLD = "old"
    """What the entry that is backed up held before."""
    NEW = "new"
    """What is written there."""
    READ = "read"
    """What the backup looks at."""
    ENTRY = "entry"
    """What any other entry of the memory holds."""
    MEAN = "mean"
    """The mean of a learner's two tables, by which moves are ranked."""
    REWARD = "reward"
    """What the result is worth."""
    TARGET = "target"
    """What the entry is moved towards, where more is in it than what was read."""
    ERROR = "error"
    """The TD error."""
    CHANGE = "change"
    """New minus old."""
    STEP = "step"
    """The step size."""
    DISCOUNT = "discount"
    """The discount rate."""
    TRACE = "trace"
    """How much of the error reaches the entry."""
    BEADS = "beads"
    """How many beads a result moves."""


@dataclass(frozen=True, slots=True)
class Quantity:
    """One number; equal quantities are the same number, wherever they are shown."""

    role: Role
    entry: int = -1
    """Index into memory; -1 for what is worked out and stored nowhere."""
