"""Measure exactly what a bug costs."""

from __future__ import annotations

from statistics import fmean
from typing import Any

from afterstate_lab.game import Side
from afterstate_lab.learners.judge.evaluation import evaluate_memory
from afterstate_lab.learners.judge.figures import BEATABLE, OPTIMAL, RMS_MINIMAX, WORST_LOSS
from afterstate_lab.learners.kernel.kernel import WORTH_COMPILING
from afterstate_lab.learners.rules.spec import PlayerSpec
from afterstate_lab.learners.tape.run import Run


def price_of(spec: PlayerSpec, games: int, seeds: int) -> dict[str, Any]:
    """Train a rule against itself with the seeds 0 .. seeds - 1, and evaluate each exactly.

    Returns:
        By side in how many seeds some opponent can beat it (`beatable`), and means over the seeds:
        the chance of losing to the best opponent, the share of optimal moves (`right`), and the RMS
        error of its values (None where it keeps no values).
    """
    found = []
    for seed in range(seeds):
        run = Run(spec, spec, seed)
        if games * seeds >= WORTH_COMPILING:
            run.kernel().compile()
        run.train(games)
        found.append(evaluate_memory(run.layout, run.memory))
    price: dict[str, Any] = {"spec": str(spec), "games": games, "seeds": seeds}
    for side in Side:
        judged = [figures for pair in found if (figures := pair[side]) is not None]
        errors = [figures[RMS_MINIMAX] for figures in judged]
        price[side.mark] = {
            "beatable": sum(figures[BEATABLE] for figures in judged),
            "worst_loss": fmean(figures[WORST_LOSS] for figures in judged),
            "right": fmean(figures[OPTIMAL][0] / figures[OPTIMAL][1] for figures in judged),
            "rms_minimax": None if None in errors else fmean(e for e in errors if e is not None),
        }
    return price
