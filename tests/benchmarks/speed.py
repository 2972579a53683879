"""How fast `td` self-play trains, against plain C in the same run on the same machine.

    python tests/benchmarks/speed.py [--json] [--check] [--rounds N]

Every figure is the best of several rounds, in which all take their turn, so that a change of clock
or a busy neighbour meets them alike. What one core does is told by the processor's time, what two
do by the clock on the wall. Ratios count; games a second are for orientation.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from figures import Figure, options_of, tell

from afterstate_lab.learners.kernel.kernel import Kernel, empty_columns, new_tally
from afterstate_lab.learners.kernel.memory import Layout
from afterstate_lab.learners.players.resolve import parse_player
from afterstate_lab.tui.cli.bench import GAMES, compiled_yardstick, games_a_second

SLICE = 2_000
EVENTS = 40


class Training:
    """One run of `td` against itself, with its own memory."""

    def __init__(self, seed: int = 7) -> None:
        spec = parse_player("td")
        layout = Layout.of(spec, spec)
        self.kernel = Kernel(layout, seed)
        self.memory = layout.fresh()
        self.tally = new_tally()
        self.tape = empty_columns(SLICE * EVENTS)

    def train(self, games: int = GAMES) -> float:
        started = time.thread_time()
        self.kernel.play(self.memory, 0, games, self.tally)
        return games / (time.thread_time() - started)

    def record(self, games: int = GAMES // 2) -> float:
        started = time.thread_time()
        for first in range(0, games, SLICE):
            self.tape.at[0] = 0
            self.kernel.play(self.memory, first, first + SLICE, self.tally, tape=self.tape)
        return games / (time.thread_time() - started)

    def interpret(self, games: int = 10_000) -> float:
        started = time.thread_time()
        self.kernel.play_interpreted(self.memory, 0, games, self.tally)
        return games / (time.thread_time() - started)


def both(pool: ThreadPoolExecutor, run: Callable[[int], object]) -> float:
    """Games a second by the clock on the wall, of two runs of `2 * GAMES` at once, together."""
    started = time.perf_counter()
    list(pool.map(run, (0, 1)))
    return 4 * GAMES / (time.perf_counter() - started)


def measure(rounds: int) -> dict[str, float]:
    """Games a second of everything, the best of so many rounds."""
    first, second = Training(7), Training(8)
    started = time.perf_counter()
    has_compiler = first.kernel.compile()
    load = time.perf_counter() - started
    if has_compiler:
        for run in (first, second):
            run.kernel.compile()
            run.kernel.compile(recording=True)
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(2) as pool:
        yardstick = compiled_yardstick(Path(folder))
        contests: dict[str, Callable[[], float]] = {}
        if yardstick is not None:
            contests["C"] = lambda: games_a_second(yardstick)
        if has_compiler:
            contests["compiled"] = first.train
            contests["recorded"] = first.record
            pair = (first, second)
            contests["two threads"] = lambda: both(pool, lambda i: pair[i].train(2 * GAMES))
        if yardstick is not None:
            contests["C twice"] = lambda: both(pool, lambda _: games_a_second(yardstick, 2 * GAMES))
        contests["interpreted"] = first.interpret
        best = dict.fromkeys(contests, 0.0)
        for _ in range(rounds):
            for name, contest in contests.items():
                best[name] = max(best[name], contest())
    return best | {"load seconds": load}


RATIOS = (
    ("compiled", "C", 0.95),
    ("recorded", "compiled", 0.72),
    ("two threads", "compiled", 1.9),
    ("C twice", "C", None),
    ("interpreted", "C", 0.006),
)
"""What is compared with what, and the least that the ratio should be."""


def main() -> None:
    rounds = {"type": int, "default": 7, "help": "rounds, of which the best counts"}
    options = options_of(__doc__, ("--rounds", rounds))
    best = measure(options.rounds)
    for name, missing in (("C", "C compiler (cc)"), ("compiled", "numba")):
        if name not in best:
            print(f"There is no {missing} here.\n", file=sys.stderr)
    load = Figure("machine code ready", best.pop("load seconds"), 0.3, "s")
    rates = [Figure(f"td self-play, {name}", rate, None, "games/s") for name, rate in best.items()]
    ratios = [
        Figure(f"{name}, of {base}", best[name] / best[base], bar, "×", is_least=True)
        for name, base, bar in RATIOS
        if name in best and base in best
    ]
    tell("training", [*rates, *ratios, load], options)


if __name__ == "__main__":
    main()
