"""`afterstate bench`: measure the training speed of every learner."""

from __future__ import annotations

import json
import math
import os
import shlex
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import click

from afterstate_lab.learners.files import keep, kept
from afterstate_lab.learners.rules.spec import PlayerSpec, rules
from afterstate_lab.learners.tape.run import Run
from afterstate_lab.tui.cli import parameters
from afterstate_lab.tui.cli.errors import columns, show
from afterstate_lab.tui.progress import interruptible

SECONDS = 1.0
TICK = 1e-6
"""Minimum number of seconds, for clocks of low resolution."""
KEPT = "bench.json"
"""The file of the previous bench in the data folder."""
LARGEST = 65_536
"""Maximum number of bytes of that file."""
SOURCE = Path(__file__).with_name("yardstick.c")
FLAGS = ("-O3", "-march=native", "-ffp-contract=off")
GAMES = 1_000_000
"""Games that the C program plays."""
LONGEST = 60.0
"""Time limit for the C compiler and its program, in seconds."""


@click.command()
@parameters.json_flag
def bench(as_json: bool) -> None:
    """Measure the training speed of every learner.

    Every learner plays itself for about a second of processor time. Its speed is compared with td,
    with td in C if there is a C compiler, and with the previous bench.
    """
    rows, c = [], 0.0
    with interruptible(), tempfile.TemporaryDirectory() as folder:
        yardstick = compiled_yardstick(Path(folder))
        for rule in rules().values():
            if rule.learns:
                # alternate with C, so that other work on the machine slows both alike
                c = max(c, 0.0 if yardstick is None else games_a_second(yardstick))
                rows.append(measured(rule.name))
    speeds = {row["learner"]: row["games_per_second"] for row in rows}
    when, before = last_time()
    for row in rows:
        speed = row["games_per_second"]
        row["ratio_to_td"] = speed / speeds["td"]
        row["ratio_to_c"] = speed / c if c else None
        known = before.get(row["learner"])
        row["ratio_to_last_time"] = speed / known if known else None
    keep(KEPT, json.dumps({"when": time.time(), "speeds": speeds}))
    said = f"td in C plays {c:,.0f} games per second." if c else "No C compiler found."
    date = time.strftime("%Y-%m-%d %H:%M", time.localtime(when)) if before else "none"
    show(as_json, rows, [*table(rows), f"{said} Previous bench: {date}."])


def table(rows: list[dict[str, Any]]) -> Iterator[str]:
    lines = [("learner", "games/s", "to td", "to C", "to last", "load s", "compiled")]
    for row in rows:
        ratios = (row[f"ratio_to_{other}"] for other in ("td", "c", "last_time"))
        numbers = ("-" if n is None else f"{n:.2f}" for n in (*ratios, row["load_seconds"]))
        compiled = "yes" if row["compiled"] else "no"
        lines.append((row["learner"], f"{row['games_per_second']:,.0f}", *numbers, compiled))
    return columns(lines, left=(0, 6))


def last_time() -> tuple[float, dict[str, float]]:
    """Return the time of the previous bench, and the games per second of each learner."""
    try:
        told = json.loads(kept(KEPT, LARGEST))
        when, speeds = float(told["when"]), {n: float(s) for n, s in told["speeds"].items()}
        time.localtime(when)
    except (ArithmeticError, AttributeError, LookupError, OSError, TypeError, ValueError):
        return 0.0, {}
    return (when, speeds) if all(0 < one < math.inf for one in speeds.values()) else (0.0, {})


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
