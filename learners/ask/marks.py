"""Milestones of a run, and the backups that change greedy moves.

The greedy moves of a position are those that no legal move is ranked strictly above, ties included.
A move ranks by the value of its entry, or by the sum of both of two tables. A backup of an entry
can change them only in the positions with a move to that entry. It does so exactly if comparing the
entry with the best of the other moves (below, equal, above) gives another result afterwards.
`mark_greedy_changes` is plain Python over flat arrays, interpreted or compiled.

A milestone is found by replaying the run from keyframe to keyframe. The verdict is not computed
after every game: while a player can be beaten, some game beats it, and that stays so until a backup
changes a greedy move in that game. So the first game is exact, though few games are judged. A
verdict may turn back later: a milestone is the first time, maybe not the last.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache, lru_cache
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from afterstate_lab.game import Side, space
from afterstate_lab.game.exact import START, Bools, Floats, greedy_policy, likeliest_refutation
from afterstate_lab.learners.engine.backups import BACKUP, NUMBERS, OUTCOME
from afterstate_lab.learners.engine.entries import padded_edges
from afterstate_lab.learners.kernel import compiler
from afterstate_lab.learners.kernel.hooks import WithHooks
from afterstate_lab.learners.kernel.kernel import mover_entries
from afterstate_lab.learners.kernel.memory import Layout
from afterstate_lab.learners.tape.recording import Recording, TapePosition, position_of
from afterstate_lab.learners.tape.run import Progress, Run, Stop, never, replay, segments

MARKS: Final = "greedy-changes"
"""The name by which `learners.precompile` compiles `mark_greedy_changes`."""
RESULTS: Final = {1: "X wins", 2: "O wins", 3: "draw"}
HOLDS: Final = {Side.X: "X unbeatable", Side.O: "O unbeatable"}
ERROR: Final = "error"


class EntryMoves(NamedTuple):
    """The moves that lead to each entry of a layout."""

    moves: NDArray[np.int32]
    """[5478 * 9] The mover's entry (of its first table) for each padded move."""
    legal: NDArray[np.int32]
    second: NDArray[np.int32]
    """[2] For X and O, the offset of its second table from its first; 0 for one table."""
    base: NDArray[np.int32]
    """[N] The same entry in the player's first table."""
    first: NDArray[np.int32]
    """[N + 1] ``positions[first[e] : first[e + 1]]`` have a move to entry e."""
    positions: NDArray[np.int32]


def mark_greedy_changes(
    n_rows: int,
    meta: Any,
    entry: Any,
    numbers: Any,
    v: Any,
    matters: Any,
    marks: Any,
    at: Any,
    known: Any,
) -> None:
    """Write what the backups of a recording write, and mark those that change greedy moves.

    Args:
        n_rows: the number of events.
        meta: int64[n_rows], see `TapeColumns`, as for entry and numbers.
        entry: int32[n_rows].
        numbers: float64[5 n_rows].
        v: float64[2N], memory before the next row; changed in place.
        matters: uint8[N]: the entries of the first tables that count.
        marks: uint8[n_rows], set to 1 for the backups that change them.
        at: int64[2]: the next row, changed in place; and whether to end after a game with a mark.
        known: `EntryMoves` of the positions.
    """
    ends = 0
    for row in range(at[0], n_rows):
        kind = meta[row] & 3
        if kind == BACKUP:
            written, now = entry[row], numbers[NUMBERS * row + 4]
            if matters[known.base[written]] and changes_greedy(written, now, v, known):
                marks[row], ends = 1, at[1]
            v[written] = now
        elif kind == OUTCOME and ends:
            at[0] = row + 1
            return
    at[0] = n_rows


def changes_greedy(written: int, now: float, v: Any, known: Any) -> int:
    """Return 1 if a write changes the greedy moves of a position, else 0."""
    old = v[written]
    if now == old:
        return 0
    own = known.base[written]
    for k in range(known.first[own], known.first[own + 1]):
        s = known.positions[k]
        n = known.legal[s]
        gap = known.second[(9 - n) & 1]
        best = -np.inf
        for j in range(9 * s, 9 * s + n):
            move = known.moves[j]
            if move != own:
                rank = v[move] + v[move + gap] if gap else v[move]
                if rank > best:
                    best = rank
        rest = (v[own + gap] if written == own else v[own]) if gap else 0.0
        before, after = old + rest, now + rest
        if (before > best) != (after > best) or (before < best) != (after < best):
            return 1
    return 0


@lru_cache(maxsize=8)
def entry_moves(layout: Layout, position: int | None = None) -> EntryMoves:
    """Return the moves that lead to each entry of a layout, or only those of one position."""
    padded = np.flatnonzero(padded_edges() >= 0)
    moves = mover_entries(layout).astype(np.int32)
    boards = padded // 9
    looked_at = padded if position is None else padded[boards == position]
    pairs = np.unique(np.stack((moves[looked_at], looked_at // 9)), axis=1)
    second = [len(t.entries.boards) * (t.rule.tables - 1) for t in layout]
    base = np.arange(layout.values)
    for table, gap in zip(layout, second, strict=True):
        if gap:
            base[table.base + gap : table.base + 2 * gap] -= gap
    first = np.searchsorted(pairs[0], np.arange(layout.values + 1))
    legal = np.bincount(boards, minlength=len(space().codes))
    return EntryMoves(
        moves, *(np.asarray(a, dtype=np.int32) for a in (legal, second, base, first, pairs[1]))
    )


@cache
def compiled_marks(*order: str) -> Callable[[bytes], int] | None:
    """Return `mark_greedy_changes` compiled (by a child if necessary), or None."""
    whole, small, flags = (np.zeros(0, kind) for kind in (np.int64, np.int32, np.uint8))
    tables: Any = (small,) * len(EntryMoves._fields)
    number = np.zeros(0)
    like = 0, whole, small, number, number, flags, flags, whole, EntryMoves(*tables)
    return compiler.compiled(WithHooks(mark_greedy_changes), like, order)


def marked(
    recording: Recording, v: Any, matters: Any, at: Any, known: EntryMoves
) -> NDArray[np.uint8]:
    """Return the marks of `mark_greedy_changes`, interpreted where no compiler was needed."""
    marks, columns = np.zeros(recording.size, dtype=np.uint8), recording.columns
    compiled = compiled_marks(MARKS) if compiler.made_before else None
    arrays = columns.meta, columns.entry, columns.numbers, v, matters, marks, at
    flat: list[Any] = [np.ascontiguousarray(array) for array in arrays]  # some are strided
    if compiled is None:
        views: list[Any] = [memoryview(array) for array in (*flat, *known)]
        given: Any = recording.size, *views[: len(flat)], EntryMoves(*views[len(flat) :])
        mark_greedy_changes(*given)
    else:
        compiled(compiler.block((recording.size, *flat, known)))
    return marks


@lru_cache(maxsize=8)
def leads_to(layout: Layout, position: int) -> Bools:
    """Return bool[N]: whether a move of this position leads to each entry."""
    found = entry_moves(layout, position)
    return np.asarray(found.first[found.base] < found.first[found.base + 1])


@dataclass(frozen=True)
class Mark:
    """A milestone: true after a game for the first time."""

    kind: str
    place: TapePosition
    """The last event of the game; of the largest |δ|, its backup."""
    error: float | None = None
    """The largest |δ|."""


@dataclass(frozen=True)
class Marks:
    """The milestones of the first games of a run."""

    games: int = 0
    """Number of games searched."""
    found: Mapping[str, Mark] = field(default_factory=dict)

    @property
    def in_order(self) -> list[Mark]:
        return sorted(self.found.values(), key=lambda mark: mark.place)


class Film:
    """A run's milestones, and the state of its film, which runs from the first game to the last.

    Each second covers more games than the previous second, by a constant factor, so that you can
    see the early games, in which most is learned.

    Args:
        marks: of its games.
    """

    def __init__(self, run: Run, marks: Marks) -> None:
        self.run, self.marks = run, marks
        self.is_playing = False
        self._began, self._seconds = 0.0, 0.0

    def play(self, seconds: float = 20.0) -> None:
        """Play from the start, beginning with the next frame."""
        self.is_playing, self._began, self._seconds = True, math.nan, seconds

    def game_at(self, now: float) -> int:
        """Return the game (from 0) to show at a time in seconds; the film ends after the last."""
        if math.isnan(self._began):
            self._began = now
        part = min(1.0, (now - self._began) / self._seconds)
        self.is_playing = part < 1.0
        last = self.run.games
        return min(last - 1, round(math.pow(last + 1, part)) - 1)

    def part_of(self, game: int) -> float:
        """Return the position of a game (from 0) in the film, 0 to 1."""
        return min(1.0, math.log(game + 1) / math.log(max(2, self.run.games)))


class LostGame(NamedTuple):
    """A game that beats the greedy play of a side."""

    moves: list[tuple[slice, int]]
    """Its own moves: the edges of the board, and the edge of the move."""
    entries: NDArray[np.uint8]
    """uint8[N]: 1 for the entries (of the first table) that decide them."""


def lost_game(layout: Layout, side: Side, v: Floats, before: LostGame) -> LostGame | None:
    """Return the previous game while its moves stay greedy, then another; None if there is none."""
    s, known = space(), entry_moves(layout)
    ranks = layout.table(side).preferences(v)
    if before.moves and all(ranks[edge] == ranks[board].max() for board, edge in before.moves):
        return before
    beaten = likeliest_refutation(greedy_policy(ranks), side)
    if beaten is None:
        return None
    found, state = LostGame([], np.zeros(layout.values, dtype=np.uint8)), START
    for cell in beaten.cells:
        if s.ply[state] % 2 == side:
            board = slice(*s.first_edge[state : state + 2].tolist())
            found.moves.append((board, int(s.edge_of[state, cell])))
            found.entries[known.moves[9 * state : 9 * state + known.legal[state]]] = 1
        state = int(s.successor[state, cell])
    return found


def add_results_and_errors(found: dict[str, Mark], recording: Recording) -> None:
    """Add the first game of each result, and the largest |δ| of a learner of values."""
    columns, layout = recording.columns, recording.layout
    ends = np.flatnonzero(recording.kinds == OUTCOME)
    for result, kind in RESULTS.items():
        rows = [] if kind in found else ends[columns.entry[ends] == result]
        if len(rows):
            found[kind] = Mark(kind, position_of(recording, int(rows[0])))
    sizes = np.abs(recording.errors)
    for table in layout:
        if not table.rule.estimates:
            sizes[recording.meta >> 2 & 1 == table.side] = 0.0
    row = int(sizes.argmax())
    largest = found[ERROR].error if ERROR in found else 0.0
    if sizes[row] > largest:
        found[ERROR] = Mark(ERROR, position_of(recording, row), float(sizes[row]))


def find_marks(
    run: Run,
    before: Marks | None = None,
    *,
    progress: Progress = lambda part: None,
    stop: Stop = never,
) -> Marks | None:
    """Find the milestones of a run, up to its last game at the call; runs in a thread.

    Args:
        run: the run; it may be trained meanwhile, but not rewound.
        before: the milestones of its first games, to search the later ones only.
        progress: called with the part that is done.
        stop: called every few milliseconds; true ends the search.

    Returns:
        The milestones, or None if `stop` ended the search.
    """
    known, games, layout = before or Marks(), run.games, run.layout
    if known.games >= games:
        return known
    found, unknown = dict(known.found), LostGame([], np.ones(layout.values, dtype=np.uint8))
    left = {side: unknown for side in layout.learners if HOLDS[side] not in found}
    for recording in replay(run, segments(run, known.games, games), progress=progress, stop=stop):
        add_results_and_errors(found, recording)
        v, at = recording.before.copy(), np.array([0, 1])
        while left and at[0] < recording.size:
            matters = np.max([game.entries for game in left.values()], axis=0)
            marked(recording, v, matters, at, entry_moves(layout))
            for side, last in [*left.items()]:
                if (game := lost_game(layout, side, v, last)) is not None:
                    left[side] = game
                else:
                    place = position_of(recording, int(at[0]) - 1)
                    found[HOLDS[side]] = Mark(HOLDS[side], place)
                    del left[side]
    return None if stop() else Marks(games, found)
