"""Where an entry was written last, found from its visit count: it grows with every write."""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING

import numpy as np

from learners.backups import BACKUP

if TYPE_CHECKING:
    from learners.run import Run
    from learners.timeline import Timeline


def last_write(run: Run, entries: tuple[int, ...], before: int) -> int | None:
    """The last game before game number `before` that wrote one of the entries; None if none did.

    A bisection: about twenty replays from the nearest keyframe in a run of a million games.

    Args:
        run: what happened.
        entries: indices into memory.
        before: a game number, not more than `run.games`.
    """

    def written_until(game: int) -> int:
        v = run.memory_at(game)
        return int(sum(v[len(v) // 2 + entry] for entry in entries))

    now = written_until(before)
    if now == written_until(0):
        return None
    return bisect_left(range(before + 1), now, key=written_until) - 1


def go_to_last_write(timeline: Timeline, entries: tuple[int, ...]) -> bool:
    """Go to the last write of one of the entries that is not after the place of now.

    Returns:
        False, and nothing is moved, where they have not been written in the run until here.
    """
    row = _write_in(timeline, entries, timeline.at - 1)
    if row is not None:
        timeline.seek(row + 1)
        return True
    game = last_write(timeline.run, entries, timeline.game)
    if game is None:
        return False
    timeline.go_to(game, at_end=True)
    row = _write_in(timeline, entries, timeline.row)
    if row is not None:
        timeline.seek(row + 1)
    return True


def _write_in(timeline: Timeline, entries: tuple[int, ...], last: int) -> int | None:
    """The last row of the game of now, up to `last`, that wrote one of the entries."""
    recording = timeline.recording
    rows = range(timeline.rows.start, min(timeline.rows.stop, last + 1))
    part = slice(rows.start, rows.stop)
    wrote = (recording.kinds[part] == BACKUP) & np.isin(
        np.asarray(recording.columns.entry[part]), entries  # type: ignore[index]
    )
    found = np.flatnonzero(wrote)
    return rows.start + int(found[-1]) if len(found) else None
