"""What a class that follows a lecture costs: its labs at once, through a real sshd and ssh here.

    python tests/benchmarks/following.py [--followers N] [--steps N] [--pause SECONDS]

Each follower has an ssh of its own, a terminal, and `afterstate follow --fast` on one file that
grows by a line at a time: a step of the microscope, on to the next event, or to another game. The
delay of a step is from the line in the file to the first and to the last byte in a follower's
terminal. Bytes are those of the lab, before ssh; processor and memory those of the lab alone.
Prints a line of JSON for each size of terminal. Linux; it needs an sshd that this user may start.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import asdict, astuple, dataclass
from itertools import cycle, islice
from pathlib import Path
from statistics import mean, median

from pseudo_terminal import PseudoTerminal
from sshd import Memory, NoServerError, Sshd, memory_of
from sshd import status as process_status

SIZES = ((80, 24), (120, 40))
RUN = "afterstate:1/td/td/4/2000"
GAMES = (1990, 1750, 1500, 1250, 1000, 750, 500, 250)
EVENTS = ("1", "1.2.1", "1.2", "2", "2.2.1", "2.2", "3", "3.2.1", "3.2", "4")
"""Places in a game: a move, the target of its backup, what it wrote, and on."""
PLACES = [f"@{game}.{event}" for game in GAMES for event in EVENTS]
QUIET = 0.4
"""Seconds without a byte after which a painting is over."""
PATIENCE = 60.0


@dataclass(frozen=True)
class Follower:
    """A terminal that follows, and its lab at the far end."""

    terminal: PseudoTerminal
    pid: int

    def cpu_seconds(self) -> float:
        fields = process_status(self.pid)
        return (int(fields[11]) + int(fields[12])) / 100

    def take_step(self, written: float) -> tuple[float, float, int]:
        """Milliseconds to the first and the last byte since a line was written, and the bytes."""
        before = len(self.terminal.written)
        self.terminal.read_until(lambda: len(self.terminal.written) > before, PATIENCE)
        first = self.terminal.last_byte
        self.terminal.read_until_quiet(QUIET)
        count = len(self.terminal.written) - before
        return 1000 * (first - written), 1000 * (self.terminal.last_byte - written), count


@dataclass(frozen=True)
class Cost:
    """What some followers of one size cost: milliseconds, bytes, percent of a core, megabytes."""

    size: str
    followers: int
    steps: int
    bytes_median: float
    bytes_most: int
    first_median: float
    first_most: float
    last_median: float
    last_most: float
    cpu: float
    """Of a lab for each step."""
    idle_cpu: float
    memory: Memory
    """Of a lab, in the mean, after the last step."""


def measured(
    server: Sshd,
    columns: int,
    rows: int,
    count: int,
    steps: int,
    pause: float,
    idle_seconds: float = 10.0,
) -> Cost:
    """What so many followers cost on terminals of this size."""
    lecture = server.home / f"lecture-{columns}"
    lecture.write_text(f"0.0 {RUN}@2000\n")
    with ExitStack() as stack:
        followers = [*followed(server, stack, lecture, columns, rows, count)]
        pool = stack.enter_context(ThreadPoolExecutor(count))

        def used() -> float:
            return sum(follower.cpu_seconds() for follower in followers) / count

        time.sleep(QUIET)
        began = used()
        time.sleep(idle_seconds)
        idle = (used() - began) / idle_seconds
        taken: list[tuple[float, float, int]] = []
        began = used()
        for number, place in enumerate(islice(cycle(PLACES), steps)):
            with lecture.open("a", encoding="ascii") as file:
                file.write(f"{number}.0 {place}\n")
            taken += pool.map(Follower.take_step, followers, [time.perf_counter()] * count)
            time.sleep(pause)
        cpu = 1000 * (used() - began) / steps
        memories = [memory_of(follower.pid) for follower in followers]
    first, last, sizes = zip(*taken, strict=True)
    return Cost(
        f"{columns}×{rows}", count, steps,
        median(sizes), max(sizes), median(first), max(first), median(last), max(last),
        cpu, 100 * idle,
        Memory(*(mean(figures) for figures in zip(*map(astuple, memories), strict=True))),
    )  # fmt: skip


def followed(
    server: Sshd, stack: ExitStack, lecture: Path, columns: int, rows: int, count: int
) -> Iterator[Follower]:
    """Followers who have logged in one after the other, at the first place of the lecture."""
    for number in range(count):
        own = server.home / f"{columns}-{number}"
        command = f"AFTERSTATE_DATA={own} afterstate follow --fast {lecture}"
        terminal = stack.enter_context(PseudoTerminal(server.client(command), columns, rows))
        terminal.read_until_shown("following", "2,000", seconds=PATIENCE)
        terminal.read_until_quiet(QUIET)
        yield Follower(terminal, server.lab())


def main() -> None:
    parser = argparse.ArgumentParser(description="what a class that follows a lecture costs")
    parser.add_argument("--followers", type=int, default=10, help="how many follow at once")
    parser.add_argument("--steps", type=int, default=40, help="places of the lecture")
    parser.add_argument("--pause", type=float, default=0.5, help="seconds between two of them")
    given = parser.parse_args()
    try:
        with tempfile.TemporaryDirectory() as folder, Sshd(Path(folder)) as server:
            server.check()
            for size in SIZES:
                cost = measured(server, *size, given.followers, given.steps, given.pause)
                print(json.dumps(asdict(cost)), flush=True)
    except NoServerError as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
