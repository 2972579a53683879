"""What happened for the first time in a run, each by the exact game after which it holds.

The run is replayed, recorded, from keyframe to keyframe. A verdict is not computed after every
game: as long as a player can be beaten there is a game that beats it, and that stays so until a
backup changes a greedy move on it (`greedy_changes`); as long as nobody beats it, until one changes
on a board that can be reached. So the first game is found exactly, though few games are judged.
A verdict may turn back afterwards: a mark says first, not from then on.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from game import Side, space
from game.exact import greedy_policy, reached_positions, shortest_refutation
from learners.engine.backups import BACKUP, OUTCOME
from learners.judge.evaluated_state import START, greedy_opening
from learners.queries.greedy_changes import entry_moves, greedy_changes
from learners.tape.recording import Recording, TapePosition, position_of
from learners.tape.segments import Progress, Stop, replay, segments

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from learners.kernel.memory import Layout
    from learners.tape.run import Run

RESULTS: Final = {1: "X wins", 2: "O wins", 3: "draw"}
HOLDS: Final = {Side.X: "X unbeatable", Side.O: "O unbeatable"}
BOTH: Final = "both unbeatable"
OPENING: Final = "opening"
SETTLED: Final = "settled"
ERROR: Final = "error"


@dataclass(frozen=True)
class Mark:
    """Something that is so after a game for the first time; the settled opening: the last time."""

    kind: str
    place: TapePosition
    """The last event of the game; of the largest |δ|, its backup."""
    value: Any = None
    """The opening cells (0-8), or |δ|."""

    @property
    def game(self) -> int:
        """The number of the game, from 0."""
        return self.place.game


@dataclass(frozen=True)
class Marks:
    """The marks of the first games of a run."""

    games: int = 0
    """So many games were searched."""
    found: Mapping[str, Mark] = field(default_factory=dict)
    turns: int = 0
    """After how many games X's greedy opening was another than before."""

    @property
    def in_order(self) -> list[Mark]:
        """The marks in the order of their games."""
        return sorted(self.found.values(), key=lambda mark: mark.place)


class Verdict:
    """Whether a side can be beaten, as memory changes.

    Args:
        layout: the players.
        side: whose greedy play is judged.
    """

    def __init__(self, layout: Layout, side: Side) -> None:
        self.side = side
        self._layout, self._table = layout, layout.table(side)
        self._moves = entry_moves(layout)
        self._beaten_by: list[tuple[int, int, int]] = []
        """The side's moves in a game that beats it: first and last edge of the board, and edge."""
        self.entries = np.zeros(layout.values, dtype=np.bool_)
        """bool[N]: the entries whose ranks the verdict depends on (of the first table)."""
        self.holds = False
        """Whether no opponent can beat it."""
        self.judgements = 0
        """How often it was judged anew, and `entries` with it."""

    def judge(self, v: NDArray[np.float64]) -> None:
        """Bring the verdict up to date where a greedy move that it depends on has changed."""
        ranks = self._table.preferences(v)
        if self._beaten_by and all(
            ranks[edge] == ranks[first:last].max() for first, last, edge in self._beaten_by
        ):
            return
        self.judgements += 1
        s = space()
        policy = greedy_policy(ranks)
        cells = shortest_refutation(policy, self.side.player)
        self._beaten_by, state = [], START
        boards: Any = []
        for cell in cells or ():
            if s.ply[state] % 2 == self.side:
                boards.append(state)
                first, last = s.first_edge[state : state + 2].tolist()
                self._beaten_by.append((first, last, int(s.edge_of[state, cell])))
            state = int(s.successor[state, cell])
        self.holds = cells is None
        if self.holds:
            boards = np.flatnonzero(
                reached_positions(policy, self.side.player)
                & (s.outcome == 0)
                & (s.ply % 2 == self.side)
            )
        padded = [9 * board + j for board in boards for j in range(self._moves.legal[board])]
        self.entries[:] = False
        self.entries[self._moves.moves[padded]] = True


class MarkSearch:
    """Follows a run through its recordings.

    Args:
        layout: the players.
        before: what was found in the games before.
        v: memory after those.
    """

    def __init__(self, layout: Layout, before: Marks, v: NDArray[np.float64]) -> None:
        self._layout = layout
        self.found, self.turns = dict(before.found), before.turns
        self._verdicts = [
            Verdict(layout, side) for side in Side if layout.table(side).spec.rule.learns
        ]
        for verdict in self._verdicts:
            verdict.judge(v)
        self._opening, self._turned = greedy_opening(layout, v), 0
        """X's greedy opening, and the game after which it became so."""
        self._of_opening = np.zeros(layout.values, dtype=np.bool_)
        if self._opening:
            moves = entry_moves(layout)
            self._of_opening[moves.moves[: moves.legal[START]]] = True

    def take(self, recording: Recording) -> None:
        """Search the next games."""
        self._results(recording)
        self._errors(recording)
        columns: Any = recording.columns
        changes = greedy_changes(recording)
        entries = entry_moves(self._layout).base[columns.entry[changes]]
        games = recording.games[changes]
        written = np.flatnonzero(recording.kinds == BACKUP)
        ends = recording.games[written]
        v, at, n = recording.before.copy(), 0, 0
        turns, game = self.turns, -1
        followed: tuple[tuple[Side, int], ...] | None = None
        later: Iterator[int] = iter(())
        while True:
            if followed != self._dependent:
                followed = self._dependent
                later = iter((n + np.flatnonzero(self._watched()[entries[n:]])).tolist())
            n = next((hit for hit in later if games[hit] > game), -1)
            if n < 0:
                break
            game = int(games[n])
            end = int(np.searchsorted(ends, game, "right"))
            rows = written[at:end]
            v[columns.entry[rows]] = columns.new[rows]
            at = end
            self._judge(recording, game, v)
        if self.turns > turns:
            self.found[SETTLED] = Mark(SETTLED, end_of(recording, self._turned), self._opening)

    @property
    def _dependent(self) -> tuple[tuple[Side, int], ...]:
        """What `_watched` follows from."""
        return tuple((one.side, one.judgements) for one in self._followed())

    def _watched(self) -> NDArray[np.bool_]:
        """bool[N]: the entries on which something depends that is not found yet."""
        watched = self._of_opening.copy()
        for verdict in self._followed():
            watched |= verdict.entries
        return watched

    def _followed(self) -> list[Verdict]:
        """The verdicts that can make a mark now: while one side can be beaten, not both hold."""
        followed = [one for one in self._verdicts if HOLDS[one.side] not in self.found]
        if not followed and self._awaits_both:
            beaten = [one for one in self._verdicts if not one.holds]
            return beaten[:1] or self._verdicts
        return followed

    @property
    def _awaits_both(self) -> bool:
        return len(self._verdicts) == 2 and BOTH not in self.found

    def _judge(self, recording: Recording, game: int, v: NDArray[np.float64]) -> None:
        """Look at memory after a game in which a greedy move has changed."""
        opening = greedy_opening(self._layout, v)
        if opening != self._opening:
            self._opening, self._turned = opening, game
            self.turns += 1
            if OPENING not in self.found:
                self.found[OPENING] = Mark(OPENING, end_of(recording, game), opening)
        for verdict in self._followed():
            verdict.judge(v)
            if verdict.holds:
                kind = HOLDS[verdict.side]
                self.found.setdefault(kind, Mark(kind, end_of(recording, game)))
        if self._awaits_both and any(verdict.holds for verdict in self._verdicts):
            for verdict in self._verdicts:
                verdict.judge(v)
            if all(verdict.holds for verdict in self._verdicts):
                self.found[BOTH] = Mark(BOTH, end_of(recording, game))

    def _results(self, recording: Recording) -> None:
        columns: Any = recording.columns
        if all(kind in self.found for kind in RESULTS.values()):
            return
        ends = np.flatnonzero(recording.kinds == OUTCOME)
        for result, kind in RESULTS.items():
            rows = ends[columns.entry[ends] == result]
            if kind not in self.found and len(rows):
                self.found[kind] = Mark(kind, position_of(recording, int(rows[0])))

    def _errors(self, recording: Recording) -> None:
        """The largest |δ| of a learner that keeps values."""
        sizes = np.abs(recording.errors)
        for table in (self._layout.x, self._layout.o):
            if not table.spec.rule.estimates:
                sizes[recording.meta >> 2 & 1 == table.side] = 0.0
        if not len(sizes):
            return
        row = int(sizes.argmax())
        known = self.found.get(ERROR)
        if sizes[row] > (0.0 if known is None else known.value):
            self.found[ERROR] = Mark(ERROR, position_of(recording, row), float(sizes[row]))


def end_of(recording: Recording, game: int) -> TapePosition:
    """The last event of a game."""
    return TapePosition(game, len(recording.rows_of(game)) - 1)


def find_marks(
    run: Run,
    before: Marks | None = None,
    *,
    progress: Progress | None = None,
    stop: Stop | None = None,
) -> Marks | None:
    """Find the marks of a run, up to its last game at the call; meant for a thread.

    Args:
        run: the run; it may be trained meanwhile, but not rewound.
        before: the marks of its first games, to search the later ones only.
        progress: called with the part that is done.
        stop: called every few milliseconds; true ends the search.

    Returns:
        The marks, or None if `stop` ended the search.
    """
    known, games = before or Marks(), run.games
    if known.games >= games:
        return known
    search = MarkSearch(run.layout, known, run.memory_at(known.games))
    spans = segments(run, known.games, games)
    for _, recording in replay(run, spans, progress=progress, stop=stop):
        search.take(recording)
    if stop is not None and stop():
        return None
    return Marks(games, search.found, search.turns)
