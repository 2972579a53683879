"""How long it takes to search the whole of a long run, and to go anywhere in it.

    python tests/benchmarks/search.py [--games N] [--rounds N] [--json]

`td` against itself. A search is timed three ways: to the nearest place from the start, to the
nearest from the end, and over all games, each of which is recorded again and scanned, as if the
condition came true in none. The best of so many rounds counts.
"""

import argparse
import json
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from learners.ask.conditions import Condition
from learners.ask.conditions import parse as parse_condition
from learners.ask.find import find
from learners.ask.why import chain, last_write, writes_of
from learners.players.resolve import parse_player
from learners.tape.recording import TapePosition
from learners.tape.run import Run, replay, segments
from learners.tape.timeline import Timeline

CONDITIONS = (
    "error > .9", "error > 9", "wrote X ....X....", "wrote X XXO.X.O..", "flip", "flip X........",
    "exploratory", "first visit", "X loses", "draw", "game 424242", "error > .5 and X loses",
    "flip and error > .4 or first visit",
)  # fmt: skip
JUMPS = 200
BAR_SEARCH, BAR_JUMP = 1.0, 0.1
"""Seconds: a search of a million games; a jump to any of them."""


def seconds(work: Callable[[], object], rounds: int) -> float:
    """The least time that some work takes."""
    times = []
    for _ in range(rounds):
        started = time.perf_counter()
        work()
        times.append(time.perf_counter() - started)
    return min(times)


def scan(run: Run, condition: Condition) -> int:
    """Look for a condition in every game; how often it holds."""
    spans = segments(run, 0, run.games)
    return sum(len(condition.rows(recording)) for _, recording in replay(run, spans))


def measure(games: int, rounds: int) -> tuple[list[list[object]], dict[str, float]]:
    """A row for each condition, and the other times by name."""
    td = parse_player("td")
    run = Run(td, td, 7)
    run.kernel().compile()
    run.kernel().compile(recording=True)
    run.train(games)
    begin, end = TapePosition(0, -1), TapePosition(games, -1)
    rows: list[list[object]] = []
    for text in CONDITIONS:
        condition = parse_condition(text)
        condition.rows(run.record(0, 1))
        forwards = seconds(lambda c=condition: find(run, c, begin), rounds)
        backwards = seconds(lambda c=condition: find(run, c, end, forwards=False), rounds)
        everything = seconds(lambda c=condition: scan(run, c), rounds)
        rows.append([text, scan(run, condition), forwards, backwards, everything])
    visits = run.layout.x.visits(run.memory)[0]
    entry = int(np.argmax(visits))
    last = last_write(run, entry, end)
    assert last is not None
    rng, timeline, jumps = np.random.default_rng(0), Timeline(run), []
    for game in rng.integers(0, games, JUMPS).tolist():
        started = time.perf_counter()
        timeline.go_to(game)
        jumps.append(time.perf_counter() - started)
    p50, p95, most = np.percentile(jumps, [50, 95, 100]).tolist()
    return rows, {
        "go to a random game, p50": p50,
        "go to a random game, p95": p95,
        "go to a random game, max": most,
        "who last wrote this entry": seconds(lambda: last_write(run, entry, end), rounds),
        "provenance, eight links": seconds(lambda: chain(run, last), rounds),
        f"life of a value, {int(visits[entry]):,} writes": seconds(
            lambda: writes_of(run, entry), rounds
        ),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description="search a long run of td self-play")
    parser.add_argument("--json", action="store_true", help="one JSON object instead of a table")
    parser.add_argument("--games", type=int, default=1_000_000, help="games of the run")
    parser.add_argument("--rounds", type=int, default=3, help="rounds, of which the best counts")
    options = parser.parse_args()
    rows, others = measure(options.games, options.rounds)
    if options.json:
        print(json.dumps({"conditions": rows, "others": others}))
        return
    print(f"Seconds for {options.games:,} games; the bars are {BAR_SEARCH} and {BAR_JUMP}.\n")
    print("| condition | places | first | last | every game |\n|---|---:|---:|---:|---:|")
    for text, places, *times in rows:
        print(f"| {text} | {places:,} | " + " | ".join(f"{t:.3f}" for t in times) + " |")
    print("\n| | seconds |\n|---|---:|")
    for name, taken in others.items():
        print(f"| {name} | {taken:.4f} |")


if __name__ == "__main__":
    main()
