"""Processor time of exact answers, beside another build of the lab: the median ratio of pairs.

    python tests/benchmarks/exact.py PYTHON [--pairs N] [--json] [--check] [NAME ...]

PYTHON is the interpreter of the other build's environment. Both builds measure a part in turns, and
once before that for their machine code.
"""

import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from statistics import median

from figures import Figure, in_turns, options_of, tell

PLAN = """
title = "Measured"
question = "What does measuring cost?"
games = {games}
seeds = {seeds}
metrics = ["beatable X", "beatable O", "rms-minimax X", "rms-minimax O"{more}]
[measure]
points = {points}
[[arms]]
name = "td"
x = "td"
o = "td"
"""
ENDS = "".join(
    f', "{name} {side}"'
    for name in ("greedy-value", "behaviour-value", "win", "worst-loss", "rms-v*", "rms-v_pi")
    for side in "XO"
)
TRAINED = """
import time
from afterstate_lab.learners.rules.spec import PlayerSpec
from afterstate_lab.learners.tape.run import Run
run = Run(PlayerSpec.parse("td"), PlayerSpec.parse("td"), 0)
run.kernel().compile(), run.kernel().compile(recording=True)
"""
METRICS = f"""{TRAINED}
run.train(20_000)
from afterstate_lab.game import Side, exact
from afterstate_lab.learners.judge.evaluated_state import EvaluatedState
from afterstate_lab.learners.judge.figures import FIGURES
def look():
    for known in filter(None, [getattr(exact, "_evaluation", None)]):
        known.cache_clear()
    state = EvaluatedState(run.layout, run.memory, run.games)
    if hasattr(state, "ask"):
        state.ask((1 << 15) - 1, (1 << 15) - 1)
    return [figure.measure(state, side) for figure in FIGURES for side in Side]
import sys
until = time.time() + 100
while getattr(sys.modules.get("afterstate_lab.learners.judge.evaluator"), "_code", 1) == []:
    look()
    assert time.time() < until
began = time.process_time()
for _ in range(200):
    look()
print(time.process_time() - began)
"""
MILESTONES = f"""{TRAINED}
from afterstate_lab.learners.ask.marks import find_marks
run.train(10_000_000)
began = time.process_time()
find_marks(run)
print(time.process_time() - began)
"""
PROGRAM = """
#include <stdio.h>
#include <string.h>
int main(void) {
    for (char board[32]; fgets(board, 32, stdin); fflush(stdout))
        printf("%d\\n", (int)(strchr(board, '.') - board) + 1);
}
"""
AGENT = Path(__file__).parents[1] / "agents" / "heuristic.py"
COMMAND = ("-m", "afterstate_lab")
PARTS = {
    "metrics": (0.1, ("-c", METRICS)),
    "curves": (0.25, (*COMMAND, "experiment", "curves.toml", "--json")),
    "ends": (0.25, (*COMMAND, "experiment", "ends.toml", "--json")),
    "milestones": (0.3, ("-c", MILESTONES)),
    "unbeatable": (0.7, (*COMMAND, "train", "--games", "unbeatable", "--json")),
    "function": (0.5, (*COMMAND, "judge", f"{AGENT}:move", "--json")),
    "program": (1.15, (*COMMAND, "judge", "cmd:./agent", "--json")),
    "training": (1.03, (*COMMAND, "train", "--games", "10m", "--json")),
}
"""The bar of each part, and the words after the interpreter."""


def cost(folder: str, name: str, python: str) -> float:
    """What a part prints, or the processor time of its process and its children."""
    words = PARTS[name][1]
    env = os.environ | {"AFTERSTATE_DATA": f"{folder}/data", "AFTERSTATE_CONFIG": f"{folder}/none"}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([python, *words], cwd=folder, env=env, stdout=subprocess.PIPE, text=True)
    assert done.returncode in (0, 3), "it failed"  # 3 is a beatable agent
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if words[0] == "-c":
        return float(done.stdout)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def figures(folder: str, names: list[str], other: str, pairs: int) -> Iterator[Figure]:
    for name in names:
        pythons = {"own": sys.executable, "other": other}
        contests = {build: partial(cost, folder, name, python) for build, python in pythons.items()}
        turns = {build: costs[1:] for build, costs in in_turns(contests, pairs + 1).items()}
        for build, costs in turns.items():
            yield Figure(f"{name}, {build}", median(costs), unit="s")
        ratio = median(own / other for own, other in zip(*turns.values(), strict=True))
        yield Figure(f"{name}, of the other", ratio, PARTS[name][0], "×")


def main() -> None:
    options = options_of(
        __doc__,
        python={"nargs": 1},
        names={"nargs": "*", "metavar": "NAME", "default": []},
        pairs={"type": int, "default": 5},
    )
    with tempfile.TemporaryDirectory() as folder:
        curves = PLAN.format(games=100_000, seeds=100, points=34, more="")
        ends = PLAN.format(games=20_000, seeds=1_000, points=1, more=ENDS)
        Path(folder, "curves.toml").write_text(curves)
        Path(folder, "ends.toml").write_text(ends)
        Path(folder, "agent.c").write_text(PROGRAM)
        subprocess.run(["cc", "-O2", "-o", "agent", "agent.c"], cwd=folder, check=True)
        names, (python,) = options.names or list(PARTS), options.python
        tell("own and other build", figures(folder, names, python, options.pairs), options)


if __name__ == "__main__":
    main()
