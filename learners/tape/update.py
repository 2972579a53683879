"""An update as one record: the backup, the values that it read, and the code that made it.

The tape keeps the entry that each backup read. A line of code and its variables are found by
playing the game again, interpreted, on a column that inspects the calling frames at every event.
"""

from __future__ import annotations

import linecache
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from afterstate_lab.game import Side, space
from afterstate_lab.learners.engine.backups import (
    BACKUP,
    MOVE,
    NO_BACKUP,
    NUMBERS,
    OUTCOME,
    SEVERAL,
    TapeColumns,
)
from afterstate_lab.learners.engine.entries import padded_edges
from afterstate_lab.learners.engine.play import SCRIPTED, no_op
from afterstate_lab.learners.kernel.kernel import EVENTS_A_GAME, new_tally
from afterstate_lab.learners.rules.equation import TargetKind
from afterstate_lab.learners.tape.recording import RESULTS, Backup, Cursor, Move, Recording

if TYPE_CHECKING:
    from afterstate_lab.game.exact import Floats
    from afterstate_lab.learners.kernel.memory import Layout, Table
    from afterstate_lab.learners.tape.run import Run

ROOT: Final = Path(__file__).parents[2]
"""The folder of the packages."""
ENGINE: Final = no_op.__code__.co_filename
INNERMOST: Final = 2
"""Frames between the tape and the first caller that may belong to a rule."""


@dataclass(frozen=True)
class BackupRecord:
    """A backup and what its target was made of."""

    backup: Backup
    table: Table
    """The table of the player that learns."""
    v: Floats
    """float64[2N], memory before the backup."""
    reads: Mapping[int, float]
    """The values read, by index into memory; none of a target that a rule mixed itself.

    For a target that reads no value it is the worth of the game's result.
    """
    result: str
    """X, O or draw; empty if the game is not over."""

    @property
    def is_refill(self) -> bool:
        """Whether it refilled a matchbox."""
        return self.backup.read == self.table.rewards and not self.table.rule.estimates

    @property
    def reward(self) -> float:
        """The reward of the target, or the beads of the result; 0 before the end."""
        if not self.table.rule.estimates:
            return next(iter(self.reads.values()), 0.0)
        return self.backup.target if self.backup.read == self.table.rewards else 0.0


def record_of(recording: Recording, row: int) -> BackupRecord:
    """Return the record of the backup in a row of a recording.

    Raises:
        IndexError: that event is not a backup.
    """
    backup, v = recording.event(row), Cursor(recording, row).v
    if not isinstance(backup, Backup):
        raise IndexError(f"event {row} of the recording is not a backup")
    rows = recording.rows_of(backup.game)
    is_over = recording.kinds[rows[-1]] == OUTCOME
    slot = int(recording.columns.entry[rows[-1]]) if is_over else 0
    table = recording.layout.table(Side.parse(backup.player))
    rule = table.rule
    reads: dict[int, float] = {}
    if backup.read == table.rewards:
        if slot and rule.estimates:
            reads = {table.rewards + slot: backup.target}
    elif backup.read != SEVERAL:
        reads = {backup.read: float(v[backup.read])}
    elif rule.equation.kind is TargetKind.EXPECTED_PAIR:
        events = reversed(recording.events(rows.start, row))
        board = next(e.board for e in events if isinstance(e, Move) and e.player == backup.player)
        pairs = table.base + table.entries.of_edge[space().edges_of(board)]
        reads = {entry: float(v[entry]) for entry in pairs.tolist()}
    return BackupRecord(backup, table, v, reads, RESULTS.get(slot, ""))


class SourceLine(NamedTuple):
    """A line of code and its place."""

    text: str
    place: str
    """The path in the package, or the name of a user's file, and the line's number: `mine.py:8`."""


@dataclass(frozen=True)
class Code:
    """The code of a rule that made an event."""

    variables: Mapping[str, float]
    """The variables that the rule's equation names."""
    place: tuple[str, int]
    """File and line; no file for what the engine itself records."""

    @property
    def line(self) -> SourceLine | None:
        file, number = self.place
        text = linecache.getline(file, number).strip()
        if not text:
            return None
        path = Path(file)
        shown = path.relative_to(ROOT).as_posix() if path.is_relative_to(ROOT) else path.name
        return SourceLine(text, f"{shown}:{number}")


class CallersColumn:
    """The column `meta` of a tape that keeps the code of every event instead."""

    def __init__(self, layout: Layout) -> None:
        rules = layout.x.rule, layout.o.rule
        self.codes: list[Code] = []
        self._files = [
            {hook.__code__.co_filename for hook in (rule.after_step, rule.after_game)} - {ENGINE}
            for rule in rules
        ]
        """By side, the files that a rule's hooks are written in."""
        self._names = tuple(rule.equation.variables for rule in rules)

    def __setitem__(self, row: int, meta: int) -> None:
        side, kind = meta >> 2 & 1, meta & 3
        frame = sys._getframe(INNERMOST) if kind in (BACKUP, NO_BACKUP) else None
        place, variables = ("", 0), dict[str, float]()
        while frame is not None:
            if frame.f_code.co_filename in self._files[side]:
                if not place[0]:
                    place = frame.f_code.co_filename, frame.f_lineno
                held = {n: frame.f_locals.get(n) for n in self._names[side] - set(variables)}
                variables |= {n: float(v) for n, v in held.items() if isinstance(v, int | float)}
            frame = frame.f_back
        self.codes.append(Code(variables, place))


@lru_cache(maxsize=2)
def codes_of(run: Run, recording: Recording, game: int) -> list[Code]:
    """Play a recorded game again, once, and return the code of each of its events.

    Args:
        run: the run that it is a game of; it may be the one that is being played.
        recording: events of the run.
        game: the number of a game in it.
    """
    rows = recording.rows_of(game)
    part = slice(rows.start, rows.stop)
    meta, entry = recording.meta[part], recording.columns.entry[part]
    given = (recording.kinds[part] == MOVE) & (meta >> 7 & SCRIPTED > 0)
    script = np.full(10, -1)
    script[meta[given] >> 3 & 15] = space().edge_cell[padded_edges()[entry[given]]]
    column = CallersColumn(run.layout)
    entries, numbers = [0] * 2 * EVENTS_A_GAME, [0.0] * NUMBERS * EVENTS_A_GAME
    run.kernel(run.seating_of(game)).play_watched(
        Cursor(recording, rows.start).v.tolist(),
        game,
        game + 1,
        new_tally().tolist(),
        script.tolist() if given.any() else None,
        TapeColumns(column, entries, numbers, at=[0, 0]),
    )
    return column.codes[: len(rows)]
