"""All bars of speed, memory and bytes in one table: the median of some rounds, and their spread.

    python tests/benchmarks/bars.py [--rounds N] [--quick] [--json]

Wants a quiet machine, and a quarter of an hour a round. Each round runs the other benchmarks in
turn: `afterstate bench`, `speed.py`, `growth.py` with ten million games, and `terminal.py`, which
`--quick` shortens. What is missed is named.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
BENCH = ("-m", "afterstate_lab", "bench", "--json")
LONG_RUN = 10_000_000


@dataclass(frozen=True)
class Bar:
    """A figure and what it should keep to."""

    name: str
    bar: float
    unit: str
    is_least: bool = False
    """Whether it should be at least the bar, not at most."""

    def is_kept(self, value: float) -> bool:
        """Whether a value is on the right side."""
        return value >= self.bar if self.is_least else value <= self.bar


BARS = {
    "c": Bar("td self-play, of plain C", 0.95, "×", True),
    "slowest": Bar("slowest learner, of td", 0.8, "×", True),
    "recorded": Bar("recorded, of td", 0.72, "×", True),
    "two": Bar("two runs on two cores, of one", 1.9, "×", True),
    "interpreted": Bar("interpreted, of plain C", 0.006, "×", True),
    "ready": Bar("machine code ready", 0.3, "s"),
    "go": Bar("go to any of 10,000,000 games, p95", 50, "ms"),
    "search": Bar("search of them for what is in none, by the clock", 4, "s"),
    "grown": Bar("memory grown by the search", 40, "MB"),
    "memory": Bar("memory with machine code loaded", 100, "MB"),
    "key": Bar("key to paint while training, p95, of that at rest", 1.5, "×"),
    "paint": Bar("first paint, of an app of one label", 1.1, "×"),
    "start": Bar("bytes of the start", 6, "kB"),
    "step": Bar("bytes of the largest step", 1.6, "kB"),
    "watching": Bar("bytes of watching", 2.2, "kB/s"),
    "training": Bar("bytes of training", 3.5, "kB/s"),
}


def told(*words: str | Path) -> Any:
    """What a Python program prints as JSON."""
    done = subprocess.run([sys.executable, *words], stdout=subprocess.PIPE, text=True, check=True)
    return json.loads(done.stdout)


def training() -> dict[str, float]:
    """The figures of training; those beside C only where there is a C compiler."""
    ratios = told(HERE / "speed.py", "--json")
    rows = told(*BENCH)
    slowest = min(rows, key=lambda row: row["ratio_to_td"])
    print(f"slowest: {slowest['learner']}", file=sys.stderr)
    named = {
        "c": "compiled / C",
        "recorded": "recorded / compiled",
        "two": "two threads / compiled",
        "interpreted": "interpreted / C",
    }
    return {
        "slowest": slowest["ratio_to_td"],
        "ready": ratios["load seconds"],
        **{key: ratios["ratios"][name] for key, name in named.items() if name in ratios["ratios"]},
    }


def long_run() -> dict[str, float]:
    """The figures of a run of ten million games."""
    grown = told(HERE / "growth.py", "--json", "--rounds", "1", "--games", str(LONG_RUN))
    return {
        "go": grown["go"],
        "search": grown["search_clock"],
        "grown": grown["memory_searched"] - grown["memory"],
    }


def at_a_terminal(*words: str) -> dict[str, float]:
    """The figures of a lab in a pseudo-terminal."""
    found = told(HERE / "terminal.py", "--json", *words)
    times, sent = found["times"], found["80x24"]

    def value(figures: Sequence[Mapping[str, Any]], *parts: str) -> float:
        values = [f["value"] for f in figures if all(part in f["name"] for part in parts)]
        if not values:
            raise LookupError(f"no figure is named {' '.join(parts)}")
        return float(max(values))

    return {
        "memory": value(times, "memory with machine code"),
        "key": value(times, "of that at rest"),
        "paint": value(times, "first paint, ratio"),
        "start": value(sent, "start"),
        "step": value(sent, "steps", "the largest"),
        "watching": value(sent, "of watching"),
        "training": value(sent, "full-speed training"),
    }


def table(rounds: Sequence[Mapping[str, float]]) -> str:
    """The bars as a Markdown table."""
    lines = ["| what | bar | median | from | to | |", "|---|---:|---:|---:|---:|---|"]
    for key, bar in BARS.items():
        values = [of[key] for of in rounds if key in of]
        if not values:
            lines.append(f"| {bar.name} | {bar.bar:g} {bar.unit} | | | | not measured |")
            continue
        median = statistics.median(values)
        verdict = "" if bar.is_kept(median) else "missed"
        figures = " | ".join(f"{value:.3g}" for value in (median, min(values), max(values)))
        side = "≥" if bar.is_least else "≤"
        lines.append(f"| {bar.name} | {side} {bar.bar:g} {bar.unit} | {figures} | {verdict} |")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description="all bars in one table")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--quick", action="store_true", help="shorter at the terminal")
    parser.add_argument("--json", action="store_true", help="the rounds as JSON")
    options = parser.parse_args()
    rounds = []
    for number in range(options.rounds):
        quick = ["--quick"] if options.quick else []
        rounds.append(training() | long_run() | at_a_terminal(*quick))
        print(f"round {number + 1}: {json.dumps(rounds[-1])}", file=sys.stderr, flush=True)
    print(json.dumps(rounds) if options.json else table(rounds))


if __name__ == "__main__":
    main()
