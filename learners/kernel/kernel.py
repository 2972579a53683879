"""The engine specialized to a pair of players: interpreted at first, compiled on demand.

A `Kernel` plays games in place on a memory array. After `compile` (slow, best in a thread) it runs
compiled, with the same bits.
"""

from __future__ import annotations

import os
import struct
import threading
from collections.abc import Callable
from copy import copy
from functools import cache, cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from afterstate_lab.game import space
from afterstate_lab.game.exact import Floats, Ints
from afterstate_lab.learners.engine.backups import NUMBERS, TapeColumns
from afterstate_lab.learners.engine.dice import seed_words
from afterstate_lab.learners.engine.entries import movers, padded_edges
from afterstate_lab.learners.engine.play import RECENT, GameState
from afterstate_lab.learners.kernel import compiler
from afterstate_lab.learners.kernel.hooks import (
    DiceAhead,
    Hooks,
    engine_with_hooks,
    failed,
    interpreted,
    parameters,
)
from afterstate_lab.learners.kernel.memory import Layout

EVENTS_A_GAME = 128
"""Upper bound of the number of events in a game, for every rule."""
WORTH_COMPILING = 50_000
"""Minimum number of games for which loading the compiler saves time."""
WORTH_COMPILING_TAPE = 20_000
"""The same for games that are recorded or replayed with other players."""
WORTH_DICE_AHEAD = 40
"""Minimum number of games for which computing random words in blocks saves time."""
BLOCK = 512
"""Number of games in a block of random words."""
APART = 72
"""Offset of each column of a tape within its page, in numbers."""
GAMES_COMPARED = 50
"""Number of games that check a user's rule, or its machine code, before use."""


def cores() -> int:
    """Return the number of cores that this process can use."""
    usable = getattr(os, "sched_getaffinity", None)
    return len(usable(0)) if usable else os.cpu_count() or 1


@cache
def board_arrays() -> dict[str, NDArray[Any]]:
    """Return the padded arrays of `GameState` that all players share."""
    s = space()
    edges = padded_edges()
    return {
        "successor": np.where(edges < 0, 0, s.edge_successor[edges]).astype(np.uint16),
        "cell": np.where(edges < 0, 0, s.edge_cell[edges]).astype(np.uint8),
        "outcome": s.outcome.astype(np.uint8),
    }


@cache
def board_lists() -> dict[str, list[int] | bytes]:
    """Return `board_arrays` in the forms that the interpreter reads fastest."""
    arrays = board_arrays()
    bytewise: Any = {name: arrays[name].tobytes() for name in ("cell", "outcome")}
    return {"successor": arrays["successor"].tolist(), **bytewise}


def mover_entries(layout: Layout) -> NDArray[np.uint32]:
    """Return uint32[5478 * 9]: the index into memory of the mover's entry for each padded move."""
    edges = padded_edges()
    of_x, of_o = (table.base + table.entries.of_edge for table in layout)
    entry = np.where(movers(0), of_x, of_o)
    return np.where(edges < 0, 0, entry[edges]).astype(np.uint32)


class Fields:
    """A named tuple in the form that the interpreter reads fastest: attributes, lists for
    arrays."""

    def __init__(self, named: Any) -> None:
        for name, value in named._asdict().items():
            setattr(self, name, value.tolist() if isinstance(value, np.ndarray) else value)


class Kernel:
    """Plays games between two players on one layout of memory.

    Args:
        layout: the memory of the two players.
        seed: the random seed.
        frozen_x: X chooses greedily and does not learn.
        frozen_o: the same for O.
    """

    def __init__(
        self, layout: Layout, seed: int, *, frozen_x: bool = False, frozen_o: bool = False
    ) -> None:
        x, o = layout.x.player, layout.o.player
        frozen_x, frozen_o = frozen_x or not x.learns, frozen_o or not o.learns
        of_x, of_o = parameters(layout.x, layout, frozen_x), parameters(layout.o, layout, frozen_o)
        self._players = of_x, of_o
        self._hooks = Hooks.of(x.rule, frozen_x, of_x), Hooks.of(o.rule, frozen_o, of_o)
        entry = mover_entries(layout)
        # half as wide, twice as many lie in the processor's nearest cache
        self._entry = entry.astype(np.uint16) if layout.values <= 1 << 16 else entry
        self._layout = layout
        self._seed = seed_words(seed)
        is_named = (x, o) == (layout.x.spec, layout.o.spec)
        self._order = (str(x), str(o), str(frozen_x), str(frozen_o)) if is_named else ()
        self._untrusted = [spec.rule for spec in (x, o) if not spec.rule.is_trusted]
        self._compiled: dict[bool, Callable[..., int]] = {}
        self._scratch = threading.local()
        """The compiled engine's arguments, one set per thread since the engine writes to them."""

    @property
    def is_compiled(self) -> bool:
        return False in self._compiled

    @property
    def records_compiled(self) -> bool:
        return True in self._compiled

    def with_seed(self, seed: int) -> Kernel:
        """Return the same players with another seed; everything else is shared."""
        other = copy(self)
        other._seed = seed_words(seed)
        return other

    def compile(self, *, recording: bool = False, in_child: bool = True) -> bool:
        """Load or compile the machine code for this pair of rules, if there is a compiler.

        Args:
            recording: the variant that writes a tape, else the one that trains.
            in_child: let a child process compile what is not in the cache.

        Returns:
            Whether the machine code is loaded.
        """
        if recording not in self._compiled:
            tape = empty_columns(EVENTS_A_GAME) if recording else None
            arguments = self._arguments(np.zeros(2), 0, 0, None, tape, new_tally())
            trusted = not self._untrusted
            named = self._order if in_child and trusted else ()
            order = (*named, str(recording)) if named else ()
            engine = engine_with_hooks(*self._hooks)
            try:
                function = compiler.compiled(
                    engine, arguments, order, result=True, checked=not trusted
                )
            except Exception:
                if trusted:
                    raise
                return False
            if function is None or not (trusted or self._agrees(function, recording)):
                return False
            self._compiled[recording] = function
            if len(self._compiled) == 2:  # a person's game makes them again
                self.__dict__.pop("_lists", None)
        return True

    def _agrees(self, function: Callable[..., int], recording: bool) -> bool:
        """Return whether the machine code of a user's rule does what the interpreter does."""
        sides = []
        for is_compiled in (False, True):
            v, tally = self._layout.fresh(), new_tally()
            tape = empty_columns(GAMES_COMPARED * EVENTS_A_GAME) if recording else None
            try:
                if is_compiled:
                    function(*self._arguments(v, 0, GAMES_COMPARED, None, tape, tally))
                else:
                    self.play_interpreted(v, 0, GAMES_COMPARED, tally, tape=tape)
            except (Exception, SystemExit):
                return not is_compiled
            sides.append([array.tobytes() for array in (v, tally, *(tape or ()))])
        return sides[0] == sides[1]

    def play(
        self,
        v: Floats,
        first: int,
        last: int,
        tally: Ints,
        *,
        script: NDArray[np.int8] | None = None,
        tape: TapeColumns | None = None,
    ) -> int:
        """Play games first .. last - 1 in place; see `learners.engine.play.play_games`.

        Returns:
            The number of the first game that is not over.
        """
        function = self._compiled.get(tape is not None)
        before = (v.copy(), tally.copy()) if self._untrusted else None
        try:
            if function is None or script is not None:
                return self.play_interpreted(v, first, last, tally, script=script, tape=tape)
            if before is not None:
                return function(*self._arguments(v, first, last, script, tape, tally))
            own, arrays = self._scratch, (v, *(tape or ()), tally)
            if not hasattr(own, "block"):
                own.lasting = self._lasting()
                own.block = compiler.block(own.lasting)
            # the words that differ between calls, as fast as possible
            places = map(compiler.address, arrays)
            changing = struct.pack(f"4q{len(arrays)}Q", *self._seed, first, last, *places)
            return function(own.block + changing)
        except (Exception, SystemExit) as error:
            if before is None:
                raise
            v[:], tally[:] = before
            raise failed(self._untrusted, error) from None

    def play_interpreted(
        self,
        v: Floats,
        first: int,
        last: int,
        tally: Ints,
        *,
        script: NDArray[np.int8] | None = None,
        tape: TapeColumns | None = None,
    ) -> int:
        counts = tally.tolist()
        columns: Any = None if tape is None else Fields(TapeColumns(*map(memoryview, tape)))  # type: ignore[arg-type]
        moves = None if script is None else script.tolist()
        memory: Any = memoryview(v)  # type: ignore[arg-type]
        done = stop = first
        while done == stop < last:
            stop = min(done + BLOCK, last)
            ahead = stop - done >= WORTH_DICE_AHEAD and not self._untrusted
            done = self.play_watched(memory, done, stop, counts, moves, columns, ahead=ahead)
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
        *,
        ahead: bool = False,
    ) -> int:
        """Play interpreted, on any objects that index like memory and a tape's columns.

        With `ahead`, the random words of all games are computed in blocks. A user's rule needs the
        key of each game instead, since it can use it.
        """
        play = interpreted(*self._hooks, ahead=ahead)
        dice = (DiceAhead(*self._seed, first, last), first) if ahead else self._seed
        entry, x, o = self._lists
        game = GameState(**board_lists(), entry=entry, path=[0] * 10, clock=[0] * 4)
        own = Fields(game), x, o, [0] * 8, [0] * 8, [0] * 8, [0] * 8
        return play(*own, *dice, first, last, memory, script, tape, tally)

    @cached_property
    def _lists(self) -> tuple[list[int], Fields, Fields]:
        """The entries and the players for the interpreter: a megabyte."""
        x, o = self._players
        return self._entry.tolist(), Fields(x), Fields(o)

    def _lasting(self) -> tuple[Any, ...]:
        """Return the arguments that are the same in every call of the compiled engine."""
        game = GameState(
            **board_arrays(),
            entry=self._entry,
            path=np.zeros(10, dtype=np.int64),
            clock=np.zeros(4, dtype=np.int64),
        )
        own = [np.zeros(8, dtype=kind) for kind in (np.uint32, np.uint8, np.uint32, np.uint8)]
        return (game, *self._players, *own)

    def _arguments(self, v: Floats, first: int, last: int, *others: Any) -> tuple[Any, ...]:
        return (*self._lasting(), *self._seed, first, last, v, *others)


def new_tally() -> Ints:
    """Return the tally before the first game: int64[4 + RECENT] of zeros."""
    return np.zeros(4 + RECENT, dtype=np.int64)


def empty_columns(rows: int) -> TapeColumns:
    """Return the columns of an empty tape with room for `rows` events.

    An event is written into all columns at once, so each starts at another offset in a page: equal
    offsets share a small part of the processor's cache.
    """

    def column(place: int, size: int, kind: Any) -> NDArray[Any]:
        return np.zeros(size + APART * place, dtype=kind)[APART * place :]

    return TapeColumns(
        meta=column(0, rows, np.int64),
        entries=column(1, 2 * rows, np.int32),
        numbers=column(2, NUMBERS * rows, np.float64),
        at=np.zeros(2, dtype=np.int64),
    )


def recent_results(tally: Ints, games: int = RECENT) -> tuple[int, int, int]:
    """Return the results of the latest games: X won, drawn, O won.

    Args:
        tally: the results, int64[4 + RECENT].
        games: the number of latest games, at most RECENT.
    """
    played = int(tally[1:4].sum())
    latest = [int(tally[4 + g % RECENT]) for g in range(max(0, played - games), played)]
    return latest.count(1), latest.count(3), latest.count(2)
