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
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
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
KEPT = ("_places", "_values", "_visits")
"""What a keyframe keeps of memory."""


def seconds(
    work: Callable[[], object], rounds: int, clock: Callable[[], float] = time.process_time
) -> float:
    """The least time that some work takes, by default of the processor."""
    times = []
    for _ in range(rounds):
        began = clock()
        work()
        times.append(clock() - began)
    return min(times)


def memory() -> float:
    """Megabytes that this process holds."""
    return psutil.Process().memory_info().rss / 1e6


def measure(games: int, rounds: int) -> dict[str, float]:
    td = parse_player("td")

    def fresh() -> Run:
        run = Run(td, td, 7)
        run.kernel().compile()
        run.kernel().compile(recording=True)
        return run

    fresh()
    train = seconds(lambda: fresh().train(games), rounds)
    run = fresh()
    run.train(games)
    held = memory()
    timeline, jumps = Timeline(run), []
    for game in np.random.default_rng(0).integers(0, games, JUMPS).tolist():
        began = time.process_time()
        timeline.go_to(game)
        jumps.append(1000 * (time.process_time() - began))
    condition, begin = parse_condition(NOWHERE), TapePosition(0, -1)
    assert find(run, condition, begin) is None
    search = seconds(lambda: find(run, condition, begin), rounds)
    searched = memory()
    by_the_clock = seconds(lambda: find(run, condition, begin), rounds, time.perf_counter)
    marks = seconds(lambda: find_marks(run), rounds)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "runs.sqlite"
        store = Store.open(path)
        saved = []
        save = seconds(lambda: saved.append(store.save(run)), rounds)
        load = seconds(lambda: store.load(saved[-1].id), rounds)
        size = sum(file.stat().st_size for file in Path(folder).iterdir()) / rounds
    keyframes = sum(vars(frame)[name].nbytes for frame in run.keyframes for name in KEPT) / 1e6
    return {
        "train, s": train,
        "go, p95, ms": float(np.percentile(jumps, 95)),
        "go, most, ms": max(jumps),
        "search, s": search,
        "search by the clock, s": by_the_clock,
        "marks, s": marks,
        "save, ms": 1000 * save,
        "load, ms": 1000 * load,
        "file, MB": size / 1e6,
        "memory, MB": held,
        "keyframes, MB": keyframes,
        "memory grown by the search, MB": searched - held,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description="how the lab's costs grow with a run")
    parser.add_argument("--games", type=int, nargs="+", default=LENGTHS, help="lengths of runs")
    parser.add_argument("--rounds", type=int, default=3, help="rounds, of which the best counts")
    parser.add_argument("--json", action="store_true", help="one JSON object a length")
    options = parser.parse_args()
    if options.json:
        for games in options.games:
            print(json.dumps(measure(games, options.rounds)))
        return
    lengths, before = [], {}
    for games in options.games:
        words = [__file__, "--json", "--rounds", str(options.rounds), "--games", str(games)]
        row = json.loads(subprocess.check_output([sys.executable, *words]))
        print(f"\n| {games:,} games | | times as much for ten times the games |\n|---|---:|---:|")
        for name, value in row.items():
            steps = np.log10(games / lengths[-1]) if lengths else 1.0
            grown = f"{(value / before[name]) ** (1 / steps):.2f}" if before.get(name) else ""
            print(f"| {name} | {value:.3g} | {grown} |")
        lengths.append(games)
        before = row


if __name__ == "__main__":
    main()
