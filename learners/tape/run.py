"""A run: two players, a seed, and their games, each of which can be replayed.

A run is its settings and the given moves; everything else follows. Keyframes of memory make every
game reachable in milliseconds, by a replay from the nearest earlier keyframe. A search goes from
keyframe to keyframe (`Segment`); if the two around a segment show that nothing happened in it, its
games are not replayed.
"""

from __future__ import annotations

import hashlib
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from afterstate_lab.game import IllegalMoveError
from afterstate_lab.game.board import shorten
from afterstate_lab.learners.engine.backups import TapeColumns
from afterstate_lab.learners.engine.dice import seed_words
from afterstate_lab.learners.kernel.kernel import (
    EVENTS_A_GAME,
    WORTH_COMPILING,
    WORTH_COMPILING_TAPE,
    Kernel,
    empty_columns,
    new_tally,
)
from afterstate_lab.learners.kernel.memory import Layout
from afterstate_lab.learners.rules.spec import PlayerSpec
from afterstate_lab.learners.tape.recording import Recording, counts_greedy_moves, trace_recording

if TYPE_CHECKING:
    from afterstate_lab.game.exact import Floats, Ints

MANY_GAMES = 20_000
"""Number of games that take the interpreter a third of a second."""
BETWEEN_KEYFRAMES = 8192
"""Minimum number of games from one keyframe of training to the next."""
MOST: Final = 64
"""Maximum number of keyframes."""
COMPILED_GAMES: Final = 1000
"""Games in a batch of the compiled engine: their events fit the processor's cache."""
INTERPRETED_GAMES: Final = 128
"""Games in a batch of the interpreter: a few milliseconds, after which it can be stopped."""
TRACED_GAMES: Final = 64
"""Games in a batch of a trace."""
FEW_GAMES: Final = 1_000
"""Fewer games are replayed without waiting for the compiler."""


Progress = Callable[[float], None]
"""Called with the part of the work that is done, from 0 to 1."""
Stop = Callable[[], bool]
"""Called between two batches of games; true ends the work."""


def never() -> bool:
    return False


class Seat(Enum):
    """Who plays a side, and whether it learns from the game."""

    LEARNS = "learns"
    FROZEN = "frozen"
    HUMAN = "human"


@dataclass(frozen=True)
class Seating:
    """The seats of X and O."""

    x: Seat = Seat.LEARNS
    o: Seat = Seat.LEARNS

    @property
    def has_human(self) -> bool:
        """Whether a person plays."""
        return Seat.HUMAN in (self.x, self.o)


Script = tuple[int, ...]
"""The given cell by ply 1-9, or -1; index 0 is unused."""
Changes = Sequence[tuple[int, Seating]]
"""(game, seating): the sides from that game."""


def seating_at(changes: Changes, game: int) -> Seating:
    """Return the seating of a game."""
    return next(seats for first, seats in reversed(changes) if first <= game)


def spans(changes: Changes, last: int) -> list[tuple[int, int, Seating]]:
    """Return the first game of each seating, the game after its last one, and the seating."""
    ends = [*(game for game, _ in changes[1:]), last]
    return [(first, end, seats) for (first, seats), end in zip(changes, ends, strict=True)]


def script_of(moves: Mapping[int, int]) -> Script:
    """Return a script from cells (0-8) by ply (1-9)."""
    for ply, cell in moves.items():
        if not (1 <= ply <= 9 and 0 <= cell <= 8):
            raise IllegalMoveError(
                f"No cell {shorten(cell + 1)} at ply {shorten(ply)}: both are 1 to 9."
            )
    return tuple(moves.get(ply, -1) for ply in range(10))


def cells_of(script: Sequence[int]) -> dict[int, int]:
    """Return the cells of a script by ply."""
    return {ply: cell for ply, cell in enumerate(script) if cell >= 0}


class Keyframe:
    """Memory and results before a game, never written again.

    Args:
        game: the number of the game.
        memory: float64[2N]; only the entries that differ from `start` are kept.
        tally: int64[4 + RECENT].
        start: memory at the start of the run, which its keyframes share; by default `memory`.
    """

    def __init__(
        self,
        game: int,
        memory: Floats,
        tally: Ints,
        start: Floats | None = None,
    ) -> None:
        self.game, self.tally = game, tally
        self.start = memory if start is None else start
        differs = memory.view(np.int64) != self.start.view(np.int64)
        size = len(memory) // 2
        places = np.flatnonzero(differs[:size] | differs[size:])
        self._values, visits = memory[:size][places], memory[size:][places]
        self._places = places.astype(np.uint32)
        counts = visits.astype(np.uint32)
        self._visits = counts if np.array_equal(counts, visits) else visits

    @property
    def memory(self) -> Floats:
        """float64[2N], a copy."""
        memory = self.start.copy()
        values, visits = np.split(memory, 2)
        values[self._places], visits[self._places] = self._values, self._visits
        return memory

    @property
    def visits(self) -> Floats:
        """float64[N]: the visit count of each entry."""
        return np.split(self.memory, 2)[1]

    @cached_property
    def sha256(self) -> str:
        """The hash of memory and results."""
        return memory_hash(np.concatenate((self.memory, self.tally)))


def with_keyframe(
    frames: tuple[Keyframe, ...], game: int, memory: Floats, tally: Ints
) -> tuple[Keyframe, ...]:
    """Keyframes in the order of games, spread evenly, and one more if the last is far enough back.

    There are at most `MOST`: else the one whose neighbours are nearest to each other is removed. If
    training adds one every `spacing` games, two neighbours are at most twice as far apart.
    """
    if game - frames[-1].game < spacing(game):
        return frames
    frames = (*frames, Keyframe(game, memory, tally.copy(), frames[0].start))
    if len(frames) <= MOST:
        return frames
    gaps = [b.game - a.game for a, b in zip(frames, frames[2:], strict=False)]
    nearest = 1 + gaps.index(min(gaps))
    return (*frames[:nearest], *frames[nearest + 1 :])


def spacing(game: int) -> int:
    """Games from the last keyframe to one before `game`."""
    return max(1, game // MOST)


def memory_hash(memory: Floats) -> str:
    """sha256 of memory as little-endian float64: equal if all learned values are, bit by bit."""
    return hashlib.sha256(np.ascontiguousarray(memory, dtype="<f8").data).hexdigest()


@dataclass(eq=False)
class Run:
    """Two players learning, game after game.

    Args:
        x: who plays X.
        o: who plays O.
        seed: any integer >= 0.
    """

    x: PlayerSpec
    o: PlayerSpec
    seed: int = 0
    games: int = 0
    """Number of games that are over; also the number of the next game."""
    scripts: dict[int, Script] = field(default_factory=dict)
    """The moves given from outside, by game."""

    def __post_init__(self) -> None:
        self.layout = Layout.of(self.x, self.o)
        self.memory = self.layout.fresh()
        self.tally = new_tally()
        self.seating_changes: list[tuple[int, Seating]] = [(0, Seating())]
        self._kernels: dict[Seating, Kernel] = {}
        self.keyframes: tuple[Keyframe, ...] = (Keyframe(0, self.memory.copy(), self.tally.copy()),)
        """In the order of their games; the first is before game 0."""
        self._reached = self.keyframes[0]
        """Memory and results at the game that was replayed to last."""
        self.rewinds = 0
        """Number of rewinds, which make earlier search results invalid."""

    @classmethod
    def of(cls, x: PlayerSpec, o: PlayerSpec, seed: int = 0) -> Run:
        """Return a run with a person in each seat whose spec is `human`.

        The table of that seat belongs to a learner like the opponent, so that both can train after
        the person leaves.
        """
        keeper = next((spec for spec in (o, x) if spec.rule.learns), PlayerSpec.parse("td"))
        run = cls(keeper if x.rule.human else x, keeper if o.rule.human else o, seed)
        run.seat(Seating(*(Seat.HUMAN if s.rule.human else Seat.LEARNS for s in (x, o))))
        return run

    @property
    def sha256(self) -> str:
        """The hash of memory: equal for two runs if all they learned is, bit by bit."""
        return memory_hash(self.memory)

    @property
    def seating(self) -> Seating:
        return self.seating_changes[-1][1]

    def seating_of(self, game: int) -> Seating:
        return seating_at(self.seating_changes, game)

    def seat(self, seating: Seating) -> None:
        """Change the seating, beginning with the next game."""
        if seating == self.seating:
            return
        if self.seating_changes[-1][0] == self.games:
            self.seating_changes.pop()
        self.seating_changes.append((self.games, seating))

    def kernel(self, seating: Seating | None = None) -> Kernel:
        """Return the kernel of a seating (the next game's by default)."""
        seats = seating or self.seating
        if seats not in self._kernels:
            human = PlayerSpec.parse("human")
            x, o = (
                replace(table, stand_in=human if seat is Seat.HUMAN else None)
                for table, seat in ((self.layout.x, seats.x), (self.layout.o, seats.o))
            )
            layout = Layout(x, o)
            self._kernels[seats] = Kernel(
                layout, self.seed, frozen_x=seats.x is Seat.FROZEN, frozen_o=seats.o is Seat.FROZEN
            )
        return self._kernels[seats]

    def train(self, games: int) -> None:
        """Play and learn from the next `games` games, without a tape.

        If a user's own rule fails, the run keeps its state after the games before.
        """
        if self.seating.has_human or self.x.rule.human or self.o.rule.human:
            raise ValueError("a run with a human player cannot be trained")
        kernel, last = self.kernel(), self.games + games
        while self.games < last:
            stop = min(last, self.games + max(spacing(self.games), BETWEEN_KEYFRAMES))
            try:
                kernel.play(self.memory, self.games, stop, self.tally)
            except BaseException:
                self.memory, self.tally = self._replayed_to(self.games)
                raise
            self.games = stop
            self.keyframes = with_keyframe(self.keyframes, stop, self.memory, self.tally)

    def play(self, script: Mapping[int, int] | None = None) -> Recording:
        """Play the next game from its start, with moves given from outside by ply (1-9).

        If a person's move is missing, the game stops there and the run is left unchanged, so that
        the game can be replayed with a longer (or shorter) script.

        Returns:
            The game's events so far.
        """
        moves = script_of(script or {})
        given = np.array(moves, dtype=np.int8) if max(moves) >= 0 else None
        memory, tally, first = self.memory.copy(), self.tally.copy(), self.games
        columns = empty_columns(EVENTS_A_GAME)
        done = self.kernel().play(memory, first, first + 1, tally, script=given, tape=columns)
        recording = self._recording(first, self.memory.copy(), columns)
        board = recording.board
        if (left := [ply for ply in range(board.ply + 1, 10) if moves[ply] >= 0]) != []:
            if left[0] == board.ply + 1:
                board.play(moves[left[0]])
            raise IllegalMoveError(f"The game is over before ply {left[0]}.")
        if done > first:
            if given is not None:
                # A new dict: another thread may be replaying games by the old one.
                self.scripts = {**self.scripts, first: moves}
            self.memory, self.tally, self.games = memory, tally, done
            self.keyframes = with_keyframe(self.keyframes, done, memory, tally)
        return recording

    def memory_at(self, game: int) -> Floats:
        """Memory before a game, float64[2N]."""
        return self._state_at(game)[0]

    def record(self, first: int, last: int) -> Recording:
        """Replay games first .. last - 1, recording their events."""
        if not 0 <= first <= last <= self.games:
            raise IndexError(f"the run has {self.games} games")
        columns = empty_columns((last - first + 1) * EVENTS_A_GAME)
        return self.record_on(self.memory_at(first), first, last, columns)

    def record_on(self, memory: Floats, first: int, last: int, columns: TapeColumns) -> Recording:
        """The same from memory before the first game, changed in place, into these columns."""
        before = memory.copy()
        self._replay(memory, new_tally(), first, last, columns)
        return self._recording(first, before, columns)

    def rewind(self, game: int) -> None:
        """Remove all games from `game` on."""
        self.rewinds += 1
        self.memory, self.tally = self._state_at(game)
        self.games = game
        self.scripts = {g: script for g, script in self.scripts.items() if g < game}
        self.seating_changes = [c for c in self.seating_changes if c[0] <= game]
        self.keyframes = tuple(frame for frame in self.keyframes if frame.game <= game)
        self._reached = self.keyframes[0]

    def make_ready(self, game: int) -> None:
        """Prepare going to a game, which can take seconds: call it in a thread.

        Compiles if many games lie between two keyframes, then replays from the nearest keyframe to
        the game and keeps the result.
        """
        if 2 * spacing(self.games) > MANY_GAMES:
            for first, last, seats in self.spans(0, self.games):
                if last - first > MANY_GAMES:
                    self.kernel(seats).compile()
        self._state_at(game)

    def fork(self, game: int | None = None) -> Run:
        """Return a new run with the same games before `game`, by default with all.

        It shares nothing that is written to: another thread may save it meanwhile. Not to be called
        while another thread plays this run's games.
        """
        other = copy(self)
        other._kernels = dict(self._kernels)
        other.rewind(self.games if game is None else game)
        other.rewinds = 0
        return other

    def spans(self, first: int, last: int) -> Iterator[tuple[int, int, Seating]]:
        """Games first .. last - 1 by seating: first game, game after the last, seating."""
        for start, end, seats in spans(self.seating_changes, last):
            if max(first, start) < min(last, end):
                yield max(first, start), min(last, end), seats

    def _recording(self, first: int, before: Floats, columns: TapeColumns) -> Recording:
        tape = columns.until(int(columns.at[0]))
        counted = [counts_greedy_moves(table.spec) for table in self.layout]
        counting = tuple(
            (game, seats.x is Seat.LEARNS and counted[0], seats.o is Seat.LEARNS and counted[1])
            for game, seats in self.seating_changes
        )
        return Recording(self.layout, seed_words(self.seed), first, before, tape, counting)

    def _state_at(self, game: int) -> tuple[Floats, Ints]:
        if not 0 <= game <= self.games:
            raise IndexError(f"the run has {self.games} games")
        if game == self.games:
            return self.memory.copy(), self.tally.copy()
        return self._replayed_to(game)

    def _replayed_to(self, game: int) -> tuple[Floats, Ints]:
        """Memory and results before a game, replayed from the nearest known state."""
        known = (*self.keyframes, self._reached)
        start = max((f for f in known if f.game <= game), key=lambda frame: frame.game)
        memory, tally = start.memory, start.tally.copy()
        self._replay(memory, tally, start.game, game, None)
        self._reached = Keyframe(game, memory.copy(), tally.copy())
        return memory, tally

    def _replay(
        self,
        memory: Floats,
        tally: Ints,
        first: int,
        last: int,
        tape: TapeColumns | None,
    ) -> None:
        """Replay games first .. last - 1, each with the kernel of its seating and its script."""
        scripted = {g + k for g in self.scripts for k in (0, 1)}
        for begin, end, seats in self.spans(first, last):
            stops = sorted({begin, end, *(g for g in scripted if begin < g < end)})
            for start, stop in pairwise(stops):
                script = self.scripts.get(start)
                given = None if script is None else np.array(script, dtype=np.int8)
                self.kernel(seats).play(memory, start, stop, tally, script=given, tape=tape)


def follow(
    run: Run,
    changes: Changes,
    scripts: Mapping[int, Sequence[int]],
    games: int,
    play: Callable[[Mapping[int, int]], object],
) -> Iterator[None]:
    """Play games like those of another run, in parts; yield after each.

    Args:
        changes: the seatings, by first game.
        scripts: the given moves by game.
        games: the number of games in the end.
        play: plays the next game with given moves, cells 0-8 by ply.
    """
    stops = sorted({*(game for game, _ in changes), *scripts, games})
    while (game := run.games) < games:
        run.seat(seating_at(changes, game))
        if run.seating.has_human or game in scripts:
            play(cells_of(scripts.get(game, ())))
        else:
            stop = stops[bisect_right(stops, game)]
            if stop - game >= WORTH_COMPILING:
                run.kernel().compile()
            run.train(min(stop - game, max(64, game // 16), MANY_GAMES))
        yield


@dataclass(frozen=True, eq=False)
class Segment:
    """Games first .. last - 1, with the keyframes around them."""

    first: int
    last: int
    before: Keyframe
    """The last keyframe at or before the first game."""
    after: Keyframe | None
    """The first keyframe at or after the end, or None."""

    def may_write(self, entries: Ints) -> bool:
        """Return whether one of these entries can be written in this segment."""
        after = self.after
        return after is None or bool(np.any(self.before.visits[entries] < after.visits[entries]))


def segments(run: Run, first: int, last: int) -> list[Segment]:
    """Games first .. last - 1 of a run, divided at its keyframes."""
    frames = run.keyframes
    bounds = [
        (max(first, a.game), last if b is None else min(last, b.game), a, b)
        for a, b in zip(frames, (*frames[1:], None), strict=True)
    ]
    return [Segment(*bound) for bound in bounds if bound[0] < bound[1]]


def prepare(run: Run, first: int, last: int) -> bool:
    """Load or compile the recording kernels of these games, if there are enough games.

    Returns:
        Whether compiled code records them all.
    """
    is_compiled = True
    for start, end, seats in run.spans(first, last):
        if seats.has_human:
            continue
        kernel = run.kernel(seats)
        if end - start >= (FEW_GAMES if kernel.is_compiled else WORTH_COMPILING_TAPE):
            kernel.compile()
            kernel.compile(recording=True)
        is_compiled &= kernel.is_compiled and kernel.records_compiled
    return is_compiled


def replay(
    run: Run, spans: list[Segment], *, progress: Progress = lambda part: None, stop: Stop = never
) -> Iterator[Recording]:
    """Replay the games of these segments in the given order; ends early if `stop` is true.

    Each recording overwrites the columns of the previous one.
    """
    games = sum(span.last - span.first for span in spans)
    if not games:
        return
    is_compiled = prepare(run, min(s.first for s in spans), max(s.last for s in spans))
    games_at_once = COMPILED_GAMES if is_compiled else INTERPRETED_GAMES
    columns, done = empty_columns(EVENTS_A_GAME * games_at_once), 0
    for span in spans:
        memory = run.memory_at(span.first)
        for start in range(span.first, span.last, games_at_once):
            if stop():
                return
            columns.at[0] = 0
            last = min(start + games_at_once, span.last)
            yield run.record_on(memory, start, last, columns)
            done += last - start
            progress(done / games)


def trace_games(run: Run, first: int, last: int) -> Iterator[dict[str, Any]]:
    """Yield every event of games first .. last - 1 of a run as plain data."""
    for start in range(first, last, TRACED_GAMES):
        yield from trace_recording(run.record(start, min(start + TRACED_GAMES, last)))
