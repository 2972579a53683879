"""How long it takes to find what came first in a long run, each mark proved.

    python tests/benchmarks/marks.py [--games N] [--json]

`td` against itself. A verdict is proved by evaluating the game before its mark and the one after.
"""

import argparse
import json
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from game import Side
from learners.ask.marks import HOLDS, find_marks
from learners.judge.evaluation import evaluate_memory
from learners.judge.figures import BEATABLE
from learners.players.resolve import parse_player
from learners.tape.run import Run


def main() -> None:
    """Train, search, prove, and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=1_000_000)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    td = parse_player("td")
    run = Run.of(td, td, 7)
    run.train(options.games)
    find_marks(run.fork(min(1000, options.games)))  # loads what is compiled
    began = time.perf_counter()
    found = find_marks(run)
    seconds = time.perf_counter() - began
    assert found is not None
    for side in Side:
        mark = found.found.get(HOLDS[side])
        if mark is not None:
            games = mark.game, mark.game + 1
            pairs = (evaluate_memory(run.layout, run.memory_at(game)) for game in games)
            told = [pair[side] for pair in pairs]
            assert [one is not None and one[BEATABLE] for one in told] == [True, False]
    figures = {"games": options.games, "seconds": round(seconds, 2), "turns": found.turns}
    figures |= {mark.kind: mark.game + 1 for mark in found.in_order}
    if options.json:
        print(json.dumps(figures))
    else:
        print("\n".join(f"{name:<16} {figure:>12,}" for name, figure in figures.items()))


if __name__ == "__main__":
    main()
