"""Run an experiment: every variant with every seed, except trials that its journal has.

A screen runs `Experiment.work` in a thread and reads `Experiment.snapshot` as needed; nothing is
pushed. `stop` can be called from any thread. Trials run in threads, since
machine code needs no interpreter's lock, or in any `concurrent.futures.Executor`.
"""

from __future__ import annotations

import json
import os
import platform
import sys
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import (
    FIRST_COMPLETED,
    BrokenExecutor,
    CancelledError,
    Executor,
    Future,
    ThreadPoolExecutor,
    wait,
)
from contextlib import suppress
from functools import lru_cache, partial
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np

from afterstate_lab.game import Side
from afterstate_lab.game.exact import Floats
from afterstate_lab.learners.errors import UsageError, reason, shown
from afterstate_lab.learners.experiments.plan import Plan, SidedMetric, program
from afterstate_lab.learners.experiments.results import ArmResults, Results, Trial
from afterstate_lab.learners.files import append, make_folder, opened
from afterstate_lab.learners.judge.evaluated_state import EvaluatedState
from afterstate_lab.learners.judge.evaluation import Evaluation, evaluations
from afterstate_lab.learners.judge.figures import asked_by, count
from afterstate_lab.learners.kernel.hooks import error_text
from afterstate_lab.learners.kernel.kernel import WORTH_COMPILING, Kernel, cores, new_tally
from afterstate_lab.learners.kernel.memory import Layout
from afterstate_lab.learners.players.agent import agent_of
from afterstate_lab.learners.players.resolve import parse_player
from afterstate_lab.learners.toml_reader import TomlError
from afterstate_lab.learners.training import POLITE, RELAXED, Pausable

SLICE: Final = 500_000
SLICE_INTERPRETED: Final = 2_000
"""Games between two checks for a stop: about 0.1 s."""
LOOK_SECONDS: Final = 0.1
"""Seconds between two checks for `stop` while trials run."""
JOURNAL: Final = "journal.jsonl"
LONGEST_LINE: Final = 2_000_000

At = tuple[int, int]
"""The number of a trial's variant, and its seed."""
Watch = Callable[[int], None]
"""Called between slices with the number of finished games; it can raise to end the trial."""


class Setup(NamedTuple):
    """Everything that a trial needs except the seed, as plain data."""

    key: str
    """A hash of the rest and of the players' files, so that `prepared` keeps no old version of one:
    see `Plan.keys`."""
    x: str
    o: str
    points: tuple[int, ...]
    metrics: tuple[str, ...]
    compiles: bool
    program: str
    """The version and the engine that must run the trials."""

    @classmethod
    def of(cls, plan: Plan, arm: int) -> Setup:
        players = plan.arms[arm]
        return cls(
            plan.keys[arm],
            str(players.x),
            str(players.o),
            plan.points,
            tuple(map(str, plan.metrics)),
            plan.games * plan.seeds >= WORTH_COMPILING,
            program(),
        )


_preparing = threading.Lock()


@lru_cache(maxsize=128)
def prepared(setup: Setup) -> tuple[Layout, Kernel, tuple[SidedMetric, ...]]:
    """Return a variant's players, made once per process, the kernel that every seed copies, and
    what is measured."""
    layout = Layout.of(parse_player(setup.x), parse_player(setup.o))
    kernel = Kernel(layout, 0)
    if setup.compiles:
        kernel.compile()
    return layout, kernel, tuple(map(SidedMetric.parse, setup.metrics))


def run_trial(setup: Setup, seed: int, watch: Watch = lambda *_: None) -> Trial:
    """Train two new players and measure them at the setup's points."""
    if setup.program != program():
        raise UsageError(
            f"the worker {shown(f'{platform.node()}:{os.getpid()}')} has Afterstate "
            f"{shown(program())}, not {setup.program}: install the same there"
        )
    with _preparing:
        layout, kernel, metrics = prepared(setup)
    state, values, results = trained(layout, kernel.with_seed(seed), setup.points, metrics, watch)
    return Trial(seed, values, results, evaluations(state, at_end=True))


def trained(
    layout: Layout,
    kernel: Kernel,
    points: Sequence[int],
    metrics: tuple[SidedMetric, ...],
    watch: Watch,
) -> tuple[EvaluatedState, Floats, tuple[int, int, int]]:
    """Train two new players and measure them at some numbers of games.

    Args:
        layout: the players.
        kernel: of them.
        points: the numbers of games.
        metrics: what is measured.
        watch: called between slices.

    Returns:
        The end; float64[metrics, points]; the games that X won, drawn, and that O won.
    """
    memory, tally = layout.fresh(), new_tally()
    length = SLICE if kernel.is_compiled else SLICE_INTERPRETED
    values = np.full((len(metrics), len(points)), np.nan)
    game = 0
    asked = [asked_by(m.metric for m in metrics if m.side is side) for side in Side]
    for n, point in enumerate(points):
        while game < point:
            game = kernel.play(memory, game, min(point, game + length), tally)
            watch(game)
        state = EvaluatedState(layout, memory, game)
        state.ask(*asked)
        values[:, n] = [one.metric.number(state, one.side) for one in metrics]
    won_x, won_o, drawn = tally[1:4].tolist()
    return state, values, (won_x, drawn, won_o)


def kept(folder: Path, plan: Plan) -> dict[At, Trial]:
    """Return the finished trials in the journal of a folder, one line of JSON each.

    A line that is incomplete, or not a trial of the plan, is skipped: its trial runs again.
    """
    found: dict[At, Trial] = {}
    path = folder / JOURNAL
    shape = len(plan.metrics), len(plan.points)
    try:
        with suppress(FileNotFoundError), opened(path) as file:
            while line := file.readline(LONGEST_LINE):
                if told := read_trial(line, shape):
                    key, trial = told
                    for arm, known in enumerate(plan.keys):
                        if known == key and trial.seed < plan.seeds:
                            found[arm, trial.seed] = trial
    except OSError as error:
        raise TomlError(f"cannot read the journal {shown(path)}: {reason(error)}") from None
    return found


def read_trial(line: bytes, shape: tuple[int, int]) -> tuple[str, Trial] | None:
    """Return the key and the trial of a line; None if it is incomplete or malformed.

    Args:
        line: with its line feed.
        shape: the number of metrics and of points that it must have.
    """
    with suppress(KeyError, TypeError, ValueError, OverflowError, AttributeError, RecursionError):
        told = json.loads(line)
        values = np.array(told["values"], dtype=np.float64)
        won_x, drawn, won_o = map(count, told["results"])
        x, o = (Evaluation.read(verdict, at_end=True) for verdict in told["verdicts"])
        if line.endswith(b"\n") and values.shape == shape and not np.isinf(values).any():
            return str(told["key"]), Trial(
                count(told["seed"]),
                values,
                (won_x, drawn, won_o),
                (x, o),
            )
    return None


class Stopped(Exception):
    """A trial was stopped before its last game."""


class Experiment(Pausable):
    """One session of an experiment; on a cluster, trials that were submitted are its slices.

    Args:
        folder: the folder of the journal, from which the experiment resumes; None for no journal.
        pool: replaces a thread of this process for each core, such as a `Cluster`.
    """

    def __init__(
        self, plan: Plan, folder: Path | None = None, *, pool: Executor | None = None
    ) -> None:
        super().__init__()
        self.plan = plan
        self._folder = folder
        self._unsaved = b""
        self._trouble = ""
        """Why the latest trials could not be written; empty if they were."""
        self._pool = pool or ThreadPoolExecutor(cores(), "trial")
        self._finished: dict[At, Trial] = {}
        self._resumed = 0
        self.is_ready = False
        """Whether the journal was read, which `work` does first."""
        self._running: dict[At, int] = {}
        """The finished games of running trials."""
        self._lock = threading.Lock()
        self.failure = ""
        """Why it ended early."""
        self._seconds = 0.0

    def run(self) -> None:
        """Do the `work` in a new thread; record an error as its `failure`."""
        with suppress(Exception):
            self.work()

    def work(self) -> Results:
        """Run all unfinished trials; to be called once, in a thread.

        The order is by seed, then by arm, so that partial results of all arms have the same seeds.

        Returns:
            The last snapshot.

        Raises:
            UsageError: the pool is not available, or the journal cannot be read.
            Exception: the exception of a trial; the trials finished before are kept.
        """
        if not self.begins():
            return self.snapshot
        sys.setswitchinterval(POLITE)
        try:
            self._finished = kept(self._folder, self.plan) if self._folder else {}
            self._resumed = len(self._finished)
            self.is_ready = True
            with suppress(Stopped):
                self._run()
        except Exception as cause:
            error = without_workers(cause)
            self.failure = error_text(error)
            if not isinstance(error, UsageError):
                self.failure = f"The experiment could not continue: {self.failure[:200]}"
            raise error from None
        finally:
            sys.setswitchinterval(RELAXED)
            self._over.set()
        return self.snapshot

    def _run(self) -> None:
        todo = [
            (n, seed)
            for seed in range(self.plan.seeds)
            for n in range(len(self.plan.arms))
            if (n, seed) not in self._finished
        ][::-1]
        handed: dict[Future[Trial], At] = {}
        pool = self._pool
        # A trial waits for each worker, so that none is idle.
        queue = 2 * getattr(pool, "_max_workers", cores())
        is_here = isinstance(pool, ThreadPoolExecutor)
        try:
            # Ask the agents once, for all trials and references; only here can a stop end it.
            for arm in self.plan.arms:
                for side, spec in zip(Side, (arm.x, arm.o), strict=True):
                    if spec.rule.is_asked:
                        agent_of(spec).moves(side, spec.settings, self._look)
            while todo or handed:
                self._look()
                began = time.monotonic()
                while todo and len(handed) < queue:
                    at = n, seed = todo.pop()
                    watch = [partial(self._watch, at)] if is_here else []
                    handed[pool.submit(run_trial, Setup.of(self.plan, n), seed, *watch)] = at
                over = self._take(handed)
                self._seconds += time.monotonic() - began
                for future in over:
                    future.result()
        finally:
            self.stop()
            pool.shutdown(cancel_futures=True)
            self._take(handed)

    def _look(self, *_: object) -> None:
        if self._stop.is_set():
            raise Stopped

    def _watch(self, at: At, games: int) -> None:
        with self._lock:
            self._running[at] = games
        self._look()

    def _take(self, handed: dict[Future[Trial], At]) -> set[Future[Trial]]:
        """Wait a little, and take the trials that are over; store the finished ones, first in the
        journal."""
        over, _ = wait(handed, LOOK_SECONDS, FIRST_COMPLETED)
        taken = {handed.pop(future): future for future in over}
        trials = {
            at: future.result()
            for at, future in taken.items()
            if not future.cancelled() and future.exception() is None
        }
        if self._folder is not None:
            self._keep(self._folder, trials)
        with self._lock:
            for at in taken:
                self._running.pop(at, None)
            self._finished |= trials
        return over

    def _keep(self, folder: Path, trials: dict[At, Trial]) -> None:
        """Append finished trials to the journal, each with the key of its variant.

        Lines are only appended, a batch with one write and one sync. After a failure (a full disk)
        they are written with the next ones.
        """
        for (arm, _), trial in trials.items():
            told = {"key": self.plan.keys[arm]} | trial.as_json()
            self._unsaved += json.dumps(told, allow_nan=False).encode() + b"\n"
        if self._unsaved:
            try:
                make_folder(folder)
                append(folder / JOURNAL, self._unsaved)
                self._unsaved, self._trouble = b"", ""
            except OSError as error:
                self._trouble = reason(error)

    @property
    def snapshot(self) -> Results:
        """The results so far."""
        plan, is_over = self.plan, self.is_over  # asked first: it is over once all is known
        arms = []
        with self._lock:
            for n, arm in enumerate(plan.arms):
                found = (self._finished.get((n, seed)) for seed in range(plan.seeds))
                arms.append(ArmResults(arm, plan, tuple(filter(None, found))))
            playing = sum(self._running.values())
        return Results(
            plan,
            tuple(arms),
            playing,
            self._seconds,
            self._resumed,
            is_over,
            self._trouble,
        )


def without_workers(error: BaseException) -> BaseException:
    """Return the error of a trial, or a clearer one if its workers are gone."""
    if isinstance(error, ImportError) or "deserialization" in str(error):
        return UsageError(
            f"a worker cannot run Afterstate ({type(error).__name__}): install {program()} there"
        )
    if isinstance(error, CancelledError):
        return UsageError("the workers were lost: a trial was cancelled")
    if isinstance(error, BrokenExecutor) or type(error).__module__.startswith("distributed"):
        return UsageError(f"the workers were lost: {error_text(error)}")
    return error
