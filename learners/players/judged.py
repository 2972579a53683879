"""Players judged exactly: agents that are asked on every board, learners, and all others."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from game import Side
from learners.errors import UsageError
from learners.judge.evaluated_state import EvaluatedState, Pair
from learners.judge.evaluation import Evaluation
from learners.judge.judgement import Judgement
from learners.kernel.memory import Layout
from learners.players.agent import Answers, Progress, agent_of
from learners.rules.spec import PlayerSpec

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True)
class Judged:
    """A side of a player, and what is exactly true of it."""

    name: str
    side: Side
    found: Judgement
    is_learner: bool
    answers: Answers | None
    """What it answered, where it was asked on every board."""

    def as_json(self) -> dict[str, Any]:
        """The object that `judge --json` prints of it."""
        told = self.found.as_json()
        return told if self.answers is None else told | {"inconsistent": list(self.answers.differs)}


def judged(
    layout: Layout,
    memory: NDArray[np.float64],
    sides: Iterable[Side],
    progress: Progress = lambda *_: None,
) -> list[Judged]:
    """What is true of some sides of two players.

    Args:
        layout: where their entries lie.
        memory: float64[2N], their values and visits.
        sides: those that are judged.
        progress: told how far it is, where an agent is asked.

    Raises:
        UsageError: an agent does not answer as it must.
    """
    state = EvaluatedState(Pair(layout), memory)
    found = []
    for side in sides:
        spec = layout.table(side).spec
        answers = None
        if spec.rule.is_asked:
            answers = agent_of(spec).answers(side, spec.settings, progress)
        play = state.greedy(side)
        boards = play.verdict.optimal[1]
        answered = (boards, boards) if answers is None else answers.answered
        evaluation = Evaluation.of(state, side)
        evaluation = evaluation or Evaluation.of_play(str(spec), play, answered)
        judgement = Judgement.of(evaluation, play)
        found.append(Judged(name_of(spec, side), side, judgement, spec.rule.learns, answers))
    return found


def against_random(spec: PlayerSpec, sides: Iterable[Side]) -> tuple[Layout, list[Side]]:
    """A player on the sides that it plays, of those that are asked for; `random` on the other.

    Raises:
        UsageError: it is a person, or plays none of them.
    """
    if spec.rule.human:
        raise UsageError("a person cannot be judged: nobody answers on thousands of boards")
    wanted = list(sides)
    known = [side for side in wanted if plays(spec, side)]
    if not known:
        spec.rule.check_side(wanted[0])
    other = PlayerSpec.parse("random")
    x, o = (spec if side in known else other for side in Side)
    return Layout.of(x, o), known


def name_of(spec: PlayerSpec, side: Side) -> str:
    """A player and its options; of one that changes from game to game, which game is judged."""
    _, rates = spec.rule.exploration(side, spec.settings)
    changes = len(set(rates)) > 1 and not spec.rule.learns
    return f"{spec} in its first game" if changes else str(spec)


def plays(spec: PlayerSpec, side: Side) -> bool:
    try:
        spec.rule.check_side(side)
    except UsageError:
        return False
    return True
