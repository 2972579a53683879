"""Where an entry of the table was written last, and how to get there."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from learners.engine.backups import BACKUP
from learners.queries.provenance import last_writes
from learners.tape.recording import TapePosition, row_at

if TYPE_CHECKING:
    from collections.abc import Callable

    from learners.tape.timeline import Timeline


def last_written(
    timeline: Timeline, entries: tuple[int, ...], stop: Callable[[], bool] | None = None
) -> TapePosition | None:
    """The last write of one of some entries that is not after the place of now; None without one.

    Args:
        timeline: the place.
        entries: indices into memory.
        stop: asked now and then whether to give up.
    """
    rows = timeline.rows
    part = slice(rows.start, min(rows.stop, timeline.at))
    recording = timeline.recording
    written = np.asarray(recording.columns.entry[part])  # type: ignore[index]
    found = np.flatnonzero((recording.kinds[part] == BACKUP) & np.isin(written, entries))
    if len(found):
        return TapePosition(timeline.game, int(found[-1]))
    earlier = last_writes(timeline.run, list(entries), TapePosition(timeline.game, -1), stop=stop)
    return max(earlier.values(), default=None)


def go_to(timeline: Timeline, place: TapePosition) -> None:
    """Go to the event at a place."""
    if place.game != timeline.game:
        timeline.go_to(place.game)
    timeline.seek(row_at(timeline.recording, place) + 1)
