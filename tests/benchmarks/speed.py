"""Games a second: of every learner, recorded, in two threads, interpreted, and of `td` in C.

    python tests/benchmarks/speed.py [--json] [--check]

All learners play themselves. All take turns, and the best turn of each counts, by processor time;
that of two threads by the clock on the wall. Without a C compiler nothing is compared with C.
"""

import json
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from figures import Figure, in_turns, options_of, tell

from afterstate_lab.learners.kernel.kernel import Kernel, empty_columns, new_tally
from afterstate_lab.learners.kernel.memory import Layout
from afterstate_lab.learners.players.resolve import parse_player
from afterstate_lab.learners.rules.spec import rules

SOURCE = Path(__file__).with_name("yardstick.c")
FLAGS = ("-O3", "-march=native", "-ffp-contract=off")
GAMES = 1_000_000
"""Games of the C program, and of what is compared with it."""
SLICE = 2_000
EVENTS = 40
TURNS = 7
RATIOS = (
    ("td", "C", 0.95),
    ("recorded", "td", 0.72),
    ("two threads", "td", 1.9),
    ("interpreted", "C", 0.006),
)
"""What is compared with what, and the least that the ratio should be."""
SLOWEST = 0.55
"""The least that any learner should have of the speed of `td`."""
READY = 0.3
"""Seconds in which machine code that was compiled before should be loaded."""


class Training:
    """A learner that plays itself, in games a second of processor time."""

    def __init__(self, name: str, seed: int = 7) -> None:
        spec = parse_player(name)
        layout = Layout.of(spec, spec)
        self.kernel = Kernel(layout, seed)
        self.kernel.compile()
        self.memory = layout.fresh()
        self.tally = new_tally()

    def train(self, games: int = GAMES) -> float:
        return self._rate(games, games, self.kernel.play)

    def train_shortly(self) -> float:
        """Train for about a fifth of a second."""
        return self.train(max(2_000, int(self.train(2_000) / 5)))

    def interpret(self) -> float:
        return self._rate(10_000, 10_000, self.kernel.play_interpreted)

    def recorder(self) -> Callable[[], float]:
        self.kernel.compile(recording=True)
        tape = empty_columns(SLICE * EVENTS)
        return lambda: self._rate(GAMES // 2, SLICE, self.kernel.play, tape)

    def _rate(self, games: int, step: int, play: Callable[..., int], tape: Any = None) -> float:
        started = time.thread_time()
        for first in range(0, games, step):
            if tape is not None:
                tape.at[0] = 0
            play(self.memory, first, first + step, self.tally, tape=tape)
        return games / (time.thread_time() - started)


def measured() -> dict[str, float]:
    """Return the games a second of every contest in its best turn."""
    names = [rule.name for rule in rules().values() if rule.learns]
    learners = {name: Training(name) for name in names}
    pair = learners["td"], Training("td", seed=8)
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(2) as pool:

        def both() -> float:
            started = time.perf_counter()
            list(pool.map(lambda run: run.train(2 * GAMES), pair))
            return 4 * GAMES / (time.perf_counter() - started)

        contests = {name: learner.train_shortly for name, learner in learners.items()} | {
            "td": pair[0].train,
            "recorded": pair[0].recorder(),
            "two threads": both,
            "interpreted": pair[0].interpret,
        }
        compiler = shlex.split(os.environ.get("CC", "cc"))
        if shutil.which(compiler[0]):
            program = f"{folder}/yardstick"
            subprocess.run([*compiler, *FLAGS, "-o", program, SOURCE], check=True)
            words = [program, str(GAMES), "7"]
            contests["C"] = lambda: json.loads(subprocess.check_output(words))["games_per_second"]
        return {name: max(rates) for name, rates in in_turns(contests, TURNS).items()}


def seconds_to_load() -> float:
    """Return the seconds in which a new process has the machine code that another compiled."""
    words = [sys.executable, "-m", "afterstate_lab", "train", "--games", "100000", "--json"]
    for _ in range(2):
        told = json.loads(subprocess.check_output(words))
    return told["load_seconds"]


def figures() -> Iterator[Figure]:
    best = measured()
    for name, rate in best.items():
        yield Figure(name, rate, unit="games/s")
    slowest = min(rate for name, rate in best.items() if name in rules())
    yield Figure("slowest learner, of td", slowest / best["td"], SLOWEST, "×", is_least=True)
    for name, base, bar in RATIOS:
        if base in best:
            yield Figure(f"{name}, of {base}", best[name] / best[base], bar, "×", is_least=True)
    yield Figure("machine code ready", seconds_to_load(), READY, "s")


if __name__ == "__main__":
    tell("every learner against itself", figures(), options_of(__doc__))
