"""What the rule had read when it made each backup of a game, as it was recorded."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from learners.engine.backups import BACKUP, MOVE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from learners.rules.equation import Equation
    from learners.tape.events import Backup
    from learners.tape.recording import Recording
    from learners.tape.watched import Origin


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
