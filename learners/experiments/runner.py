"""Run an experiment: all trials that are not in the journal yet.

A screen runs `Experiment.work` in a thread and reads `Experiment.snapshot` as needed; nothing is
pushed. `pause`, `resume` and `stop` can be called from any thread.
"""

from __future__ import annotations

import math
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, CancelledError, Future, wait
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from learners.errors import UsageError
from learners.experiments.executors import WorkerPool, threads
from learners.experiments.journal import Journal
from learners.experiments.plan import Plan
from learners.experiments.results import ArmResults, Results
from learners.experiments.trial import Setup, Trial, run_trial
from learners.kernel.checked import error_text
from learners.training import POLITE, RELAXED

if TYPE_CHECKING:
    from numpy.typing import NDArray

LOOK_SECONDS: Final = 0.1
"""Seconds between two checks for `stop` while trials run."""
CHECK_SECONDS: Final = 2.0
"""Seconds between two checks of the workers."""
QUEUED: Final = 2
"""Number of submitted trials for each worker, the running one included."""


@dataclass(frozen=True)
class ArmProgress:
    name: str
    done: int
    """Number of finished trials, those of an earlier session included."""
    total: int
    share: float
    """Share of games played, those of running trials included; 0 to 1."""


@dataclass(frozen=True, eq=False)
class ExperimentSnapshot:
    arms: tuple[ArmProgress, ...]
    results: Results
    """The results so far; while an arm has no finished trial, curves of its running ones."""
    seconds: float
    """Time spent in this session, without pauses."""
    seconds_left: float | None
    """None if unknown."""
    resumed: int
    """Number of trials that an earlier session had finished."""
    is_paused: bool
    is_over: bool
    trouble: str
    """Why the latest trials could not be written to the journal; empty if they were."""

    @property
    def done(self) -> int:
        """Number of finished trials."""
        return sum(arm.done for arm in self.arms)

    @property
    def total(self) -> int:
        """Number of all trials."""
        return sum(arm.total for arm in self.arms)


class Stopped(Exception):
    """A trial was stopped before its last game."""


class Experiment:
    """One session of an experiment.

    Args:
        folder: the folder of the journal, from which the experiment resumes; None for no journal.
        workers: number of trials at once; all cores by default.
        pool: replaces threads of this process, such as `executors.dask(address)`.
        clock: seconds, for tests.

    Raises:
        TomlError: the journal cannot be read.
    """

    def __init__(
        self,
        plan: Plan,
        folder: Path | None = None,
        *,
        workers: int | None = None,
        pool: AbstractContextManager[WorkerPool] | None = None,
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        self.plan = plan
        self._journal = Journal(folder) if folder is not None else None
        self._pool = pool if pool is not None else threads(workers)
        self._clock = clock
        self._setups = [Setup.of(plan, n) for n in range(len(plan.arms))]
        self._finished = self._journal.finished(plan) if self._journal else {}
        self._resumed = len(self._finished)
        self._running: dict[tuple[int, int], Running] = {}
        self._lock = threading.Lock()
        self._stop, self._over, self._go = threading.Event(), threading.Event(), threading.Event()
        self._go.set()
        self._is_working = False
        self._seconds = 0.0
        self._since: float | None = None
        """When the current unpaused period began; None while paused or not working."""

    def pause(self) -> None:
        """Pause after the current slices; on a cluster after the submitted trials."""
        self._go.clear()
        self._count_time()

    def resume(self) -> None:
        self._go.set()
        self._count_time()

    def stop(self) -> None:
        """End after the current slices; finished trials are kept, running ones are discarded."""
        self._stop.set()
        self._go.set()

    def wait(self) -> None:
        """Wait for `work` to return after `stop`."""
        self._over.wait()

    def work(self) -> ExperimentSnapshot:
        """Run all unfinished trials; to be called once, in a thread.

        The order is by seed, then by arm, so that partial results of all arms have the same seeds.

        Returns:
            The last snapshot.

        Raises:
            UsageError: the pool is not available.
            Exception: the exception of a trial; the trials finished before are kept.
        """
        sys.setswitchinterval(POLITE)
        try:
            with self._pool as pool:
                self._is_working = True
                self._count_time()
                self._run(pool)
        finally:
            sys.setswitchinterval(RELAXED)
            self._end()
        return self.snapshot

    def _run(self, pool: WorkerPool) -> None:
        todo = [
            (arm, seed)
            for seed in self.plan.seeds
            for arm in range(len(self.plan.arms))
            if (arm, seed) not in self._finished
        ]
        todo.reverse()
        handed: dict[Future[Trial], tuple[int, int]] = {}
        checked_at = -math.inf
        try:
            while (todo or handed) and not self._stop.is_set():
                if time.monotonic() - checked_at > CHECK_SECONDS:
                    pool.check()
                    checked_at = time.monotonic()
                while todo and self._go.is_set() and len(handed) < QUEUED * pool.size:
                    at = todo.pop()
                    handed[self._hand_out(pool, at)] = at
                if not handed:
                    self._go.wait()
                    continue
                done, _ = wait(handed, LOOK_SECONDS, FIRST_COMPLETED)
                self._take([(handed.pop(future), future) for future in done])
        finally:
            self._stop.set()
            self._go.set()
            for future in handed:
                future.cancel()
            if pool.is_here:
                wait(handed)
                self._take([(at, f) for f, at in handed.items() if is_whole(f)])

    def _hand_out(self, pool: WorkerPool, at: tuple[int, int]) -> Future[Trial]:
        arm, seed = at
        if not pool.is_here:
            try:
                return pool.executor.submit(run_trial, self._setups[arm], seed)
            except Exception as error:
                raise without_workers(error) from None
        shape = len(self.plan.metrics), len(self.plan.points)
        running = Running(self._stop, self._go, shape)
        with self._lock:
            self._running[at] = running
        return pool.executor.submit(run_trial, self._setups[arm], seed, running)

    def _take(self, done: list[tuple[tuple[int, int], Future[Trial]]]) -> None:
        """Store the finished trials, first in the journal."""
        trials: list[tuple[tuple[int, int], Trial]] = []
        failure: BaseException | None = None
        for at, future in done:
            gone = CancelledError("a trial was cancelled") if future.cancelled() else None
            error = gone or future.exception()
            if error is None:
                trials.append((at, future.result()))
            elif not isinstance(error, Stopped):
                failure = error
        if self._journal:
            self._journal.keep([(self._setups[arm].key, trial) for (arm, _), trial in trials])
        with self._lock:
            for at, _ in done:
                self._running.pop(at, None)
            self._finished |= dict(trials)
        if failure is not None:
            raise without_workers(failure) from None

    def _end(self) -> None:
        self._is_working = False
        self._count_time()
        if self._journal:
            self._journal.keep([])
        with self._lock:
            self._running.clear()
        self._over.set()

    def _count_time(self) -> None:
        """Add the time since the last call, if working and not paused."""
        with self._lock:
            now = self._clock()
            if self._since is not None:
                self._seconds += now - self._since
            self._since = now if self._is_working and self._go.is_set() else None

    @property
    def snapshot(self) -> ExperimentSnapshot:
        with self._lock:
            finished = dict(self._finished)
            running = {at: trial.state() for at, trial in self._running.items()}
            since = 0.0 if self._since is None else self._clock() - self._since
            seconds = self._seconds + since
        results = tuple(self._arm_results(n, finished, running) for n in range(len(self.plan.arms)))
        arms = tuple(self._arm_progress(n, results[n], running) for n in range(len(results)))
        return ExperimentSnapshot(
            arms=arms,
            results=Results(self.plan, results),
            seconds=seconds,
            seconds_left=self._seconds_left(arms, seconds),
            resumed=self._resumed,
            is_paused=not self._go.is_set(),
            is_over=self._over.is_set(),
            trouble=self._journal.trouble if self._journal else "",
        )

    def _arm_results(
        self,
        n: int,
        finished: dict[tuple[int, int], Trial],
        running: dict[tuple[int, int], tuple[int, NDArray[np.float64]]],
    ) -> ArmResults:
        trials = tuple(finished[n, s] for s in self.plan.seeds if (n, s) in finished)
        partial = tuple(values for (arm, _), (_, values) in running.items() if arm == n)
        return ArmResults(self.plan.arms[n], self.plan, trials, partial)

    def _arm_progress(
        self,
        n: int,
        results: ArmResults,
        running: dict[tuple[int, int], tuple[int, NDArray[np.float64]]],
    ) -> ArmProgress:
        games = sum(games for (arm, _), (games, _) in running.items() if arm == n)
        done, total = len(results.trials), len(self.plan.seeds)
        share = (done + games / self.plan.games) / total
        return ArmProgress(results.arm.name, done, total, min(share, 1.0))

    def _seconds_left(self, arms: tuple[ArmProgress, ...], seconds: float) -> float | None:
        before = self._resumed / self.plan.trials
        share = sum(arm.share for arm in arms) / len(arms)
        if self._over.is_set():
            return 0.0 if share >= 1.0 else None
        return seconds * (1.0 - share) / (share - before) if share > before else None


class Running:
    """A running trial: its values so far, and how it is paused and stopped."""

    def __init__(self, stop: threading.Event, go: threading.Event, shape: tuple[int, int]) -> None:
        self._stop, self._go = stop, go
        self._state = 0, np.full(shape, np.nan)

    def advanced(self, games: int, values: NDArray[np.float64]) -> None:
        """Called by the trial between slices; waits while paused.

        Raises:
            Stopped: the experiment was stopped.
        """
        self._state = games, values
        self._go.wait()
        if self._stop.is_set():
            raise Stopped

    def state(self) -> tuple[int, NDArray[np.float64]]:
        """Number of finished games, and a copy of the values so far."""
        games, values = self._state
        return games, values.copy()


def is_whole(future: Future[Trial]) -> bool:
    """Whether a trial finished before it was stopped."""
    return future.done() and not future.cancelled() and future.exception() is None


def without_workers(error: BaseException) -> BaseException:
    """The error of a trial; a sentence where it is that its workers are gone."""
    of_executor = isinstance(error, BrokenExecutor | CancelledError)
    if of_executor or type(error).__module__.partition(".")[0] == "distributed":
        return UsageError(f"the workers were lost: {error_text(error)}")
    return error
