"""What a value is made of: the results of its games and the first guesses, with exact weights.

A linear backup leaves new = old + c (target − old), and its target is another value at the time, or
a result. Unrolled from the newest backup to the oldest, a value is a sum

    V = Σ weight_g · result of game g + Σ weight_e · first guess of entry e

whose weights follow from the step sizes and traces on the tape. They are found in one walk back
over the tape, as derivatives are (reverse mode), and tell how far the value would move if a result
were another one and the same backups were made again.

Which entry a target was read from depends on how a game went, not on values: it is found once for
each course of a game, by watching it played (`learners.tape.reads`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from game import space
from learners.engine.backups import BACKUP, MOVE
from learners.engine.entries import padded_edges
from learners.errors import UsageError
from learners.rules.equation import TargetKind, TermRole
from learners.tape.events import RESULTS, Backup
from learners.tape.reads import reads_in
from learners.tape.recording import Recording, TapePosition
from learners.tape.segments import Progress, Segment, Stop, replay, segments
from learners.tape.watched import watch

if TYPE_CHECKING:
    from learners.kernel.memory import Table
    from learners.tape.run import Run

COURSE: Final = (1 << 15) - 1
"""The bits of `meta` that tell how a game went: all but its number."""
CHOOSING: Final = (TargetKind.BEST_PAIR, TargetKind.EXPECTED_PAIR, TargetKind.BEST_REPLY)
"""Targets that depend on which of several values is the largest."""
CLOSE: Final = 1e-9
"""The sum equals the value within this; else the rule is not what it seems."""


class NotLinearError(UsageError):
    """A value is no sum with fixed weights; the sentence says what holds instead."""


class BackupShare(NamedTuple):
    """A backup as a step of the sum: entry ← entry + share (factor · source − old)."""

    row: int
    """Its row in its game."""
    source: tuple[str, int, int]
    """What was read, by its place in the game: kind, side, ply."""
    factor: float
    """What the number read is multiplied by: 1, or the discount rate."""
    head: int
    """The row of the backup whose old value is subtracted: its own, or the first of its turn."""


@dataclass
class Shares:
    """The weights of what made a value. They sum to 1, with what discounting leaves out."""

    value: float
    results: dict[str, float] = field(default_factory=lambda: {"X": 0.0, "O": 0.0, "draw": 0.0})
    """The weight of games won by X, won by O, drawn."""
    first: float = 0.0
    """The weight of the first guesses."""
    discounted: float = 0.0
    """The weight that γ below 1 gives to nothing."""
    games: dict[int, float] = field(default_factory=dict)
    """The weight of each game's result."""
    total: float = 0.0
    """The sum of weights and numbers: the value again."""

    @property
    def weights(self) -> float:
        """The sum of all weights."""
        return sum(self.results.values()) + self.first + self.discounted


def shares_of(
    run: Run,
    entry: int,
    place: TapePosition,
    value: float,
    *,
    progress: Progress | None = None,
    stop: Stop | None = None,
) -> Shares | None:
    """What the value of an entry is made of, after the event of a place; None if `stop` said so.

    Args:
        run: the run.
        entry: index into memory.
        place: a place in a game that is over.
        value: what the entry holds there.
        progress: told what part is done.
        stop: asked every few milliseconds whether to give up.

    Raises:
        NotLinearError: the rule's value is no such sum.
    """
    table = run.layout.table_of(entry)
    check_is_linear(table)
    weights: dict[int, float] = {entry: 1.0}
    found, courses = Shares(value), {}  # type: ignore[var-annotated]
    spans = segments(run, 0, min(place.game + 1, run.games))
    for number, span in enumerate(reversed(spans)):
        if not span.may_write(np.array(list(weights), dtype=np.int64)):
            continue
        links = list(links_in(run, span, place, courses, stop))
        if stop is not None and stop():
            return None
        for game, last in reversed(links):
            walk_back(game, last, weights, found)
        if progress is not None:
            progress((number + 1) / len(spans))
    guesses = run.keyframes[0].memory
    found.first = sum(weights.values())
    found.total += sum(weight * float(guesses[e]) for e, weight in weights.items())
    if abs(found.total - value) > CLOSE * max(1.0, abs(value)):
        raise NotLinearError(
            f"the backups of {table.spec} are no sum of results with fixed weights"
        )
    return found


def check_is_linear(table: Table) -> None:
    """Refuse rules whose equation says that their values are no such sum.

    Raises:
        NotLinearError: with what holds instead.
    """
    rule = table.spec.rule
    if not rule.estimates:
        raise NotLinearError(
            "these are beads: what it started with, and what each result added or took, "
            "no mean of results"
        )
    if rule.equation.kind in CHOOSING:
        raise NotLinearError(
            "the target is the best of several values: which one that is would change with "
            "them, so no result has a fixed weight"
        )


class LinkedBackup(NamedTuple):
    """A backup with the entries that it had to do with."""

    row: int
    head: int
    """The row of the first backup of its turn, where they share an error; else its own."""
    entry: int
    share: float
    source: int
    factor: float
    worth: float | None
    """What the result is worth, where it was read; None for another value."""


class GameLinks(NamedTuple):
    """The backups of a game, and how it ended."""

    number: int
    result: str
    backups: list[LinkedBackup]


def links_in(
    run: Run, span: Segment, place: TapePosition, courses: dict[bytes, Any], stop: Stop | None
) -> Iterator[tuple[GameLinks, int]]:
    """The games of a stretch, and the row of each up to which it counts."""
    for _, recording in replay(run, [span], stop=stop):
        for game in range(recording.first, recording.last):
            rows = recording.rows_of(game)
            last = place.row if game == place.game else len(rows) - 1
            yield game_links(run, recording, game, courses), last


def game_links(run: Run, recording: Recording, game: int, courses: dict[bytes, Any]) -> GameLinks:
    """The backups of a game with the entries that they read."""
    rows = recording.rows_of(game)
    part = slice(rows.start, rows.stop)
    columns: Any = recording.columns
    course = (recording.meta[part] & COURSE).tobytes() + bytes([int(columns.entry[rows[-1]])])
    if course not in courses:
        courses[course] = course_of(run, recording, game)
    entries = columns.entry[part].tolist()
    steps = (columns.step[part] * columns.trace[part]).tolist()
    names = named_entries(recording, game)
    backups = []
    for link in courses[course]:
        source = names[link.source]
        worth = float(recording.before[source]) if is_result(recording, source) else None
        entry, share = entries[link.row], steps[link.row]
        backups.append(LinkedBackup(link.row, link.head, entry, share, source, link.factor, worth))
    return GameLinks(game, RESULTS[entries[-1]], backups)


def walk_back(game: GameLinks, last: int, weights: dict[int, float], found: Shares) -> None:
    """Take the backups of a game back, the last one first: hand weights on to what was read.

    Args:
        game: the game.
        last: the row up to which it counts.
        weights: by entry, what its value counts; changed in place.
        found: takes the weights of results.
    """
    held = 0.0
    for backup in reversed(game.backups):
        if backup.row > last:
            continue
        weight = weights.get(backup.entry, 0.0)
        held += backup.share * weight
        if backup.row != backup.head or not held:
            continue
        weights[backup.entry] = weight - held
        part = held * backup.factor
        if backup.worth is None:
            weights[backup.source] = weights.get(backup.source, 0.0) + part
        else:
            found.results[game.result] += part
            found.games[game.number] = found.games.get(game.number, 0.0) + part
            found.total += part * backup.worth
        found.discounted += held - part
        held = 0.0


def named_entries(recording: Recording, game: int) -> dict[tuple[str, int, int], int]:
    """The entries that a game has to do with, by kind, side and ply."""
    rows = recording.rows_of(game)
    part = slice(rows.start, rows.stop)
    columns: Any = recording.columns
    moves = columns.entry[part][recording.kinds[part] == MOVE]
    edges = padded_edges()[moves]
    s = space()
    path = [0, *s.edge_successor[edges].tolist()]
    result = int(columns.entry[rows[-1]])
    found: dict[tuple[str, int, int], int] = {}
    for side, table in enumerate((recording.layout.x, recording.layout.o)):
        found["result", side, 0] = table.rewards + result
        if table.entries.of_state is not None:
            for ply, board in enumerate(path):
                found["board", side, ply] = table.base + int(table.entries.of_state[board])
        else:
            for ply, edge in enumerate(edges.tolist(), 1):
                if (ply + 1) % 2 == side:
                    found["move", side, ply] = table.base + int(table.entries.of_edge[edge])
    return found


def is_result(recording: Recording, entry: int) -> bool:
    """Whether an index into memory holds what a result is worth: a reward, or a finished board."""
    table = recording.layout.table_of(entry)
    place = entry - table.base
    if place >= table.size:
        return True
    if table.entries.of_state is None:
        return False
    return bool(space().outcome[table.entries.boards[place]])


def course_of(run: Run, recording: Recording, game: int) -> list[BackupShare]:
    """The backups of a game, with the place in it of what each read.

    Raises:
        NotLinearError: one read several values, or something else than a value.
    """
    rows = recording.rows_of(game)
    reads = reads_in(recording, game, watch(run, recording, game))
    names = {entry: name for name, entry in reversed(named_entries(recording, game).items())}
    found: list[BackupShare] = []
    turn, head = None, -1
    for at, row in enumerate(rows):
        if recording.kinds[row] != BACKUP:
            continue
        event = recording.event(row)
        assert isinstance(event, Backup)
        rule = recording.layout.table_of(event.entry).spec.rule
        settings = recording.layout.table_of(event.entry).spec.settings
        if (event.player, event.ply) != turn or not rule.shares_error:
            turn, head = (event.player, event.ply), at
        sources = [entry for entry in reads[at].values if entry in names]
        if len(sources) != 1 or len(reads[at].values) != 1:
            raise NotLinearError(f"a target of {rule.name} is made of several values")
        source = sources[0]
        factor = 1.0
        if not is_result(recording, source):
            for term in rule.equation.terms:
                if term.role is TermRole.DISCOUNT and term.option:
                    factor = float(settings[term.option])
        if event.target != factor * reads[at].values[source]:
            raise NotLinearError(f"a target of {rule.name} is more than the value that it read")
        found.append(BackupShare(at, names[source], factor, head))
    return found
