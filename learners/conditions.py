"""Conditions to break at: what an event must be for a search to stop there.

A condition has one text notation everywhere (`Condition.parse`, `str`):

    error > 0.3              a backup with |δ| above a number
    wrote X ....X....        X's entry of a board was written (wrote X X..O.....@3: of a move)
    flip                     a backup changed the greedy moves of some position
    flip X....O...           ... of this position
    exploratory              an exploratory move
    first visit              an entry was written for the first time
    X loses, O loses, draw   a game ended so
    game 424, game 1..99     a game began whose number is this, or one of these

and what is made of these with `and`, `or` and parentheses. `error > 0.3 and X loses` stops at the
large errors in the games that X loses: in a conjunction, what a game is holds for all its events,
and `exploratory` for the move and for what its player learns from it right away. The search stops
at the event of the part that tells most narrowly where.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache, reduce
from typing import TYPE_CHECKING, Any, ClassVar, Final

import numpy as np

from game import Board, space
from learners.backups import BACKUP, MOVE, OUTCOME
from learners.engine import EXPLORED
from learners.errors import ConditionError
from learners.flips import flip_rows
from learners.options import shortest

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from learners.memory import Layout
    from learners.recording import Recording
    from learners.segments import Segment

MOST_ALTERNATIVES: Final = 64
"""A condition may come true in so many ways at most, once its `or`s are drawn out."""
RESULTS: Final = {"O loses": 1, "X loses": 2, "draw": 3}
"""Results of a game by the words of the notation."""
SAME_TURN: Final = ~(3 | 255 << 7)
"""What two events of one player at one ply of one game have in common in `meta`."""


class Condition:
    """What an event must be; frozen, and equal when it says the same."""

    @staticmethod
    def parse(text: str) -> Condition:
        """Read a condition.

        Raises:
            ConditionError: the text is none; one sentence says why.
        """
        from learners.condition_notation import parse

        return parse(text)

    def ways(self) -> tuple[tuple[Atom, ...], ...]:
        """The condition as alternatives, each of which is some atoms that hold together."""
        raise NotImplementedError

    def check(self, layout: Layout) -> None:
        """See that the condition can come true for these players.

        Raises:
            ConditionError: it cannot; one sentence says why.
        """
        for way in self.ways():
            for atom in way:
                atom.check(layout)

    def rows(self, recording: Recording) -> NDArray[np.int64]:
        """The rows of a recording (of whole games) at which a search stops, in order."""
        found = [rows_of(way, recording) for way in self.ways()]
        return found[0] if len(found) == 1 else np.unique(np.concatenate(found))

    def may_hold(self, segment: Segment, layout: Layout) -> bool:
        """Whether it may come true in these games, as far as their keyframes tell."""
        return any(all(atom.may_hold(segment, layout) for atom in way) for way in self.ways())

    def __and__(self, other: Condition) -> Condition:
        return AllOf((*parts_of(self, AllOf), *parts_of(other, AllOf)))

    def __or__(self, other: Condition) -> Condition:
        return AnyOf((*parts_of(self, AnyOf), *parts_of(other, AnyOf)))


def parts_of(condition: Condition, joined: type[AllOf] | type[AnyOf]) -> tuple[Condition, ...]:
    """The parts of a condition that is joined so, else itself."""
    return condition.parts if isinstance(condition, joined) else (condition,)


def rows_of(way: tuple[Atom, ...], recording: Recording) -> NDArray[np.int64]:
    """The rows where some atoms hold together: those of the narrowest, where the others hold."""
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
    """In a conjunction the search stops where the atom of least breadth says: 0-3 are single
    backups (the quickest to be found first), 4 a move, 5 the end of a game, 6 its start."""

    def ways(self) -> tuple[tuple[Atom, ...], ...]:
        return ((self,),)

    def check(self, layout: Layout) -> None:
        pass

    def stops(self, recording: Recording) -> NDArray[np.int64]:
        """The rows at which a search for this alone stops."""
        raise NotImplementedError

    def holds(self, recording: Recording, rows: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Whether it holds at each of these rows."""
        return np.isin(rows, self.stops(recording), assume_unique=True)

    def may_hold(self, segment: Segment, layout: Layout) -> bool:
        return True


@dataclass(frozen=True)
class Error(Atom):
    """A backup's |δ| is above a number."""

    above: float
    breadth = 1

    def stops(self, recording: Recording) -> NDArray[np.int64]:
        columns: Any = recording.columns
        # Rows that are no backups have target = old = 0, so they need not be told apart.
        return np.flatnonzero(np.abs(columns.target - columns.old) > self.above)

    def holds(self, recording: Recording, rows: NDArray[np.int64]) -> NDArray[np.bool_]:
        columns: Any = recording.columns
        error = columns.target[rows] - columns.old[rows]
        return np.asarray(np.abs(error) > self.above)

    def __str__(self) -> str:
        return f"error > {shortest(self.above)}"


@dataclass(frozen=True)
class Wrote(Atom):
    """A player's entry of a board, or of a move on it, was written.

    Where symmetric boards share an entry, it is that of all of them. For a learner of action values
    a board without a cell stands for all its moves.
    """

    player: str
    board: int
    """Position id."""
    cell: int | None = None
    """0-8."""
    breadth = 0

    def check(self, layout: Layout) -> None:
        self.entries(layout)

    def entries(self, layout: Layout) -> NDArray[np.int64]:
        """Indices into memory, sorted.

        Raises:
            ConditionError: the player has no such entry.
        """
        return entries_of(self, layout)

    def stops(self, recording: Recording) -> NDArray[np.int64]:
        return written_rows(recording, self.entries(recording.layout))

    def holds(self, recording: Recording, rows: NDArray[np.int64]) -> NDArray[np.bool_]:
        columns: Any = recording.columns
        mine = np.isin(columns.entry[rows], self.entries(recording.layout))
        return np.asarray(mine & (recording.kinds[rows] == BACKUP))

    def may_hold(self, segment: Segment, layout: Layout) -> bool:
        return segment.may_write(self.entries(layout))

    def __str__(self) -> str:
        cell = "" if self.cell is None else f"@{self.cell + 1}"
        return f"wrote {self.player} {space().text(self.board)}{cell}"


def written_rows(recording: Recording, entries: NDArray[np.int64]) -> NDArray[np.int64]:
    """The rows of the backups that write one of these entries."""
    columns: Any = recording.columns
    if len(entries) == 1:
        rows = np.flatnonzero(columns.entry == entries[0])
    else:
        rows = np.flatnonzero(np.isin(columns.entry, entries))
    return rows[recording.kinds[rows] == BACKUP]


@lru_cache(maxsize=64)
def entries_of(wrote: Wrote, layout: Layout) -> NDArray[np.int64]:
    """See `Wrote.entries`."""
    table = layout.x if wrote.player == "X" else layout.o
    entries, who = table.entries, f"{wrote.player} ({table.spec.rule.name})"
    board = Board.from_id(wrote.board)
    if not table.spec.learns:
        raise ConditionError(f"{who} learns nothing, so it never writes")
    if entries.of_state is not None:
        if wrote.cell is not None:
            raise ConditionError(f"{who} keeps values of boards, not of moves: leave out the cell")
        found = entries.of_state[[wrote.board]]
        if board.is_over or not entries.live[found[0]]:
            raise ConditionError(f"{who} has no entry to write for {board}")
    else:
        if board.is_over or board.to_move != wrote.player:
            raise ConditionError(f"{wrote.player} has no move to value on {board}")
        cells = board.legal_cells if wrote.cell is None else (wrote.cell,)
        found = np.unique(entries.of_edge[space().edge_of[wrote.board, list(cells)]])
        found = found[entries.live[found]]
        if not len(found):
            raise ConditionError(f"{who} has no entry to write for {board}")
    tables = np.arange(table.spec.rule.tables) * len(entries.boards)
    return np.sort((table.base + found + tables[:, None]).ravel()).astype(np.int64)


@dataclass(frozen=True)
class FirstVisit(Atom):
    """An entry was written for the first time."""

    breadth = 2

    def stops(self, recording: Recording) -> NDArray[np.int64]:
        columns: Any = recording.columns
        rows = np.flatnonzero(recording.kinds == BACKUP)
        entries = columns.entry[rows]
        rows = rows[recording.before[len(recording.before) // 2 + entries] == 0]
        first = np.unique(columns.entry[rows], return_index=True)[1]
        return np.sort(rows[first])

    def may_hold(self, segment: Segment, layout: Layout) -> bool:
        return segment.may_write(np.flatnonzero(segment.visits_before == 0))

    def __str__(self) -> str:
        return "first visit"


@dataclass(frozen=True)
class Flip(Atom):
    """A backup changed which moves are greedy in some position, or in this one."""

    board: int | None = None
    """Position id."""
    breadth = 3

    def check(self, layout: Layout) -> None:
        if self.board is None:
            return
        board = Board.from_id(self.board)
        table = layout.x if board.to_move == "X" else layout.o
        if board.is_over:
            raise ConditionError(f"the game is over on {board}: no move there can become greedy")
        if not table.spec.learns:
            raise ConditionError(f"{board.to_move} learns nothing: its greedy moves never change")

    def stops(self, recording: Recording) -> NDArray[np.int64]:
        return flip_rows(recording, self.board)

    def __str__(self) -> str:
        return "flip" if self.board is None else f"flip {space().text(self.board)}"


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
        return rows[columns.entry[rows] == RESULTS[self.result]]

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
        return f"game {self.first}" + (f"..{self.last}" if self.last > self.first else "")


def is_threshold(number: float) -> bool:
    """Whether |δ| can be compared with it."""
    return math.isfinite(number) and number >= 0.0
