"""What a lab holds that is used: private memory after many trainings of other pairs, through Setup.

    python tests/benchmarks/used.py PYTHON [PYTHON] [--runs 100] [--games 200000]

Each PYTHON has a build installed. Their labs run side by side: each begins a run of the next of
twelve pairs on the page of players, trains it, and tells what no other process shares (Linux).
With two, the second is the one that the first is measured by.
"""

import argparse
import tempfile
from itertools import cycle, islice
from pathlib import Path

from pseudo_terminal import PseudoTerminal

PAIRS = (
    "td", "q", "mc", "sarsa", "nstep", "expected-sarsa", "tdlambda", "double-q", "chain",
    "td:alpha=.3", "menace", "td:epsilon=.3",
)  # fmt: skip
"""Who plays X in turn; `td` plays O."""


def private(pid: int) -> float:
    """Megabytes that a process shares with none."""
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text("ascii").splitlines()
    return sum(int(line.split()[1]) for line in lines if line.startswith("Private_")) / 1024


def lab(python: str, folder: str) -> PseudoTerminal:
    command = [python, "-P", "-m", "afterstate_lab", "--seed", "0"]
    return PseudoTerminal(command, env={"AFTERSTATE_DATA": folder})


def train(terminal: PseudoTerminal, player: str, games: int) -> None:
    """Begin a run on the page of players, and train it to its end."""
    terminal.press("o")
    terminal.read_until_shown("setup")
    terminal.read_until_quiet(0.1)
    terminal.press(player, "enter")
    terminal.read_until_shown("no game yet")
    terminal.press("t")
    terminal.read_until_shown("how many games")
    terminal.read_until_quiet(0.1)
    terminal.press(str(games), "enter")
    terminal.read_until(lambda: is_trained(terminal, games), 300)


def is_trained(terminal: PseudoTerminal, games: int) -> bool:
    return f"{games:,}" in terminal.lines[0] and "▶" not in terminal.lines[0]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("python", nargs="+")
    parser.add_argument("--runs", type=int, default=100)
    parser.add_argument("--games", type=int, default=200_000)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as parent:
        folders = [str(Path(parent, str(n))) for n in range(len(options.python))]
        labs = [lab(python, folder) for python, folder in zip(options.python, folders, strict=True)]
        try:
            for terminal in labs:
                terminal.read_until_shown("log", "stats")
            kept = []
            for run, player in enumerate(islice(cycle(PAIRS), options.runs), start=1):
                for terminal in labs:
                    train(terminal, player, options.games)
                    terminal.read_until_quiet(1)
                held = [private(terminal.pid) for terminal in labs]
                print(f"{run:4} {player:16}", *(f"{size:6.0f} MB" for size in held), flush=True)
                kept.append(held)
        finally:
            for terminal in labs:
                terminal.close()
                terminal.wait(10)
    (first, *_), (last, *others) = kept[1], kept[-1]
    print(f"of its own value after two runs: {last / first:.2f}")
    print(*(f"of the other's: {last / other:.2f}" for other in others))


if __name__ == "__main__":
    main()
