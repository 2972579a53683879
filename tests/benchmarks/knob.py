"""What a turn of the knob costs in a real pseudo-terminal: time to the last byte, and bytes.

    python tests/benchmarks/knob.py [--json] [--check] [--turns 200] [--size 80x24]

A turn trains 20 seeds × 20,000 games and proves 40 verdicts. Times are judged where a process that
only sleeps was woken in time (`terminal.LATE`), as in terminal.py.
"""

from __future__ import annotations

import statistics
import tempfile
import time
from contextlib import suppress

from figures import Figure, options_of, tell
from labs import LAB, PANES, pressed, program
from pseudo_terminal import QUESTION, PseudoTerminal
from terminal import late, measured

PICTURES = 2
"""Of a turn: the knob at its new place, then what it leads to. Each ends with a question."""


def turned(columns: int, rows: int, turns: int) -> list[Figure]:
    with tempfile.TemporaryDirectory() as folder, program(LAB, folder, columns, rows) as terminal:
        terminal.read_until_shown(*PANES, seconds=60)
        pressed(terminal, ":", *"turn", "enter", quiet=0.5)
        terminal.read_until_shown("unbeatable", "of 20", seconds=120)
        terminal.read_until_quiet(1)
        delays, sizes = [], []
        for n in range(turns):
            before, began = len(terminal.written), time.perf_counter()
            terminal.press("left" if n // 40 % 2 else "right")
            with suppress(TimeoutError):  # both may come as one
                terminal.read_until(lambda: is_shown(terminal, before), 1)  # noqa: B023
            delays.append(1000 * (terminal.last_byte - began))
            sizes.append((len(terminal.written) - before) / 1000)
        at_rest = terminal.read(3)
    return [
        Figure("a turn, key to last byte, median", statistics.median(delays), None, "ms"),
        Figure("a turn, key to last byte, p95", late(delays), 100, "ms"),
        Figure("a turn, key to last byte, most", max(delays), None, "ms"),
        Figure("bytes of a turn, median", statistics.median(sizes), None, "kB"),
        Figure("bytes of a turn, p95", late(sizes), 1.6, "kB"),
        Figure("bytes of a turn, most", max(sizes), None, "kB"),
        Figure("bytes after the last turn", at_rest, 0, "B"),
    ]


def is_shown(terminal: PseudoTerminal, before: int) -> bool:
    return terminal.written[before:].count(QUESTION) >= PICTURES


def main() -> None:
    options = options_of(
        __doc__,
        ("--turns", {"type": int, "default": 200, "help": "how many"}),
        ("--size", {"default": "80x24", "help": "of the terminal"}),
    )
    columns, rows = map(int, options.size.split("x"))
    figures = measured(lambda: turned(columns, rows, options.turns), 3 if options.check else 1)
    tell(f"the knob, {options.size}", figures, options)


if __name__ == "__main__":
    main()
