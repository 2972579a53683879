"""A run: two players, a seed, and everything that happened since, at any place of it.

A run is its settings plus the moves given from outside; all else follows from them. Some keyframes
of memory are kept so that any game can be reached in milliseconds: the nearest keyframe before it,
and a replay from there.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING

import numpy as np

from learners.backups import TapeColumns
from learners.dice import seed_words
from learners.kernel import EVENTS_A_GAME, Kernel, empty_columns, new_tally
from learners.memory import Layout
from learners.recording import Recording
from learners.spec import PlayerSpec

if TYPE_CHECKING:
    from numpy.typing import NDArray

KEYFRAMES = 64
"""How many keyframes are kept at most; beyond that every other one is dropped."""
BETWEEN_KEYFRAMES = 4096
"""Training plays at least so many games from one keyframe to the next."""


class Seat(Enum):
    """Who plays a side, and whether it learns from the game."""

    LEARNS = "learns"
    FROZEN = "frozen"
    HUMAN = "human"


@dataclass(frozen=True)
class Seating:
    """Who sits where."""

    x: Seat = Seat.LEARNS
    o: Seat = Seat.LEARNS

    @property
    def has_human(self) -> bool:
        """Whether a person plays."""
        return Seat.HUMAN in (self.x, self.o)


@dataclass(frozen=True, eq=False)
class Keyframe:
    """Memory and results before a game."""

    game: int
    memory: NDArray[np.float64]
    tally: NDArray[np.int64]


@dataclass
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
    """Games that are over; also the number of the next one."""
    scripts: dict[int, tuple[int, ...]] = field(default_factory=dict)
    """By game, the cell given from outside at each ply 1-9 (-1 where none is; [0] is unused)."""

    def __post_init__(self) -> None:
        self.layout = Layout.of(self.x, self.o)
        self.memory = self.layout.fresh()
        self.tally = new_tally()
        self.legs: list[tuple[int, Seating]] = [(0, Seating())]
        self._kernels: dict[Seating, Kernel] = {}
        self._keyframes = [self._keyframe()]
        self._spacing = 1

    @classmethod
    def of(cls, x: PlayerSpec, o: PlayerSpec, seed: int = 0) -> Run:
        """A run in which a person sits where a spec says `human`.

        The place is kept by a learner like the other one, so the person can stand up and let the
        two train.
        """
        keeper = next((spec for spec in (o, x) if spec.rule.learns), PlayerSpec.parse("td"))
        learners = (keeper if spec.rule.human else spec for spec in (x, o))
        run = cls(*learners, seed)
        run.seat(Seating(*(Seat.HUMAN if s.rule.human else Seat.LEARNS for s in (x, o))))
        return run

    @property
    def seating(self) -> Seating:
        """Who sits where in the next game."""
        return self.legs[-1][1]

    def seat(self, seating: Seating) -> None:
        """Change who sits where, from the next game on."""
        if seating == self.seating:
            return
        if self.legs[-1][0] == self.games:
            self.legs.pop()
        self.legs.append((self.games, seating))

    def kernel(self, seating: Seating | None = None) -> Kernel:
        """The engine for a seating (the next game's by default)."""
        seats = seating or self.seating
        if seats not in self._kernels:
            guest = PlayerSpec.parse("human")
            layout = self.layout.with_guests(
                guest if seats.x is Seat.HUMAN else None, guest if seats.o is Seat.HUMAN else None
            )
            self._kernels[seats] = Kernel(
                layout,
                self.seed,
                frozen_x=seats.x is Seat.FROZEN,
                frozen_o=seats.o is Seat.FROZEN,
            )
        return self._kernels[seats]

    def train(self, games: int) -> None:
        """Play and learn from so many games, without a tape.

        Raises:
            ValueError: a person has a seat.
        """
        if self.seating.has_human:
            raise ValueError("a run with a human player cannot be trained")
        kernel, last = self.kernel(), self.games + games
        while self.games < last:
            stop = min(last, self.games + max(self._spacing, BETWEEN_KEYFRAMES))
            kernel.play(self.memory, self.games, stop, self.tally)
            self.games = stop
            self._keep()

    def play(self, script: Mapping[int, int] | None = None) -> Recording:
        """Play the next game from its start, with moves given from outside by ply (1-9).

        When a person's move is missing the game stops there and the run stays where it is, so it
        can be played again with a longer (or a shorter) script.

        Returns:
            The game's events so far.
        """
        moves = script_of(script or {})
        memory, tally = self.memory.copy(), self.tally.copy()
        columns = empty_columns(EVENTS_A_GAME)
        given = np.array(moves, dtype=np.int8) if any(m >= 0 for m in moves) else None
        done = self.kernel().play(
            memory, self.games, self.games + 1, tally, script=given, tape=columns
        )
        recording = self._recording(self.games, self.memory.copy(), columns)
        if done > self.games:
            if given is not None:
                self.scripts[self.games] = moves
            self.memory, self.tally, self.games = memory, tally, done
            self._keep()
        return recording

    def memory_at(self, game: int) -> NDArray[np.float64]:
        """Memory before a game, float64[2N].

        Raises:
            IndexError: the run has not come so far.
        """
        return self._state_at(game)[0]

    def tally_at(self, game: int) -> NDArray[np.int64]:
        """The results before a game."""
        return self._state_at(game)[1]

    def record(self, first: int, last: int) -> Recording:
        """Games first .. last - 1 again, event by event.

        Raises:
            IndexError: the run has not come so far.
        """
        if not 0 <= first <= last <= self.games:
            raise IndexError(f"the run has {self.games} games")
        before = self.memory_at(first)
        columns = empty_columns((last - first + 1) * EVENTS_A_GAME)
        self._replay(before.copy(), new_tally(), first, last, columns)
        return self._recording(first, before, columns)

    def rewind(self, game: int) -> None:
        """Take back every game from `game` on."""
        self.memory, self.tally = self._state_at(game)
        self.games = game
        self.scripts = {g: script for g, script in self.scripts.items() if g < game}
        self.legs = [leg for leg in self.legs if leg[0] <= game]
        self._keyframes = [k for k in self._keyframes if k.game <= game]

    def fork(self, game: int) -> Run:
        """A run of its own that shares everything before `game`; this one is left as it is."""
        other = Run(self.x, self.o, self.seed)
        other.memory, other.tally = self._state_at(game)
        other.games = game
        other.scripts = {g: script for g, script in self.scripts.items() if g < game}
        other.legs = [leg for leg in self.legs if leg[0] <= game]
        other._keyframes = [k for k in self._keyframes if k.game <= game]
        other._kernels = self._kernels
        return other

    def _recording(
        self, first: int, before: NDArray[np.float64], columns: TapeColumns
    ) -> Recording:
        size = int(columns.at[0])  # type: ignore[index]
        cut = TapeColumns(*(column[:size] for column in columns[:-1]), at=columns.at)  # type: ignore[index]
        return Recording(self.layout, seed_words(self.seed), first, before, cut)

    def _keyframe(self) -> Keyframe:
        return Keyframe(self.games, self.memory.copy(), self.tally.copy())

    def _keep(self) -> None:
        """Keep a keyframe here if the last one is far enough back; thin them out when too many."""
        if self.games - self._keyframes[-1].game < self._spacing:
            return
        self._keyframes.append(self._keyframe())
        if len(self._keyframes) > KEYFRAMES:
            self._keyframes = self._keyframes[::2]
            self._spacing = max(1, self._keyframes[-1].game // KEYFRAMES)

    def _state_at(self, game: int) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        if not 0 <= game <= self.games:
            raise IndexError(f"the run has {self.games} games")
        if game == self.games:
            return self.memory.copy(), self.tally.copy()
        start = next(k for k in reversed(self._keyframes) if k.game <= game)
        memory, tally = start.memory.copy(), start.tally.copy()
        self._replay(memory, tally, start.game, game, None)
        return memory, tally

    def _replay(
        self,
        memory: NDArray[np.float64],
        tally: NDArray[np.int64],
        first: int,
        last: int,
        tape: TapeColumns | None,
    ) -> None:
        """Play games first .. last - 1 again: each leg by its kernel, each script where it was."""
        stops = sorted(
            {g for g, _ in self.legs if first < g < last}
            | {g + k for g in self.scripts for k in (0, 1) if first < g + k < last}
        )
        for start, stop in zip([first, *stops], [*stops, last], strict=True):
            seating = next(seats for game, seats in reversed(self.legs) if game <= start)
            script = self.scripts.get(start)
            self.kernel(seating).play(
                memory,
                start,
                stop,
                tally,
                script=None if script is None else np.array(script, dtype=np.int8),
                tape=tape,
            )


def script_of(moves: Mapping[int, int]) -> tuple[int, ...]:
    """A script from cells (0-8) by ply (1-9)."""
    return tuple(moves.get(ply, -1) for ply in range(10))
