"""What if: the same game on the same dice under other rules, and the whole run again under them.

A game is a pure function of memory, players, dice and script, so one of these can be exchanged and
the rest kept. The other player starts from the same memory where its table has the same entries
(`td`, `mc` and `chain` all value boards): only what the results are worth is its own. A learner of
another kind (`td` and `q`, values and beads) knows in that game what it would have learned from all
games before it, on the same seed and with the same moves given from outside. An opponent that
learns nothing is what it is.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import zip_longest
from typing import TYPE_CHECKING

import numpy as np

from game import Board
from learners.kernel.kernel import EVENTS_A_GAME, empty_columns
from learners.queries.rerun import legal_script, rerun
from learners.tape.events import Backup, Event, GameOver, Move, NoBackup
from learners.tape.recording import Cursor
from learners.tape.run import Run

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from learners.kernel.memory import Table
    from learners.rules.spec import PlayerSpec
    from learners.tape.recording import Recording
    from learners.tape.segments import Progress, Stop


@dataclass(frozen=True)
class TimeStep:
    """One of a player's own time steps in a game, and what the game taught it there."""

    t: int
    board: int
    """Position id of S_t."""
    cell: int | None
    """A_t (0-8) for a learner of action values, None for a state value."""
    old: float
    """The value before the game."""
    new: float
    """The value after it."""


@dataclass(frozen=True, eq=False)
class WhatIf:
    """A game as it was, and as it would have been."""

    original: Recording
    """The one game."""
    other: Recording
    """The same under other rules. It stops early where a move given from outside is not legal any
    more and a person would have to make another."""
    learned_anew: tuple[bool, bool]
    """Whether X (and O) knew what it would have learned from the games before, and not the same as
    in the original."""

    @property
    def first_difference(self) -> int | None:
        """The row of the first event that differs; None where none does."""
        pairs = zip_longest(self.original.events(), self.other.events())
        rows = (row for row, (was, would_be) in enumerate(pairs) if not alike(was, would_be))
        return next(rows, None)

    def steps(self, player: str) -> list[tuple[TimeStep | None, TimeStep | None]]:
        """A player's time steps side by side; None where a game has no such step."""
        return list(zip_longest(time_steps(self.original, player), time_steps(self.other, player)))

    def different_steps(self, player: str) -> list[int]:
        """The time steps whose position, move or value after the game differs."""
        return [
            t
            for t, (was, would_be) in enumerate(self.steps(player))
            if was is None
            or would_be is None
            or (was.board, was.cell, was.new) != (would_be.board, would_be.cell, would_be.new)
        ]


def alike(one: Event | None, other: Event | None) -> bool:
    """Whether two events say the same; the rule's name and the place in memory apart."""
    return one is not None and other is not None and told(one) == told(other)


def told(event: Event) -> tuple[object, ...]:
    """What an event says."""
    about: tuple[object, ...] = (type(event), event.ply)
    if isinstance(event, Move):
        return (*about, event.cell, event.choice, event.exploratory)
    if isinstance(event, Backup):
        numbers = (event.old, event.target, event.step, event.trace, event.new)
        return (*about, event.player, event.board, event.cell, *numbers)
    if isinstance(event, NoBackup):
        return (*about, event.player, event.board, event.cell, event.reason)
    assert isinstance(event, GameOver)
    return (*about, event.result, event.resigned)


def time_steps(recording: Recording, player: str) -> list[TimeStep]:
    """The time steps of a player in a recording of one game; none for a player that never learns.

    For a learner of state values S_0 is the empty board, S_t the board after its t-th move, and the
    last one the terminal board; for a learner of action values S_t, A_t is its move from there.
    """
    table = recording.layout.x if player == "X" else recording.layout.o
    if not table.spec.rule.learns:
        return []
    before, after = recording.before, Cursor(recording, recording.size).v
    moves = [event for event in recording.events() if isinstance(event, Move)]
    if table.entries.of_state is None:
        old, new = table.preferences(before), table.preferences(after)
        return [
            TimeStep(t, m.board, m.cell, float(old[m.edge]), float(new[m.edge]))
            for t, m in enumerate(m for m in moves if m.player == player)
        ]
    path = [0, *(m.afterstate for m in moves if m.player == player)]
    if moves and moves[-1].player != player and Board.from_id(moves[-1].afterstate).is_over:
        path.append(moves[-1].afterstate)
    entries = table.entries.of_state[path]
    return [
        TimeStep(t, board, None, float(old), float(new))
        for t, (board, old, new) in enumerate(
            zip(
                path, table.values(before)[0][entries], table.values(after)[0][entries], strict=True
            )
        )
    ]


def replay_game(
    run: Run,
    game: int,
    *,
    x: PlayerSpec | None = None,
    o: PlayerSpec | None = None,
    progress: Progress | None = None,
    stop: Stop | None = None,
) -> WhatIf | None:
    """A game of a run again on the same dice, with other players.

    Args:
        run: the run.
        game: a game that is over.
        x: who plays X instead, if anybody.
        o: who plays O instead.
        progress: told what part is done, where all games before must be played.
        stop: asked every few milliseconds whether to give up.

    Returns:
        Both games side by side, or None where `stop` said so.

    Raises:
        IndexError: the run has not come so far.
    """
    original = run.record(game, game + 1)
    other = Run(x or run.x, o or run.o, run.seed)
    tables = (run.layout.x, other.layout.x), (run.layout.o, other.layout.o)
    anew = tuple(
        would_be.spec.rule.learns and not has_same_entries(was, would_be)
        for was, would_be in tables
    )
    memory = other.layout.fresh()
    if any(anew):
        past = rerun(run, x=x, o=o, games=game, progress=progress, stop=stop)
        if past is None:
            return None
        memory = past.memory.copy()
    for (was, would_be), is_new in zip(tables, anew, strict=True):
        if would_be.spec.rule.learns and not is_new:
            transplant(was, original.before, would_be, memory)
    other.seat(run.seating_of(game))
    if game in run.scripts:
        other.scripts[game] = legal_script(other, memory, game, run.scripts[game])
    replayed = other.record_on(memory, game, game + 1, empty_columns(EVENTS_A_GAME))
    return WhatIf(original, replayed, (anew[0], anew[1]))


def has_same_entries(one: Table, other: Table) -> bool:
    """Whether two learners keep the same kind of numbers for the same boards and moves."""
    kinds = [(t.spec.rule.learns, t.spec.rule.tables, t.spec.rule.estimates) for t in (one, other)]
    return kinds[0] == kinds[1] and all(
        np.array_equal(getattr(one.entries, name), getattr(other.entries, name))
        for name in ("boards", "cells", "of_edge")
    )


def transplant(
    source: Table,
    known: NDArray[np.float64],
    target: Table,
    memory: NDArray[np.float64],
) -> None:
    """Copy what one player has learned into the memory of another with the same entries.

    Values and counts of all entries that a backup can reach, and the number of greedy moves; not
    what results are worth.
    """
    live = source.entries.live
    target.values(memory)[:, live] = source.values(known)[:, live]
    target.visits(memory)[:, live] = source.visits(known)[:, live]
    memory[target.counter] = known[source.counter]
