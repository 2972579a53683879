"""Processor time of exact answers, beside another build of the lab: the median ratio of pairs.

    python tests/benchmarks/exact.py PYTHON [--pairs N] [NAME ...]

PYTHON is the interpreter of the other build's environment. Each part runs once before it is
measured, so that both have their machine code; then both run it in turns.
"""

import argparse
import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median

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
FUNCTION = """
LINES = (0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)
def move(board):
    me = "XO"[board.count(".") % 2 == 0]
    for mark in me, "XO".replace(me, ""):
        for line in LINES:
            marks = [board[cell] for cell in line]
            if marks.count(mark) == 2 and "." in marks:
                return line[marks.index(".")] + 1
    return next(cell for cell in (5, 1, 3, 7, 9, 2, 4, 6, 8) if board[cell - 1] == ".")
"""
PROGRAM = """
#include <stdio.h>
#include <string.h>
int main(void) {
    for (char board[32]; fgets(board, 32, stdin); fflush(stdout))
        printf("%d\\n", (int)(strchr(board, '.') - board) + 1);
}
"""
COMMAND = ("-m", "afterstate_lab")
PARTS = {
    "metrics": ("-c", METRICS),
    "curves": (*COMMAND, "experiment", "curves.toml", "--json"),
    "ends": (*COMMAND, "experiment", "ends.toml", "--json"),
    "milestones": ("-c", MILESTONES),
    "unbeatable": (*COMMAND, "train", "--games", "unbeatable", "--json"),
    "function": (*COMMAND, "judge", "agent.py:move", "--json"),
    "program": (*COMMAND, "judge", "cmd:./agent", "--json"),
    "training": (*COMMAND, "train", "--games", "10m", "--json"),
}
BARS = {
    "metrics": 0.1, "curves": 0.25, "ends": 0.25, "milestones": 0.3, "unbeatable": 0.7,
    "function": 0.5, "program": 1.15,
}  # fmt: skip


def seconds(python: str, words: tuple[str, ...], folder: str) -> float:
    """What a part prints, or the processor time of its process and its children."""
    env = os.environ | {"AFTERSTATE_DATA": f"{folder}/data", "AFTERSTATE_CONFIG": f"{folder}/none"}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([python, *words], cwd=folder, env=env, stdout=subprocess.PIPE, text=True)
    assert done.returncode in (0, 3), "it failed"  # 3 is a beatable agent
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if words[0] == "-c":
        return float(done.stdout)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    options = argparse.ArgumentParser()
    options.add_argument("python")
    options.add_argument("names", nargs="*", metavar="NAME", default=[])
    options.add_argument("--pairs", type=int, default=5)
    given = options.parse_intermixed_args()
    with tempfile.TemporaryDirectory() as folder:
        curves = PLAN.format(games=100_000, seeds=100, points=34, more="")
        ends = PLAN.format(games=20_000, seeds=1_000, points=1, more=ENDS)
        Path(folder, "curves.toml").write_text(curves)
        Path(folder, "ends.toml").write_text(ends)
        Path(folder, "agent.py").write_text(FUNCTION)
        Path(folder, "agent.c").write_text(PROGRAM)
        subprocess.run(["cc", "-O2", "-o", "agent", "agent.c"], cwd=folder, check=True)
        for name in given.names or PARTS:
            both = sys.executable, given.python
            turns = [
                [seconds(python, PARTS[name], folder) for python in both]
                for _ in range(given.pairs + 1)
            ][1:]
            own, other = (median(turn[n] for turn in turns) for n in (0, 1))
            ratio = median(own / other for own, other in turns)
            print(f"{name:12}{own:8.2f} s{other:8.2f} s{ratio:8.3f} × (bar {BARS.get(name, 1.03)})")


if __name__ == "__main__":
    main()
