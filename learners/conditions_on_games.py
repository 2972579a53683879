"""Conditions on moves and games; see `learners.conditions`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from learners.backups import MOVE, OUTCOME
from learners.conditions import Atom
from learners.engine import EXPLORED

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from learners.memory import Layout
    from learners.recording import Recording
    from learners.segments import Segment

RESULTS: Final = {"O loses": 1, "X loses": 2, "draw": 3}
"""Results of a game by the words of the notation."""
SAME_TURN: Final = ~(3 | 255 << 7)
"""What two events of one player at one ply of one game have in common in `meta`."""


@dataclass(frozen=True)
class Exploratory(Atom):
    """A move to which a sibling was preferred."""

    breadth = 4

    def stops(self, recording: Recording) -> NDArray[np.int64]:
        return np.flatnonzero(recording.meta & (3 | EXPLORED << 7) == MOVE | EXPLORED << 7)

    def holds(self, recording: Recording, rows: NDArray[np.int64]) -> NDArray[np.bool_]:
        turns = recording.meta[self.stops(recording)] & SAME_TURN
        return np.isin(recording.meta[rows] & SAME_TURN, turns)

    def __str__(self) -> str:
        return "exploratory"


@dataclass(frozen=True)
class Ended(Atom):
    """A game ended so."""

    result: str
    """One of `RESULTS`."""
    breadth = 5

    def stops(self, recording: Recording) -> NDArray[np.int64]:
        columns: Any = recording.columns
        rows = np.flatnonzero(recording.kinds == OUTCOME)
        return np.asarray(rows[columns.entry[rows] == RESULTS[self.result]])

    def holds(self, recording: Recording, rows: NDArray[np.int64]) -> NDArray[np.bool_]:
        return np.isin(recording.games[rows], recording.games[self.stops(recording)])

    def may_hold(self, segment: Segment, layout: Layout) -> bool:
        code, after = RESULTS[self.result], segment.after
        return after is None or bool(segment.before.tally[code] < after.tally[code])

    def __str__(self) -> str:
        return self.result


@dataclass(frozen=True)
class Games(Atom):
    """A game began whose number is `first` .. `last`."""

    first: int
    """From 0, as in a trace; the notation counts from 1, as the screens do."""
    last: int
    breadth = 6

    def stops(self, recording: Recording) -> NDArray[np.int64]:
        low, high = max(self.first, recording.first), min(self.last + 1, recording.last)
        numbers = np.arange(low, max(low, high))
        return np.searchsorted(recording.games, numbers).astype(np.int64)

    def holds(self, recording: Recording, rows: NDArray[np.int64]) -> NDArray[np.bool_]:
        games = recording.games[rows]
        return np.asarray((self.first <= games) & (games <= self.last))

    def may_hold(self, segment: Segment, layout: Layout) -> bool:
        return segment.first <= self.last and self.first < segment.last

    def __str__(self) -> str:
        to = f"..{self.last + 1}" if self.last > self.first else ""
        return f"game {self.first + 1}{to}"
