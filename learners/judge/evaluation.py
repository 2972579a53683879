"""Exact metrics of what two players know."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from afterstate_lab.game import Side
from afterstate_lab.game.exact import Floats, Outcome, Policy
from afterstate_lab.learners.errors import printable
from afterstate_lab.learners.judge import evaluator as ev
from afterstate_lab.learners.judge.evaluated_state import EvaluatedState, steady_rate
from afterstate_lab.learners.judge.figures import (
    BEATABLE,
    COVERAGE,
    DRAW,
    JUDGED,
    LOSS,
    MISSED_WINS,
    OPTIMAL,
    PERFECT_DRAW,
    PERFECT_LOSS,
    RMS_MINIMAX,
    WIN,
    WORST_LOSS,
    Figure,
    asked_by,
)
from afterstate_lab.learners.kernel.memory import Layout

OF_PLAY: Final = tuple(figure for figure in JUDGED if asked_by([figure]) & ev.OF_PLAY)
"""The metrics that a policy determines."""


@dataclass(frozen=True)
class Evaluation:
    """The exact metrics of one learner, for greedy play with uniform ties."""

    spec: str
    values: Mapping[str, Any]
    """The values by metric."""
    as_played: Evaluation | None = None
    """The metrics of play of a learner that draws its moves by design, as it really plays."""

    def __getitem__(self, figure: Figure) -> Any:
        """Return the value of a metric."""
        return self.values[figure.name]

    @classmethod
    def of_play(
        cls, spec: str, policy: Policy, side: Side, answered: tuple[int, int] | None = None
    ) -> Evaluation:
        """Evaluate a policy without values.

        Args:
            spec: who plays so.
            policy: the moves.
            side: of X or O.
            answered: for how many of its positions it has one, of how many, if it is a player.
        """
        state = EvaluatedState.of_play(policy, side)
        values = {f.name: f.measure(state, side) for f in OF_PLAY}
        if answered is not None:
            values |= {RMS_MINIMAX.name: None, COVERAGE.name: answered}
        return cls(spec, values)

    def as_json(self) -> dict[str, Any]:
        """Return the object that `evaluate --json` prints; some metrics nest (`vs_random`)."""
        told: dict[str, Any] = {"spec": self.spec}
        for figure in JUDGED:
            if figure.name in self.values:
                inside = told.setdefault(figure.within, {}) if figure.within else told
                inside[figure.key] = figure.kind.plain(self[figure])
        if self.as_played is not None:
            told["as_played"] = self.as_played.as_json()
            del told["as_played"]["spec"]
        return told

    @classmethod
    def read(cls, told: Any, *, at_end: bool = False) -> Evaluation | None:
        """Read the output of `as_json`; return None for a side that is not a learner."""
        if told is None:
            return None
        try:
            spec, drawn = printable(str(told["spec"])[:1000]), told.get("as_played")
            played = None if drawn is None else cls(spec, {f.name: f.read(drawn) for f in OF_PLAY})
            return cls(spec, {f.name: f.read(told) for f in wanted(at_end)}, played)
        except (AttributeError, KeyError, OverflowError, TypeError) as error:
            raise ValueError("it is not an evaluation") from error


Evaluations = tuple[Evaluation | None, Evaluation | None]
"""The exact metrics of X and of O; None for a side that is not a learner."""


def beatable(sides: Evaluations) -> str:
    """Return the sides that can be beaten: `X and O`; empty if neither can."""
    return " and ".join(
        mark for mark, one in zip("XO", sides, strict=True) if one and one[BEATABLE]
    )


def wanted(at_end: bool) -> list[Figure]:
    """Return the metrics of an evaluation, or of one at the end of a trial."""
    return [figure for figure in JUDGED if at_end or not figure.at_end_only]


def evaluations(state: EvaluatedState, *, at_end: bool = False) -> Evaluations:
    """Evaluate X and O.

    Args:
        state: what they know.
        at_end: with the metrics that an experiment has at the end of a trial.
    """
    figures, found = wanted(at_end), list[Evaluation | None]()
    asked = asked_by(figures)
    state.ask(*(asked * state.layout.table(side).rule.learns for side in Side))
    for side in Side:
        spec, drawn = state.layout.table(side).spec, state.drawn(side)
        if not spec.rule.learns:
            found.append(None)
            continue
        values = {f.name: f.measure(state, side) for f in figures}
        as_played = None if drawn is None else Evaluation.of_play(str(spec), drawn, side)
        found.append(Evaluation(str(spec), values, as_played))
    x, o = found
    return x, o


def evaluate_memory(layout: Layout, v: Floats) -> Evaluations:
    """Evaluate X and O with memory `v`; None for a side that is not a learner."""
    return evaluations(EvaluatedState(layout, v))


def evaluations_json(sides: Iterable[Evaluation | None]) -> dict[str, dict[str, Any] | None]:
    pairs = zip(Side, sides, strict=True)
    return {side.mark: None if found is None else found.as_json() for side, found in pairs}


def expected_result(layout: Layout, v: Floats) -> Outcome | None:
    """Return the exact odds of a match: X wins, draw, O wins (as X's loss).

    Learners play greedily, opponents as always. None if the players change between games.
    """
    state = EvaluatedState(layout, v)
    for table in layout:
        if not table.rule.learns and steady_rate(table.spec, table.side) is None:
            return None
    return state.ends()


def evaluation_lines(sides: Sequence[Evaluation | None]) -> Iterator[str]:
    """Yield the exact metrics of X and of O, a few lines each."""
    for mark, side in zip("XO", sides, strict=True):
        if side is None:
            yield f"{mark} is not a learner"
            continue
        yield from (f"{mark} {side.spec}, exact, greedy play:", *play_lines(side))
        (written, of), rms = side[COVERAGE], side[RMS_MINIMAX]
        error = "" if rms is None else f", RMS error against minimax {rms:.4f}"
        yield f"  {written:,} of {of:,} values visited{error}"
        if side.as_played is not None:
            yield f"{mark} as it plays, with its random moves:"
            yield from play_lines(side.as_played)


def play_lines(found: Evaluation) -> list[str]:
    """Return the metrics of play, greedy or as the learner plays."""
    right, decisions = found[OPTIMAL]
    beaten = f"yes, with probability up to {found[WORST_LOSS]:.4f}"
    return [
        f"  beatable: {beaten if found[BEATABLE] else 'no'}",
        f"  against random: wins {found[WIN]:.4f}, draws {found[DRAW]:.4f}, "
        f"loses {found[LOSS]:.4f}; "
        f"against perfect: draws {found[PERFECT_DRAW]:.4f}, loses {found[PERFECT_LOSS]:.4f}",
        f"  optimal moves in {right:,} of {decisions:,} positions; "
        f"{found[MISSED_WINS]:,} immediate wins missed",
    ]
