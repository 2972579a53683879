"""Run to a breakpoint, forwards or backwards, through a whole run.

The games are replayed, recorded by the compiled engine a thousand at a time, and the columns of
events are searched. A segment between two keyframes is skipped if these show that the condition
cannot have come true in it. Backwards, the segments are searched last to first; each is replayed
forwards, and its last match counts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from learners.queries.conditions import Condition
from learners.tape.recording import TapePosition, position_of, row_at
from learners.tape.segments import Progress, Segment, Stop, replay, segments

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from learners.tape.recording import Recording
    from learners.tape.run import Run


def find(
    run: Run,
    condition: Condition,
    start: TapePosition,
    *,
    forwards: bool = True,
    progress: Progress | None = None,
    stop: Stop | None = None,
) -> TapePosition | None:
    """The nearest event after (or before) a position at which a condition comes true.

    Meant for a thread: a million games take a fraction of a second compiled, a minute interpreted.
    The run may be trained meanwhile, but not rewound; games that are over at the call are searched.

    Args:
        run: the run.
        condition: what to look for.
        start: where to start; the event there does not count. `TapePosition(0, -1)` is before all
            events, `TapePosition(run.games, -1)` after all.
        forwards: the direction.
        progress: called with the part that is done.
        stop: called every few milliseconds; true ends the search.

    Returns:
        The position, or None if there is none or `stop` ended the search.

    Raises:
        ConditionError: the condition can never come true in this run.
    """
    condition.check(run.layout)
    first, last = (start.game, run.games) if forwards else (0, min(start.game + 1, run.games))
    spans = [s for s in segments(run, first, last) if condition.may_hold(s, run.layout)]
    if not forwards:
        spans.reverse()
    found: tuple[Segment, TapePosition] | None = None
    for span, recording in replay(run, spans, progress=progress, stop=stop):
        if found is not None and found[0] is not span:
            break
        rows = beyond(start, recording, condition.rows(recording), forwards)
        if len(rows) and forwards:
            return position_of(recording, int(rows[0]))
        if len(rows):
            found = span, position_of(recording, int(rows[-1]))
    return None if found is None or (stop is not None and stop()) else found[1]


def beyond(
    start: TapePosition, recording: Recording, rows: NDArray[np.int64], forwards: bool
) -> NDArray[np.int64]:
    """The rows after (or before) a position."""
    if not len(rows) or not recording.first <= start.game < recording.last:
        return rows
    edge = row_at(recording, start)
    return rows[rows > edge] if forwards else rows[rows < edge]
