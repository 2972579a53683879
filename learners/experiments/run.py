"""Run an experiment: every variant with every seed, except trials that its journal has.

A screen runs `Experiment.work` in a thread and reads `Experiment.snapshot` as needed; nothing is
pushed. `pause`, `resume` and `stop` can be called from any thread. Trials run in threads, since
machine code needs no interpreter's lock, or in any `concurrent.futures.Executor`.
"""

from __future__ import annotations

import json
import math
import os
import platform
import sys
import threading
import time
from collections.abc import Callable, Sequence
from concurrent import futures
from concurrent.futures import CancelledError, Executor, Future
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Final

import numpy as np

from afterstate_lab.game import Side
from afterstate_lab.game.exact import Floats
from afterstate_lab.learners import VERSION
from afterstate_lab.learners.errors import UsageError, printable, reason, shown
from afterstate_lab.learners.experiments.plan import Plan, SidedMetric, sources_hash
from afterstate_lab.learners.experiments.results import ArmResults, Results, Trial
from afterstate_lab.learners.files import make_folder, opened, opened_to_append
from afterstate_lab.learners.judge.evaluated_state import EvaluatedState
from afterstate_lab.learners.judge.evaluation import Evaluation, evaluations
from afterstate_lab.learners.judge.figures import asked_by, count, number
from afterstate_lab.learners.kernel.hooks import error_text
from afterstate_lab.learners.kernel.kernel import WORTH_COMPILING, Kernel, cores, new_tally
from afterstate_lab.learners.kernel.memory import Layout
from afterstate_lab.learners.players.agent import unread
from afterstate_lab.learners.players.resolve import parse_player
from afterstate_lab.learners.toml_reader import TomlError
from afterstate_lab.learners.training import POLITE, RELAXED, Pausable

SLICE: Final = 500_000
SLICE_INTERPRETED: Final = 2_000
"""Games between two checks for a pause or a stop: about 0.1 s."""
LOOK_SECONDS: Final = 0.1
"""Seconds between two checks for `stop` while trials run."""
JOURNAL: Final = "journal.jsonl"
LONGEST_LINE: Final = 2_000_000

Watch = Callable[[int, Floats], None]
"""Called between slices with the number of finished games and the values so far, float64[metrics,
points], NaN at later points; it can wait, or raise to end the trial."""


@cache
def program() -> str:
    """Return the version of the program and the hash of its engine in one line."""
    return f"{VERSION} (engine {sources_hash()})"


@dataclass(frozen=True)
class Setup:
    """Everything that a trial needs except the seed, as plain data."""

    key: str
    """A hash of the rest: see `Plan.keys`."""
    x: str
    o: str
    points: tuple[int, ...]
    metrics: tuple[str, ...]
    compiles: bool
    program: str
    """The version and the engine that must run the trials."""

    @classmethod
    def of(cls, plan: Plan, arm: int) -> Setup:
        x, o = plan.arms[arm].x, plan.arms[arm].o
        metrics = tuple(str(metric) for metric in plan.metrics)
        compiles = plan.games * len(plan.seeds) >= WORTH_COMPILING
        return cls(plan.keys[arm], str(x), str(o), plan.points, metrics, compiles, program())


_preparing = threading.Lock()


@lru_cache(maxsize=128)
def prepared(setup: Setup) -> tuple[Layout, Kernel, tuple[SidedMetric, ...]]:
    """Return a variant's players, made once per process, the kernel that every seed copies, and
    what is measured."""
    layout = Layout.of(parse_player(setup.x), parse_player(setup.o))
    kernel = Kernel(layout, 0)
    if setup.compiles:
        kernel.compile()
    return layout, kernel, tuple(SidedMetric.parse(text) for text in setup.metrics)


def run_trial(setup: Setup, seed: int, watch: Watch | None = None) -> Trial:
    """Train two new players and measure them at the setup's points."""
    began = time.perf_counter()
    if setup.program != program():
        raise UsageError(
            f"the worker {shown(f'{platform.node()}:{os.getpid()}')} has Afterstate "
            f"{shown(program())}, not {setup.program}: install the same there"
        )
    with _preparing:
        layout, shared, metrics = prepared(setup)
    kernel = shared.with_seed(seed)
    state, values, results = trained(layout, kernel, setup.points, metrics, watch)
    verdicts = evaluations(state, at_end=True)
    return Trial(seed, values, results, verdicts, time.perf_counter() - began)


@lru_cache(maxsize=8)
def untrained(layout: Layout, metrics: tuple[SidedMetric, ...]) -> list[float]:
    """Return what is measured before the first game, with any seed."""
    state = EvaluatedState(layout, layout.fresh())
    return [metric.measure(state) for metric in metrics]


def trained(
    layout: Layout,
    kernel: Kernel,
    points: Sequence[int],
    metrics: tuple[SidedMetric, ...],
    watch: Watch | None,
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
    game, before = 0, tally[1:4].copy()
    asked = [asked_by(m.metric for m in metrics if m.side is side) for side in Side]
    for n, point in enumerate(points):
        if point == 0 and points[-1] > 0:
            values[:, n] = untrained(layout, metrics)
            continue
        while game < point:
            stop = min(point, game + length)
            kernel.play(memory, game, stop, tally)
            game = stop
            if watch is not None:
                watch(game, values)
        state = EvaluatedState(layout, memory, game, (tally[1:4] - before).tolist())
        before = tally[1:4].copy()
        state.ask(*asked)
        values[:, n] = [metric.measure(state) for metric in metrics]
    won_x, won_o, drawn = tally[1:4].tolist()
    return state, values, (won_x, drawn, won_o)


class Journal:
    """The finished trials in a folder, one line of JSON each, from which an experiment resumes.

    Lines are only appended, a batch with one write and one sync. A line that is incomplete, or not
    a trial of the current plan, is skipped: its trial runs again.
    """

    def __init__(self, folder: Path | None) -> None:
        self._path = folder and folder / JOURNAL
        self._unsaved: list[bytes] = []
        self.trouble = ""
        """Why the latest trials could not be written; empty if they were."""

    def finished(self, plan: Plan) -> dict[tuple[int, int], Trial]:
        """Return the finished trials of a plan, by arm and seed."""
        found: dict[tuple[int, int], Trial] = {}
        shape, wanted = (len(plan.metrics), len(plan.points)), set(plan.seeds)
        if self._path is None:
            return found
        try:
            with suppress(FileNotFoundError), opened(self._path) as file:
                while line := file.readline(LONGEST_LINE):
                    key, trial = read_trial(line, shape) or ("", None)
                    if trial is not None and trial.seed in wanted:
                        arms = (arm for arm, known in enumerate(plan.keys) if known == key)
                        found |= {(arm, trial.seed): trial for arm in arms}
        except OSError as error:
            name = shown(self._path)
            raise TomlError(f"cannot read the journal {name}: {reason(error)}") from None
        return found

    def keep(self, trials: Sequence[tuple[str, Trial]]) -> None:
        """Append finished trials, each with the key of its variant.

        After a failure (a full disk) they are written with the next ones; see `trouble`.
        """
        if self._path is None:
            return
        self._unsaved += [
            json.dumps({"key": key} | trial.as_json(), allow_nan=False).encode() + b"\n"
            for key, trial in trials
        ]
        if not self._unsaved:
            return
        try:
            make_folder(self._path.parent)
            append(self._path, b"".join(self._unsaved))
        except OSError as error:
            self.trouble = (error.strerror or str(error)).lower()
            return
        self._unsaved, self.trouble = [], ""


def append(path: Path, lines: bytes) -> None:
    """Append whole lines and sync them; after an incomplete line, start a new line."""
    with os.fdopen(opened_to_append(path), "r+b") as file:
        if file.seek(0, os.SEEK_END):
            file.seek(-1, os.SEEK_END)
            lines = lines if file.read(1) == b"\n" else b"\n" + lines
        file.write(lines)
        file.flush()
        os.fsync(file.fileno())


def read_trial(line: bytes, shape: tuple[int, int]) -> tuple[str, Trial] | None:
    """Return the key and the trial of a line; None if it is incomplete or malformed.

    Args:
        line: with its line feed.
        shape: the number of metrics and of points that it must have.
    """
    if not line.endswith(b"\n"):
        return None
    try:
        told = json.loads(line)
        rows = [[math.nan if v is None else float(v) for v in row] for row in told["values"]]
        won_x, drawn, won_o = map(count, told["results"])
        x, o = (Evaluation.read(verdict, at_end=True) for verdict in told["verdicts"])
        seconds, values = number(told["seconds"], math.inf), np.array(rows)
        is_sound = isinstance(told["key"], str) and type(told["seed"]) is int
        if not is_sound or values.shape != shape or np.isinf(values).any():
            return None
    except (KeyError, TypeError, ValueError, OverflowError, AttributeError, RecursionError):
        return None
    return told["key"], Trial(told["seed"], values, (won_x, drawn, won_o), (x, o), seconds)


class Stopped(Exception):
    """A trial was stopped before its last game."""


class Experiment(Pausable):
    """One session of an experiment; on a cluster, trials that were submitted are its slices.

    Args:
        folder: the folder of the journal, from which the experiment resumes; None for no journal.
        workers: number of trials at once; all cores by default.
        pool: replaces threads of this process, such as a `Cluster`.
    """

    def __init__(
        self,
        plan: Plan,
        folder: Path | None = None,
        *,
        workers: int | None = None,
        pool: Executor | None = None,
    ) -> None:
        super().__init__()
        self.plan = plan
        self._journal = Journal(folder)
        self._pool = pool or futures.ThreadPoolExecutor(min(workers or cores(), 256), "trial")
        self._finished: dict[tuple[int, int], Trial] = {}
        self._resumed = 0
        self.is_ready = False
        """Whether the journal was read, which `work` does first."""
        self._running: dict[tuple[int, int], tuple[int, Floats]] = {}
        """The finished games and the values so far of running trials."""
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
            self._finished = self._journal.finished(self.plan)
            self._resumed = len(self._finished)
            self.is_ready = True
            with self._pool as pool:
                self._run(pool)
        except Exception as cause:
            error = without_workers(cause)
            what = " ".join(printable(str(error)).split()) or type(error).__name__
            is_said = isinstance(error, UsageError)
            self.failure = what if is_said else f"The experiment could not continue: {what[:200]}"
            raise error from None
        finally:
            sys.setswitchinterval(RELAXED)
            self._journal.keep([])
            with self._lock:
                self._running.clear()
            self._over.set()
        return self.snapshot

    def _run(self, pool: Executor) -> None:
        every = ((arm, seed) for seed in self.plan.seeds for arm in range(len(self.plan.arms)))
        todo = [at for at in every if at not in self._finished][::-1]
        self._ask()
        handed: dict[Future[Trial], tuple[int, int]] = {}
        # A trial waits for each worker, so that none is idle.
        queue = 2 * (getattr(pool, "_max_workers", 0) or cores())
        looked_at = time.monotonic()
        try:
            while (todo or handed) and not self._stop.is_set():
                while todo and self._go.is_set() and len(handed) < queue:
                    at = todo.pop()
                    handed[self._hand_out(pool, at)] = at
                if not handed:
                    self._go.wait()
                    looked_at = time.monotonic()
                    continue
                done, _ = futures.wait(handed, LOOK_SECONDS, futures.FIRST_COMPLETED)
                now = time.monotonic()
                self._seconds += (now - looked_at) * self._go.is_set()
                looked_at = now
                failure = self._take({future: handed.pop(future) for future in done})
                if failure is not None:
                    raise failure
        finally:
            self.stop()
            for future in handed:
                future.cancel()
            if isinstance(pool, futures.ThreadPoolExecutor):
                futures.wait(handed)
                self._take(handed)

    def _ask(self) -> None:
        """Ask the agents once, for all trials and references; only here can a stop end it."""

        def look(*_: object) -> None:
            if self._stop.is_set():
                raise Stopped

        with suppress(Stopped):
            for arm in self.plan.arms:
                for side, spec in zip(Side, (arm.x, arm.o), strict=True):
                    if (agent := unread(spec, side)) is not None:
                        agent.moves(side, spec.settings, look)

    def _hand_out(self, pool: Executor, at: tuple[int, int]) -> Future[Trial]:
        def watch(games: int, values: Floats) -> None:
            with self._lock:
                self._running[at] = games, values
            self._go.wait()
            if self._stop.is_set():
                raise Stopped

        watching = (watch,) if isinstance(pool, futures.ThreadPoolExecutor) else ()
        return pool.submit(run_trial, Setup.of(self.plan, at[0]), at[1], *watching)

    def _take(self, done: dict[Future[Trial], tuple[int, int]]) -> BaseException | None:
        """Store the finished trials, first in the journal; return the error of another one."""
        trials: dict[tuple[int, int], Trial] = {}
        failure: BaseException | None = None
        for future, at in done.items():
            try:
                trials[at] = future.result()
            except Stopped:
                pass
            except BaseException as error:
                failure = error
        self._journal.keep([(self.plan.keys[at[0]], trial) for at, trial in trials.items()])
        with self._lock:
            for at in done.values():
                self._running.pop(at, None)
            self._finished |= trials
        return failure

    @property
    def snapshot(self) -> Results:
        """The results so far."""
        plan, is_over = self.plan, self.is_over  # asked first: it is over once all is known
        with self._lock:
            finished, running = dict(self._finished), dict(self._running)
        arms = []
        for n, arm in enumerate(plan.arms):
            trials = tuple(finished[n, seed] for seed in plan.seeds if (n, seed) in finished)
            partial = tuple(part for (one, _), part in running.items() if one == n)
            arms.append(ArmResults(arm, plan, trials, partial))
        state = self._seconds, self._resumed, self.is_paused, is_over, self._journal.trouble
        return Results(plan, tuple(arms), *state)


def without_workers(error: BaseException) -> BaseException:
    """Return the error of a trial, or a clearer one if its workers are gone."""
    if isinstance(error, ImportError) or "deserialization" in str(error):
        name = type(error).__name__
        return UsageError(f"a worker cannot run Afterstate ({name}): install {program()} there")
    of_executor = isinstance(error, futures.BrokenExecutor | CancelledError)
    if of_executor or type(error).__module__.partition(".")[0] == "distributed":
        lost = "a trial was cancelled" if isinstance(error, CancelledError) else error_text(error)
        return UsageError(f"the workers were lost: {lost}")
    return error
