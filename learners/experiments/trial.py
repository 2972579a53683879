"""A trial: one arm with one seed, run in a thread, another process or on another machine."""

from __future__ import annotations

import os
import socket
import threading
import time
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any, Final, Protocol

import numpy as np

from game import Side
from learners.errors import UsageError, shown
from learners.experiments.metrics import SidedMetric, verdict
from learners.experiments.plan import sources_hash
from learners.judge.evaluated_state import EvaluatedState, Pair
from learners.kernel.kernel import WORTH_COMPILING, Kernel, new_tally
from learners.kernel.memory import Layout
from learners.players.resolve import parse_player
from learners.version import VERSION

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from learners.experiments.plan import Plan

SLICE: Final = 500_000
SLICE_INTERPRETED: Final = 2_000
"""Games between two checks for a pause or a stop: some 0.1 s."""


@dataclass(frozen=True)
class Setup:
    """Everything that a trial needs except the seed, as plain data."""

    key: str
    """A hash of the rest: see `Plan.keys`."""
    x: str
    """Spec of X."""
    o: str
    points: tuple[int, ...]
    """The numbers of games after which to measure; the last is the end."""
    metrics: tuple[str, ...]
    compiles: bool
    """Whether to load the compiler."""
    program: str
    """The version and the engine that the trials are to be run by."""

    @classmethod
    def of(cls, plan: Plan, arm: int) -> Setup:
        x, o = plan.arms[arm].x, plan.arms[arm].o
        metrics = tuple(str(metric) for metric in plan.metrics)
        compiles = plan.games * len(plan.seeds) >= WORTH_COMPILING
        return cls(plan.keys[arm], str(x), str(o), plan.points, metrics, compiles, program())


@dataclass(frozen=True, eq=False)
class Trial:
    """The result of one arm with one seed."""

    seed: int
    values: NDArray[np.float64]
    """float64[metrics, points]; NaN where a metric has no value."""
    results: tuple[int, int, int]
    """Games won by X, drawn, won by O."""
    verdicts: tuple[dict[str, Any] | None, dict[str, Any] | None]
    """The final verdicts on X and O: see `metrics.verdict`."""
    seconds: float

    def as_json(self) -> dict[str, Any]:
        """The trial as plain data, without NaN."""
        values = [[None if np.isnan(v) else v for v in row] for row in self.values.tolist()]
        return {
            "seed": self.seed,
            "results": list(self.results),
            "seconds": round(self.seconds, 6),
            "values": values,
            "verdicts": list(self.verdicts),
        }


class OtherProgramError(UsageError):
    """A worker has another program than the one that asks for the trial."""


@cache
def program() -> str:
    """The version of the program and the hash of its engine here, in one line."""
    return f"{VERSION} (engine {sources_hash()})"


def check_program(wanted: str, found: str, where: str) -> None:
    """Refuse a worker whose numbers would be another program's.

    Raises:
        OtherProgramError: it has another version or engine.
    """
    if found != wanted:
        raise OtherProgramError(
            f"the worker {shown(where)} has Afterstate {shown(found)}, not {wanted}: install the "
            "same there"
        )


class Watch(Protocol):
    """Watches a trial in the same process."""

    def advanced(self, games: int, values: NDArray[np.float64]) -> None:
        """Called between slices; may wait, or raise to end the trial.

        Args:
            games: number of finished games.
            values: float64[metrics, points] so far, NaN at later points.
        """


class Prepared:
    """The players of an arm, and the kernel of which every seed uses a copy."""

    def __init__(self, setup: Setup) -> None:
        x, o = parse_player(setup.x), parse_player(setup.o)
        self.pair = Pair(Layout.of(x, o))
        self.kernel = Kernel(self.pair.layout, 0)
        self.metrics = [SidedMetric.parse(text) for text in setup.metrics]
        if setup.compiles:
            self.kernel.compile()

    @property
    def slice(self) -> int:
        """Number of games between two calls of a watch."""
        return SLICE if self.kernel.is_compiled else SLICE_INTERPRETED


_lock = threading.Lock()
_prepared = lru_cache(maxsize=128)(Prepared)


def prepared(setup: Setup) -> Prepared:
    """The arm's `Prepared`, made once a process."""
    with _lock:
        return _prepared(setup)


def run_trial(setup: Setup, seed: int, watch: Watch | None = None) -> Trial:
    """Train two new players and measure them at the setup's points.

    Args:
        setup: the arm.
        seed: the seed of all dice.
        watch: called between slices.
    """
    began = time.perf_counter()
    check_program(setup.program, program(), f"{socket.gethostname()}:{os.getpid()}")
    arm = prepared(setup)
    kernel = arm.kernel.with_seed(seed)
    memory, tally = arm.pair.layout.fresh(), new_tally()
    values = np.full((len(arm.metrics), len(setup.points)), np.nan)
    game, before = 0, tally[1:4].copy()
    for n, point in enumerate(setup.points):
        while game < point:
            stop = min(point, game + arm.slice)
            kernel.play(memory, game, stop, tally)
            game = stop
            if watch is not None:
                watch.advanced(game, values)
        won_x, won_o, drawn = (tally[1:4] - before).tolist()
        before = tally[1:4].copy()
        state = EvaluatedState(arm.pair, memory, game, (won_x, won_o, drawn))
        values[:, n] = [metric.measure(state) for metric in arm.metrics]
    won_x, won_o, drawn = tally[1:4].tolist()
    verdicts = verdict(state, Side.X), verdict(state, Side.O)
    took = time.perf_counter() - began
    return Trial(seed, values, (won_x, drawn, won_o), verdicts, took)
