"""The sum of beads behind a colour of a matchbox: initial beads, and changes by result.

Beads are a sum without weights: new = old + change. A refill discards what was there, so the sum
starts at the latest refill, or with the beads of a new box.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from afterstate_lab.learners.ask.conditions import written_rows
from afterstate_lab.learners.tape.events import RESULTS, Backup
from afterstate_lab.learners.tape.recording import Recording, TapePosition, position_of
from afterstate_lab.learners.tape.run import Progress, Run, Stop, replay, segments


@dataclass
class BeadSum:
    """The beads of a colour at a moment: `start` and all changes since."""

    start: float
    refill: TapePosition | None = None
    """The refill that it started with; None for a new box."""
    refills: int = 0
    games: dict[str, int] = field(default_factory=lambda: dict.fromkeys(RESULTS.values(), 0))
    """By result (X, O, draw), the number of games since then that changed it."""
    moved: dict[str, float] = field(default_factory=lambda: dict.fromkeys(RESULTS.values(), 0.0))
    """By result, the beads that these games added (negative: took)."""

    @property
    def beads(self) -> float:
        return self.start + sum(self.moved.values())


def is_refill(recording: Recording, row: int) -> bool:
    """Return whether a backup refilled its box: it is the first result in that box."""
    start = recording.rows_of(int(recording.games[row])).start
    *earlier, event = recording.events(start, row + 1)
    assert isinstance(event, Backup)
    return any(
        isinstance(one, Backup) and (one.board, one.player) == (event.board, event.player)
        for one in earlier
    )


def bead_sum(
    run: Run,
    entry: int,
    place: TapePosition,
    *,
    progress: Progress | None = None,
    stop: Stop | None = None,
) -> BeadSum | None:
    """Return the sum behind the beads of a colour after an event, or None if `stop` ends the work.

    Args:
        entry: index into memory.
        place: a place in a game that is over.
        progress: told what part is done.
        stop: asked every few milliseconds whether to give up.
    """
    found = BeadSum(float(run.keyframes[0].memory[entry]))
    entries = np.array([entry])
    end = min(place.game + 1, run.games)
    spans = [span for span in segments(run, 0, end) if span.may_write(entries)]
    for _, recording in replay(run, spans, progress=progress, stop=stop):
        columns: Any = recording.columns
        for row in written_rows(recording, entries).tolist():
            at = position_of(recording, row)
            if at > place:
                return found
            old, new = float(columns.old[row]), float(columns.new[row])
            if old == 0.0 and is_refill(recording, row):
                found = BeadSum(new, at, found.refills + 1)
                continue
            result = RESULTS[int(columns.entry[recording.rows_of(at.game)[-1]])]
            found.games[result] += 1
            found.moved[result] += new - old
    return None if stop is not None and stop() else found
