"""Agents that decide by chance, judged again and again: is the verdict ever luck?

    python tests/benchmarks/ties.py [--runs N] [--check]

A tie agent plays perfectly, but one of its k equal answers to the corner opening loses. A MENACE
draws beads. `judge` asks each as a program, which it can only ask often, and four times as often as
a function, whose random calls it answers. Each row counts the runs, those that ended with status 3,
and those whose chance to lose lies within the printed error of the exact one. `--check` ends with
status 1 if a run ended otherwise, or if fewer than 95% of all estimates cover the exact chance.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

from afterstate_lab import train
from afterstate_lab.game import Side, space
from afterstate_lab.game.exact import perfect_policy
from afterstate_lab.learners.judge.evaluated_state import EvaluatedState

TIES = (2, 4, 8, 16, 50)
COVERED = 0.95
AGENT = """
import json, random, sys
ANSWERS = json.load(open({table!r}))

def move(board):
    answers = ANSWERS[board]
    return random.choices([*map(int, answers)], [*answers.values()])[0]

if __name__ == "__main__":
    for line in sys.stdin:
        print(move(line.strip()), flush=True)
"""


Answers = dict[str, dict[str, float]]
"""The odds of each cell on each board."""


def tie_agent(k: int) -> Answers:
    """Return the answers of O: perfect, but for one of k on the corner opening."""
    s, perfect = space(), perfect_policy()
    answers = {}
    for board in range(len(s.outcome)):
        if s.outcome[board] == 0 and s.ply[board] % 2 == Side.O:
            edge = max(s.edges_of(board), key=lambda edge: perfect[edge])
            answers[s.text(board)] = {str(s.edge_cell[edge] + 1): 1.0}
    return answers | {"X........": {"5": 1 - 1 / k, "2": 1 / k}}


def menace() -> tuple[Answers, float]:
    """Return the odds with which a trained MENACE draws as X, and its exact chance to lose."""
    run, s = train("menace:empty=refill", games=1000, seed=1), space()
    play = EvaluatedState(run.layout, run.memory).drawn(Side.X)
    assert play is not None
    answers: Answers = {}
    for board, cell, share in zip(s.edge_state, s.edge_cell, play, strict=True):
        if s.ply[board] % 2 == 0:
            answers.setdefault(s.text(board), {})[str(cell + 1)] = float(share)
    return answers, run.evaluate()["X"]["as_played"]["worst_loss"]


def judged(agent: str, side: str, exact: float, runs: int, name: str) -> list[int]:
    """Print a row: the runs, those that ended with status 3, those whose estimate is within its
    error of the exact chance, and the largest error that was printed; return these numbers."""
    words = [sys.executable, "-m", "afterstate_lab", "judge", agent, "--as", side, "--json"]
    beaten, covered, errors = 0, 0, [0.0]
    for _ in range(runs):
        done = subprocess.run(words, capture_output=True, text=True)
        beaten += done.returncode == 3
        told = json.loads(done.stdout)[side]
        errors.append(told["worst_loss_error"])
        covered += abs(told["worst_loss"] - exact) <= told["worst_loss_error"] + 1e-9
    print(f"{name:<26} {runs:>5} {beaten:>9} {covered:>8} {max(errors):>7.4f}", flush=True)
    return [runs, beaten, covered]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--runs", type=int, default=5, help="of each program")
    parser.add_argument("--check", action="store_true")
    given = parser.parse_args()
    print(f"{'agent':<26} {'runs':>5} {'status 3':>9} {'covered':>8} {'error':>7}")
    agents = [(f"1 of {k}", "O", tie_agent(k), 1 / k) for k in TIES]
    answers, exact = menace()
    agents.append((f"MENACE, {exact:.4f}", "X", answers, exact))
    counts = []
    with tempfile.TemporaryDirectory() as folder:
        table, agent = Path(folder, "table.json"), Path(folder, "agent.py")
        agent.write_text(AGENT.format(table=str(table)))
        for name, side, answers, exact in agents:
            table.write_text(json.dumps(answers))
            program = f"cmd:{sys.executable} {agent}"
            counts += [
                judged(f"{agent}:move", side, exact, 4 * given.runs, f"{name}, function"),
                judged(program, side, exact, given.runs, f"{name}, program"),
            ]
    runs, beaten, covered = map(sum, zip(*counts, strict=True))
    return int(given.check and (beaten < runs or covered < COVERED * runs))


if __name__ == "__main__":
    sys.exit(main())
