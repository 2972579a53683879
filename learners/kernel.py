"""The engine bound to a pair of players, run by the interpreter until the compiler is there.

A `Kernel` plays games in place on a memory array. It starts interpreted, at once; `compile` (slow,
meant for a thread) makes it compiled, with the same bits.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from copy import copy
from dataclasses import dataclass, fields
from functools import cache, partial
from typing import TYPE_CHECKING, Any

import numpy as np

from game import space
from learners import engine
from learners.backups import STEP_SIZES, TapeColumns, constant_step, decaying_step
from learners.choices import EXPLORATION_RATES
from learners.dice import seed_words
from learners.engine import RECENT, Ground
from learners.entries import padded_edges
from learners.link import Bound, Linker
from learners.memory import Layout
from learners.players import parameters
from learners.rule import Rule
from learners.user_rule import CHECKED, failed

if TYPE_CHECKING:
    from numpy.typing import NDArray

EVENTS_A_GAME = 128
"""More events than any game has, whatever the rule."""


@dataclass(frozen=True)
class Hooks:
    """The hooks of one side. Players that learn nothing and choose alike share theirs."""

    choose: Callable[..., Any]
    after_step: Callable[..., Any]
    after_game: Callable[..., Any]
    step_size: Callable[..., Any]
    exploration_rate: Callable[..., Any]
    counts_moves: bool
    is_trusted: bool = True
    """Whether its writes need no check."""

    @classmethod
    def of(cls, rule: type[Rule], frozen: bool, me: Any) -> Hooks:
        """The hooks of a rule, those of learning left out when the player is frozen.

        Args:
            rule: the player's rule.
            frozen: whether it chooses greedily and learns nothing.
            me: its parameters, which say how its step size and its epsilon are found.
        """
        rate = EXPLORATION_RATES[me.epsilon_kind]
        if frozen or not rule.learns:
            choose = rule.choose_frozen if frozen and rule.learns else rule.choose
            return cls(choose, engine.nothing, engine.nothing, constant_step, rate, False)
        step = STEP_SIZES[me.schedule]
        hooks = rule.choose, rule.after_step, rule.after_game
        return cls(*hooks, step, rate, step is decaying_step, rule.is_trusted)

    def names(self) -> dict[str, Any]:
        """The hooks under the names by which the engine and the rules call them."""
        named = {field.name: getattr(self, field.name) for field in fields(self)}
        return named if self.is_trusted else named | CHECKED


def bound_engine(x: Hooks, o: Hooks) -> Bound:
    """`engine.play_games` bound to the hooks of both sides."""
    of_x = x.names()
    of_o = of_x if x == o else o.names()
    return Bound(
        engine.play_games,
        {
            "turn_x": Bound(engine.turn, of_x),
            "turn_o": Bound(engine.turn, of_o),
            "conclude_x": Bound(engine.conclude, of_x),
            "conclude_o": Bound(engine.conclude, of_o),
            "rate_x": x.exploration_rate,
            "rate_o": o.exploration_rate,
        },
    )


@cache
def interpreted(x: Hooks, o: Hooks) -> Callable[..., int]:
    """The engine for two sides, in plain Python."""
    return Linker().link(bound_engine(x, o))


@cache
def board_arrays() -> dict[str, NDArray[Any]]:
    """The padded arrays of `Ground` that are the same for all players."""
    s = space()
    edges = padded_edges()
    return {
        "successor": np.where(edges < 0, 0, s.edge_successor[edges]).astype(np.uint32),
        "cell": np.where(edges < 0, 0, s.edge_cell[edges]).astype(np.uint8),
        "outcome": s.outcome.astype(np.uint8),
    }


@cache
def board_lists() -> dict[str, list[int]]:
    """The same as lists, which the interpreter reads faster."""
    return {name: array.tolist() for name, array in board_arrays().items()}


def mover_entries(layout: Layout) -> NDArray[np.uint32]:
    """uint32[5478 * 9]: the index into memory of the mover's entry for each padded move."""
    edges = padded_edges()
    by_x = space().ply[space().edge_state] % 2 == 0
    entry = np.where(
        by_x,
        layout.x.base + layout.x.entries.of_edge,
        layout.o.base + layout.o.entries.of_edge,
    )
    return np.where(edges < 0, 0, entry[edges]).astype(np.uint32)


class Fields:
    """A named tuple as the interpreter reads it fastest: attributes, and lists for arrays."""

    def __init__(self, named: Any) -> None:
        for name, value in named._asdict().items():
            setattr(self, name, value.tolist() if isinstance(value, np.ndarray) else value)


class Kernel:
    """Plays games between two players on one layout of memory.

    Args:
        layout: the memory of the two players.
        seed: the seed of all dice.
        frozen_x: X chooses greedily and learns nothing; so for O.
    """

    def __init__(
        self, layout: Layout, seed: int, *, frozen_x: bool = False, frozen_o: bool = False
    ) -> None:
        x, o = layout.x.player, layout.o.player
        frozen_x, frozen_o = frozen_x or not x.learns, frozen_o or not o.learns
        of_x, of_o = parameters(layout.x, layout, frozen_x), parameters(layout.o, layout, frozen_o)
        self._players = of_x, of_o
        self._hooks = Hooks.of(x.rule, frozen_x, of_x), Hooks.of(o.rule, frozen_o, of_o)
        self._entry = mover_entries(layout)
        self._seed = seed_words(seed)
        has_guests = (x, o) != (layout.x.spec, layout.o.spec) or not (
            x.rule.is_trusted and o.rule.is_trusted
        )
        self._told = None if has_guests else (str(x), str(o), frozen_x, frozen_o)
        self._untrusted = [spec.rule for spec in (x, o) if not spec.rule.is_trusted]
        self._compiled: dict[bool, Callable[..., int]] = {}
        self._scratch = threading.local()
        """The interpreter's arguments, for each thread its own: the engine writes to them."""

    @property
    def is_compiled(self) -> bool:
        """Whether training runs compiled."""
        return False in self._compiled

    def with_seed(self, seed: int) -> Kernel:
        """The same players with other dice; the machine code is shared."""
        other = copy(self)
        other._seed = seed_words(seed)
        other._scratch = threading.local()
        return other

    def compile(self, *, recording: bool = False, elsewhere: bool = True) -> bool:
        """Load or compile the machine code for this pair of rules, if there is a compiler.

        Args:
            recording: the variant that writes a tape, else the one that trains.
            elsewhere: let another process make what is not in the cache.

        Returns:
            Whether it is there now.
        """
        from learners import compiler
        from learners.precompile import Order

        if recording not in self._compiled:
            tape = empty_columns(EVENTS_A_GAME) if recording else None
            arguments = self._arguments(np.zeros(2), 0, 0, None, tape, new_tally())
            order = Order(*self._told, recording) if self._told and elsewhere else None
            trusted = not self._untrusted
            try:
                function = compiler.compiled(
                    bound_engine(*self._hooks), self._hooks, arguments, order, checked=not trusted
                )
            except Exception:
                if trusted:
                    raise
                return False
            if function is None:
                return False
            self._compiled[recording] = function
        return True

    def play(
        self,
        v: NDArray[np.float64],
        first: int,
        last: int,
        tally: NDArray[np.int64],
        *,
        script: NDArray[np.int8] | None = None,
        tape: TapeColumns | None = None,
    ) -> int:
        """Play games first .. last - 1 in place; see `learners.engine.play_games`.

        Returns:
            The number of the first game that is not over.
        """
        if not self._untrusted:
            return self._play(v, first, last, tally, script, tape)
        before = v.copy(), tally.copy()
        try:
            return self._play(v, first, last, tally, script, tape)
        except Exception as error:
            v[:], tally[:] = before
            raise failed(self._untrusted, error) from None

    def _play(
        self,
        v: NDArray[np.float64],
        first: int,
        last: int,
        tally: NDArray[np.int64],
        script: NDArray[np.int8] | None,
        tape: TapeColumns | None,
    ) -> int:
        function = self._compiled.get(tape is not None)
        if function is None or script is not None:
            return self.play_interpreted(v, first, last, tally, script=script, tape=tape)
        return function(*self._arguments(v, first, last, script, tape, tally))

    def play_interpreted(
        self,
        v: NDArray[np.float64],
        first: int,
        last: int,
        tally: NDArray[np.int64],
        *,
        script: NDArray[np.int8] | None = None,
        tape: TapeColumns | None = None,
    ) -> int:
        """The same by the interpreter."""
        few = last - first < 64
        memory: Any = memoryview(v) if few else v.tolist()  # type: ignore[arg-type]
        counts = tally.tolist()
        columns = None if tape is None else TapeColumns(*map(memoryview, tape))  # type: ignore[arg-type]
        moves = None if script is None else script.tolist()
        done = self.play_watched(memory, first, last, counts, moves, columns)
        if not few:
            v[:] = memory
        tally[:] = counts
        return done

    def play_watched(
        self,
        memory: Any,
        first: int,
        last: int,
        tally: list[int],
        script: list[int] | None,
        tape: TapeColumns | None,
    ) -> int:
        """The same on whatever can be indexed as memory and the columns of a tape are."""
        if not hasattr(self._scratch, "arguments"):
            lists = board_lists()
            ground = Ground(**lists, entry=self._entry.tolist(), path=[0] * 10, clock=[0] * 4)
            x, o = (Fields(player) for player in self._players)
            scratch = [0] * 8, [0] * 8, [0] * 8, [0] * 8
            self._scratch.arguments = (Fields(ground), x, o, *scratch, *self._seed)
        play = interpreted(*self._hooks)
        return play(memory, *self._scratch.arguments, first, last, script, tape, tally)

    def _arguments(
        self,
        v: NDArray[np.float64],
        first: int,
        last: int,
        script: NDArray[np.int8] | None,
        tape: TapeColumns | None,
        tally: NDArray[np.int64],
    ) -> tuple[Any, ...]:
        ground = Ground(
            **board_arrays(),
            entry=self._entry,
            path=np.zeros(10, dtype=np.int64),
            clock=np.zeros(4, dtype=np.int64),
        )
        steps, greedy = partial(np.zeros, 8, np.uint32), partial(np.zeros, 8, np.uint8)
        scratch = steps(), greedy(), steps(), greedy()
        return (v, ground, *self._players, *scratch, *self._seed, first, last, script, tape, tally)


def new_tally() -> NDArray[np.int64]:
    """No results yet: int64[4 + RECENT]."""
    return np.zeros(4 + RECENT, dtype=np.int64)


def empty_columns(rows: int) -> TapeColumns:
    """Columns with room for `rows` events."""
    return TapeColumns(
        meta=np.zeros(rows, dtype=np.int64),
        entry=np.zeros(rows, dtype=np.int32),
        old=np.zeros(rows),
        target=np.zeros(rows),
        step=np.zeros(rows),
        trace=np.zeros(rows),
        new=np.zeros(rows),
        at=np.zeros(2, dtype=np.int64),
    )


def recent_results(tally: NDArray[np.int64], games: int = RECENT) -> tuple[int, int, int]:
    """How the latest games ended: X won, drawn, O won.

    Args:
        tally: the results, int64[4 + RECENT].
        games: how many games to look back on, at most RECENT.
    """
    played = int(tally[1:4].sum())
    latest = [int(tally[4 + g % RECENT]) for g in range(max(0, played - games), played)]
    return latest.count(1), latest.count(3), latest.count(2)
