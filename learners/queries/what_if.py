"""What if: a game replayed with other players on the same dice, or the whole run.

A game is a pure function of memory, players, dice and script, so one of these can be replaced and
the rest kept. A new learner starts from the replaced one's memory if its table has the same entries
(`td`, `mc` and `chain` all value boards), but with its own rewards. A learner of another kind (`td`
and `q`, values and beads) starts with what it would have learned from all games before, on the same
seed and with the same moves given from outside. A step size that decays has done so by the greedy
moves that the player has made in the run so far.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import TYPE_CHECKING

import numpy as np

from game import Board
from learners.engine.backups import MOVE
from learners.engine.play import EXPLORED
from learners.kernel.kernel import EVENTS_A_GAME, WORTH_COMPILING_TAPE, empty_columns
from learners.tape.events import Backup, Event, GameOver, Move, NoBackup
from learners.tape.recording import Cursor, counts_greedy_moves
from learners.tape.run import Run
from learners.tape.state import Seat

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from learners.kernel.memory import Table
    from learners.rules.spec import PlayerSpec
    from learners.tape.recording import Recording
    from learners.tape.segments import Progress, Stop

COUNTED_AT_ONCE = 512
"""Games that are recorded at once to count their greedy moves."""


@dataclass(frozen=True)
class TimeStep:
    """One of a player's own time steps in a game, and its value before and after the game."""

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
    """A recorded game and its replay with other players."""

    original: Recording
    """The recorded game."""
    other: Recording
    """The replay. It stops early at a person's move that is not legal in it."""
    learned_anew: tuple[bool, bool]
    """For X and O, whether it started with what it would have learned from the games before,
    instead of the memory of the recorded game."""
    run: Run
    """Plays the replay again, for whoever watches it."""

    @property
    def first_difference(self) -> int | None:
        """The row of the first event that differs, or None."""
        pairs = zip_longest(self.original.events(), self.other.events())
        rows = (row for row, (was, would_be) in enumerate(pairs) if not alike(was, would_be))
        return next(rows, None)

    def steps(self, player: str) -> list[tuple[TimeStep | None, TimeStep | None]]:
        """Pairs of a player's time steps in both games; None where a game has no such step."""
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
    """Whether two events are equal except for the rule's name and the index into memory."""
    return one is not None and other is not None and event_key(one) == event_key(other)


def event_key(event: Event) -> tuple[object, ...]:
    """The fields of an event that `alike` compares."""
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
    """The time steps of a player in a recording of one game; none for an opponent.

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
    """Replay a game of a run on the same dice with other players.

    Args:
        run: the run.
        game: a finished game.
        x: the player that replaces X, or None.
        o: the player that replaces O, or None.
        progress: called with the part that is done, if all games before must be replayed.
        stop: called every few milliseconds; true ends the work.

    Returns:
        Both games, or None if `stop` ended the work.

    Raises:
        IndexError: the run has fewer games.
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
            if counts_greedy_moves(would_be.spec) and not counts_greedy_moves(was.spec):
                made = greedy_moves(run, was.side, game, progress=progress, stop=stop)
                if made is None:
                    return None
                memory[would_be.counter] = made
    other.seat(run.seating_of(game))
    if game in run.scripts:
        other.scripts[game] = legal_script(other, memory, game, run.scripts[game])
    replayed = other.record_on(memory, game, game + 1, empty_columns(EVENTS_A_GAME))
    return WhatIf(original, replayed, (anew[0], anew[1]), other)


def greedy_moves(
    run: Run, side: int, games: int, *, progress: Progress | None = None, stop: Stop | None = None
) -> int | None:
    """How many greedy moves a side has made while it learned; None where `stop` said so.

    Args:
        run: the run.
        side: 0 for X, 1 for O.
        games: in so many of its first games.
        progress: told what part is counted.
        stop: asked every few milliseconds whether to give up.
    """
    memory, made = run.memory_at(0), 0
    ends = [*(first for first, _ in run.seating_changes[1:] if first < games), games]
    for (first, seats), last in zip(run.seating_changes, ends, strict=False):
        kernel = run.kernel(seats)
        if kernel.is_compiled or last - first >= WORTH_COMPILING_TAPE:
            kernel.compile(recording=True)
        learns = (seats.o if side else seats.x) is Seat.LEARNS
        for start in range(first, last, COUNTED_AT_ONCE):
            if stop is not None and stop():
                return None
            end = min(last, start + COUNTED_AT_ONCE)
            columns = empty_columns((end - start) * EVENTS_A_GAME)
            recording = run.record_on(memory, start, end, columns)
            meta = recording.meta[(recording.kinds == MOVE) & learns]
            is_counted = (meta >> 2 & 1 == side) & (meta >> 7 & EXPLORED == 0)
            made += int(np.count_nonzero(is_counted))
            if progress is not None:
                progress(end / games)
    return made


def has_same_entries(one: Table, other: Table) -> bool:
    """Whether two tables have the same kind of values for the same entries."""
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
    """Copy what one player has learned to another with the same entries.

    Copies values and visit counts of all live entries and the number of greedy moves, but not the
    rewards.
    """
    live = source.entries.live
    target.values(memory)[:, live] = source.values(known)[:, live]
    target.visits(memory)[:, live] = source.visits(known)[:, live]
    memory[target.counter] = known[source.counter]


COMPILED_SLICE = 1 << 15
INTERPRETED_SLICE = 1 << 9
"""Maximum number of games between two calls of `stop`."""
PARTS = 64
"""Minimum number of parts of a rerun: each can leave a keyframe, a point of its learning curve."""


def rerun(
    run: Run,
    *,
    x: PlayerSpec | None = None,
    o: PlayerSpec | None = None,
    games: int | None = None,
    progress: Progress | None = None,
    stop: Stop | None = None,
) -> Run | None:
    """Replay a run from its first game with other players.

    The dice are the same, and so are the moves given from outside while they are legal. From the
    first illegal one on, the learner of that seat makes the person's moves in that game, frozen.

    Args:
        run: the run; it is left unchanged.
        x: the player that replaces X, or None.
        o: the player that replaces O, or None.
        games: the number of games; all finished games by default.
        progress: called with the part that is done.
        stop: called every few milliseconds; true ends the work.

    Returns:
        The new run, or None if `stop` ended the work.
    """
    other = Run(x or run.x, o or run.o, run.seed)
    last = run.games if games is None else games
    starts = {game for game, _ in run.seating_changes} | {
        g + k for g in run.scripts for k in (0, 1)
    }
    stretches = sorted({0, *(game for game in starts if 0 < game < last)})
    for start, end in zip(stretches, [*stretches[1:], last], strict=True):
        other.seat(run.seating_of(start))
        if start < last and start in run.scripts:
            play_scripted(other, run.scripts[start])
            continue
        wanted = run.kernel(other.seating).is_compiled or end - start >= WORTH_COMPILING_TAPE
        compiled = wanted and other.kernel().compile()
        while other.games < end:
            if stop is not None and stop():
                return None
            slice_ = COMPILED_SLICE if compiled else INTERPRETED_SLICE
            part = max(1, min(slice_, last // PARTS))
            other.train(min(part, end - other.games))
            if progress is not None:
                progress(other.games / last)
    return other


def play_scripted(run: Run, script: tuple[int, ...]) -> None:
    """Play the next game with moves given from outside, to its end."""
    legal = legal_script(run, run.memory, run.games, script)
    moves = {ply: cell for ply, cell in enumerate(legal) if cell >= 0}
    if not run.play(moves).is_over:
        left = {
            side: Seat.FROZEN for side in ("x", "o") if getattr(run.seating, side) is Seat.HUMAN
        }
        run.seat(replace(run.seating, **left))
        run.play(moves)


def legal_script(
    run: Run, memory: NDArray[np.float64], game: int, script: tuple[int, ...]
) -> tuple[int, ...]:
    """A script up to its first illegal move.

    Args:
        run: the run with the players and the dice.
        memory: memory before the game.
        game: the number of the game.
        script: the cells given from outside, by ply.
    """
    trial = Run(run.x, run.o, run.seed)
    trial.seat(run.seating)
    for ply in range(1, 10):
        if script[ply] < 0:
            continue
        earlier = (*script[:ply], *(-1,) * (10 - ply))
        trial.scripts[game] = earlier
        board = board_before(trial, memory, game, ply)
        if board is None or script[ply] not in board.legal_cells:
            return earlier
    return script


def board_before(run: Run, memory: NDArray[np.float64], game: int, ply: int) -> Board | None:
    """The board before a ply of a game; None if the game is over by then."""
    if ply == 1:
        return Board()
    recording = run.record_on(memory.copy(), game, game + 1, empty_columns(EVENTS_A_GAME))
    try:
        move = recording.event(recording.row_of(game, ply - 1))
    except IndexError:
        return None
    assert isinstance(move, Move)
    return Board.from_id(move.afterstate)
