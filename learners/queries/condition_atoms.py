"""The atoms of a condition: one class for each property of an event."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from game import Board, space
from learners.engine.backups import BACKUP, MOVE, OUTCOME
from learners.engine.play import EXPLORED
from learners.errors import ConditionError
from learners.queries.conditions import Atom
from learners.queries.greedy_changes import greedy_changes, leads_to
from learners.rules.options import shortest
from learners.tape.recording import SAME_TURN

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from learners.kernel.memory import Layout
    from learners.tape.recording import Recording
    from learners.tape.segments import Segment


RESULTS: Final = {"O loses": 1, "X loses": 2, "draw": 3}
"""Results of a game by the words of the notation."""


@dataclass(frozen=True)
class Error(Atom):
    """A backup's |δ| is above a number."""

    above: float
    breadth = 1

    def stops(self, recording: Recording) -> NDArray[np.int64]:
        return np.flatnonzero(np.abs(recording.errors) > self.above)

    def holds(self, recording: Recording, rows: NDArray[np.int64]) -> NDArray[np.bool_]:
        return np.asarray(np.abs(recording.errors[rows]) > self.above)

    def __str__(self) -> str:
        return f"error > {shortest(self.above)}"


@dataclass(frozen=True)
class Change(Atom):
    """A backup writes another value than was there."""

    breadth = 2

    def stops(self, recording: Recording) -> NDArray[np.int64]:
        columns: Any = recording.columns
        return np.flatnonzero((recording.kinds == BACKUP) & (columns.new != columns.old))

    def __str__(self) -> str:
        return "change"


@dataclass(frozen=True)
class Wrote(Atom):
    """A player's entry of a board, or of a move on it, was written.

    If symmetric boards share an entry, any of them names it. For a learner of action values a board
    without a cell means all its moves.
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
    return np.asarray(rows[recording.kinds[rows] == BACKUP])


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
        return greedy_changes(recording, self.board)

    def may_hold(self, segment: Segment, layout: Layout) -> bool:
        if self.board is None:
            return True
        return segment.may_write(np.flatnonzero(leads_to(layout, self.board)))

    def __str__(self) -> str:
        return "flip" if self.board is None else f"flip {space().text(self.board)}"


@dataclass(frozen=True)
class Exploratory(Atom):
    """A move with a sibling that is ranked strictly higher."""

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
    """A game ended with this result."""

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
    """A game started whose number is in `first` .. `last`."""

    first: int
    """From 0, as in a trace; the notation counts from 1, like the screens."""
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
