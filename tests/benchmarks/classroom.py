"""What labs cost the machine that they share: memory and processor of one, and of a class.

    python tests/benchmarks/classroom.py [--json] [--labs N] [--seconds S]

Memory is the proportional set size (PSS): pages that several labs share are counted once, in equal
parts. The resident size of one lab (RSS) stands beside it. Linux only.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from pathlib import Path

from lab_screen import PANES, train
from pseudo_terminal import PseudoTerminal

LAB = (sys.executable, "-c", "from tui.command import main; main()", "--seed", "0")
PATIENCE = 120.0


@dataclass(frozen=True)
class Cost:
    """What some labs cost while they did something."""

    name: str
    labs: int
    pss: float
    """Megabytes, of all of them."""
    rss: float
    """Megabytes, of all of them; shared pages once for each."""
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
    pss = sum(proportional_memory(lab.pid) for lab in labs)
    return Cost(name, len(labs), pss, sum(lab.memory() for lab in labs), 100 * used / taken)


def take_in(labs: Sequence[PseudoTerminal], seconds: float) -> None:
    """Read what all these labs write, for so many seconds."""
    until = time.perf_counter() + seconds
    while time.perf_counter() < until:
        for lab in labs:
            lab.read(0.3 / len(labs))


def proportional_memory(pid: int) -> float:
    """A process's share of the memory, in megabytes."""
    with Path(f"/proc/{pid}/smaps_rollup").open(encoding="ascii") as file:
        line = next(line for line in file if line.startswith("Pss:"))
    return int(line.split()[1]) / 1024


def one_lab(folder: Path, seconds: float, name: str, **env: str) -> list[Cost]:
    """One lab: opened, watching, training, and at rest after that."""
    costs = []
    with ExitStack() as stack:
        labs = open_labs(stack, folder, 1, **env)
        lab = labs[0]
        take_in(labs, 2)
        costs.append(cost(f"{name}opened", labs, seconds))
        lab.press("space")
        lab.read_until_shown("2/s")
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
    print("| | PSS | RSS | processor |\n|---|---:|---:|---:|")
    for one in costs:
        rss = f"{one.rss:.0f} MB"
        print(f"| {one.name} | {one.pss:.0f} MB | {rss} | {one.cpu:.1f} % of a core |")


if __name__ == "__main__":
    main()
