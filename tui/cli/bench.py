"""`afterstate bench`: games per second of every learner in self-play, beside plain C and before."""

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
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from afterstate_lab.tui.cli import parameters
from afterstate_lab.tui.cli.errors import show
from afterstate_lab.tui.progress import interruptible

SECONDS = 1.0
TICK = 1e-6
"""Seconds at least, where a clock of the processor's time has not moved yet."""
KEPT = "bench.json"
"""The file of the data folder with the figures of the last time."""
LARGEST = 65_536
"""Maximum number of bytes of that file."""
SOURCE = Path(__file__).with_name("yardstick.c")
FLAGS = ("-O3", "-march=native", "-ffp-contract=off")
GAMES = 1_000_000
"""That the C program plays."""
LONGEST = 60.0
"""Seconds after which the C compiler, or its program, is ended."""


@click.command()
@parameters.json_flag
def bench(as_json: bool) -> None:
    """Measure the training speed of every learner.

    Each plays itself, and its processor's time counts. It is compared with td, with td in plain C
    where there is a C compiler, and with what it did when this was last run.
    """
    from afterstate_lab.learners.rules.spec import rules

    rows, c = [], 0.0
    with interruptible(), tempfile.TemporaryDirectory() as folder:
        yardstick = Yardstick.compiled(Path(folder))
        for rule in rules().values():
            if rule.learns:
                # in turn with C, so that other work on the machine meets both alike
                c = max(c, 0.0 if yardstick is None else yardstick.games_a_second())
                rows.append(measured(rule.name))
    last = LastTime.load()
    speeds = {row["learner"]: row["games_per_second"] for row in rows}
    for row in rows:
        speed, before = row["games_per_second"], last.speeds.get(row["learner"])
        row["ratio_to_td"] = speed / speeds["td"]
        row["ratio_to_c"] = speed / c if c else None
        row["ratio_to_last_time"] = speed / before if before else None
    LastTime(time.time(), speeds).save()
    show(as_json, rows, lines(rows, c, last))


def lines(rows: list[dict[str, Any]], c: float, last: LastTime) -> Iterator[str]:
    def ratio(value: float | None) -> str:
        return "-" if value is None else f"{value:.2f}"

    heads = f"{'games/s':>12}{'to td':>8}{'to C':>8}{'to last':>9}{'load s':>8}"
    yield f"{'learner':<16}{heads}  compiled"
    for row in rows:
        yield (
            f"{row['learner']:<16}{row['games_per_second']:>12,.0f}{row['ratio_to_td']:>8.2f}"
            f"{ratio(row['ratio_to_c']):>8}{ratio(row['ratio_to_last_time']):>9}"
            f"{row['load_seconds']:>8.2f}  {'yes' if row['compiled'] else 'no'}"
        )
    said = f"td in plain C plays {c:,.0f} games a second." if c else "There is no C compiler here."
    when = time.strftime("%Y-%m-%d %H:%M", time.localtime(last.when))
    yield f"{said} The last time was {when if last.speeds else 'never'}."


@dataclass(frozen=True)
class LastTime:
    """What was measured when this was last run."""

    when: float
    """Seconds since 1970."""
    speeds: dict[str, float]
    """Games a second of each learner; none where it was never run."""

    @classmethod
    def load(cls) -> LastTime:
        """From the data folder; as if never run where there is no such file or it is damaged."""
        from afterstate_lab.learners.files import data_folder, opened

        try:
            with opened(data_folder() / KEPT) as file:
                return cls.read(file.read(LARGEST))
        except (OSError, RuntimeError, ValueError):
            return cls(0.0, {})

    @classmethod
    def read(cls, data: bytes) -> LastTime:
        """From the bytes of the file.

        Raises:
            ValueError: they hold something else.
        """
        try:
            told = json.loads(data)
            when, speeds = told["when"], told["speeds"]
            named = {str(name): float(speed) for name, speed in speeds.items()}
            time.localtime(when)
            is_sound = all(0.0 < speed < math.inf for speed in named.values())
        except (ArithmeticError, AttributeError, LookupError, OSError, RecursionError, TypeError):
            is_sound = False
        if not is_sound:
            raise ValueError("no figures")
        return cls(float(when), named)

    def save(self) -> None:
        """Into the data folder, whole or not at all; not where that cannot be written."""
        from afterstate_lab.learners.files import data_folder, replace_file

        with suppress(OSError, RuntimeError):
            figures = json.dumps({"when": self.when, "speeds": self.speeds})
            replace_file(data_folder() / KEPT, figures)


def measured(name: str) -> dict[str, Any]:
    """Train a learner against itself for about a second of the processor's time."""
    from afterstate_lab.learners.rules.spec import PlayerSpec
    from afterstate_lab.learners.tape.run import Run

    spec = PlayerSpec.parse(name)
    run = Run(spec, spec)
    began = time.perf_counter()
    compiled = run.kernel().compile()
    loaded = time.perf_counter() - began
    games, best, spent = 2_000, 0.0, 0.0
    while spent < SECONDS:
        began = time.thread_time()
        run.train(games)
        took = time.thread_time() - began
        spent += took
        best = max(best, games / max(took, TICK))
        games = max(games, int(0.2 * games / max(took, TICK)))
    return {"learner": name, "games_per_second": best, "load_seconds": loaded, "compiled": compiled}


@dataclass(frozen=True)
class Yardstick:
    """`td` self-play in plain C (`yardstick.c`), compiled here."""

    program: Path

    @classmethod
    def compiled(cls, folder: Path) -> Yardstick | None:
        """The program, compiled into a folder; None where there is no C compiler that can."""
        compiler = os.environ.get("CC") or shutil.which("cc") or ""
        if not compiler:
            return None
        program = folder / "yardstick"
        with suppress(OSError, ValueError, subprocess.SubprocessError):
            words = [*shlex.split(compiler), *FLAGS, "-o", str(program), str(SOURCE)]
            subprocess.run(words, check=True, capture_output=True, timeout=LONGEST)
            yardstick = cls(program)
            yardstick.games_a_second(1)
            return yardstick
        return None

    def games_a_second(self, games: int = GAMES) -> float:
        """Play so many games."""
        words = [str(self.program), str(games), "7"]
        done = subprocess.run(words, check=True, capture_output=True, text=True, timeout=LONGEST)
        return float(json.loads(done.stdout)["games_per_second"])
