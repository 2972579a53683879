"""What a mistake costs: exact figures of what is learned with it, and without."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import fmean
from typing import Any

from game import Side
from learners.judge.evaluation import evaluate_memory
from learners.judge.figures import BEATABLE, OPTIMAL, RMS_MINIMAX, WORST_LOSS
from learners.kernel.kernel import WORTH_COMPILING
from learners.rules.spec import PlayerSpec
from learners.tape.run import Run


@dataclass(frozen=True)
class SidePrice:
    """One side, over some seeds; each figure is exact for its seed."""

    side: Side
    beatable: int
    """In how many seeds some opponent can beat it."""
    worst_loss: float
    """The mean chance to lose against the worst opponent."""
    right: float
    """The mean share of positions in which every move that it may choose is optimal."""
    error: float | None
    """The mean RMS error of its values against minimax."""


@dataclass(frozen=True)
class Price:
    """A rule after so many games of self-play."""

    spec: str
    games: int
    seeds: int
    sides: tuple[SidePrice, SidePrice]

    def as_json(self) -> dict[str, Any]:
        """As plain data, the sides under X and O."""
        sides = {
            found.side.mark: {
                "beatable": found.beatable,
                "worst_loss": found.worst_loss,
                "right": found.right,
                "rms_minimax": found.error,
            }
            for found in self.sides
        }
        return {"spec": self.spec, "games": self.games, "seeds": self.seeds} | sides


def price_of(spec: PlayerSpec, games: int, seeds: int) -> Price:
    """Train a rule against itself with the seeds 0 .. seeds - 1, and evaluate each exactly.

    Args:
        spec: a rule that learns.
        games: games of each seed.
        seeds: how many seeds.
    """
    found = []
    for seed in range(seeds):
        run = Run(spec, spec, seed)
        if games * seeds >= WORTH_COMPILING:
            run.kernel().compile()
        run.train(games)
        found.append(evaluate_memory(run.layout, run.memory))
    sides = []
    for side in Side:
        figures = [pair[side] for pair in found]
        judged = [f for f in figures if f is not None]
        errors = [f[RMS_MINIMAX] for f in judged]
        sides.append(
            SidePrice(
                side,
                sum(f[BEATABLE] for f in judged),
                fmean(f[WORST_LOSS] for f in judged),
                fmean(f[OPTIMAL][0] / f[OPTIMAL][1] for f in judged),
                None if None in errors else fmean(e for e in errors if e is not None),
            )
        )
    return Price(str(spec), games, seeds, (sides[0], sides[1]))
