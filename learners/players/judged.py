"""Judge players exactly: metrics, the game that beats them, all mistakes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any, Final, NamedTuple

import numpy as np

from afterstate_lab.game import Side, space
from afterstate_lab.game.exact import (
    Floats,
    Policy,
    Refutation,
    likeliest_refutation,
    minimax_values,
    optimal_edges,
    reached_positions,
    uniform_policy,
)
from afterstate_lab.learners import lean_dataclass
from afterstate_lab.learners.engine.entries import movers
from afterstate_lab.learners.errors import UsageError, printable
from afterstate_lab.learners.judge.evaluated_state import EvaluatedState, steady_rate
from afterstate_lab.learners.judge.evaluation import Evaluation, evaluations
from afterstate_lab.learners.judge.figures import BEATABLE, DECISIONS, WORST_LOSS
from afterstate_lab.learners.kernel.memory import Layout
from afterstate_lab.learners.players.agent import agent_of
from afterstate_lab.learners.players.asking import FAULTS, Answers, Progress
from afterstate_lab.learners.rules.spec import PlayerSpec

UNSEEN: Final = 0.05
"""The largest odds with which an answer of 1 in 10 could have gone unseen by who knows an agent."""


class Mistake(NamedTuple):
    """A move of a player that is worse than the best."""

    board: str
    played: int
    """The cell, 1-9."""
    best: list[int]
    """The cells that keep the value of the position."""
    value: float
    """The value of the position: 1 a win, .5 a draw, 0 a loss."""
    loss: float
    """How much the move loses: .5 or 1."""
    probability: float
    """The probability of the move on this board."""
    reached: bool
    """Whether the player's own games can reach the board."""
    frequency: float
    """The probability that a game against random moves comes to the board."""


@lean_dataclass
class Judged:
    """A side of a player, and its exact metrics."""

    name: str
    side: Side
    evaluation: Evaluation
    policy: Policy
    is_learner: bool = False
    answers: Answers | None = None
    """Its answers, if it was asked on every board."""

    @cached_property
    def refutation(self) -> Refutation | None:
        """The game that beats it, if any."""
        return likeliest_refutation(self.policy, self.side)

    @cached_property
    def mistakes(self) -> tuple[Mistake, ...]:
        """Every move that is worth less than the best, in order of the boards."""
        s, sign = space(), 1 - 2 * int(self.side)
        value = (1.0 + sign * minimax_values()) / 2
        reached, optimal = reached_positions(self.policy, self.side), optimal_edges()
        is_own = movers(self.side)
        chances = np.where(is_own, self.policy, uniform_policy())
        # How probable it is that a game against random moves comes to each position.
        often = np.zeros(len(s.outcome))
        often[0] = 1.0
        for ply in range(9):
            edges = s.ply[s.edge_state] == ply
            comes = often[s.edge_state[edges]] * chances[edges]
            np.add.at(often, s.edge_successor[edges], comes)
        found = []
        for edge in np.flatnonzero(is_own & (self.policy > 0.0) & ~optimal).tolist():
            board = int(s.edge_state[edge])
            own = s.edges_of(board)
            found.append(
                Mistake(
                    board=s.text(board),
                    played=int(s.edge_cell[edge]) + 1,
                    best=(s.edge_cell[own][optimal[own]] + 1).tolist(),
                    value=float(value[board]),
                    loss=float(value[board] - value[s.edge_successor[edge]]),
                    probability=float(self.policy[edge]),
                    reached=bool(reached[board]),
                    frequency=float(often[board]),
                )
            )
        return tuple(found)

    @property
    def is_known(self) -> bool:
        """Whether nothing about it is estimated, or was asked too rarely to know."""
        told = self.answers
        return told is None or (
            told.chance != "estimated" and (not told.counted or told.unseen <= UNSEEN)
        )

    @property
    def moves(self) -> list[str]:
        """The moves of the game that beats it, as `X 5`."""
        cells = self.refutation[0] if self.refutation else ()
        return [f"{'XO'[ply % 2]} {cell + 1}" for ply, cell in enumerate(cells)]

    @property
    def verdict(self) -> str:
        """Whether it can be beaten, and how, in one line."""
        who = f"{self.side.mark} {printable(self.name)}"
        if self.evaluation[BEATABLE]:
            odds = f"with probability {self.evaluation[WORST_LOSS]:.4g}"
            return f"{who}: it loses to its best opponent {odds}: {'  '.join(self.moves)}"
        return f"{who}: {'nobody beats it' if self.is_known else 'no answer was seen that loses'}"

    def as_json(self) -> dict[str, Any]:
        """Return the object that `judge --json` prints."""
        cells, probability = self.refutation or ((), None)
        errors = [mistake._asdict() for mistake in self.mistakes]
        for error in errors:
            del error["value"], error["frequency"]
        told = self.evaluation.as_json() | {
            "refutation": None if self.refutation is None else [cell + 1 for cell in cells],
            "probability": probability,
            "errors": errors,
        }
        answers = self.answers
        if answers is None:
            return told
        faults = {kind: answers.faults.get(kind) for kind in FAULTS}
        return told | {
            "inconsistent": list(answers.differs),
            "read_as": list(answers.read_as),
            "chance": answers.chance,
            "asked": answers.asked,
            "worst_loss_error": 0.0 if answers.worst_loss is None else answers.worst_loss[1],
            **{kind: fault and fault._asdict() for kind, fault in faults.items()},
        }


def judged(layout: Layout, memory: Floats, sides: Iterable[Side]) -> list[Judged]:
    """Judge some sides of two players.

    Args:
        layout: where their entries lie.
        memory: float64[2N], their values and visits.
        sides: those that are judged.
    """
    state, found = EvaluatedState(layout, memory), []
    evaluated = evaluations(state)
    for side in sides:
        spec, policy = layout.table(side).spec, state.greedy(side)
        evaluation = evaluated[side]
        if evaluation is None:
            boards = DECISIONS[side]
            evaluation = Evaluation.of_play(str(spec), policy, side, (boards, boards))
        changes = not spec.rule.learns and steady_rate(spec, side) is None
        name = f"{spec} in its first game" if changes else str(spec)
        found.append(Judged(name, side, evaluation, policy, spec.rule.learns))
    return found


def judged_player(
    spec: PlayerSpec, sides: Sequence[Side], progress: Progress = lambda *_: None
) -> list[Judged]:
    """Judge the sides that a player plays: an agent by its answers, any other against `random`.

    Args:
        spec: the player.
        sides: those that are judged.
        progress: told how far it is, where an agent is asked.
    """
    if spec.rule.human:
        raise UsageError("a person cannot be judged: that takes answers on thousands of boards")
    if not spec.rule.is_asked:
        known, refused = list[Side](), list[UsageError]()
        for side in sides:
            try:
                spec.rule.check_side(side)
                known.append(side)
            except UsageError as error:
                refused.append(error)
        if refused and not known:
            raise refused[0]
        other = PlayerSpec.parse("random")
        layout = Layout.of(*(spec if side in known else other for side in Side))
        return judged(layout, layout.fresh(), known)
    found = []
    for side, answers in agent_of(spec).answers(sides, spec.settings, progress).items():
        evaluation = Evaluation.of_play(str(spec), answers.policy, side, answers.answered)
        if answers.worst_loss is not None:
            values = {**evaluation.values, WORST_LOSS.name: answers.worst_loss[0]}
            evaluation = replace(evaluation, values=values)
        found.append(Judged(str(spec), side, evaluation, answers.policy, answers=answers))
    return found
