"""Where a value comes from: the backups that made it, and its shares of results and initial values.

Shares are exact weights. A linear backup leaves new = old + c (target − old), and its target is
another value at the time, or a result. Unrolled from the newest backup to the oldest, a value is a
sum

    V = Σ weight_g · result of game g + Σ weight_e · initial value of entry e

whose weights follow from the recorded step sizes and traces. One walk backwards finds them, as in
reverse-mode differentiation. They show how far the value would move if a result changed and the
same backups were made again.

The walk covers at most `MOST_GAMES`. If it ends before the first game, the sum is still exact, and
its last part is what was known then:

    V = Σ weight_g · result of game g + Σ weight_e · value of entry e before game `since`
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from afterstate_lab.game import space
from afterstate_lab.game.exact import Floats
from afterstate_lab.learners.ask.conditions import written_rows
from afterstate_lab.learners.engine.backups import BACKUP, MOVE, OUTCOME, SEVERAL
from afterstate_lab.learners.engine.entries import padded_edges
from afterstate_lab.learners.errors import UsageError
from afterstate_lab.learners.kernel.kernel import EVENTS_A_GAME, empty_columns
from afterstate_lab.learners.rules.equation import TargetKind
from afterstate_lab.learners.tape.recording import (
    RESULTS,
    Recording,
    TapePosition,
    position_of,
)
from afterstate_lab.learners.tape.run import (
    Progress,
    Run,
    Stop,
    never,
    prepare,
    replay,
    segments,
)
from afterstate_lab.learners.tape.update import BackupRecord, record_of

LONGEST_CHAIN: Final = 8
"""Number of links of a chain to search for at once."""
CHOOSING: Final = (TargetKind.BEST_PAIR, TargetKind.EXPECTED_PAIR, TargetKind.BEST_REPLY)
"""Targets that depend on which of several values is the largest."""
CLOSE: Final = 1e-9
"""Tolerance of the sum; beyond it the rule is not linear."""
MOST_GAMES: Final = 150_000
"""Maximum number of games that the walk replays, the latest that matter."""
WEIGHTLESS: Final = 1e-9
"""The walk ends when all older games together weigh less than this."""
AT_ONCE: Final = 2_000
"""Number of games to unroll at a time."""
SOON: Final = 0.1
"""Seconds after which a page is shown; what is not found by then is found in the background."""


def last_write(
    run: Run,
    entry: int,
    before: TapePosition,
    *,
    progress: Progress = lambda part: None,
    stop: Stop = never,
) -> TapePosition | None:
    """Return the last backup of an entry before a moment; see `last_writes`.

    None if there is none, or `stop` ended the work.
    """
    return last_writes(run, [entry], before, progress=progress, stop=stop).get(entry)


def last_writes(
    run: Run,
    entries: list[int],
    before: TapePosition,
    *,
    progress: Progress = lambda part: None,
    stop: Stop = never,
) -> dict[int, TapePosition]:
    """Return the last backups of these entries; entries without a backup are omitted.

    Only stretches of games are played again whose keyframes show that an entry was written there.

    Args:
        entries: indices into memory.
        before: the place; a write there does not count. It may be just after a game.
        progress: called with the part that is done.
        stop: called every few milliseconds; true gives up.
    """
    sought, found = np.unique(np.array(entries, dtype=np.int64)), dict[int, TapePosition]()
    for span in reversed(segments(run, 0, min(before.game + 1, run.games))):
        missing = sought[~np.isin(sought, list(found))]
        if not len(missing):
            break
        if span.may_write(missing):
            for recording in replay(run, [span], progress=progress, stop=stop):
                rows = written_rows(recording, missing)
                if recording.first <= before.game < recording.last:
                    rows = rows[rows < recording.rows_of(before.game).start + before.row]
                written = recording.columns.entry[rows].tolist()
                latest = dict(zip(written, rows.tolist(), strict=True))
                found |= {entry: position_of(recording, row) for entry, row in latest.items()}
        if stop():
            return {}
    return found


@dataclass(frozen=True)
class BackupLink(BackupRecord):
    """One of the backups that made a value."""

    place: TapePosition
    writes: int
    """The number of backups of its entry so far, this one included."""
    inside: TapePosition | None
    """The backup of what it read; None for several values, an initial one or a result."""

    @property
    def read(self) -> tuple[int, float] | None:
        """The entry and the value that its target was made of; None if none or several."""
        return next(iter(self.reads.items())) if len(self.reads) == 1 else None


def chain(
    run: Run, place: TapePosition, *, limit: int = LONGEST_CHAIN, stop: Stop = never
) -> Links:
    """Return the provenance of a value: the backups that made it, newest first.

    The first link is the backup at `place`, the next its entry's own write before that, and so on
    back to the initial value, to a refill of a matchbox, or `limit` links.

    Args:
        place: a backup.
        limit: the most links.
        stop: called every few milliseconds; true ends the search: what was found is returned.
    """
    links: list[BackupLink] = []
    at: TapePosition | None = place
    while at is not None and len(links) < limit and not (links and stop()):
        recording = run.record(at.game, at.game + 1)
        made = record_of(recording, at.row)
        entry = made.backup.entry
        places = last_writes(run, [entry, *made.reads], at, stop=stop)
        earlier = int(recording.before[len(recording.before) // 2 + entry])
        rows = written_rows(recording, np.array([entry]))
        inside = places.get(min(made.reads)) if len(made.reads) == 1 else None
        writes = earlier + int(np.count_nonzero(rows <= at.row))
        links.append(BackupLink(**vars(made), place=at, writes=writes, inside=inside))
        at = None if made.is_refill else places.get(entry)
    return tuple(links)


Links = tuple[BackupLink, ...]
"""The backups of one value, newest first."""


class NotLinearError(UsageError):
    """A value is not a sum with fixed weights; the message explains why."""


@dataclass
class Shares:
    """The weights of what made a value. They sum to 1, together with `discounted`.

    A game's weight is its own if the game came through the value's board (and made its move), and
    borrowed if it did not: then its result came over a board that both kinds of games share.
    """

    value: float
    results: dict[str, float] = field(default_factory=lambda: {"X": 0.0, "O": 0.0, "draw": 0.0})
    """The weight of games won by X, won by O, drawn."""
    first: float = 0.0
    """The weight of the initial values."""
    since: int = 0
    """The first unrolled game, from 0."""
    earlier: float = 0.0
    """The weight of values before game `since`."""
    discounted: float = 0.0
    """The weight that γ below 1 gives to nothing."""
    games: dict[int, float] = field(default_factory=dict)
    result_of: dict[int, str] = field(default_factory=dict)
    """The result of each of these games."""
    came_through: set[int] = field(default_factory=set)
    """The games of these that came through the value's board."""
    own: float = 0.0
    """The weight of those games."""
    borrowed: float = 0.0
    """The weight of the others."""
    total: float = 0.0
    """The weighted sum: the value again."""

    @property
    def parts(self) -> dict[str, float]:
        """The weights by where they come from; they sum to 1."""
        return {
            "own": self.own,
            "borrowed": self.borrowed,
            "guess": self.first,
            "older": self.earlier,
            "discounted": self.discounted,
        }


def shares_of(
    run: Run, entry: int, place: TapePosition, value: float, *, stop: Stop = never
) -> Shares | None:
    """Return the shares of an entry's value after an event, or None if `stop` ended the work.

    Args:
        run: the run.
        entry: index into memory.
        place: the event, in a game that is over.
        value: what the entry holds there.
        stop: called every few milliseconds; true gives up.
    """
    table = run.layout.table_of(entry)
    if not table.rule.estimates:
        raise NotLinearError(
            "these are beads: what it started with, and what each result added or took, "
            "no mean of results"
        )
    if table.rule.equation.kind in CHOOSING:
        raise NotLinearError(
            "the target is the best of several values: which one that is would change with "
            "them, so no result has a fixed weight"
        )
    games = min(place.game + 1, run.games)
    prepare(run, max(0, games - MOST_GAMES), games)
    found = Walk(run, entry, value).go(place, stop)
    if found is not None and abs(found.total - value) > CLOSE * max(1.0, abs(value)):
        raise NotLinearError(
            f"the backups of {table.spec} are not a sum of results with fixed weights"
        )
    return found


@dataclass(frozen=True)
class Why:
    """The backups that made a value, newest first, and its shares."""

    links: Links
    shares: Shares | None = None
    instead: str = ""
    """The explanation, if it is not a sum with fixed weights."""

    @property
    def is_known(self) -> bool:
        """Whether it was found what the value is the sum of, or why it is none."""
        return bool(self.shares or self.instead)


def explained(run: Run, links: Links, *, stop: Stop = never, seconds: float = math.inf) -> Why:
    """Return what the value after a backup is the sum of, if that is found in time."""
    backup, end = links[0].backup, time.monotonic() + seconds
    try:
        shares = shares_of(
            run,
            backup.entry,
            links[0].place,
            backup.new,
            stop=lambda: stop() or time.monotonic() > end,
        )
        return Why(links, shares)
    except NotLinearError as error:
        return Why(links, instead=str(error))


def weights(links: Links) -> list[float | None]:
    """Return each target's share of the newest value; None if it is not a mean of targets.

    A backup moves its entry by a share a of the way to its target, so a target still counts
    for a times the shares 1 - a of all later backups.
    """
    shares: list[float] = []
    left = 1.0
    for link in links:
        backup = link.backup
        moved, way = backup.new - backup.old, backup.error
        part = moved / way if abs(way) > 1e-12 else backup.step * backup.trace
        shares.append(left * part)
        left *= 1.0 - part
    is_mean = all(0.0 <= share <= 1.0 for share in shares)
    return [share if is_mean else None for share in shares]


class Walk:
    """Walks back through a run and passes the weight of each value on to its sources.

    Args:
        entry: whose value is unrolled.
        value: what it holds.
    """

    def __init__(self, run: Run, entry: int, value: float) -> None:
        self.found = Shares(value)
        self._entry, self._table = entry, run.layout.table_of(entry)
        self._weights = [0.0] * run.layout.values
        """The weight of each entry's value."""
        self._weights[entry] = 1.0
        self._gamma = float(self._table.spec.settings.get("gamma", 1.0))
        self._run = run

    def go(self, place: TapePosition, stop: Stop) -> Shares | None:
        """Unroll the games up to a place, the last games first; return None if stopped."""
        run, columns, left = self._run, empty_columns(EVENTS_A_GAME * AT_ONCE), MOST_GAMES
        for span in reversed(segments(run, 0, min(place.game + 1, run.games))):
            if not span.may_write(np.flatnonzero(self._weights)):
                continue
            # Forwards: each memory is played to from the one before.
            starts = range(span.first, span.last, AT_ONCE)
            before, end, after = [run.memory_at(start) for start in starts], span.last, None
            for start, memory in zip(reversed(starts), reversed(before), strict=True):
                if stop():
                    return None
                visits = len(memory) // 2 + np.flatnonzero(self._weights)
                if after is None or np.any(memory[visits] < after[visits]):
                    columns.at[0] = 0
                    self._unroll(run.record_on(memory.copy(), start, end, columns), place)
                    left -= end - start
                end, after = start, memory
                if left <= 0 or sum(map(abs, self._weights)) < WEIGHTLESS:
                    return self._finished(start, memory)
        return self._finished(0, run.keyframes[0].memory)

    def _unroll(self, recording: Recording, place: TapePosition) -> None:
        """Undo the backups of a recording up to a moment, the last backup first.

        Each hands its part of the weight of what it wrote on to what it read.
        """
        columns = recording.columns
        table, weights, found = self._table, self._weights, self.found
        found.came_through |= passing(recording, self._entry)
        end = recording.size
        if recording.first <= place.game < recording.last:
            end = recording.rows_of(place.game).start + place.row + 1
        entries = columns.entry[:end]
        own = (entries >= table.base) & (entries < table.base + table.size)
        rows = np.flatnonzero((recording.kinds[:end] == BACKUP) & own)
        heads = np.ones(len(rows), dtype=np.bool_)
        if table.rule.shares_error:
            heads = recording.begins_turn(rows)
        shares, targets = (columns.step * columns.trace)[rows], columns.target[rows]
        results = columns.entry[recording.kinds == OUTCOME].tolist()
        parts = entries[rows], columns.read[rows], recording.games[rows], shares, targets, heads
        ends, nothing = recording.layout.ends, table.rewards
        held = 0.0
        for entry, read, game, share, target, is_head in reversed(
            list(zip(*(part.tolist() for part in parts), strict=True))
        ):
            held += share * weights[entry]
            if not (held and is_head):
                continue
            if read == SEVERAL:
                name = table.rule.name
                raise NotLinearError(f"a target of {name} is made of several values")
            weights[entry] -= held
            part = held if read == nothing else held * self._gamma
            if ends[read]:
                found.result_of[game] = result = RESULTS[results[game - recording.first]]
                found.results[result] += part
                found.games[game] = found.games.get(game, 0.0) + part
                worth = target if read == nothing else float(recording.before[read])
                found.total += part * worth
            else:
                weights[read] += part
            found.discounted += held - part
            held = 0.0

    def _finished(self, since: int, memory: Floats) -> Shares:
        """Return the shares, including what was known before the first unrolled game."""
        found, rest = self.found, np.array(self._weights)
        found.since = since
        found.games = dict(sorted(found.games.items()))
        found.came_through &= found.games.keys()
        found.own = sum(found.games[game] for game in found.games.keys() & found.came_through)
        found.borrowed = sum(found.games[game] for game in found.games.keys() - found.came_through)
        if found.since:
            found.earlier = float(rest.sum())
        else:
            found.first = float(rest.sum())
        found.total += float(np.sum(rest * memory[: len(rest)]))
        return found


def passing(recording: Recording, entry: int) -> set[int]:
    """Return the games of a recording that come through an entry: its board, and its move."""
    table = recording.layout.table_of(entry)
    if entry == table.base and table.rule.by_state:
        return set(range(recording.first, recording.last))
    moves = recording.kinds == MOVE
    if not table.rule.by_state:
        moves &= (recording.meta >> 2 & 1) == table.side
    edges = padded_edges()[recording.columns.entry[moves]]
    entries = table.entries
    if entries.of_state is None:
        named = entries.of_edge[edges]
    else:
        named = entries.of_state[space().edge_successor[edges]]
    return set(recording.games[moves][named == entry - table.base].tolist())
