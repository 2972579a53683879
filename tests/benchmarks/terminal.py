"""What the lab costs a terminal: bytes, delays and memory, at 80×24 through a real pseudo-terminal.

    python tests/benchmarks/terminal.py [--json] [--check] [--rounds N]

Start-up and memory are compared with a Textual app of one label, started in turn with the lab.
`--check` ends with status 1 where a budget is exceeded; times may be half as long again, for a
machine that others use as well.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from pseudo_terminal import PseudoTerminal

HERE = Path(__file__).parent
LAB = (sys.executable, "-c", "from tui.command import main; main()")
ONE_LABEL = """
from textual.app import App
from textual.widgets import Label
class OneLabel(App):
    def compose(self):
        yield Label("one label")
OneLabel().run()
"""
LABEL = (sys.executable, "-c", ONE_LABEL)
BYTE_CODE = tempfile.TemporaryDirectory()
"""Where Python keeps the byte code of all programs started here."""
SLACK = 1.5
"""By which `--check` lets times be over the bar."""


@dataclass(frozen=True)
class Figure:
    """Something measured, with the bar that it should keep below."""

    name: str
    value: float
    bar: float | None
    unit: str

    def verdict(self, slack: float = 1.0) -> str:
        """`ok`, `missed`, or nothing where there is no bar."""
        if self.bar is None:
            return ""
        allowed = self.bar * (slack if self.unit in ("ms", "×") else 1.0)
        return "ok" if self.value <= allowed else "missed"


def program(command: Sequence[str], folder: str) -> PseudoTerminal:
    """A program that keeps its files in a folder, and its byte code, as if it were installed."""
    env = {
        "AFTERSTATE_CACHE": folder,
        "AFTERSTATE_DATA": folder,
        "PYTHONPYCACHEPREFIX": str(BYTE_CODE.name),
        "PYTHONDONTWRITEBYTECODE": None,
    }
    return PseudoTerminal(command, env=env)


def lab(folder: str) -> PseudoTerminal:
    """The lab."""
    return program(LAB, folder)


def start(terminal: PseudoTerminal, *texts: bytes) -> tuple[float, float, int]:
    """Seconds until all these were written, megabytes, and bytes, once it is quiet."""
    with terminal:
        terminal.read_until(lambda: all(text in terminal.written for text in texts), 20)
        painted = time.perf_counter() - terminal.started
        terminal.read_until_quiet(0.6)
        return painted, terminal.memory(), len(terminal.written)


def starts(rounds: int, folder: str) -> list[Figure]:
    """The lab and an app of one label, in turn; first once each to make their byte code."""
    labels, labs = [], []
    for _ in range(rounds + 1):
        labels.append(start(program(LABEL, folder), b"one label"))
        labs.append(start(lab(folder), b"board", b"log", b"stats", b"learning", b"quit"))
    del labels[0], labs[0]
    (label_paint, label_memory, _), (paint, memory, size) = (
        [statistics.median(column) for column in zip(*runs, strict=True)] for runs in (labels, labs)
    )
    return [
        Figure("first paint, one label", 1000 * label_paint, None, "ms"),
        Figure("first paint, the lab", 1000 * paint, None, "ms"),
        Figure("first paint, ratio", paint / label_paint, 1.3, "×"),
        Figure("first paint, all panes", size / 1000, 30, "kB"),
        Figure("memory, one label", label_memory, None, "MB"),
        Figure("memory before the first training", memory, None, "MB"),
        Figure("the same, ratio", memory / label_memory, 1.4, "×"),
    ]


def pressed(terminal: PseudoTerminal, *keys: str, quiet: float = 0.15) -> int:
    """The bytes that keys lead to."""
    before = len(terminal.written)
    terminal.press(*keys)
    terminal.read_until_quiet(quiet)
    return len(terminal.written) - before


def train(terminal: PseudoTerminal, games: str) -> None:
    """Ask for a training."""
    pressed(terminal, "t")
    pressed(terminal, games)
    terminal.press("enter")


def watching(terminal: PseudoTerminal) -> list[Figure]:
    """The lab at rest, and two moves a second."""
    rest = terminal.read(10)
    terminal.press("space")
    terminal.read(0.5)
    watched = terminal.read(30)
    pressed(terminal, "space")
    return [
        Figure("idle for 10 s", rest, 0, "B"),
        Figure("watching at 2 moves a second", watched / 30_000, 4, "kB/s"),
    ]


def playing(terminal: PseudoTerminal) -> list[Figure]:
    """A game against the learner, cell by cell until it is over."""
    size = pressed(terminal, "p", quiet=0.4)
    for cell in "519736428":
        size += pressed(terminal, cell)
    return [Figure("play of one game, from p on", size / 1000, None, "kB")]


def stepping(terminal: PseudoTerminal) -> list[Figure]:
    """Steps forward and back after 20,000 games, then an arrow key that is held."""
    train(terminal, "20000")
    terminal.read_until_shown("TRAIN", "t trains at full speed", seconds=60)
    terminal.read_until_quiet(0.5)
    pressed(terminal, "s", "{", "{", quiet=0.5)
    keys = ["right"] * 40 + ["left"] * 25 + ["]"] * 20 + ["["] * 15
    sizes = [pressed(terminal, key) for key in keys]
    return [
        Figure("one step of the tape, most", max(sizes) / 1000, 2, "kB"),
        Figure("one step of the tape, median", statistics.median(sizes) / 1000, None, "kB"),
        held_arrow(terminal),
    ]


def held_arrow(terminal: PseudoTerminal) -> Figure:
    """How long after the last of 300 keys, 30 a second, the last painting came."""
    pressed(terminal, "home", quiet=0.5)
    began = time.perf_counter()
    for key in range(300):
        terminal.read(max(0.0, began + key / 30 - time.perf_counter()))
        terminal.press("right")
    last = time.perf_counter()
    while terminal.read(0.3):
        pass
    return Figure("after a key held for 10 s", 1000 * (terminal.last_byte - last), 100, "ms")


def training(terminal: PseudoTerminal) -> list[Figure]:
    """Full speed, compiled."""
    train(terminal, "1000m")
    terminal.read(3)
    size = terminal.read(10)
    memory = terminal.memory()
    terminal.press("escape")
    return [
        Figure("training at full speed", size / 10_000, 8, "kB/s"),
        Figure("memory after 100 million games", memory, None, "MB"),
    ]


def compiler(folder: str) -> Figure:
    """The memory of a lab that has played nothing and loaded the compiler."""
    with lab(folder) as terminal:
        terminal.read_until_shown("learning", "quit")
        pressed(terminal, "t")
        terminal.read(4)
        return Figure("memory with the compiler loaded", terminal.memory(), 180, "MB")


def keys_while_compiling(seconds: float) -> list[Figure]:
    """Opening and closing the help from the first moment of the first training on."""
    dice = random.Random(1)
    with tempfile.TemporaryDirectory() as folder, lab(folder) as terminal:
        terminal.read_until_shown("learning", "quit")
        pressed(terminal, "space", "space", quiet=0.5)
        train(terminal, "1000m")
        delays = []
        until = time.perf_counter() + seconds
        while time.perf_counter() < until:
            for key, shown in (("?", b"everywhere"), ("q", b"learning")):
                terminal.read(dice.uniform(0.02, 0.2))
                before = len(terminal.written)
                terminal.press(key)
                delays.append(
                    terminal.read_until(lambda: shown in terminal.written[before:], 5)  # noqa: B023
                )
        terminal.press("escape")
    delays.sort()
    return [
        Figure("key to paint while training, median", 1000 * statistics.median(delays), None, "ms"),
        Figure(
            "key to paint while training, p95", 1000 * delays[int(0.95 * len(delays))], 50, "ms"
        ),
        Figure("key to paint while training, most", 1000 * delays[-1], None, "ms"),
    ]


def loop_delay() -> list[Figure]:
    """The event loop's delays from the first moment of the first training on."""
    done = subprocess.run(
        [sys.executable, HERE / "loop_delay.py"], capture_output=True, text=True, check=True
    )
    figures = json.loads(done.stdout)
    return [
        Figure("event-loop delay while training, p99", figures["p99"], 16, "ms"),
        Figure("event-loop delay while training, most", figures["max"], None, "ms"),
    ]


def measure(rounds: int) -> list[Figure]:
    """Everything, in some two minutes."""
    with tempfile.TemporaryDirectory() as folder:
        figures = starts(rounds, folder)
        with lab(folder) as terminal:
            terminal.read_until_shown("learning", "quit")
            terminal.read_until_quiet(0.5)
            for part in (watching, playing, stepping, training):
                figures += part(terminal)
        figures.append(compiler(folder))
    return figures + keys_while_compiling(8) + loop_delay()


def main() -> None:
    parser = argparse.ArgumentParser(description="what the lab costs a terminal")
    parser.add_argument("--json", action="store_true", help="one JSON object instead of a table")
    parser.add_argument("--check", action="store_true", help="status 1 where a bar is missed")
    parser.add_argument("--rounds", type=int, default=9, help="starts to take the median of")
    options = parser.parse_args()
    figures = measure(options.rounds)
    if options.json:
        told = [asdict(figure) | {"verdict": figure.verdict()} for figure in figures]
        print(json.dumps({"figures": told}))
    else:
        print("| 80×24, xterm-256color | bar | measured | |\n|---|---:|---:|---|")
        for figure in figures:
            bar = "" if figure.bar is None else f"≤ {figure.bar:g} {figure.unit}"
            value = f"{figure.value:.3g} {figure.unit}"
            print(f"| {figure.name} | {bar} | {value} | {figure.verdict()} |")
    if options.check:
        sys.exit(any(figure.verdict(SLACK) == "missed" for figure in figures))


if __name__ == "__main__":
    main()
