"""All bars of speed, memory and bytes in one table: the median of some rounds, and their spread.

    python tests/benchmarks/bars.py [--rounds N] [--quick] [--json] [--check]

Wants a quiet machine, and a quarter of an hour a round. Each round runs `speed.py`, `growth.py`
with ten million games, and `terminal.py`, which `--quick` shortens. What is missed is named.
"""

import json
import statistics
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

from figures import Figure, options_of, tell

GROWN = ("growth.py", "--rounds", "1", "--games", "10000000")
GROWTH = (
    ("go, p95, ms", "go to any of 10,000,000 games, p95", 50, "ms"),
    ("search by the clock, s", "search of them for what is in none", 4, "s"),
    ("memory grown by the search, MB", "memory grown by the search", 40, "MB"),
)
"""What is taken of it: its name there and here, the bar, and the unit."""


def told(script: str, *words: str) -> Any:
    command = [sys.executable, Path(__file__).with_name(script), "--json", *words]
    return json.loads(subprocess.check_output(command))


def round_of(*quick: str) -> list[Figure]:
    grown = told(*GROWN)
    rows = [Figure(**row) for row in (*told("speed.py"), *told("terminal.py", *quick))]
    return [
        *(Figure(name, grown[key], bar, unit) for key, name, bar, unit in GROWTH),
        *(figure for figure in rows if figure.bar is not None),
    ]


def main() -> None:
    options = options_of(
        __doc__,
        rounds={"type": int, "default": 3},
        quick={"action": "store_true", "help": "shorter at the terminal"},
    )
    rounds = [round_of(*(["--quick"] if options.quick else [])) for _ in range(options.rounds)]
    figures = []
    for column in zip(*rounds, strict=True):
        values = [figure.value for figure in column]
        name = f"{column[0].name} ({min(values):.3g}–{max(values):.3g})"
        figures.append(replace(column[0], name=name, value=statistics.median(values)))
    tell(f"median of {options.rounds} rounds (least–most)", figures, options)


if __name__ == "__main__":
    main()
