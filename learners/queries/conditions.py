"""Conditions of breakpoints: the events at which a search stops.

A condition has one text notation everywhere (`learners.queries.condition_parser.parse`, `str`):

    error > 0.3              a backup with |δ| above a number
    change                   a backup that changes a value: old and new differ
    wrote X ....X....        X's entry of a board was written (wrote X X..O.....@3: of a move)
    flip                     a backup changed the greedy moves of some position
    flip X....O...           ... of this position
    exploratory              an exploratory move
    first visit              an entry was written for the first time
    X loses, O loses, draw   a game ended with this result
    game 424, game 1..99     a game started with this number, or one in this range (from 1)

and any combination with `and`, `or` and parentheses. `error > 0.3 and X loses` stops at the large
errors in the games that X loses: in a conjunction, a property of a game holds for all its events,
and `exploratory` for the move and for the backups of its player at that ply. The search stops at
the event of the narrowest part.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from typing import TYPE_CHECKING, ClassVar, Final

import numpy as np

from learners.errors import ConditionError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from learners.kernel.memory import Layout
    from learners.tape.recording import Recording
    from learners.tape.segments import Segment

MOST_ALTERNATIVES: Final = 64
"""Maximum number of alternatives after expanding `or` (disjunctive normal form)."""


class Condition:
    """A condition on events; frozen, and equal if it means the same."""

    def ways(self) -> tuple[tuple[Atom, ...], ...]:
        """The condition in disjunctive normal form: alternatives, each a conjunction of atoms."""
        raise NotImplementedError

    def check(self, layout: Layout) -> None:
        """Check that the condition can come true for these players.

        Raises:
            ConditionError: it cannot; the message says why.
        """
        for way in self.ways():
            for atom in way:
                atom.check(layout)

    def rows(self, recording: Recording) -> NDArray[np.int64]:
        """The rows of a recording (of whole games) at which a search stops, in order."""
        found = [rows_of(way, recording) for way in self.ways()]
        return found[0] if len(found) == 1 else np.unique(np.concatenate(found))

    def may_hold(self, segment: Segment, layout: Layout) -> bool:
        """Whether it may come true in this segment, as far as its keyframes show."""
        return any(all(atom.may_hold(segment, layout) for atom in way) for way in self.ways())

    def __and__(self, other: Condition) -> Condition:
        return AllOf((*parts_of(self, AllOf), *parts_of(other, AllOf)))

    def __or__(self, other: Condition) -> Condition:
        return AnyOf((*parts_of(self, AnyOf), *parts_of(other, AnyOf)))


def parts_of(condition: Condition, joined: type[AllOf] | type[AnyOf]) -> tuple[Condition, ...]:
    """The parts of a condition of this type; any other condition alone."""
    return condition.parts if isinstance(condition, joined) else (condition,)


def rows_of(way: tuple[Atom, ...], recording: Recording) -> NDArray[np.int64]:
    """The rows where all atoms hold: those of the narrowest atom at which the others hold."""
    narrowest = min(way, key=lambda atom: atom.breadth)
    rows = narrowest.stops(recording)
    for atom in way:
        if atom is not narrowest and len(rows):
            rows = rows[atom.holds(recording, rows)]
    return rows


@dataclass(frozen=True)
class AllOf(Condition):
    """All parts hold together."""

    parts: tuple[Condition, ...]

    def ways(self) -> tuple[tuple[Atom, ...], ...]:
        ways: tuple[tuple[Atom, ...], ...] = ((),)
        for part in self.parts:
            others = part.ways()
            if len(ways) * len(others) > MOST_ALTERNATIVES:
                raise ConditionError(
                    f"this condition can come true in more than {MOST_ALTERNATIVES} ways;"
                    " ask for fewer of them at once"
                )
            ways = tuple(way + other for way in ways for other in others)
        return ways

    def __str__(self) -> str:
        return " and ".join(f"({p})" if isinstance(p, AnyOf) else str(p) for p in self.parts)


@dataclass(frozen=True)
class AnyOf(Condition):
    """At least one part holds."""

    parts: tuple[Condition, ...]

    def ways(self) -> tuple[tuple[Atom, ...], ...]:
        return reduce(lambda ways, part: ways + part.ways(), self.parts, ())

    def __str__(self) -> str:
        return " or ".join(map(str, self.parts))


class Atom(Condition):
    """A condition without `and` and `or`."""

    breadth: ClassVar[int] = 0
    """In a conjunction the search stops at the rows of the atom with the least breadth: 0-3 are
    single backups (the quickest to find first), 4 a move, 5 the end of a game, 6 its start."""

    def ways(self) -> tuple[tuple[Atom, ...], ...]:
        return ((self,),)

    def check(self, layout: Layout) -> None:
        pass

    def stops(self, recording: Recording) -> NDArray[np.int64]:
        """The rows at which a search for this atom alone stops."""
        raise NotImplementedError

    def holds(self, recording: Recording, rows: NDArray[np.int64]) -> NDArray[np.bool_]:
        return np.isin(rows, self.stops(recording), assume_unique=True)

    def may_hold(self, segment: Segment, layout: Layout) -> bool:
        return True
