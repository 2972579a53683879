"""What a lab holds that is used: private memory after many trainings of other pairs, through Setup.

    python tests/benchmarks/used.py PYTHON [PYTHON] [--runs 100] [--games 200000]

Each PYTHON has a build installed. Their labs run side by side: each begins a run of the next of
twelve pairs on the page of players, trains it, and tells what no other process shares (Linux).
With two, the second is the one that the first is measured by.
"""

import argparse
import os
import tempfile
from contextlib import ExitStack
from itertools import cycle, islice

from labs import PANES, games_shown, program, train
from pseudo_terminal import PseudoTerminal

PAIRS = (
    "td", "q", "mc", "sarsa", "nstep", "expected-sarsa", "tdlambda", "double-q", "chain",
    "td:alpha=.3", "menace", "td:epsilon=.3",
)  # fmt: skip
"""Who plays X in turn; `td` plays O."""


def trained(terminal: PseudoTerminal, player: str, games: int) -> float:
    """Train a new run of the page of players to its end; the MB that the lab holds then."""
    terminal.press("o")
    terminal.read_until_shown("setup")
    terminal.read_until_quiet(0.1)
    if "/ set" in terminal.text:  # a row is typed in answer to a question
        terminal.press("/")
        terminal.read_until_shown("takes it")
        terminal.press(player, "enter")
        terminal.read_until_shown("Enter begin")
        terminal.press("enter")
    else:
        terminal.press(player, "enter")
    terminal.read_until_shown("no game yet")
    train(terminal, str(games))
    terminal.read_until(
        lambda: games_shown(terminal) == games and "▶" not in terminal.lines[0], 300
    )
    terminal.read_until_quiet(1)
    return terminal.process.memory_full_info().uss / 2**20


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("python", nargs="+")
    parser.add_argument("--runs", type=int, default=100)
    parser.add_argument("--games", type=int, default=200_000)
    options = parser.parse_args()
    kept = []
    with ExitStack() as stack:
        labs = []
        for python in options.python:
            data = stack.enter_context(tempfile.TemporaryDirectory())
            command = [python, "-P", "-m", "afterstate_lab", "--seed", "0"]
            cache = {"AFTERSTATE_CACHE": os.environ.get("AFTERSTATE_CACHE")}
            with program(command, data, **cache) as first:
                first.read_until_shown(*PANES)
                trained(first, PAIRS[0], options.games)
            labs.append(stack.enter_context(program(command, data, **cache)))
            labs[-1].read_until_shown(*PANES)
        for run, player in enumerate(islice(cycle(PAIRS), options.runs), start=1):
            kept.append([trained(terminal, player, options.games) for terminal in labs])
            print(f"{run:4} {player:16}", *(f"{size:6.0f} MB" for size in kept[-1]), flush=True)
    (first, *_), (last, *others) = kept[1], kept[-1]
    print(f"of its own value after two runs: {last / first:.2f}")
    print(*(f"of the other's: {last / other:.2f}" for other in others))


if __name__ == "__main__":
    main()
