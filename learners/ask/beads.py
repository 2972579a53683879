"""What a colour of a matchbox is made of: the beads it began with, and what each result moved.

Beads are a sum without weights: new = old + change. What was there before a box was filled anew is
gone, so the sum begins with the latest refill, or with the beads of a new box.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from afterstate_lab.learners.ask.conditions import written_rows
from afterstate_lab.learners.tape.events import RESULTS, Backup
from afterstate_lab.learners.tape.recording import Recording, TapePosition, position_of
from afterstate_lab.learners.tape.run import Progress, Stop, replay, segments

if TYPE_CHECKING:
    from afterstate_lab.learners.tape.run import Run


@dataclass
class BeadSum:
    """The beads of a colour at a place: `start` and all changes since."""

    start: float
    """What it began with."""
    refill: TapePosition | None = None
    """The refill that it began with; None for a new box."""
    refills: int = 0
    """How often its box was filled anew so far."""
    games: dict[str, int] = field(default_factory=lambda: dict.fromkeys(RESULTS.values(), 0))
    """By result (X, O, draw), the games since then that wrote it."""
    moved: dict[str, float] = field(default_factory=lambda: dict.fromkeys(RESULTS.values(), 0.0))
    """By result, the beads that these added, or took where it is below 0."""

    @property
    def beads(self) -> float:
        """The beads that are there."""
        return self.start + sum(self.moved.values())


def is_refill(recording: Recording, row: int) -> bool:
    """Whether a backup of a colour filled its box anew: the result was the first of that box."""
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
    """What the beads of a colour are made of, after the event of a place; None if `stop` said so.

    Args:
        run: the run.
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
