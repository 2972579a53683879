"""A run cut at its keyframes, and its games recorded again a few at a time.

What searches a whole run goes from keyframe to keyframe. Where the two keyframes around a stretch
of games show that nothing happened there (an entry was written as often after as before), the
games need not be played again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from learners.kernel.kernel import EVENTS_A_GAME, empty_columns

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from learners.tape.keyframes import Keyframe
    from learners.tape.recording import Recording
    from learners.tape.run import Run

COMPILED_GAMES: Final = 1000
"""Games recorded at once by the compiled engine: their events stay in the processor's cache."""
INTERPRETED_GAMES: Final = 128
"""Games recorded at once by the interpreter: a few milliseconds, after which it can be stopped."""
WORTH_COMPILING: Final = 20_000
"""Games for which the compiler is loaded, if it was not there before."""

Progress = Callable[[float], None]
"""Told what part of the work is done, from 0 to 1."""
Stop = Callable[[], bool]
"""Asked between any two stretches of games whether to give up."""


@dataclass(frozen=True, eq=False)
class Segment:
    """Games first .. last - 1, with the keyframes around them."""

    first: int
    last: int
    before: Keyframe
    """The last keyframe that is not after the first game."""
    after: Keyframe | None
    """The first keyframe that is not before the end; None where there is none yet."""

    @property
    def visits_before(self) -> NDArray[np.float64]:
        """float64[N]: how often each entry had been written before."""
        return self.before.memory[len(self.before.memory) // 2 :]

    @property
    def visits_after(self) -> NDArray[np.float64] | None:
        """The same afterwards."""
        return None if self.after is None else self.after.memory[len(self.after.memory) // 2 :]

    def may_write(self, entries: NDArray[np.int64]) -> bool:
        """Whether one of these entries may be written in these games."""
        after = self.visits_after
        return after is None or bool(np.any(self.visits_before[entries] < after[entries]))


def segments(run: Run, first: int, last: int) -> list[Segment]:
    """Games first .. last - 1 of a run, cut at its keyframes."""
    frames = run.keyframes
    found = []
    for before, after in zip(frames, (*frames[1:], None), strict=True):
        start = max(first, before.game)
        end = last if after is None else min(last, after.game)
        if start < end:
            found.append(Segment(start, end, before, after))
    return found


def prepare(run: Run, first: int, last: int) -> bool:
    """Load or compile what records these games, where that is worth it.

    Returns:
        Whether they are recorded by compiled code.
    """
    is_compiled = True
    for number, (start, seats) in enumerate(run.legs):
        end = run.legs[number + 1][0] if number + 1 < len(run.legs) else last
        games = min(last, end) - max(first, start)
        if games <= 0 or seats.has_human:
            continue
        kernel = run.kernel(seats)
        wanted = kernel.is_compiled or games >= WORTH_COMPILING
        is_compiled &= wanted and kernel.compile() and kernel.compile(recording=True)
    return is_compiled


def recordings(run: Run, first: int, last: int, games_at_once: int) -> Iterator[Recording]:
    """Games first .. last - 1 again, event by event, some games at a time.

    The columns of each recording are written over by the next one.
    """
    if first >= last:
        return
    memory = run.memory_at(first)
    columns = empty_columns(EVENTS_A_GAME * games_at_once)
    for start in range(first, last, games_at_once):
        columns.at[0] = 0  # type: ignore[index]
        yield run.record_on(memory, start, min(last, start + games_at_once), columns)


def replay(
    run: Run, spans: list[Segment], *, progress: Progress | None = None, stop: Stop | None = None
) -> Iterator[tuple[Segment, Recording]]:
    """The games of these segments again, in the order in which they are given.

    Ends early when `stop` says so.
    """
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
