"""Replay one game interpreted and watched: which line wrote each event, and what it read.

The engine's own source runs on a memory that notes its reads, and on a tape column that inspects
the calling frames whenever an event is recorded.
"""

from __future__ import annotations

import linecache
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from afterstate_lab.game import space
from afterstate_lab.learners.engine.backups import BACKUP, MOVE, NO_BACKUP, NUMBERS, TapeColumns
from afterstate_lab.learners.engine.entries import padded_edges
from afterstate_lab.learners.engine.play import SCRIPTED, no_op
from afterstate_lab.learners.kernel.kernel import EVENTS_A_GAME, new_tally
from afterstate_lab.learners.tape.recording import Cursor

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from afterstate_lab.learners.kernel.memory import Layout
    from afterstate_lab.learners.rules.equation import Equation
    from afterstate_lab.learners.tape.events import Backup
    from afterstate_lab.learners.tape.recording import Recording
    from afterstate_lab.learners.tape.run import Run

ROOT: Final = Path(__file__).parents[2]
"""The folder of the packages."""
ENGINE: Final = no_op.__code__.co_filename
INNERMOST: Final = 2
"""Frames between the tape and the first caller that may belong to a rule."""


@dataclass(frozen=True)
class SourceLine:
    """A line of code and its place."""

    text: str
    file: str
    """The path in the package, such as `learners/rules/td.py`, or a user's file name."""
    number: int


@dataclass(frozen=True)
class Reads:
    """What the backup of an event read."""

    values: Mapping[int, float]
    """The entries read for the target, by index into memory, in order; without the one written."""
    earlier: Mapping[int, float]
    """Everything read since the last move, earlier backups included."""
    variables: Mapping[str, float]
    """The variables that the rule's equation names."""
    place: tuple[str, int] = "", 0
    """File and line of the rule; no file for what the engine itself records."""

    def targets(self, equation: Equation, backup: Backup) -> set[float]:
        """The numbers that the target was made of, as the rule declares; else the target itself."""
        named = {term.variable for term in equation.read if term.variable}
        return {self.variables[name] for name in named & self.variables.keys()} or {backup.target}

    @property
    def line(self) -> SourceLine | None:
        """The line of the rule, or None."""
        file, number = self.place
        text = linecache.getline(file, number).strip()
        if not text:
            return None
        path = Path(file)
        inside = path.is_relative_to(ROOT)
        return SourceLine(text, path.relative_to(ROOT).as_posix() if inside else path.name, number)


NOTHING_READ = Reads({}, {}, {})


class WatchedMemory:
    """Memory that notes which entries are read."""

    __slots__ = ("reads", "values")

    def __init__(self, values: NDArray[np.float64]) -> None:
        self.values: Any = memoryview(values.copy())  # type: ignore[arg-type]
        self.reads: dict[int, float] = {}

    def __getitem__(self, index: int) -> float:
        value = float(self.values[index])
        self.reads.setdefault(index, value)
        return value

    def __setitem__(self, index: int, value: float) -> None:
        self.values[index] = value


class WatchedColumn:
    """The column `meta` of a tape that notes of every event what it was made of.

    A backup that read no entry but its own has the target of the backup before (a trace, a return),
    and so its reads.

    Args:
        layout: of the memory.
        memory: what the engine plays on.
        written: the entry that each event is about.
    """

    def __init__(self, layout: Layout, memory: WatchedMemory, written: Sequence[int]) -> None:
        rules = layout.x.spec.rule, layout.o.spec.rule
        self.events: list[Reads] = []
        self._files = [
            {hook.__code__.co_filename for hook in (rule.after_step, rule.after_game)} - {ENGINE}
            for rule in rules
        ]
        """By side, the files that a rule's hooks are written in."""
        self._names = tuple(rule.equation.variables for rule in rules)
        self._memory, self._written = memory, written
        self._values: Mapping[int, float] = {}
        self._earlier: Mapping[int, float] = {}
        self._numbers = range(layout.values)
        self._counters = layout.x.counter, layout.o.counter

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
        read = {
            entry: value
            for entry, value in self._memory.reads.items()
            if entry in self._numbers and entry not in self._counters
        }
        self._memory.reads = {}
        self._earlier = {} if kind == MOVE else {**self._earlier, **read}
        others = {e: value for e, value in read.items() if e != self._written[row]}
        self._values = (others or self._values) if kind == BACKUP else {}
        self.events.append(Reads(self._values, self._earlier, variables, place))


def watch(run: Run, recording: Recording, game: int) -> list[Reads]:
    """Replay a recorded game and return what each of its events read.

    Args:
        run: the run that it is a game of; it may be the one that is being played.
        recording: events of the run.
        game: the number of a game in it.
    """
    rows = recording.rows_of(game)
    written = recording.columns.entry[rows.start : rows.stop].tolist() + [-1] * EVENTS_A_GAME
    memory = WatchedMemory(Cursor(recording, rows.start).v)
    meta = WatchedColumn(run.layout, memory, written)
    run.kernel(run.seating_of(game)).play_watched(
        memory,
        game,
        game + 1,
        new_tally().tolist(),
        script_in(recording, game),
        TapeColumns(meta, [0] * EVENTS_A_GAME, numbers=[0.0] * NUMBERS * EVENTS_A_GAME, at=[0, 0]),
    )
    return meta.events[: len(rows)]


def script_in(recording: Recording, game: int) -> list[int] | None:
    """The cells given from outside in a recorded game, by ply (-1 elsewhere); None for no such."""
    rows = recording.rows_of(game)
    part = slice(rows.start, rows.stop)
    meta, entry = recording.meta[part], recording.columns.entry[part]
    given = (recording.kinds[part] == MOVE) & (meta >> 7 & SCRIPTED > 0)
    if not given.any():
        return None
    script = np.full(10, -1)
    script[meta[given] >> 3 & 15] = space().edge_cell[padded_edges()[entry[given]]]
    return [int(cell) for cell in script]
