"""All bars of speed, memory and bytes in one table: the median of some rounds, and their spread.

    python tests/benchmarks/bars.py [--rounds N] [--quick] [--json] [--check]

Wants a quiet machine, and a quarter of an hour a round. Each round runs the other benchmarks in
turn: `afterstate bench`, `speed.py`, `growth.py` with ten million games, and `terminal.py`, which
`--quick` shortens. What is missed is named.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

from figures import Figure, options_of, tell

HERE = Path(__file__).parent
LONG_RUN = "10000000"


def told(*words: str | Path) -> Any:
    done = subprocess.run([sys.executable, *words], stdout=subprocess.PIPE, text=True, check=True)
    return json.loads(done.stdout)


def round_of(*quick: str) -> list[Figure]:
    slowest = min(row["ratio_to_td"] for row in told("-m", "afterstate_lab", "bench", "--json"))
    grown = told(HERE / "growth.py", "--json", "--rounds", "1", "--games", LONG_RUN)
    searched = grown["memory_searched"] - grown["memory"]
    scripts = told(HERE / "speed.py", "--json"), told(HERE / "terminal.py", "--json", *quick)
    return [
        Figure("slowest learner, of td", slowest, 0.8, "×", is_least=True),
        Figure("go to any of 10,000,000 games, p95", grown["go"], 50, "ms"),
        Figure("search of them for what is in none", grown["search_clock"], 4, "s"),
        Figure("memory grown by the search", searched, 40, "MB"),
        *(Figure(**row) for rows in scripts for row in rows if row["bar"] is not None),
    ]


def main() -> None:
    options = options_of(
        __doc__,
        ("--rounds", {"type": int, "default": 3}),
        ("--quick", {"action": "store_true", "help": "shorter at the terminal"}),
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
