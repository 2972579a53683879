"""Where a value comes from: who wrote it, from what, and all that was ever written there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from learners.queries.beads import is_refill
from learners.queries.condition_atoms import written_rows
from learners.tape.events import RESULTS, Backup
from learners.tape.recording import TapePosition, position_of, row_at
from learners.tape.segments import Progress, Segment, Stop, replay, segments
from learners.tape.watched import Reads, reads_in, watch

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from learners.tape.recording import Recording
    from learners.tape.run import Run

LONGEST_CHAIN: Final = 8
"""Links of a chain that are looked for at once."""
POINTS: Final = 400
"""Points of a value's life, at most."""


def last_write(
    run: Run,
    entry: int,
    before: TapePosition,
    *,
    progress: Progress | None = None,
    stop: Stop | None = None,
) -> TapePosition | None:
    """Who last wrote an entry before a place; None where nobody had (or `stop` said so).

    Args:
        run: the run.
        entry: index into memory.
        before: the place; what is written there does not count. It may be just after a game.
        progress: told what part is done.
        stop: asked every few milliseconds whether to give up.
    """
    return last_writes(run, [entry], before, progress=progress, stop=stop).get(entry)


def last_writes(
    run: Run,
    entries: list[int],
    before: TapePosition,
    *,
    progress: Progress | None = None,
    stop: Stop | None = None,
) -> dict[int, TapePosition]:
    """The same for several entries at once; those that nobody had written are left out.

    Only stretches of games are played again whose keyframes show that an entry was written there.
    """
    sought = np.unique(np.array(entries, dtype=np.int64))
    found: dict[int, TapePosition] = {}
    spans = segments(run, 0, min(before.game + 1, run.games))
    for span in reversed(spans):
        missing = np.array([e for e in sought.tolist() if e not in found], dtype=np.int64)
        if not len(missing):
            break
        if span.may_write(missing):
            found |= latest_in(run, span, missing, before, progress, stop)
        if stop is not None and stop():
            return {}
    return found


def latest_in(
    run: Run,
    span: Segment,
    entries: NDArray[np.int64],
    before: TapePosition,
    progress: Progress | None,
    stop: Stop | None,
) -> dict[int, TapePosition]:
    """The last write of each entry in a stretch of games, before a place."""
    found: dict[int, TapePosition] = {}
    for _, recording in replay(run, [span], progress=progress, stop=stop):
        rows = written_rows(recording, entries)
        if recording.first <= before.game < recording.last:
            rows = rows[rows < recording.rows_of(before.game).start + before.row]
        columns: Any = recording.columns
        latest = dict(zip(columns.entry[rows].tolist(), rows.tolist(), strict=True))
        found |= {entry: position_of(recording, row) for entry, row in latest.items()}
    return found


@dataclass(frozen=True, eq=False)
class ValueHistory:
    """All that was written to an entry, thinned out to a number of points for a curve.

    The first and the last write are always among them.
    """

    entry: int
    initial: float
    """The value before the first write."""
    count: int
    """How many writes there were."""
    games: NDArray[np.int64]
    """[points] The game of each write that is told."""
    values: NDArray[np.float64]
    """[points] The value written."""
    writes: NDArray[np.int64]
    """[points] Which write it was, from 1."""


def writes_of(
    run: Run,
    entry: int,
    *,
    last: int | None = None,
    limit: int = POINTS,
    stop: Stop | None = None,
) -> ValueHistory | None:
    """The history of an entry from game 0 on.

    Args:
        run: the run.
        entry: index into memory.
        last: the game before which to end; the end of the run by default (which must not go on
            meanwhile).
        limit: the most points, at least 2.
        stop: asked every few milliseconds whether to give up.

    Returns:
        The history, or None where `stop` said so.
    """
    end = run.games if last is None else min(last, run.games)
    memory = run.memory_at(end)
    count = int(memory[len(memory) // 2 + entry])
    told = np.unique(np.linspace(1, count, min(limit, count)).round().astype(np.int64))
    entries = np.array([entry])
    games, values = np.zeros(len(told), dtype=np.int64), np.zeros(len(told))
    spans = [span for span in segments(run, 0, end) if span.may_write(entries)]
    seen = 0
    for _, recording in replay(run, spans, stop=stop):
        rows = written_rows(recording, entries)
        low, high = np.searchsorted(told, (seen + 1, seen + len(rows) + 1))
        wanted = rows[told[low:high] - seen - 1]
        columns: Any = recording.columns
        games[low:high] = recording.games[wanted]
        values[low:high] = columns.new[wanted]
        seen += len(rows)
    if seen < count:
        return None
    return ValueHistory(entry, float(run.keyframes[0].memory[entry]), count, games, values, told)


def outline_of(run: Run, entry: int) -> ValueHistory:
    """The history of an entry as the keyframes alone tell it: at once, and coarse."""
    frames = run.keyframes
    half = len(frames[0].memory) // 2
    writes = np.array([frame.memory[half + entry] for frame in frames], dtype=np.int64)
    values = np.array([frame.memory[entry] for frame in frames])
    games = np.array([frame.game for frame in frames], dtype=np.int64)
    return ValueHistory(entry, float(values[0]), int(writes[-1]), games, values, writes)


@dataclass(frozen=True)
class Source:
    """A number that a target was made of."""

    entry: int
    """Index into memory."""
    value: float
    """What was read there."""
    place: TapePosition | None
    """The backup that had written it; None for what was there from the start: an initial value, a
    terminal board, a reward."""


@dataclass(frozen=True)
class BackupLink:
    """One of the backups that made a value."""

    place: TapePosition
    backup: Backup
    sources: tuple[Source, ...]
    """What its target was made of, the number that it equals or is nearest to first."""
    result: str = ""
    """How its game ended: X, O or draw."""
    writes: int = 0
    """The backups of its entry so far, with this one."""
    is_refill: bool = False
    """Whether it filled a matchbox anew: nothing that was there before is in it."""


def chain(
    run: Run, place: TapePosition, *, limit: int = LONGEST_CHAIN, stop: Stop | None = None
) -> tuple[BackupLink, ...]:
    """The provenance of a value: the backups that made it, newest first.

    The first link is the backup at `place`, the next its entry's own write before that, and so on
    back to the initial value, to a refill of a matchbox, or `limit` links. Each tells which writes
    had made its target.

    Args:
        run: the run.
        place: a backup.
        limit: the most links.
        stop: asked every few milliseconds whether to give up; what was found so far is returned.

    Raises:
        IndexError: there is no backup at that place.
    """
    links: list[BackupLink] = []
    at: TapePosition | None = place
    while at is not None and len(links) < limit and not (stop is not None and stop()):
        recording = run.record(at.game, at.game + 1)
        event = recording.event(row_at(recording, at)) if at.row >= 0 else None
        if not isinstance(event, Backup):
            raise IndexError(f"there is no backup at event {at.row} of game {at.game}")
        read = read_for(run, recording, at.row)
        places = last_writes(run, [event.entry, *read], at, stop=stop)
        sources = tuple(Source(e, value, places.get(e)) for e, value in read.items())
        links.append(link_of(recording, at, event, sources))
        at = None if links[-1].is_refill else places.get(event.entry)
    return tuple(links)


def link_of(
    recording: Recording, place: TapePosition, backup: Backup, sources: tuple[Source, ...]
) -> BackupLink:
    """A backup with what its game tells of it.

    Args:
        recording: the one game.
        place: where the backup is.
        backup: the backup.
        sources: what its target was made of.
    """
    columns: Any = recording.columns
    before = int(recording.before[len(recording.before) // 2 + backup.entry])
    rows = written_rows(recording, np.array([backup.entry]))
    estimates = recording.layout.table_of(backup.entry).spec.rule.estimates
    return BackupLink(
        place,
        backup,
        sources,
        result=RESULTS[int(columns.entry[recording.size - 1])],
        writes=before + int(np.count_nonzero(rows <= place.row)),
        is_refill=not estimates and is_refill(recording, place.row),
    )


def read_for(run: Run, recording: Recording, row: int) -> dict[int, float]:
    """The entries that the target of a backup was made of, with their values then.

    Args:
        run: the run.
        recording: the one game.
        row: the backup.
    """
    game = recording.first
    reads = reads_in(recording, game, watch(run, recording, game))[row]
    return ranked(recording, row, reads)


def ranked(recording: Recording, row: int, reads: Reads) -> dict[int, float]:
    """What was read, the numbers that the rule declares first, then the greatest.

    Where there are two tables, the other one tells what a move is worth, and its own table only
    which.
    """
    backup = recording.event(row)
    assert isinstance(backup, Backup)
    table = recording.layout.table_of(backup.entry)
    size = len(table.entries.boards)
    within = range(table.base, table.base + table.size)
    own = (backup.entry - table.base) // size if backup.entry in within else 0
    targets = reads.targets(table.spec.rule.equation, backup)

    def rank(item: tuple[int, float]) -> tuple[bool, bool, float]:
        entry, value = item
        is_same = entry in within and (entry - table.base) // size == own
        return is_same and table.spec.rule.tables > 1, value not in targets, -value

    return dict(sorted(reads.values.items(), key=rank))
