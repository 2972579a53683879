"""What labs cost the machine that they share: memory and processor of one, and of a class.

    python tests/benchmarks/classroom.py [--json] [--labs N] [--seconds S]

Memory is private (pages that only this lab has), the proportional set size (PSS: pages that several
labs share are counted once, in equal parts) and resident (RSS: once for each). Linux only.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import asdict, astuple, dataclass
from pathlib import Path

from lab_screen import PANES, train
from pseudo_terminal import PseudoTerminal

LAB = (sys.executable, "-c", "from tui.command import main; main()", "--seed", "0")
PATIENCE = 120.0


@dataclass(frozen=True)
class Memory:
    """The memory of a process, in megabytes."""

    rss: float
    """With shared pages as a whole."""
    pss: float
    """With its part of the shared pages."""
    private: float
    """Without shared pages: what one more lab takes."""


@dataclass(frozen=True)
class Cost:
    """What some labs cost while they did something."""

    name: str
    labs: int
    memory: Memory
    """Of all of them."""
    cpu: float
    """Processor time, in hundredths of a core."""


def open_labs(stack: ExitStack, folder: Path, labs: int, **env: str) -> list[PseudoTerminal]:
    """Labs with a folder each, as accounts have it; opened one after the other."""
    opened = []
    for number in range(labs):
        own = str(folder / str(number))
        changes = {"AFTERSTATE_DATA": own, "AFTERSTATE_CACHE": own, **env}
        terminal = stack.enter_context(PseudoTerminal(LAB, env=changes))
        terminal.read_until_shown(*PANES, seconds=PATIENCE)
        opened.append(terminal)
    return opened


def cost(name: str, labs: Sequence[PseudoTerminal], seconds: float) -> Cost:
    """What these labs cost in so many seconds from now on."""
    before = [lab.cpu_seconds() for lab in labs]
    began = time.perf_counter()
    take_in(labs, seconds)
    used = sum(lab.cpu_seconds() for lab in labs) - sum(before)
    taken = time.perf_counter() - began
    found = [memory_of(lab.pid) for lab in labs]
    memory = Memory(*(sum(figure) for figure in zip(*map(astuple, found), strict=True)))
    return Cost(name, len(labs), memory, 100 * used / taken)


def take_in(labs: Sequence[PseudoTerminal], seconds: float) -> None:
    """Read what all these labs write, for so many seconds."""
    until = time.perf_counter() + seconds
    while time.perf_counter() < until:
        for lab in labs:
            lab.read(0.3 / len(labs))


def memory_of(pid: int) -> Memory:
    """What a process takes now."""
    sizes = dict.fromkeys(("Rss", "Pss", "Private_Clean", "Private_Dirty"), 0)
    with Path(f"/proc/{pid}/smaps_rollup").open(encoding="ascii") as file:
        for name, _, size in (line.partition(":") for line in file):
            if name in sizes:
                sizes[name] = int(size.split()[0])
    rss, pss, *private = (size / 1024 for size in sizes.values())
    return Memory(rss, pss, sum(private))


def one_lab(folder: Path, seconds: float, name: str, **env: str) -> list[Cost]:
    """One lab: opened, watching, training, and at rest after that."""
    costs = []
    with ExitStack() as stack:
        labs = open_labs(stack, folder, 1, **env)
        lab = labs[0]
        take_in(labs, 2)
        costs.append(cost(f"{name}opened", labs, seconds))
        lab.press("space")
        lab.read_until_shown("moves/s")
        take_in(labs, 5)
        costs.append(cost(f"{name}watching, two moves a second", labs, seconds))
        train(lab, seconds=PATIENCE)
        take_in(labs, 15)
        costs.append(cost(f"{name}training at full speed", labs, seconds))
        lab.press("escape")
        take_in(labs, 5)
        costs.append(cost(f"{name}at rest after that", labs, seconds))
    return costs


def class_of(folder: Path, labs: int, seconds: float) -> list[Cost]:
    """Many labs: opened, and watching."""
    with ExitStack() as stack:
        opened = open_labs(stack, folder, labs)
        take_in(opened, 3)
        costs = [cost(f"{labs} labs opened", opened, seconds)]
        for lab in opened:
            lab.press("space")
        take_in(opened, 20)
        costs.append(cost(f"{labs} labs watching", opened, seconds))
    return costs


def main() -> None:
    parser = argparse.ArgumentParser(description="what labs cost the machine that they share")
    parser.add_argument("--json", action="store_true", help="one JSON object instead of a table")
    parser.add_argument("--labs", type=int, default=30, help="how many make a class")
    parser.add_argument("--seconds", type=float, default=10, help="how long each is looked at")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="class") as folder:
        root = Path(folder)
        costs = one_lab(root / "one", given.seconds, "")
        costs += one_lab(
            root / "plain", given.seconds, "interpreted: ", AFTERSTATE_INTERPRETED="1"
        )[2:]
        costs += class_of(root / "class", given.labs, given.seconds)
    if given.json:
        print(json.dumps({"costs": [asdict(one) for one in costs]}))
        return
    print("| | private | PSS | RSS | processor |\n|---|---:|---:|---:|---:|")
    for one in costs:
        sizes = (one.memory.private, one.memory.pss, one.memory.rss)
        shown = " | ".join(f"{size:.0f} MB" for size in sizes)
        print(f"| {one.name} | {shown} | {one.cpu:.1f} % of a core |")


if __name__ == "__main__":
    main()
