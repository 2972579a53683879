"""Measure the training speed of every learner, beside td in C where there is a C compiler.

    python tests/benchmarks/speed.py [--json]

Every learner plays itself for about a second of processor time, in turns with the C program, so
that other work on the machine slows both alike.
"""

import json
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

from afterstate_lab.learners.rules.spec import PlayerSpec, rules
from afterstate_lab.learners.tape.run import Run

SECONDS = 1.0
TICK = 1e-6
"""Minimum number of seconds, for clocks of low resolution."""
SOURCE = Path(__file__).with_name("yardstick.c")
FLAGS = ("-O3", "-march=native", "-ffp-contract=off")
GAMES = 1_000_000
"""Games that the C program plays."""
LONGEST = 60.0
"""Time limit for the C compiler and its program, in seconds."""


def speeds() -> list[dict[str, Any]]:
    rows, c = [], 0.0
    with tempfile.TemporaryDirectory() as folder:
        yardstick = compiled_yardstick(Path(folder))
        for rule in rules().values():
            if rule.learns:
                c = max(c, 0.0 if yardstick is None else games_a_second(yardstick))
                rows.append(measured(rule.name))
    td = rows[0]["games_per_second"]
    for row in rows:
        row["ratio_to_td"] = row["games_per_second"] / td
        row["ratio_to_c"] = row["games_per_second"] / c if c else None
    return rows


def measured(name: str) -> dict[str, Any]:
    """Train a learner against itself for about a second of processor time."""
    spec = PlayerSpec.parse(name)
    run = Run(spec, spec)
    began = time.perf_counter()
    compiled = run.kernel().compile()
    loaded = time.perf_counter() - began
    games, best, spent = 2_000, 0.0, 0.0
    while spent < SECONDS:
        began = time.thread_time()
        run.train(games)
        took = max(time.thread_time() - began, TICK)
        spent += took
        best = max(best, games / took)
        games = max(games, int(0.2 * games / took))
    return {"learner": name, "games_per_second": best, "load_seconds": loaded, "compiled": compiled}


def compiled_yardstick(folder: Path) -> Path | None:
    """Compile `td` self-play in C into a folder; return None if that fails."""
    program, compiler = folder / "yardstick", os.environ.get("CC") or shutil.which("cc")
    if not compiler:
        return None
    with suppress(OSError, ValueError, subprocess.SubprocessError):
        words = [*shlex.split(compiler), *FLAGS, "-o", str(program), str(SOURCE)]
        subprocess.run(words, check=True, capture_output=True, timeout=LONGEST)
        games_a_second(program, 1)
        return program
    return None


def games_a_second(yardstick: Path, games: int = GAMES) -> float:
    """Return the games per second of the C program."""
    words = [str(yardstick), str(games), "7"]
    done = subprocess.run(words, check=True, capture_output=True, text=True, timeout=LONGEST)
    return float(json.loads(done.stdout)["games_per_second"])


if __name__ == "__main__":
    rows = speeds()
    if "--json" in sys.argv:
        print(json.dumps(rows))
    for row in rows if "--json" not in sys.argv else ():
        to_c = "-" if row["ratio_to_c"] is None else f"{row['ratio_to_c']:.2f}"
        print(
            f"{row['learner']:16}{row['games_per_second']:12,.0f} games/s"
            f"{row['ratio_to_td']:6.2f} of td {to_c:>6} of C"
        )
