"""Two games in lockstep: which events belong together, and whether they agree.

Events are paired within a turn: a move with the move of the same ply, a backup with the backup of
the same entry. So rules that back up the entries of one turn in another order agree, if they write
the same numbers. Numbers may differ by some units in the last place of the largest number of the
backup: sums taken in another order do.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from math import ulp
from typing import TYPE_CHECKING

from learners.tape.events import Backup, Event, GameOver, Learning, Move

if TYPE_CHECKING:
    from learners.tape.recording import Recording


class EventDifference(Enum):
    """How two events of a pair differ."""

    CHOICE = "choice"
    """Another move, or one that is exploratory for one of the two alone."""
    MISSING = "missing"
    """The second backs up nothing where the first does."""
    EXTRA = "extra"
    """The second backs up an entry that the first leaves unchanged."""
    TARGET = "target"
    """Another number is written, as the target is another one."""
    STEP = "step"
    """The same, as the step size (times the trace) is another one."""
    NEW = "new"
    """The same, though target and step size agree; or an earlier write was another one."""
    RESULT = "result"
    """The games end differently."""


@dataclass(frozen=True)
class EventPair:
    """The events of two games that belong together; None where one of them has no such event."""

    one: Event | None
    other: Event | None
    one_row: int
    """The row of the event in its recording; of a missing one, that of the event before it."""
    other_row: int
    difference: EventDifference | None
    ulps: float = 0.0
    """Of two backups: units in the last place between the numbers that are written."""

    @property
    def event(self) -> Event:
        """The first one's event, or else the other's."""
        found = self.other if self.one is None else self.one
        assert found is not None
        return found


def event_pairs(one: Recording, other: Recording, game: int, ulps: float = 0.0) -> list[EventPair]:
    """The events of a game in two recordings, paired in order.

    Args:
        one: what the other is compared with.
        other: the other one; both hold the game.
        game: its number.
        ulps: the units in the last place by which numbers may differ.
    """
    turns, other_turns = turns_of(one, game), turns_of(other, game)
    rows = [one.rows_of(game).start - 1, other.rows_of(game).start - 1]
    pairs = []
    for key in sorted({*turns, *other_turns}):
        for (row, first), (other_row, second) in paired(
            turns.get(key, []), other_turns.get(key, [])
        ):
            rows = [max(rows[0], row), max(rows[1], other_row)]
            places = (row if first else rows[0], other_row if second else rows[1])
            found, between = compared(first, second, ulps)
            pairs.append(EventPair(first, second, *places, found, between))
    return pairs


Turn = list[tuple[int, Event]]
"""Events of one player at one ply, each with its row."""


def turns_of(recording: Recording, game: int) -> dict[tuple[int, int], Turn]:
    """The events of a game by ply, and within it: move, mover, other player, end."""
    turns: dict[tuple[int, int], Turn] = defaultdict(list)
    rows = recording.rows_of(game)
    for row, event in enumerate(recording.events(rows.start, rows.stop), rows.start):
        if isinstance(event, Move):
            part = 0
        elif isinstance(event, Learning):
            mover = "O" if event.ply % 2 == 0 else "X"
            part = 1 if event.player == mover else 2
        else:
            part = 3
        turns[event.ply, part].append((row, event))
    return turns


def paired(
    turn: Turn, other: Turn
) -> Iterator[tuple[tuple[int, Event | None], tuple[int, Event | None]]]:
    """The events of a turn in two games, by entry: in the first one's order, then the rest."""
    waiting: dict[int, Turn] = defaultdict(list)
    for row, event in other:
        waiting[event.entry if isinstance(event, Learning) else -1].append((row, event))
    for row, event in turn:
        same = waiting[event.entry if isinstance(event, Learning) else -1]
        yield (row, event), same.pop(0) if same else (-1, None)
    left = {row for events in waiting.values() for row, _ in events}
    for row, event in other:
        if row in left:
            yield (-1, None), (row, event)


def compared(
    one: Event | None, other: Event | None, ulps: float
) -> tuple[EventDifference | None, float]:
    """How two events differ, and how far what they write is apart.

    A backup is judged by the number that it writes; target and step size tell why it is another
    one. That nothing is backed up needs no event that says so.
    """
    if isinstance(one, Backup) and isinstance(other, Backup):
        return compared_backups(one, other, ulps)
    if isinstance(one, Backup):
        return EventDifference.MISSING, 0.0
    if isinstance(other, Backup):
        return EventDifference.EXTRA, 0.0
    if isinstance(one, Move) or isinstance(other, Move):
        same = (
            isinstance(one, Move)
            and isinstance(other, Move)
            and (one.edge, one.exploratory) == (other.edge, other.exploratory)
        )
        return None if same else EventDifference.CHOICE, 0.0
    if isinstance(one, GameOver) or isinstance(other, GameOver):
        same = (
            isinstance(one, GameOver)
            and isinstance(other, GameOver)
            and (one.result, one.resigned) == (other.result, other.resigned)
        )
        return None if same else EventDifference.RESULT, 0.0
    return None, 0.0


def compared_backups(
    one: Backup, other: Backup, ulps: float
) -> tuple[EventDifference | None, float]:
    """The same for two backups of one entry."""
    unit = ulp(max(map(abs, (one.old, one.target, one.new, other.new))))
    between = abs(one.new - other.new) / unit
    if between <= ulps:
        return None, between
    if abs(one.target - other.target) > ulps * unit:
        return EventDifference.TARGET, between
    weights = one.step * one.trace, other.step * other.trace
    if abs(weights[0] - weights[1]) > ulps * ulp(weights[0]):
        return EventDifference.STEP, between
    return EventDifference.NEW, between
