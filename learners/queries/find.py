"""Run to a breakpoint, forwards or backwards, through the whole of a run.

The games are played again, recorded by the compiled engine a thousand at a time, and the columns of
events are searched as they come. A stretch between two keyframes is passed over where these show
that the condition cannot have come true in it. Backwards, the stretches are taken last to first,
each is played forwards, and its last find counts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from learners.queries.conditions import Condition
from learners.tape.position import Place, place_of, row_at
from learners.tape.segments import Progress, Segment, Stop, replay, segments

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from learners.tape.recording import Recording
    from learners.tape.run import Run


def find(
    run: Run,
    condition: Condition,
    start: Place,
    *,
    forwards: bool = True,
    progress: Progress | None = None,
    stop: Stop | None = None,
) -> Place | None:
    """The nearest event after (or before) a place at which a condition comes true.

    Meant for a thread of its own: it takes a fraction of a second for a million games compiled, a
    minute interpreted. The run may train on meanwhile; games that are over at the call are
    searched. It must not be rewound.

    Args:
        run: the run.
        condition: what to look for.
        start: where from; this very event does not count. `Place(0, -1)` is before all events,
            `Place(run.games, -1)` after all.
        forwards: the direction.
        progress: told what part is done.
        stop: asked every few milliseconds whether to give up.

    Returns:
        The place, or None where there is none, or `stop` said so.

    Raises:
        ConditionError: the condition can never come true in this run.
    """
    condition.check(run.layout)
    first, last = (start.game, run.games) if forwards else (0, min(start.game + 1, run.games))
    spans = [s for s in segments(run, first, last) if condition.may_hold(s, run.layout)]
    if not forwards:
        spans.reverse()
    found: tuple[Segment, Place] | None = None
    for span, recording in replay(run, spans, progress=progress, stop=stop):
        if found is not None and found[0] is not span:
            break
        rows = beyond(start, recording, condition.rows(recording), forwards)
        if len(rows) and forwards:
            return place_of(recording, int(rows[0]))
        if len(rows):
            found = span, place_of(recording, int(rows[-1]))
    return None if found is None or (stop is not None and stop()) else found[1]


def beyond(
    start: Place, recording: Recording, rows: NDArray[np.int64], forwards: bool
) -> NDArray[np.int64]:
    """Those rows that lie after (or before) a place."""
    if not len(rows) or not recording.first <= start.game < recording.last:
        return rows
    edge = row_at(recording, start)
    return rows[rows > edge] if forwards else rows[rows < edge]
