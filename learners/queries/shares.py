"""What a value is made of: the results of its games and the first guesses, with exact weights.

A linear backup leaves new = old + c (target − old), and its target is another value at the time, or
a result. Unrolled from the newest backup to the oldest, a value is a sum

    V = Σ weight_g · result of game g + Σ weight_e · first guess of entry e

whose weights follow from the step sizes and traces on the tape. They are found in one walk back
over the tape, as derivatives are (reverse mode), and tell how far the value would move if a result
were another one and the same backups were made again.

The walk takes at most `MOST_GAMES`, so that a value of a long run is not waited for. Where it ends
before the first game, the sum is as exact, and its last part is what was known at that time:

    V = Σ weight_g · result of game g + Σ weight_e · value of entry e before game `since`

Which entry a target was read from depends on how a game went, not on values: it is found once for
each course of a game, by watching it played (`learners.tape.watched`).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from game import space
from learners.engine.backups import BACKUP, MOVE, OUTCOME
from learners.engine.entries import padded_edges
from learners.errors import UsageError
from learners.kernel.kernel import EVENTS_A_GAME, empty_columns
from learners.rules.equation import TargetKind, TermRole
from learners.tape.events import RESULTS, Backup
from learners.tape.keyframes import Keyframe
from learners.tape.recording import Recording, TapePosition
from learners.tape.segments import Progress, Segment, Stop, prepare, segments
from learners.tape.watched import reads_in, watch

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from learners.kernel.memory import Table
    from learners.tape.run import Run

COURSE: Final = (1 << 15) - 1
"""The bits of `meta` that tell how a game went: all but its number."""
CHOOSING: Final = (TargetKind.BEST_PAIR, TargetKind.EXPECTED_PAIR, TargetKind.BEST_REPLY)
"""Targets that depend on which of several values is the largest."""
CLOSE: Final = 1e-9
"""The sum equals the value within this; else the rule is not what it seems."""
MOST_GAMES: Final = 150_000
"""Games in which the walk looks at the tape, the latest that wrote what counts."""
WEIGHTLESS: Final = 1e-9
"""Where older games weigh less than this together, the walk ends."""
COMPILED_GAMES: Final = 5_000
"""Games that are linked at a time."""
INTERPRETED_GAMES: Final = 200
PLIES: Final = 10


class NotLinearError(UsageError):
    """A value is no sum with fixed weights; the sentence says what holds instead."""


class BackupShare(NamedTuple):
    """A backup as a step of the sum: entry ← entry + share (factor · source − old)."""

    row: int
    """Its row in its game."""
    source: tuple[int, int]
    """What was read, by its place in the game: a row of `named_entries`, and the ply."""
    factor: float
    """What the number read is multiplied by: 1, or the discount rate."""
    is_head: bool
    """Whether its own old value is subtracted, and not that of an earlier backup of its turn."""
    is_result: bool
    """Whether what was read is the worth of a result."""


@dataclass
class Shares:
    """The weights of what made a value. They sum to 1, with what discounting leaves out."""

    value: float
    results: dict[str, float] = field(default_factory=lambda: {"X": 0.0, "O": 0.0, "draw": 0.0})
    """The weight of games won by X, won by O, drawn."""
    first: float = 0.0
    """The weight of the first guesses."""
    since: int = 0
    """The first game (from 0) that was unrolled; 0 where all were."""
    earlier: float = 0.0
    """The weight of what was known before it."""
    discounted: float = 0.0
    """The weight that γ below 1 gives to nothing."""
    games: dict[int, float] = field(default_factory=dict)
    """The weight of each game's result."""
    total: float = 0.0
    """The sum of weights and numbers: the value again."""

    @property
    def weights(self) -> float:
        """The sum of all weights."""
        return sum(self.results.values()) + self.first + self.earlier + self.discounted


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
    games = min(place.game + 1, run.games)
    is_compiled = prepare(run, max(0, games - MOST_GAMES), games)
    walk = Walk(run, entry, value, COMPILED_GAMES if is_compiled else INTERPRETED_GAMES)
    spans = segments(run, 0, games)
    for number, span in enumerate(reversed(spans)):
        if not walk.take(span, place, stop or (lambda: False)):
            return None
        if walk.is_over:
            break
        if progress is not None:
            progress((number + 1) / len(spans))
    found = walk.finish()
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


class Walk:
    """Goes back over a run, handing the weight of each value on to what it was made of.

    Args:
        run: the run.
        entry: whose value is unrolled.
        value: what it holds.
        at_once: games that are linked at a time.
    """

    def __init__(self, run: Run, entry: int, value: float, at_once: int) -> None:
        self.found = Shares(value)
        self.weights = np.zeros(run.layout.values)
        """float64[N]: what the value of each entry counts."""
        self.weights[entry] = 1.0
        self._run = run
        self._courses: dict[bytes, int] = {}
        self._links = Links()
        self._left = MOST_GAMES
        self._at_once = at_once
        self._reached = run.keyframes[0]
        """Where memory is known, and all games from it on were unrolled."""

    @property
    def is_over(self) -> bool:
        """Whether older games are looked at no more."""
        return not self._left or float(np.abs(self.weights).sum()) < WEIGHTLESS

    def take(self, span: Segment, place: TapePosition, stop: Stop) -> bool:
        """Unroll the games of a stretch, the last ones first; false where that was stopped."""
        if not span.may_write(np.flatnonzero(self.weights)):
            return True
        run, many, end = self._run, self._at_once, span.last
        columns, after = empty_columns(EVENTS_A_GAME * many), None
        while end > span.first and not self.is_over:
            starts = range(span.first, end, many)[-math.ceil(self._left / many) :]
            # Forwards: each memory is played to from the one before.
            before = [run.memory_at(start) for start in starts]
            for start, memory in zip(reversed(starts), reversed(before), strict=True):
                if stop():
                    return False
                if after is None or writes(memory, after, np.flatnonzero(self.weights)):
                    columns.at[0] = 0
                    self._unroll(run.record_on(memory.copy(), start, end, columns), place)
                    self._left = max(0, self._left - (end - start))
                self._reached = Keyframe(start, memory, self._reached.tally)
                end, after = start, memory
                if self.is_over:
                    break
        return True

    def _unroll(self, recording: Recording, place: TapePosition) -> None:
        """Unroll the games of a recording, up to a place."""
        linked = self._linked(recording)
        games = recording.games[linked.row]
        is_later = (games > place.game) | (
            (games == place.game) & (linked.row - recording.rows_of(place.game).start > place.row)
        )
        linked = LinkColumns(*(column[~is_later] for column in linked))
        columns: Any = recording.columns
        entries = columns.entry[linked.row]
        shares = columns.step[linked.row] * columns.trace[linked.row]
        weights: list[float] = self.weights.tolist()
        read: Any = [column.tolist() for column in linked[1:]]
        told, lost = hand_back(weights, entries.tolist(), shares.tolist(), *read)
        self.weights[:], parts = weights, np.array(told)
        found = self.found
        found.discounted += lost
        rows = np.flatnonzero(parts)
        games = recording.games[linked.row[rows]]
        found.total += float(parts[rows] @ recording.before[linked.source[rows]])
        ends = np.flatnonzero(recording.kinds == OUTCOME)
        results = columns.entry[ends][np.searchsorted(recording.games[ends], games)]
        for number, name in RESULTS.items():
            found.results[name] += float(parts[rows][results == number].sum())
        numbers, place_of = np.unique(games, return_inverse=True)
        sums = np.bincount(place_of, weights=parts[rows], minlength=len(numbers))
        found.games.update(zip(numbers.tolist(), sums.tolist(), strict=True))

    def _linked(self, recording: Recording) -> LinkColumns:
        """What each backup of a recording read, in the order of its rows."""
        begins = np.flatnonzero(np.diff(recording.games, prepend=-1))
        lengths = np.diff(begins, append=recording.size)
        codes = recording.meta & COURSE
        columns: Any = recording.columns
        codes[recording.kinds == OUTCOME] |= (
            columns.entry[recording.kinds == OUTCOME].astype(np.int64) << 15
        )
        named = named_entries(recording)
        courses: list[int] = []
        for game, (begin, length) in enumerate(
            zip(begins.tolist(), lengths.tolist(), strict=True), recording.first
        ):
            key = codes[begin : begin + length].tobytes()
            if key not in self._courses:
                course = course_of(self._run, recording, game, named[:, :, len(courses)])
                self._courses[key] = self._links.add(course)
            courses.append(self._courses[key])
        return self._links.expand(np.array(courses), begins, named)

    def finish(self) -> Shares:
        """The shares, with those of what was known before all that was unrolled."""
        found, known = self.found, self._reached
        if not self.is_over:
            known = self._run.keyframes[0]
        rest = float(self.weights.sum())
        found.since = known.game
        if known.game:
            found.earlier = rest
        else:
            found.first = rest
        found.total += float(self.weights @ known.memory[: len(self.weights)])
        return found


class LinkColumns(NamedTuple):
    """Backups, with what each read."""

    row: NDArray[np.int64]
    """Its row in the recording."""
    source: NDArray[np.int64]
    factor: NDArray[np.float64]
    is_head: NDArray[np.bool_]
    is_result: NDArray[np.bool_]


class Links:
    """The backups of all courses that games have taken."""

    def __init__(self) -> None:
        self._all: list[BackupShare] = []
        self._begins: list[int] = [0]

    def add(self, course: list[BackupShare]) -> int:
        """Add a course; returns its number."""
        self._all += course
        self._begins.append(len(self._all))
        return len(self._begins) - 2

    def expand(
        self, courses: NDArray[np.int64], begins: NDArray[np.int64], named: NDArray[np.int64]
    ) -> LinkColumns:
        """The backups of games.

        Args:
            courses: int64[G] the number of each game's course.
            begins: int64[G] its first row.
            named: int64[6, PLIES, G] see `named_entries`.
        """
        firsts = np.array(self._begins)
        many = np.diff(firsts)[courses]
        games = np.repeat(np.arange(len(courses)), many)
        at = np.arange(len(games)) + (firsts[courses] - np.cumsum(many) + many)[games]
        row, source, factor, is_head, is_result = zip(*self._all, strict=True)
        kind, ply = np.array(source).T
        return LinkColumns(
            begins[games] + np.array(row)[at],
            named[kind[at], ply[at], games],
            np.array(factor)[at],
            np.array(is_head)[at],
            np.array(is_result)[at],
        )


def writes(
    before: NDArray[np.float64], after: NDArray[np.float64], entries: NDArray[np.int64]
) -> bool:
    """Whether one of these entries was written between two states of memory."""
    visits = len(before) // 2 + entries
    return bool(np.any(before[visits] < after[visits]))


def hand_back(
    weights: list[float], entry: list[int], share: list[float],
    source: list[int], factor: list[float], is_head: list[bool], is_result: list[bool],
) -> tuple[list[float], float]:  # fmt: skip
    """Take backups back, the last one first: hand weights on to what was read.

    Args:
        weights: what the value of each entry counts; changed in place.
        entry: what each wrote.
        share: by which part of the error.
        source: see `LinkColumns`, as for factor, is_head and is_result.
        factor: see `LinkColumns`.
        is_head: see `LinkColumns`.
        is_result: see `LinkColumns`.

    Returns:
        The weight of the result that each read, and what discounting leaves out.
    """
    parts, held, lost = [0.0] * len(entry), 0.0, 0.0
    for i in range(len(entry) - 1, -1, -1):
        weight = weights[entry[i]]
        held += share[i] * weight
        if held and is_head[i]:
            weights[entry[i]] = weight - held
            part = held * factor[i]
            if is_result[i]:
                parts[i] = part
            else:
                weights[source[i]] += part
            lost += held - part
            held = 0.0
    return parts, lost


def named_entries(recording: Recording) -> NDArray[np.int64]:
    """The entries that games have to do with, int64[6, PLIES, G], by kind and ply.

    The kinds are, each for X and for O: the worth of the result (at ply 0), the boards, the moves.
    """
    columns: Any = recording.columns
    is_move = recording.kinds == MOVE
    at = recording.games[is_move] - recording.first, recording.meta[is_move] >> 3 & 15
    edges = padded_edges()[columns.entry[is_move]]
    s = space()
    many = recording.last - recording.first
    boards = np.zeros((many, PLIES), dtype=np.int64)
    moves = np.zeros((many, PLIES), dtype=np.int64)
    boards[at], moves[at] = s.edge_successor[edges], edges
    found = np.zeros((6, PLIES, many), dtype=np.int64)
    for side, table in enumerate((recording.layout.x, recording.layout.o)):
        found[side, 0] = table.rewards + columns.entry[recording.kinds == OUTCOME]
        if table.entries.of_state is not None:
            found[2 + side] = table.base + table.entries.of_state[boards].T
        else:
            found[4 + side] = table.base + table.entries.of_edge[moves].T
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


def course_of(
    run: Run, recording: Recording, game: int, named: NDArray[np.int64]
) -> list[BackupShare]:
    """The backups of a game, with the place in it of what each read.

    Args:
        run: the run.
        recording: holds the game.
        game: its number.
        named: int64[6, PLIES] its entries, see `named_entries`.

    Raises:
        NotLinearError: one read several values, or something else than a value.
    """
    rows = recording.rows_of(game)
    reads = reads_in(recording, game, watch(run, recording, game))
    places = places_of(recording, game, named)
    found: list[BackupShare] = []
    turn = None
    for at, row in enumerate(rows):
        if recording.kinds[row] != BACKUP:
            continue
        event = recording.event(row)
        assert isinstance(event, Backup)
        rule = recording.layout.table_of(event.entry).spec.rule
        settings = recording.layout.table_of(event.entry).spec.settings
        is_head = (event.player, event.ply) != turn or not rule.shares_error
        turn = event.player, event.ply
        sources = [entry for entry in reads[at].values if entry in places]
        if len(sources) != 1 or len(reads[at].values) != 1:
            raise NotLinearError(f"a target of {rule.name} is made of several values")
        source = sources[0]
        factor, ends = 1.0, is_result(recording, source)
        if not ends:
            for term in rule.equation.terms:
                if term.role is TermRole.DISCOUNT and term.option:
                    factor = float(settings[term.option])
        if event.target != factor * reads[at].values[source]:
            raise NotLinearError(f"a target of {rule.name} is more than the value that it read")
        found.append(BackupShare(at, places[source], factor, is_head, ends))
    return found


def places_of(
    recording: Recording, game: int, named: NDArray[np.int64]
) -> dict[int, tuple[int, int]]:
    """The kind and ply of each entry that a game has to do with; of equal ones the first."""
    rows = recording.rows_of(game)
    plies = int((recording.kinds[rows.start : rows.stop] == MOVE).sum())
    found: dict[int, tuple[int, int]] = {}
    for side, table in enumerate((recording.layout.x, recording.layout.o)):
        found.setdefault(int(named[side, 0]), (side, 0))
        by_board = table.entries.of_state is not None
        kind = side + (2 if by_board else 4)
        for ply in range(plies + 1):
            if by_board or (ply and (ply + 1) % 2 == side):
                found.setdefault(int(named[kind, ply]), (kind, ply))
    return found
