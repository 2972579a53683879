"""How fast a parameter study runs: 100 seeds of 20 settings, 20,000 games, on one and two cores.

    python tests/benchmarks/experiments.py [--json] [--seeds N] [--games N]

Each row is a process of its own, with the machine code in its cache before it starts: threads, as
an experiment runs, and for comparison processes of a pool. Every trial ends with the exact verdicts
on both players; `training` is what the games alone take on one core.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import resource
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from learners.experiments.plan import Plan
from learners.experiments.run import Experiment, Setup, WorkerPool, prepared
from learners.kernel.kernel import new_tally

PLAN = """
title = "Scaling"
question = "How long does a parameter study take?"
games = {games}
seeds = {seeds}
metrics = ["value X"]

[measure]
points = 1

[[arms]]
name = "td"
x = "td"
o = "td"

[sweep]
option = "alpha"
values = [{values}]
"""
SETTINGS = 20


def plan_of(seeds: int, games: int) -> Plan:
    """A sweep of so many settings over the step size."""
    values = ", ".join(str((n + 1) / SETTINGS) for n in range(SETTINGS))
    return Plan.parse(PLAN.format(games=games, seeds=seeds, values=values))


@contextmanager
def processes(size: int) -> Iterator[WorkerPool]:
    """A pool of processes, which an experiment does not use by itself."""
    with ProcessPoolExecutor(size, multiprocessing.get_context("spawn")) as pool:
        yield WorkerPool(pool, size, is_here=False)


def measure(kind: str, workers: int, plan: Plan) -> dict[str, float]:
    """Seconds, games a second and peak memory (MB) of one way to run a plan."""
    if kind == "training":
        seconds = training_alone(plan)
    else:
        pool = processes(workers) if kind == "processes" else None
        began = time.perf_counter()
        Experiment(plan, workers=workers, pool=pool).work()
        seconds = time.perf_counter() - began
    used = [resource.getrusage(of) for of in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    others = workers if kind == "processes" else 0
    return {
        "seconds": seconds,
        "games_per_second": plan.trials * plan.games / seconds,
        "peak_mb": (used[0].ru_maxrss + others * used[1].ru_maxrss) / 1024,
    }


def training_alone(plan: Plan) -> float:
    """Seconds for the games of all trials on one core, nothing else."""
    pair, kernel = prepared(Setup.of(plan, 0))
    memory, tally = pair.layout.fresh(), new_tally()
    began = time.perf_counter()
    for _ in range(SETTINGS):
        kernel.play(memory, 0, plan.games, tally)
    return (time.perf_counter() - began) * plan.trials / SETTINGS


ROWS = (("training", 1), ("threads", 1), ("threads", 2), ("processes", 2))


def main() -> None:
    parser = argparse.ArgumentParser(description="a parameter study on one and two cores")
    parser.add_argument("--json", action="store_true", help="one JSON object instead of a table")
    parser.add_argument("--seeds", type=int, default=100)
    parser.add_argument("--games", type=int, default=20_000)
    parser.add_argument("--row", nargs=2, help=argparse.SUPPRESS)
    options = parser.parse_args()
    plan = plan_of(options.seeds, options.games)
    if options.row:
        print(json.dumps(measure(options.row[0], int(options.row[1]), plan)))
        return
    prepared(Setup.of(plan, 0))
    found = {}
    for kind, workers in ROWS:
        command = [sys.executable, __file__, "--row", kind, str(workers)]
        sizes = ["--seeds", str(options.seeds), "--games", str(options.games)]
        done = subprocess.run([*command, *sizes], capture_output=True, text=True, check=True)
        found[f"{kind}, {workers}"] = json.loads(done.stdout)
    if options.json:
        print(json.dumps(found))
        return
    print(f"{plan.trials:,} trials of {plan.games:,} games\n")
    print("| | seconds | games a second | peak MB |\n|---|---:|---:|---:|")
    for name, row in found.items():
        rate = row["games_per_second"]
        print(f"| {name} | {row['seconds']:.1f} | {rate:,.0f} | {row['peak_mb']:.0f} |")
    one, two = (found[f"threads, {n}"]["seconds"] for n in (1, 2))
    print(f"\nTwo threads are {one / two:.2f} times as fast as one.")


if __name__ == "__main__":
    main()
