"""Training in slices, which another thread can watch, pause and stop at any time.

A slice is a few milliseconds of games. After each one a frozen `Snapshot` is published, and viewers
read the latest one when they need it; nothing is pushed to a screen.
"""

from __future__ import annotations

import math
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

from afterstate_lab.learners import lean_dataclass
from afterstate_lab.learners.judge.curve import Point, next_round
from afterstate_lab.learners.judge.evaluated_state import greedy_opening
from afterstate_lab.learners.judge.evaluation import Evaluations, beatable, evaluate_memory
from afterstate_lab.learners.kernel.kernel import recent_results
from afterstate_lab.learners.tape.run import Progress, Run

SLICE_SECONDS = 0.02
EVALUATION_SECONDS = 0.25
LATEST_EVALUATION_SECONDS = 1.0
"""Seconds after which new exact verdicts are wanted."""
FIRST_SLICE = 64
LONGEST_SLICE = 1 << 20
POINTS = 200
"""Number of points of a learning curve, if there are enough games."""
PATIENCE = 2_000_000
"""Maximum number of games until unbeatable. Two learners of one TD rule need at most 330,000; two
of MENACE more than 20 million."""
KNOWN_SECONDS = 1.0
"""Seconds of training before a time left is shown."""
RELAXED = sys.getswitchinterval()
POLITE = 0.0005
"""Switch intervals of threads in seconds: by default, and while interpreted code trains."""


@dataclass(frozen=True)
class Goal:
    """When training ends: after `games` games, or once neither learner can be beaten.

    The latter is checked after fixed numbers of games (`next_look`), so a run ends at the same
    game on every machine.
    """

    games: int
    until_unbeatable: bool = False


@lean_dataclass
class Snapshot:
    """The state of training after a slice."""

    games: int
    """Finished games of the run."""
    done: int
    """Games of this training run so far."""
    goal: Goal
    seconds: float
    """Seconds spent training, without pauses and loading the compiler."""
    results: tuple[int, int, int]
    """Games of this training won by X, drawn, won by O."""
    state: Run
    """A copy of the run."""
    evaluation: Evaluations
    """The exact verdicts, at most `LATEST_EVALUATION_SECONDS` old."""

    @property
    def rate(self) -> float:
        """Games per second."""
        return self.done / self.seconds if self.seconds > 0 else 0.0

    @property
    def beatable(self) -> str:
        """The sides that can be beaten, by the latest verdicts."""
        return beatable(self.evaluation)

    @property
    def gave_up(self) -> bool:
        """Whether the last game was played and someone can still be beaten."""
        wanted = self.goal.until_unbeatable and self.done >= self.goal.games
        return wanted and bool(self.beatable)

    @property
    def seconds_left(self) -> float | None:
        """Expected time to the last game; None if unknown."""
        if self.seconds < KNOWN_SECONDS or self.goal.until_unbeatable:
            return None
        return (self.goal.games - self.done) / self.rate


class Pausable:
    """Work in slices, which any thread can pause, resume, stop and wait for."""

    def __init__(self) -> None:
        self._begun = threading.Lock()
        """Taken by `begins`, or by a `stop` before it."""
        self._stop, self._over, self._go = threading.Event(), threading.Event(), threading.Event()
        self._go.set()

    def begins(self) -> bool:
        """Return whether to begin: not after a `stop`."""
        return self._begun.acquire(blocking=False)

    @property
    def is_over(self) -> bool:
        return self._over.is_set()

    @property
    def is_paused(self) -> bool:
        """Whether it pauses now or after the current slice."""
        return not self._go.is_set()

    def pause(self) -> None:
        """Pause after the current slice."""
        self._go.clear()

    def resume(self) -> None:
        self._go.set()

    def stop(self) -> None:
        """End after the current slice; what is finished is kept."""
        self._stop.set()
        self._go.set()
        if self.begins():
            self._over.set()

    def wait(self, seconds: float | None = None) -> bool:
        """Wait for the end, after a `stop` at most the time of a slice; return whether it came."""
        return self._over.wait(seconds)


class Training(Pausable):
    """Trains a run, in slices.

    Args:
        run: the run; nothing else can change it until training ends.
        goal: when to end.
        progress: called after each slice with the part of the games that is done.
        is_judged: whether the learning curve has verdicts, after round numbers of games: the same
            on every machine.
        clock: seconds, for tests.
    """

    _seconds, _done, _evaluated_at = 0.0, 0, -math.inf

    def __init__(
        self,
        run: Run,
        goal: Goal,
        *,
        progress: Progress = lambda part: None,
        is_judged: bool = False,
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        super().__init__()
        self._run, self._goal, self._progress, self._clock = run, goal, progress, clock
        self._start = run.tally.copy()
        self._evaluation = evaluate_memory(run.layout, run.memory)
        self._evaluated_games = self._fixed_games = run.games
        self._is_judged = is_judged
        self.may_evaluate: Callable[[], bool] = lambda: True
        """Whether this is a good moment for verdicts, which hold other threads up."""
        self.points: list[Point] = []
        """Points of the learning curve: one per slice, and at the end."""
        self.snapshot = self._snapshot()

    def work(self) -> Snapshot:
        """Train until the goal is met or `stop` is called; runs in a thread.

        Returns:
            The last snapshot.
        """
        if not self.begins():
            return self.snapshot
        wanted = FIRST_SLICE
        try:
            while self._done < self._goal.games and not self._stop.is_set():
                if self.is_paused:
                    self._evaluate()
                    self.snapshot = self._snapshot()
                    self._go.wait()
                    continue
                compiled = self._run.kernel().is_compiled
                sys.setswitchinterval(RELAXED if compiled else POLITE)
                # the longest slice that gives the learning curve enough points
                longest = max(FIRST_SLICE, self._done // 16, self._goal.games // POINTS)
                games = min(wanted, self._goal.games - self._done, longest)
                looks = [next_round(self._run.games)] if self._is_judged else []
                if self._goal.until_unbeatable:
                    looks.append(next_look(self._run.games))
                games = min(games, *(look - self._run.games for look in looks), LONGEST_SLICE)
                is_looked_at = self._run.games + games in looks
                began = self._clock()
                self._run.train(games)
                took = self._clock() - began
                self._done += games
                self._seconds += took
                since = self._clock() - self._evaluated_at
                is_due = since >= LATEST_EVALUATION_SECONDS
                if is_looked_at or is_due or (since >= EVALUATION_SECONDS and self.may_evaluate()):
                    self._evaluate(is_fixed=is_looked_at)
                self._publish()
                self._progress(self._done / self._goal.games)
                if games == wanted or took > SLICE_SECONDS:
                    fitting = int(games * SLICE_SECONDS / max(took, 1e-9))
                    wanted = max(1, min(fitting, 4 * games, LONGEST_SLICE))
                is_over = self._goal.until_unbeatable and self._run.games == looks[-1]
                if is_over and not self.snapshot.beatable:
                    break
            self._evaluate(is_fixed=True)
        finally:
            sys.setswitchinterval(RELAXED)
            if self._evaluated_games < self._run.games:
                self._evaluate()
            self._publish()
            self._over.set()
        return self.snapshot

    def _evaluate(self, *, is_fixed: bool = False) -> None:
        self._evaluation = evaluate_memory(self._run.layout, self._run.memory)
        self._evaluated_at = self._clock()
        self._evaluated_games = self._run.games
        if is_fixed:
            self._fixed_games = self._run.games

    def _publish(self) -> None:
        """Take a snapshot, and a point of the learning curve."""
        self.snapshot = self._snapshot()
        run, recent = self._run, recent_results(self._run.tally)
        point = Point(run.games, recent)
        if self._fixed_games == run.games:
            opening = greedy_opening(run.layout, run.memory)
            point = Point(run.games, recent, self._evaluation, opening)
        self.points.append(point)

    def _snapshot(self) -> Snapshot:
        run = self._run
        won_x, won_o, drawn = (run.tally[1:4] - self._start[1:4]).tolist()
        return Snapshot(
            games=run.games,
            done=self._done,
            goal=self._goal,
            seconds=self._seconds,
            results=(won_x, drawn, won_o),
            state=run.fork(),
            evaluation=self._evaluation,
        )


def next_look(games: int) -> int:
    """Return the next number of games after which to check whether both are unbeatable.

    It is the next multiple of a power of 2 that is between 1/32 and 1/16 of the games, 64 at least.
    """
    distance = max(FIRST_SLICE, 1 << max(0, games.bit_length() - 5))
    return (games // distance + 1) * distance
