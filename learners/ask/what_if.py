"""What if: replay a game, or a whole run, with other players and the same random numbers.

A game is a pure function of memory, players, random numbers and script, so one of these can be
replaced. A new learner starts from the replaced one's memory if its table has the same entries
(`td`, `mc` and `chain` all value boards), but with its own rewards. A learner of another kind (`td`
and `q`, values and beads) starts with what it would have learned from the earlier games of the run,
as does one whose step size falls with greedy moves that the replaced one did not count.

`event_pairs` puts two games in lockstep. Events are paired within a turn: a move with the move of
the same ply, a backup with the backup of the same entry. So rules that back up the entries of one
turn in another order agree if they write the same numbers. Numbers can differ by some units in the
last place of the largest number of the backup, since the order of sums differs.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from math import ulp

import numpy as np

from afterstate_lab.game.exact import Floats
from afterstate_lab.learners import lean_dataclass
from afterstate_lab.learners.kernel.kernel import EVENTS_A_GAME, empty_columns
from afterstate_lab.learners.kernel.memory import Table
from afterstate_lab.learners.rules.spec import PlayerSpec
from afterstate_lab.learners.tape.recording import (
    Backup,
    Event,
    GameOver,
    Learning,
    Move,
    Recording,
    counts_greedy_moves,
)
from afterstate_lab.learners.tape.run import (
    Progress,
    Run,
    Script,
    Seat,
    Seating,
    Stop,
    cells_of,
    follow,
    never,
    script_of,
)


@lean_dataclass
class WhatIf:
    """A recorded game and its replay with other players."""

    original: Recording
    other: Recording
    """The replay, which stops at a person's move that is illegal in it."""
    learned_anew: tuple[bool, bool]
    """For X and O, whether it started with what it would have learned from the earlier games."""
    run: Run
    """A run that plays the replay again."""

    @cached_property
    def pairs(self) -> list[EventPair]:
        return event_pairs(self.original, self.other, self.original.first)

    @property
    def differences(self) -> list[int]:
        """The indices of the pairs that differ."""
        return [n for n, pair in enumerate(self.pairs) if pair.difference is not None]


def replay_game(
    run: Run,
    game: int,
    *,
    x: PlayerSpec | None = None,
    o: PlayerSpec | None = None,
    progress: Progress = lambda part: None,
    stop: Stop = never,
) -> WhatIf | None:
    """Replay a game of a run with other players and the same random numbers.

    Args:
        game: a finished game.
        x: the player that replaces X, or None.
        o: the player that replaces O, or None.
        progress: called with the part that is done, if all games before must be replayed.
        stop: called every few milliseconds; true ends the work.

    Returns:
        Both games, or None if `stop` ended the work.
    """
    original = run.record(game, game + 1)
    other = Run(x or run.x, o or run.o, run.seed)
    tables = [*zip(run.layout, other.layout, strict=True)]
    anew = tuple(
        would_be.rule.learns
        and not (
            has_same_entries(was, would_be)
            # Greedy moves are counted where they are needed.
            and (counts_greedy_moves(was.spec) or not counts_greedy_moves(would_be.spec))
        )
        for was, would_be in tables
    )
    memory = other.layout.fresh()
    if any(anew):
        past = Run(other.x, other.o, run.seed)
        if not rerun(run, past, game, progress=progress, stop=stop):
            return None
        memory = past.memory.copy()
    for (was, would_be), is_new in zip(tables, anew, strict=True):
        if would_be.rule.learns and not is_new:
            transplant(was, original.before, would_be, memory)
    other.seat(run.seating_of(game))
    if game in run.scripts:
        other.scripts[game] = legal_script(other, memory, game, run.scripts[game])
    replayed = other.record_on(memory, game, game + 1, empty_columns(EVENTS_A_GAME))
    return WhatIf(original, replayed, (anew[0], anew[1]), other)


def has_same_entries(one: Table, other: Table) -> bool:
    """Return whether two tables have the same kind of values for the same entries."""
    rules, entries = (one.rule, other.rule), (one.entries, other.entries)
    kinds = {(rule.learns, rule.tables, rule.estimates) for rule in rules}
    names = ("boards", "cells", "of_edge")
    return len(kinds) == 1 and all(
        np.array_equal(*(getattr(some, name) for some in entries)) for name in names
    )


def transplant(source: Table, known: Floats, target: Table, memory: Floats) -> None:
    """Copy what one player has learned to another with the same entries.

    Copies values and visit counts of all live entries and the number of greedy moves, but not the
    rewards.
    """
    live = source.entries.live
    target.values(memory)[:, live] = source.values(known)[:, live]
    target.visits(memory)[:, live] = source.visits(known)[:, live]
    memory[target.counter] = known[source.counter]


def rerun(
    run: Run,
    other: Run,
    games: int,
    *,
    progress: Progress = lambda part: None,
    stop: Stop = never,
) -> bool:
    """Play the first games of a run with other players; return false if `stop` ended the work.

    The random numbers are the same, as are the given moves while they are legal. From the
    first illegal one on, the learner of that seat makes the person's moves in that game, frozen.

    Args:
        run: the run; it is left unchanged.
        other: a new run of its seed with the other players.
        games: the number of games.
        progress: called with the part that is done.
        stop: called every few milliseconds; true ends the work.
    """

    def play(script: Mapping[int, int]) -> None:
        moves = cells_of(legal_script(other, other.memory, other.games, script_of(script)))
        if not other.play(moves).is_over:
            seats = other.seating.x, other.seating.o
            left = (Seat.FROZEN if seat is Seat.HUMAN else seat for seat in seats)
            other.seat(Seating(*left))
            other.play(moves)

    for _ in follow(other, run.seating_changes, run.scripts, games, play):
        if stop():
            return False
        progress(other.games / games)
    return True


def legal_script(run: Run, memory: Floats, game: int, script: Script) -> Script:
    """A script up to its first illegal move.

    Args:
        run: the run with the players and the seed.
        memory: memory before the game.
        game: the number of the game.
        script: the cells given from outside, by ply.
    """
    trial = Run(run.x, run.o, run.seed)
    trial.seat(run.seating)
    trial.scripts[game] = script
    # The engine stops where a move is not legal.
    recording = trial.record_on(memory.copy(), game, game + 1, empty_columns(EVENTS_A_GAME))
    played = recording.board.ply
    return (*script[: played + 1], *(-1,) * (9 - played))


class EventDifference(Enum):
    """How two events of a pair differ."""

    CHOICE = "choice"
    """Another move, or exploratory in only one game."""
    MISSING = "missing"
    """The second backs up nothing, the first does."""
    EXTRA = "extra"
    """The second backs up an entry that the first leaves unchanged."""
    TARGET = "target"
    """Another number is written because the target differs."""
    STEP = "step"
    """Another number is written because the step size (times the trace) differs."""
    NEW = "new"
    """Another number is written though target and step size agree, or an earlier write differs."""
    RESULT = "result"
    """The games end differently."""


@dataclass(frozen=True)
class EventPair:
    """Matching events of two games; None if one of them has no such event."""

    one: Event | None
    other: Event | None
    one_row: int
    """The row of the event in its recording; -1 if it is missing."""
    other_row: int
    difference: EventDifference | None
    ulps: float = 0.0
    """The distance of two backups' numbers, in units in the last place."""

    @property
    def event(self) -> Event:
        """The first game's event, or the other's."""
        found = self.one or self.other
        assert found is not None
        return found


def event_pairs(one: Recording, other: Recording, game: int, ulps: float = 0.0) -> list[EventPair]:
    """Return the events of a game in two recordings, paired in order.

    Args:
        one: a recording with the game.
        other: another recording with the game.
        game: its number.
        ulps: the units in the last place by which numbers may differ.
    """
    first, second = keyed(one, game), keyed(other, game)
    keys = dict.fromkeys([*first, *second])
    pairs = []
    for key in sorted(keys, key=lambda key: key[:2]):
        row, event = first.get(key, (-1, None))
        other_row, other_event = second.get(key, (-1, None))
        difference, between = compared(event, other_event, ulps)
        pairs.append(EventPair(event, other_event, row, other_row, difference, between))
    return pairs


def keyed(recording: Recording, game: int) -> dict[tuple[int, ...], tuple[int, Event]]:
    """Return the rows and events of a game by ply, part of the turn, entry, and how often it came.

    The parts: the move, what its player learns, what the other learns, the end of the game.
    """
    found: dict[tuple[int, ...], tuple[int, Event]] = {}
    rows = recording.rows_of(game)
    for row, event in enumerate(recording.events(rows.start, rows.stop), rows.start):
        part, entry, times = 0 if isinstance(event, Move) else 3, -1, 0
        if isinstance(event, Learning):
            part = 1 if event.player == "OX"[event.ply % 2] else 2
            entry = event.entry
        while (event.ply, part, entry, times) in found:
            times += 1
        found[event.ply, part, entry, times] = row, event
    return found


def compared(
    one: Event | None, other: Event | None, ulps: float
) -> tuple[EventDifference | None, float]:
    """Return how two events differ, and the distance of their numbers.

    A backup is judged by the number that it writes; target and step size tell why it is another
    one. A missing backup needs no event.
    """
    if not (isinstance(one, Backup) and isinstance(other, Backup)):
        if isinstance(one, Backup):
            return EventDifference.MISSING, 0.0
        if isinstance(other, Backup):
            return EventDifference.EXTRA, 0.0
        if done_by(one) == done_by(other):
            return None, 0.0
        is_end = isinstance(one or other, GameOver)
        return EventDifference.RESULT if is_end else EventDifference.CHOICE, 0.0
    unit = ulp(max(map(abs, (one.old, one.target, one.new, other.new))))
    between = abs(one.new - other.new) / unit
    if between <= ulps:
        return None, between
    if abs(one.target - other.target) > ulps * unit:
        return EventDifference.TARGET, between
    weights = one.step * one.trace, other.step * other.trace
    if abs(weights[0] - weights[1]) > ulps * ulp(weights[0]):
        return EventDifference.STEP, between
    return EventDifference.NEW, between


def done_by(event: Event | None) -> tuple[object, ...] | None:
    """Return what a move or the end of a game did; None for anything else."""
    if isinstance(event, Move):
        return event.edge, event.exploratory
    return (event.result, event.resigned) if isinstance(event, GameOver) else None
