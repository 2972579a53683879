"""How training, going, searching, saving, loading and memory grow with the length of a run.

    python tests/benchmarks/growth.py [--games 10000 100000 ...] [--rounds N] [--json]

`td` against itself. Each length has a process of its own, so that its memory is its own. Times are
processor time of all threads, so that other work on the machine does not count; the least of so
many rounds, of going to a random game the 95th percentile. The search, which all cores share, is
for an event that is in no game; the marks are those of the film. A curve that bends upwards has a
factor above 10.
"""

import argparse
import json
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from itertools import repeat
from multiprocessing import get_context
from pathlib import Path

import numpy as np
import psutil

from afterstate_lab.learners.ask.conditions import find
from afterstate_lab.learners.ask.conditions import parse as parse_condition
from afterstate_lab.learners.ask.marks import find_marks
from afterstate_lab.learners.players.resolve import parse_player
from afterstate_lab.learners.runs.store import Store
from afterstate_lab.learners.tape.recording import TapePosition
from afterstate_lab.learners.tape.run import Run
from afterstate_lab.learners.tape.timeline import Timeline

LENGTHS = (10_000, 100_000, 1_000_000, 10_000_000)
JUMPS = 100
NOWHERE = "error > 9"
"""Holds in no game: every game is looked at."""


def least(work: Callable[[], object], rounds: int) -> tuple[float, float]:
    """The least seconds that some work takes: of the processor, and by the clock."""
    times = []
    for _ in range(rounds):
        began, at = time.process_time(), time.perf_counter()
        work()
        times.append((time.process_time() - began, time.perf_counter() - at))
    used, passed = map(min, zip(*times, strict=True))
    return used, passed


def memory() -> float:
    """Megabytes that this process holds."""
    return psutil.Process().memory_info().rss / 1e6


def fresh() -> Run:
    td = parse_player("td")
    run = Run(td, td, 7)
    run.kernel().compile()
    run.kernel().compile(recording=True)
    return run


def measure(games: int, rounds: int) -> dict[str, float]:
    fresh()
    train, _ = least(lambda: fresh().train(games), rounds)
    run = fresh()
    run.train(games)
    held = memory()
    timeline = Timeline(run)
    places = np.random.default_rng(0).integers(0, games, JUMPS).tolist()
    jumps = [1000 * least(lambda to=to: timeline.go_to(to), 1)[0] for to in places]
    condition, begin = parse_condition(NOWHERE), TapePosition(0, -1)
    assert find(run, condition, begin) is None
    search, by_the_clock = least(lambda: find(run, condition, begin), rounds)
    searched = memory()
    marks, _ = least(lambda: find_marks(run), rounds)
    with tempfile.TemporaryDirectory() as folder:
        store = Store.open(Path(folder) / "runs.sqlite")
        saved = []
        save, _ = least(lambda: saved.append(store.save(run)), rounds)
        load, _ = least(lambda: store.load(saved[-1].id), rounds)
        size = sum(file.stat().st_size for file in Path(folder).iterdir()) / rounds
    return {
        "train, s": train,
        "go, p95, ms": float(np.percentile(jumps, 95)),
        "search, s": search,
        "search by the clock, s": by_the_clock,
        "marks, s": marks,
        "save, ms": 1000 * save,
        "load, ms": 1000 * load,
        "file, MB": size / 1e6,
        "memory, MB": held,
        "memory grown by the search, MB": searched - held,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description="how the lab's costs grow with a run")
    parser.add_argument("--games", type=int, nargs="+", default=LENGTHS, help="lengths of runs")
    parser.add_argument("--rounds", type=int, default=3, help="rounds, of which the best counts")
    parser.add_argument("--json", action="store_true", help="one JSON object a length")
    options = parser.parse_args()
    length, before = 0, {}
    with ProcessPoolExecutor(1, get_context("spawn"), max_tasks_per_child=1) as pool:
        rows = pool.map(measure, options.games, repeat(options.rounds))
        for games, row in zip(options.games, rows, strict=True):
            if options.json:
                print(json.dumps(row))
                continue
            print(
                f"\n| {games:,} games | | times as much for ten times the games |\n|---|---:|---:|"
            )
            for name, value in row.items():
                grown = ""
                if before.get(name):
                    grown = f"{(value / before[name]) ** (1 / np.log10(games / length)):.2f}"
                print(f"| {name} | {value:.3g} | {grown} |")
            length, before = games, row


if __name__ == "__main__":
    main()
