"""Training in slices: it can be watched, paused and stopped at any moment, from another thread.

A slice is a few milliseconds of games. After each one a frozen `Snapshot` is published; whoever
watches pulls the latest when it likes. Nothing is ever pushed at a screen.
"""

from __future__ import annotations

import math
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from learners.judge.curve import Point
from learners.judge.evaluation import Evaluation, evaluate_memory
from learners.kernel.kernel import recent_results
from learners.tape.run import Run

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from learners.tape.state import RunState

SLICE_SECONDS = 0.02
EVALUATION_SECONDS = 0.25
FIRST_SLICE = 64
LONGEST_SLICE = 1 << 20
POINTS = 200
"""Points that the learning curve of one training has, where it is long enough."""
RELAXED = sys.getswitchinterval()
POLITE = 0.0005
"""Seconds after which another thread gets its turn: as ever, and while interpreted code trains."""


@dataclass(frozen=True)
class Goal:
    """When training ends: after so many games, or once neither learner can be beaten."""

    games: int
    until_unbeatable: bool = False


@dataclass(frozen=True, eq=False)
class Snapshot:
    """A training as it stood after a slice."""

    games: int
    """Games of the run that are over."""
    done: int
    """Games of this training that are over."""
    goal: Goal
    seconds: float
    """Time spent training; pauses and loading the compiler apart."""
    results: tuple[int, int, int]
    """Games of this training won by X, drawn, won by O."""
    recent: tuple[int, int, int]
    """The same of the latest games (at most 256)."""
    state: RunState
    """The run, for whoever saves or draws it."""
    evaluation: tuple[Evaluation | None, Evaluation | None]
    """The exact verdicts at most `EVALUATION_SECONDS` ago."""
    is_compiled: bool
    is_paused: bool
    is_over: bool

    @property
    def memory(self) -> NDArray[np.float64]:
        """float64[2N], a copy."""
        return self.state.memory

    @property
    def rate(self) -> float:
        """Games per second."""
        return self.done / self.seconds if self.seconds > 0 else 0.0

    @property
    def seconds_left(self) -> float | None:
        """Expected time to the last game; None where it cannot be told."""
        if self.rate <= 0 or self.goal.until_unbeatable:
            return None
        return (self.goal.games - self.done) / self.rate


class Training:
    """One stretch of training of a run.

    Args:
        run: what is trained; nobody else may change it until the training is over.
        goal: when to end.
        verdict_seconds: how long verdicts for its learning curve may take. Training is so fast
            that the verdicts of every `EVALUATION_SECONDS` would be those of its end.
        clock: seconds, for tests.
    """

    def __init__(
        self,
        run: Run,
        goal: Goal,
        *,
        verdict_seconds: float = 0.0,
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        self._run = run
        self._goal = goal
        self._clock = clock
        self._seconds = 0.0
        self._done = 0
        self._start = run.tally.copy()
        self._beginning = threading.Lock()
        self._has_begun = False
        self._stop = threading.Event()
        self._over = threading.Event()
        self._resume = threading.Event()
        self._resume.set()
        self._evaluation = evaluate_memory(run.layout, run.memory)
        self._evaluated_at = -math.inf
        self._evaluated_games = run.games
        self._verdict_seconds_left = verdict_seconds
        self.points: list[Point] = []
        """Of the learning curve, one after each slice and one at the end."""
        self.snapshot = self._snapshot(is_over=False)

    @property
    def is_paused(self) -> bool:
        """Whether it holds on, or will after the slice being played."""
        return not self._resume.is_set()

    def pause(self) -> None:
        """Hold on after the slice being played."""
        self._resume.clear()

    def resume(self) -> None:
        """Go on."""
        self._resume.set()

    def stop(self) -> None:
        """End after the slice being played; what was learned stays."""
        with self._beginning:
            self._stop.set()
            if not self._has_begun:
                self._over.set()
        self._resume.set()

    def wait(self, seconds: float | None = None) -> bool:
        """Wait for `work` to return after `stop`: no longer than a slice takes.

        Work that had not begun is not waited for: it will change nothing.

        Args:
            seconds: wait no longer than this.

        Returns:
            Whether it has returned.
        """
        return self._over.wait(seconds)

    def work(self) -> Snapshot:
        """Train until the goal is met or `stop` is called; to be run in a thread.

        Returns:
            The last snapshot.
        """
        with self._beginning:
            self._has_begun = not self._stop.is_set()
        if not self._has_begun:
            return replace(self.snapshot, is_over=True)
        games = FIRST_SLICE
        try:
            while self._done < self._goal.games and not self._stop.is_set():
                if not self._resume.is_set():
                    self._evaluate()
                    self.snapshot = self._snapshot(is_over=False)
                    self._resume.wait()
                    continue
                compiled = self._run.kernel().is_compiled
                sys.setswitchinterval(RELAXED if compiled else POLITE)
                games = min(games, self._goal.games - self._done, self._between_points())
                took = self._slice(games)
                games = next_slice(games, took)
                if self._goal.until_unbeatable and self._is_unbeatable():
                    break
        finally:
            sys.setswitchinterval(RELAXED)
            self._evaluate()
            self.snapshot = self._snapshot(is_over=True)
            self._add_point()
            self._over.set()
        return self.snapshot

    def _slice(self, games: int) -> float:
        began = self._clock()
        self._run.train(games)
        took = self._clock() - began
        self._done += games
        self._seconds += took
        since = self._clock() - self._evaluated_at
        if since >= EVALUATION_SECONDS or self._verdict_seconds_left > 0:
            self._evaluate()
        self.snapshot = self._snapshot(is_over=False)
        self._add_point()
        return took

    def _evaluate(self) -> None:
        began = self._clock()
        self._evaluation = evaluate_memory(self._run.layout, self._run.memory)
        self._evaluated_at = self._clock()
        self._verdict_seconds_left -= self._evaluated_at - began
        self._evaluated_games = self._run.games

    def _add_point(self) -> None:
        shot = self.snapshot
        is_judged = self._evaluated_games == shot.games
        self.points.append(Point(shot.games, shot.recent, shot.evaluation if is_judged else None))

    def _between_points(self) -> int:
        """The longest slice that still gives a learning curve its points."""
        return max(FIRST_SLICE, self._done // 16, self._goal.games // POINTS)

    def _is_unbeatable(self) -> bool:
        """Whether neither learner can be beaten as it is now, by a verdict that is not older."""
        if self._evaluated_games < self._run.games:
            return False
        return not any(side and side.verdict.beatable for side in self._evaluation)

    def _snapshot(self, *, is_over: bool) -> Snapshot:
        run = self._run
        won_x, won_o, drawn = (run.tally[1:4] - self._start[1:4]).tolist()
        return Snapshot(
            games=run.games,
            done=self._done,
            goal=self._goal,
            seconds=self._seconds,
            results=(won_x, drawn, won_o),
            recent=recent_results(run.tally),
            state=run.state(),
            evaluation=self._evaluation,
            is_compiled=run.kernel().is_compiled,
            is_paused=not self._resume.is_set(),
            is_over=is_over,
        )


def next_slice(games: int, took: float) -> int:
    """How many games the next slice should have, to take about `SLICE_SECONDS`."""
    if took <= 0:
        return min(2 * games, LONGEST_SLICE)
    wanted = int(games * SLICE_SECONDS / took)
    return max(1, min(wanted, 4 * games, LONGEST_SLICE))
