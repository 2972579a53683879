"""One game played again by the interpreter, watched: which line wrote each event, and what it read.

The engine's own source runs, on a memory that notes what is read from it and a tape column that,
whenever an event is recorded, looks at the frames of the functions that led there.
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

    from afterstate_lab.learners.rules.base import Rule
    from afterstate_lab.learners.rules.equation import Equation
    from afterstate_lab.learners.tape.events import Backup
    from afterstate_lab.learners.tape.recording import Recording
    from afterstate_lab.learners.tape.run import Run

ROOT: Final = Path(__file__).parents[2]
"""The folder of the packages."""
INNERMOST: Final = 2
"""Frames between the tape and the first caller that may belong to a rule."""


@dataclass(frozen=True)
class Origin:
    """Where an event of a game comes from."""

    file: str
    """The file of the rule; empty for what the engine itself records."""
    line: int
    reads: Mapping[int, float]
    """What was read since the event before: the values by their index into memory, in order."""
    variables: Mapping[str, float]
    """The numbers of the rule's code that its equation names."""


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
    """The column `meta` of a tape that notes the origin of every event.

    Args:
        rules: of X and of O.
        memory: what the engine plays on.
    """

    def __init__(self, rules: tuple[type[Rule], type[Rule]], memory: WatchedMemory) -> None:
        self.origins: list[Origin] = []
        self._files = tuple(map(hook_files, rules))
        self._names = tuple(rule.equation.variables for rule in rules)
        self._memory = memory

    def __setitem__(self, row: int, meta: int) -> None:
        side = meta >> 2 & 1
        is_rules = meta & 3 in (BACKUP, NO_BACKUP)
        frame = sys._getframe(INNERMOST) if is_rules else None
        file, line, numbers = "", 0, dict[str, float]()
        while frame is not None:
            if frame.f_code.co_filename in self._files[side]:
                if not file:
                    file, line = frame.f_code.co_filename, frame.f_lineno
                held = {name: frame.f_locals.get(name) for name in self._names[side] - set(numbers)}
                numbers |= {n: float(v) for n, v in held.items() if isinstance(v, int | float)}
            frame = frame.f_back
        self.origins.append(Origin(file, line, self._memory.reads, numbers))
        self._memory.reads = {}


def hook_files(rule: type[Rule]) -> set[str]:
    """The files that a rule's hooks are written in."""
    hooks: tuple[Any, ...] = (rule.after_step, rule.after_game)
    return {hook.__code__.co_filename for hook in hooks if hook is not no_op}


def watch(run: Run, recording: Recording, game: int) -> list[Origin]:
    """Play a recorded game again and tell where each of its events comes from.

    Args:
        run: the run that it is a game of; it may be the one that is being played.
        recording: events of the run.
        game: the number of a game in it.
    """
    rows = recording.rows_of(game)
    memory = WatchedMemory(Cursor(recording, rows.start).v)
    layout = run.layout
    meta = WatchedColumn((layout.x.spec.rule, layout.o.spec.rule), memory)
    run.kernel(run.seating_of(game)).play_watched(
        memory,
        game,
        game + 1,
        new_tally().tolist(),
        script_in(recording, game),
        TapeColumns(meta, [0] * EVENTS_A_GAME, numbers=[0.0] * NUMBERS * EVENTS_A_GAME, at=[0, 0]),
    )
    return meta.origins[: len(rows)]


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


@dataclass(frozen=True)
class Reads:
    """What one event of a game was made of."""

    values: Mapping[int, float]
    """The entries read for the target, by index into memory, in order; without the one written."""
    earlier: Mapping[int, float]
    """All that was read since the last move, that of earlier backups included."""
    variables: Mapping[str, float]
    """The numbers of the rule's code that its equation names."""

    def targets(self, equation: Equation, backup: Backup) -> set[float]:
        """The numbers that the target was made of, as the rule declares; else the target itself."""
        named = {term.variable for term in equation.read if term.variable}
        return {self.variables[name] for name in named & self.variables.keys()} or {backup.target}


NOTHING_READ = Reads({}, {}, {})


def reads_in(recording: Recording, game: int, origins: Sequence[Origin]) -> list[Reads]:
    """The reads of every event of a game.

    A backup that read no entry but its own has the target of the backup before (a trace, a return),
    and so its reads.

    Args:
        recording: what holds the game.
        game: its number.
        origins: of its events.
    """
    columns: Any = recording.columns
    found: list[Reads] = []
    values: Mapping[int, float] = {}
    earlier: Mapping[int, float] = {}
    for row, origin in zip(recording.rows_of(game), origins, strict=False):
        kind, written = int(recording.kinds[row]), int(columns.entry[row])
        read = {e: value for e, value in origin.reads.items() if is_value(recording, e)}
        earlier = {} if kind == MOVE else {**earlier, **read}
        others = {e: value for e, value in read.items() if e != written}
        values = (others or values) if kind == BACKUP else {}
        found.append(Reads(values, earlier, origin.variables))
    return found


def is_value(recording: Recording, entry: int) -> bool:
    """Whether an index into memory is a value: no visit count, and no count of greedy moves."""
    layout = recording.layout
    return entry < layout.values and entry not in (layout.x.counter, layout.o.counter)


@dataclass(frozen=True)
class SourceLine:
    """A line of code and where it stands."""

    text: str
    """Without the space around it."""
    file: str
    """From the package on, such as `learners/rules/td.py`; a user's own file by its name."""
    number: int


def source_line(file: str, number: int) -> SourceLine | None:
    """A line of a file; None where there is no such file or line."""
    text = linecache.getline(file, number).strip()
    if not text:
        return None
    path = Path(file)
    inside = path.is_relative_to(ROOT)
    name = path.relative_to(ROOT).as_posix() if inside else path.name
    return SourceLine(text, name, number)
