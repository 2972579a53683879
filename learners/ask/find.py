"""Run to a breakpoint, forwards or backwards, through a whole run.

The games are replayed, recorded by the compiled engine a thousand at a time, and the columns of
events are searched. A segment between two keyframes is skipped if these show that the condition
cannot have come true in it. Backwards, the segments are searched last to first; each is replayed
forwards, and its last match counts. Machine code searches as many segments at once as there are
cores; the nearest match is the same.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor, wait
from threading import Event
from typing import Final

import numpy as np
from numpy.typing import NDArray

from afterstate_lab.learners.ask.conditions import Condition
from afterstate_lab.learners.kernel.cores import cores
from afterstate_lab.learners.tape.recording import Recording, TapePosition, position_of, row_at
from afterstate_lab.learners.tape.run import Progress, Run, Segment, Stop, prepare, replay, segments

LOOK_SECONDS: Final = 0.01
"""Seconds between two checks of `stop`."""


def find(
    run: Run,
    condition: Condition,
    start: TapePosition,
    *,
    forwards: bool = True,
    progress: Progress | None = None,
    stop: Stop | None = None,
) -> TapePosition | None:
    """Return the nearest event after (or before) a position at which a condition comes true.

    Meant for a thread: a million games take a fraction of a second compiled, a minute interpreted.
    The run may be trained meanwhile, but not rewound; games that are over at the call are searched.

    Args:
        condition: what to look for.
        start: where to start; the event there does not count. `TapePosition(0, -1)` is before all
            events, `TapePosition(run.games, -1)` after all.
        forwards: the direction.
        progress: called with the part that is done.
        stop: called every few milliseconds; true ends the search.

    Returns:
        The position, or None if there is none or `stop` ended the search.
    """
    condition.check(run.layout)
    first, last = (start.game, run.games) if forwards else (0, min(start.game + 1, run.games))
    spans = [s for s in segments(run, first, last) if condition.may_hold(s, run.layout)]
    spans = spans if forwards else spans[::-1]
    if not spans:
        return None
    progress, stop, over = progress or (lambda _: None), stop or (lambda: False), Event()
    games, done = sum(span.last - span.first for span in spans), dict.fromkeys(spans, 0.0)

    def nearest(span: Segment) -> TapePosition | None:
        found = None

        def tell(part: float) -> None:
            done[span] = part

        for _, recording in replay(run, [span], progress=tell, stop=over.is_set):
            rows = beyond(start, recording, condition.rows(recording), forwards)
            if len(rows) and forwards:
                return position_of(recording, int(rows[0]))
            if len(rows):
                found = position_of(recording, int(rows[-1]))
        return None if over.is_set() else found

    is_compiled = prepare(run, min(s.first for s in spans), max(s.last for s in spans))
    with ThreadPoolExecutor(min(cores(), len(spans)) if is_compiled else 1) as pool:
        looks = [pool.submit(nearest, span) for span in spans]
        try:
            for look in looks:
                is_done = False
                while not is_done:
                    if stop():
                        return None
                    parts = ((span.last - span.first) * part for span, part in done.items())
                    progress(sum(parts) / games)
                    is_done = bool(wait([look], LOOK_SECONDS).done)
                if (place := look.result()) is not None:
                    return place
            progress(1.0)
            return None
        finally:
            over.set()
            pool.shutdown(cancel_futures=True)


def beyond(
    start: TapePosition, recording: Recording, rows: NDArray[np.int64], forwards: bool
) -> NDArray[np.int64]:
    """Return the rows after (or before) a position."""
    if not len(rows) or not recording.first <= start.game < recording.last:
        return rows
    edge = row_at(recording, start)
    return rows[rows > edge] if forwards else rows[rows < edge]
