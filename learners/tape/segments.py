"""A run divided at its keyframes, and its games recorded again in batches.

A search through a whole run goes from keyframe to keyframe. If the two keyframes around a segment
show that nothing happened in it (an entry has as many visits after as before), its games are not
replayed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from learners.kernel.kernel import EVENTS_A_GAME, WORTH_COMPILING_TAPE, empty_columns

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from learners.tape.keyframes import Keyframe
    from learners.tape.recording import Recording
    from learners.tape.run import Run

COMPILED_GAMES: Final = 1000
"""Games in a batch of the compiled engine: their events fit the processor's cache."""
INTERPRETED_GAMES: Final = 128
"""Games in a batch of the interpreter: a few milliseconds, after which it can be stopped."""
FEW_GAMES: Final = 1_000
"""Fewer games are replayed by what is loaded: waiting for the compiler would take longer."""

Progress = Callable[[float], None]
"""Called with the part of the work that is done, from 0 to 1."""
Stop = Callable[[], bool]
"""Called between two batches of games; true ends the work."""


@dataclass(frozen=True, eq=False)
class Segment:
    """Games first .. last - 1, with the keyframes around them."""

    first: int
    last: int
    before: Keyframe
    """The last keyframe at or before the first game."""
    after: Keyframe | None
    """The first keyframe at or after the end, or None."""

    @property
    def visits_before(self) -> NDArray[np.float64]:
        """float64[N]: the visit count of each entry at `before`."""
        return self.before.memory[len(self.before.memory) // 2 :]

    @property
    def visits_after(self) -> NDArray[np.float64] | None:
        """float64[N]: the same at `after`."""
        return None if self.after is None else self.after.memory[len(self.after.memory) // 2 :]

    def may_write(self, entries: NDArray[np.int64]) -> bool:
        """Whether one of these entries may be written in this segment."""
        after = self.visits_after
        return after is None or bool(np.any(self.visits_before[entries] < after[entries]))


def segments(run: Run, first: int, last: int) -> list[Segment]:
    """Games first .. last - 1 of a run, divided at its keyframes."""
    frames = run.keyframes
    found = []
    for before, after in zip(frames, (*frames[1:], None), strict=True):
        start = max(first, before.game)
        end = last if after is None else min(last, after.game)
        if start < end:
            found.append(Segment(start, end, before, after))
    return found


def prepare(run: Run, first: int, last: int) -> bool:
    """Load or compile the recording kernels of these games, if there are enough games.

    Returns:
        Whether compiled code records them all.
    """
    is_compiled = True
    for number, (start, seats) in enumerate(run.seating_changes):
        end = run.seating_changes[number + 1][0] if number + 1 < len(run.seating_changes) else last
        games = min(last, end) - max(first, start)
        if games <= 0 or seats.has_human:
            continue
        kernel = run.kernel(seats)
        if games >= (FEW_GAMES if kernel.is_compiled else WORTH_COMPILING_TAPE):
            kernel.compile()
            kernel.compile(recording=True)
        is_compiled &= kernel.is_compiled and kernel.records_compiled
    return is_compiled


def recordings(run: Run, first: int, last: int, games_at_once: int) -> Iterator[Recording]:
    """Replay games first .. last - 1, recording a batch at a time.

    Each recording overwrites the columns of the one before.
    """
    if first >= last:
        return
    memory = run.memory_at(first)
    columns = empty_columns(EVENTS_A_GAME * games_at_once)
    for start in range(first, last, games_at_once):
        columns.at[0] = 0
        yield run.record_on(memory, start, min(last, start + games_at_once), columns)


def replay(
    run: Run, spans: list[Segment], *, progress: Progress | None = None, stop: Stop | None = None
) -> Iterator[tuple[Segment, Recording]]:
    """Replay the games of these segments in the given order; ends early if `stop` is true."""
    games = sum(span.last - span.first for span in spans)
    if not games:
        return
    is_compiled = prepare(run, min(s.first for s in spans), max(s.last for s in spans))
    games_at_once = COMPILED_GAMES if is_compiled else INTERPRETED_GAMES
    done = 0
    for span in spans:
        for recording in recordings(run, span.first, span.last, games_at_once):
            if stop is not None and stop():
                return
            yield span, recording
            done += min(games_at_once, span.last - recording.first)
            if progress is not None:
                progress(done / games)
