"""How many bytes the lab sends to a terminal, against the bars, at 80×24 and at 120×40.

    python tests/benchmarks/traffic.py [--quick] [--check] [--json] [--size COLUMNSxROWS]

Everything that the terminal gets counts: pictures and questions ("is it there?"). The
bars are for 80×24; at 120×40 the figures stand beside them. Both sizes are measured at a time.
`--quick` watches and trains for a shorter time and takes fewer steps.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass

from figures import HOME, Figure, lab, pressed, program, table, tell_misses, train
from pseudo_terminal import QUESTION, PseudoTerminal

SIZES = ("80x24", "120x40")
BAR_SIZE = SIZES[0]
DOORS = ("board", "play it", "the tour", "quit")
PANES = ("board", "log", "stats", "learning", "home")


@dataclass(frozen=True)
class Stretch:
    """How long it is measured."""

    idle: float
    watched: float
    trained: float
    filmed: float
    phases: int
    """Phases forward, and as many back."""
    events: int


WHOLE = Stretch(idle=10, watched=60, trained=10, filmed=20, phases=60, events=40)
QUICK = Stretch(idle=5, watched=15, trained=5, filmed=8, phases=30, events=20)


def at_home(terminal: PseudoTerminal) -> list[Figure]:
    """From the start until home is painted; then what plays behind the doors, and rests."""
    terminal.read_until_shown(*DOORS, seconds=30)
    painted = len(terminal.written)
    terminal.read_until_quiet(1.5)
    seconds = terminal.last_byte - terminal.started
    rate = (len(terminal.written) - painted) / seconds / 1000
    return [
        Figure("start, home", painted / 1000, 6, "kB"),
        Figure("home while it plays", rate, 2.2, "kB/s"),
        idle(terminal, 2),
    ]


def opened(terminal: PseudoTerminal) -> Figure:
    """From the start until all panes are painted."""
    terminal.read_until_shown(*PANES, seconds=30)
    terminal.read_until_quiet(0.6)
    return Figure("start, all panes", len(terminal.written) / 1000, 6, "kB")


def idle(terminal: PseudoTerminal, seconds: float) -> Figure:
    """Nothing happens."""
    return Figure(f"idle for {seconds:g} s", terminal.read(seconds), 0, "B")


def watching(terminal: PseudoTerminal, seconds: float) -> Figure:
    """Two moves a second."""
    terminal.press("space")
    terminal.read(0.5)
    watched = terminal.read(seconds)
    pressed(terminal, "space")
    return Figure(f"{seconds:g} s of watching, 2 moves/s", watched / seconds / 1000, 4, "kB/s")


def playing(terminal: PseudoTerminal) -> Figure:
    """A game against the learner, cell by cell until it is over."""
    size = pressed(terminal, "p", quiet=0.4)
    for cell in "519736428":
        size += pressed(terminal, cell)
    return Figure("play of one game, from p on", size / 1000, None, "kB")


def review(terminal: PseudoTerminal) -> Figure:
    """What Enter shows after a game."""
    size = pressed(terminal, "enter", quiet=0.5)
    terminal.read_until_shown("what it learned", seconds=10)
    pressed(terminal, "q", quiet=0.5)
    return Figure("review of a game", size / 1000, None, "kB")


def film(terminal: PseudoTerminal, seconds: float) -> Figure:
    """The film of all games in 20 seconds, from its start."""
    pressed(terminal, "w", quiet=0.5)
    terminal.press("m")
    terminal.read_until_shown("seconds for all", seconds=90)
    terminal.read_until_quiet(0.5)
    terminal.press("enter")
    filmed = terminal.read(seconds)
    pressed(terminal, "w", quiet=0.5)
    return Figure(f"{seconds:g} s of a film of 20 s", filmed / seconds / 1000, 2.2, "kB/s")


def stepped(terminal: PseudoTerminal, key: str) -> int:
    """The bytes of one step, until its picture is complete."""
    before = len(terminal.written)
    terminal.press(key)
    with suppress(TimeoutError):
        terminal.read_until(lambda: QUESTION in terminal.written[before:], 2)
    terminal.read_until_quiet(0.1)
    return len(terminal.written) - before


def stepping(terminal: PseudoTerminal, stretch: Stretch) -> list[Figure]:
    """Steps forward and back through the last games of 20,000."""
    train(terminal, "20000")
    terminal.read_until_shown("TRAIN", "20,000 games in", seconds=90)
    terminal.read_until_quiet(0.5)
    for _ in range(1 + stretch.events // 5):
        pressed(terminal, "s", "{", quiet=0.5)
    figures = []
    for name, phase, event in (("forward", "right", "]"), ("back", "left", "[")):
        keys = [phase] * stretch.phases + [event] * stretch.events
        sizes = [stepped(terminal, key) / 1000 for key in keys]
        figures += [
            Figure(f"{len(keys)} steps {name}, the largest", max(sizes), 2, "kB"),
            Figure(f"{len(keys)} steps {name}, median", statistics.median(sizes), None, "kB"),
        ]
    return figures


def training(terminal: PseudoTerminal, seconds: float) -> Figure:
    """Full speed, compiled."""
    train(terminal, "1000m")
    terminal.read_until_shown("TRAIN", "left", seconds=90)
    terminal.read(3)
    began = time.perf_counter()
    size = terminal.read(seconds)
    rate = size / (time.perf_counter() - began) / 1000
    terminal.press("escape")
    return Figure(f"{seconds:g} s of full-speed training", rate, 8, "kB/s")


def measure(size: str, stretch: Stretch) -> list[Figure]:
    """Everything, in a terminal of a size."""
    columns, rows = map(int, size.split("x"))
    with (
        tempfile.TemporaryDirectory() as folder,
        program(HOME, folder, columns, rows) as doors,
        lab(folder, columns, rows) as terminal,
    ):
        return [
            *at_home(doors),
            opened(terminal),
            idle(terminal, stretch.idle),
            watching(terminal, stretch.watched),
            playing(terminal),
            review(terminal),
            *stepping(terminal, stretch),
            film(terminal, stretch.filmed),
            training(terminal, stretch.trained),
        ]


def measured_together(*options: str) -> dict[str, list[Figure]]:
    """Every size in a process of its own, at the same time."""
    command = [sys.executable, __file__, "--json", *options]
    running = {
        size: subprocess.Popen([*command, "--size", size], stdout=subprocess.PIPE, text=True)
        for size in SIZES
    }
    found = {}
    for size, process in running.items():
        out, _ = process.communicate()
        if process.returncode:
            sys.exit(f"the measurement at {size} failed")
        found[size] = [Figure(**figure) for figure in json.loads(out)[size]]
    return found


def judged(found: Mapping[str, Sequence[Figure]]) -> Sequence[Figure]:
    """The figures of the size that the bars are for."""
    return found.get(BAR_SIZE, ())


def report(found: Mapping[str, Sequence[Figure]]) -> str:
    """The sizes beside each other."""
    if len(found) == 1:
        ((size, figures),) = found.items()
        return table(f"bytes at {size}", figures)
    rows = ["| bytes, xterm-256color | bar | 80×24 | | 120×40 |", "|---|---:|---:|---|---:|"]
    rows += [
        f"| {small.name} | {small.shown_bar} | {small.shown} | {small.verdict} | {large.shown} |"
        for small, large in zip(*(found[size] for size in SIZES), strict=True)
    ]
    return "\n".join(rows)


def main() -> None:
    parser = argparse.ArgumentParser(description="what the lab sends to a terminal, in bytes")
    parser.add_argument("--quick", action="store_true", help="shorter stretches, fewer steps")
    parser.add_argument("--json", action="store_true", help="one JSON object instead of a table")
    parser.add_argument("--check", action="store_true", help="status 1 where a bar is missed")
    parser.add_argument("--size", help="one size only, such as 80x24")
    options = parser.parse_args()
    if options.size:
        found = {options.size: measure(options.size, QUICK if options.quick else WHOLE)}
    else:
        found = measured_together(*(["--quick"] if options.quick else []))
    is_missed = options.check and tell_misses(judged(found))
    if options.json:
        print(json.dumps({size: [asdict(f) for f in figures] for size, figures in found.items()}))
    else:
        print(report(found))
    sys.exit(is_missed)


if __name__ == "__main__":
    main()
