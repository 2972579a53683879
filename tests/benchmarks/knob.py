"""What a turn of the knob costs in a real pseudo-terminal: time to the last byte, and bytes.

    python tests/benchmarks/knob.py [--json] [--check] [--turns 200] [--size 80x24]

A turn trains 20 seeds × 20,000 games and proves 40 verdicts. The same work is timed here, without a
screen, between the turns: where it is slower than `BUSY`, only the ratio to it is judged.
"""

from __future__ import annotations

import statistics
import tempfile
import time
from contextlib import suppress

from figures import Figure, options_of, tell
from labs import LAB, PANES, pressed, program
from pseudo_terminal import QUESTION, PseudoTerminal
from terminal import late

from afterstate_lab.learners.experiments.turn import turn, turning
from afterstate_lab.learners.players.resolve import parse_player

PICTURES = 2
"""Of a turn: the knob at its new place, then what it leads to. Each ends with a question."""
EVERY = 5
"""Turns between two of the same work without a screen."""
BUSY = 75.0
"""Milliseconds that the work takes on a quiet machine of two cores, and some more."""


def is_shown(terminal: PseudoTerminal, before: int) -> bool:
    return terminal.written[before:].count(QUESTION) >= PICTURES


def alone(n: int) -> float:
    """Milliseconds of a turn without a screen."""
    td = parse_player("td")
    plan = turning(td, td, "alpha", [str(0.1 + n / 1000)], 20, 20_000)
    began = time.perf_counter()
    turn(plan, plan.arms[0], lambda: False)
    return 1000 * (time.perf_counter() - began)


def turned(columns: int, rows: int, turns: int) -> list[Figure]:
    alone(0)  # loads the machine code
    with tempfile.TemporaryDirectory() as folder, program(LAB, folder, columns, rows) as terminal:
        terminal.read_until_shown(*PANES, seconds=60)
        pressed(terminal, ":", *"turn", "enter", quiet=0.5)
        terminal.read_until_shown("unbeatable", "of 20", seconds=120)
        terminal.read_until_quiet(1)
        delays, sizes, work = [], [], []
        for n in range(turns):
            if n % EVERY == 0:
                work.append(alone(n))
            before, began = len(terminal.written), time.perf_counter()
            terminal.press("left" if n // 40 % 2 else "right")
            with suppress(TimeoutError):  # both may come as one
                terminal.read_until(lambda: is_shown(terminal, before), 2)  # noqa: B023
            delays.append(1000 * (terminal.last_byte - began))
            sizes.append((len(terminal.written) - before) / 1000)
        at_rest = terminal.read(3)
    median, own = statistics.median(delays), statistics.median(work)
    return [
        Figure("a turn, key to last byte, median", median, None, "ms"),
        Figure("a turn, key to last byte, p95", late(delays), 100, "ms", is_judged=own < BUSY),
        Figure("a turn, key to last byte, most", max(delays), None, "ms"),
        Figure("the same work without a screen, median", own, None, "ms"),
        Figure("a turn, of the work without a screen, median", median / own, 1.6, "×"),
        Figure("bytes of a turn, median", statistics.median(sizes), None, "kB"),
        Figure("bytes of a turn, p95", late(sizes), 1.6, "kB"),
        Figure("bytes of a turn, most", max(sizes), None, "kB"),
        Figure("bytes after the last turn", at_rest, 0, "B"),
    ]


def main() -> None:
    options = options_of(
        __doc__,
        ("--turns", {"type": int, "default": 200, "help": "how many"}),
        ("--size", {"default": "80x24", "help": "of the terminal"}),
    )
    columns, rows = map(int, options.size.split("x"))
    tell(f"the knob, {options.size}", turned(columns, rows, options.turns), options)


if __name__ == "__main__":
    main()
