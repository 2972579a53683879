"""All bars of speed, memory and bytes in one table: the median of some rounds, and their spread.

    python tests/benchmarks/bars.py [--rounds N] [--quick] [--json] [--check]

Wants a quiet machine, and a quarter of an hour a round. Each round measures `td` self-play against
plain C in the same minutes, and runs `speed.py`, `growth.py` with ten million games, and
`terminal.py`, which `--quick` shortens. What is missed is named.
"""

import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

from figures import Figure, options_of, tell
from speed import GAMES, compiled_yardstick, games_a_second

from afterstate_lab.learners.kernel.kernel import Kernel, empty_columns, new_tally
from afterstate_lab.learners.kernel.memory import Layout
from afterstate_lab.learners.players.resolve import parse_player

HERE = Path(__file__).parent
LONG_RUN = "10000000"
SLICE = 2_000
EVENTS = 40
TURNS = 7
"""Of all contests in a round: the best counts, so that a busy neighbour meets them alike."""
RATIOS = (
    ("compiled", "C", 0.95),
    ("recorded", "compiled", 0.72),
    ("two threads", "compiled", 1.9),
    ("interpreted", "C", 0.006),
)
"""What is compared with what, and the least that the ratio should be."""


class Training:
    """One run of `td` against itself, in games a second."""

    def __init__(self, seed: int) -> None:
        spec = parse_player("td")
        layout = Layout.of(spec, spec)
        self.kernel = Kernel(layout, seed)
        self.memory = layout.fresh()
        self.tally = new_tally()
        self.tape = empty_columns(SLICE * EVENTS)

    def train(self, games: int = GAMES) -> float:
        return self._rate(games, self.kernel.play)

    def interpret(self, games: int = 10_000) -> float:
        return self._rate(games, self.kernel.play_interpreted)

    def record(self, games: int = GAMES // 2) -> float:
        return self._rate(games, self.kernel.play, SLICE, self.tape)

    def _rate(self, games: int, play: Callable[..., int], step: int = 0, tape: Any = None) -> float:
        started = time.thread_time()
        for first in range(0, games, step or games):
            if tape is not None:
                tape.at[0] = 0
            play(self.memory, first, first + (step or games), self.tally, tape=tape)
        return games / (time.thread_time() - started)


def speeds() -> Iterator[Figure]:
    """Ratios of speeds; what two cores do is told by the clock on the wall."""
    pair = Training(7), Training(8)
    started = time.perf_counter()
    pair[0].kernel.compile()
    yield Figure("machine code ready", time.perf_counter() - started, 0.3, "s")
    for run in pair:
        run.kernel.compile()
        run.kernel.compile(recording=True)
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(2) as pool:
        yardstick = compiled_yardstick(Path(folder))
        assert yardstick is not None, "there is no C compiler (cc)"

        def both() -> float:
            started = time.perf_counter()
            list(pool.map(lambda run: run.train(2 * GAMES), pair))
            return 4 * GAMES / (time.perf_counter() - started)

        contests: dict[str, Callable[[], float]] = {
            "C": lambda: games_a_second(yardstick),
            "compiled": pair[0].train,
            "recorded": pair[0].record,
            "two threads": both,
            "interpreted": pair[0].interpret,
        }
        turns = [{name: contest() for name, contest in contests.items()} for _ in range(TURNS)]
    best = {name: max(turn[name] for turn in turns) for name in contests}
    for name, base, bar in RATIOS:
        yield Figure(f"{name}, of {base}", best[name] / best[base], bar, "×", is_least=True)


def told(*words: str | Path) -> Any:
    done = subprocess.run([sys.executable, *words], stdout=subprocess.PIPE, text=True, check=True)
    return json.loads(done.stdout)


def round_of(*quick: str) -> list[Figure]:
    slowest = min(row["ratio_to_td"] for row in told(HERE / "speed.py", "--json"))
    grown = told(HERE / "growth.py", "--json", "--rounds", "1", "--games", LONG_RUN)
    terminal = told(HERE / "terminal.py", "--json", *quick)
    return [
        Figure("slowest learner, of td", slowest, 0.55, "×", is_least=True),
        Figure("go to any of 10,000,000 games, p95", grown["go, p95, ms"], 50, "ms"),
        Figure("search of them for what is in none", grown["search by the clock, s"], 4, "s"),
        Figure("memory grown by the search", grown["memory grown by the search, MB"], 40, "MB"),
        *speeds(),
        *(Figure(**row) for row in terminal if row["bar"] is not None),
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
