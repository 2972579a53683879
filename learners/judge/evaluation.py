"""Exact verdicts on what two players know: nothing is estimated that can be computed."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from game import space
from game.exact import (
    Outcome,
    Policy,
    combine,
    epsilon_greedy_policy,
    evaluate,
    evaluate_player,
    expected_value,
    greedy_policy,
    minimax_values,
    optimal_response_values,
)
from game.exact import PlayerEvaluation as Verdict
from learners.engine.choices import exploration_rate
from learners.kernel.parameters import parameters

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from learners.kernel.memory import Layout, Table


@dataclass(frozen=True)
class Evaluation:
    """What is true of one learner, its greedy play taken with ties uniform."""

    spec: str
    verdict: Verdict
    rms_minimax: float | None
    """RMS error of its values against the minimax values; None where they are no values (beads)."""
    coverage: tuple[int, int]
    """Entries ever written, out of how many."""
    as_played: Verdict | None = None
    """The same of a learner that draws its moves by design, as it really plays."""

    def as_json(self) -> dict[str, Any]:
        """The object that `evaluate --json` prints."""
        told = {
            "spec": self.spec,
            **verdict_json(self.verdict),
            "rms_minimax": self.rms_minimax,
            "coverage": list(self.coverage),
        }
        if self.as_played is not None:
            told["as_played"] = verdict_json(self.as_played)
        return told


def verdict_json(verdict: Verdict) -> dict[str, Any]:
    """An exact verdict as plain data."""
    return {
        "beatable": verdict.beatable,
        "worst_loss": verdict.worst_loss,
        "vs_random": outcome_json(verdict.vs_random),
        "vs_perfect": outcome_json(verdict.vs_perfect),
        "optimal": list(verdict.optimal),
        "missed_wins": verdict.missed_wins,
    }


def outcome_json(outcome: Outcome) -> dict[str, float]:
    """Probabilities of a win, a draw and a loss."""
    return {"win": outcome.win, "draw": outcome.draw, "loss": outcome.loss}


def evaluate_memory(
    layout: Layout, v: NDArray[np.float64]
) -> tuple[Evaluation | None, Evaluation | None]:
    """Evaluate X and O as memory `v` makes them; None for a side that is not a learner."""
    return evaluate_table(layout.x, v), evaluate_table(layout.o, v)


def evaluate_table(table: Table, v: NDArray[np.float64]) -> Evaluation | None:
    """Evaluate one player; None when it is not a learner."""
    rule = table.spec.rule
    if not rule.learns:
        return None
    player = table.side + 1
    drawn = rule.as_played(table.values(v), table.entries)
    return Evaluation(
        spec=str(table.spec),
        verdict=evaluate_player(greedy_policy(table.preferences(v)), player),
        rms_minimax=rms_against(table, v, minimax_rewards(table, v)) if rule.estimates else None,
        coverage=coverage(table, v),
        as_played=None if drawn is None else evaluate_player(drawn, player),
    )


def coverage(table: Table, v: NDArray[np.float64]) -> tuple[int, int]:
    """How many of a learner's entries were ever written, S_0 apart, and out of how many."""
    written = table.visits(v).sum(axis=0) > 0
    counted = table.entries.live & ((table.entries.boards > 0) | (table.entries.cells >= 0))
    return int(np.count_nonzero(written & counted)), table.entries.counted


def minimax_rewards(table: Table, v: NDArray[np.float64]) -> NDArray[np.float64]:
    """float64[5478]: the minimax value of each position in the player's own rewards."""
    by_result = v[table.rewards : table.rewards + 4]
    rewards: NDArray[np.float64] = by_result[np.array([3, 1, 2])[minimax_values()]]
    return rewards


@cache
def own_edges(side: int) -> NDArray[np.int64]:
    """The moves of a side whose afterstate (or pair) is compared with the truth."""
    s = space()
    return np.flatnonzero(s.ply[s.edge_state] % 2 == side)


@cache
def own_afterstates(side: int) -> NDArray[np.int64]:
    """The non-terminal afterstates of a side: 2,097 of X, 2,422 of O."""
    s = space()
    return np.flatnonzero((s.outcome == 0) & (s.ply > 0) & (s.ply % 2 != side))


def rms_against(table: Table, v: NDArray[np.float64], truth: NDArray[np.float64]) -> float:
    """RMS error of a learner's values against the true value of each afterstate.

    Args:
        table: the learner.
        v: memory.
        truth: float64[5478], by position.
    """
    if table.entries.of_state is not None:
        states = own_afterstates(table.side)
        values = table.values(v)[0][table.entries.of_state[states]]
        errors = values - truth[states]
    else:
        edges = own_edges(table.side)
        errors = table.preferences(v)[edges] - truth[space().edge_successor[edges]]
    return float(np.sqrt(np.mean(errors * errors)))


def expected_result(layout: Layout, v: NDArray[np.float64]) -> Outcome | None:
    """The exact chances when both players compete: X wins, draw, O wins (as X's loss).

    Learners play greedily, opponents as ever, with the errors that they make by design. None where
    these change from game to game.
    """
    policies = []
    for table in (layout.x, layout.o):
        preferred = table.preferences(v)
        if table.spec.rule.learns:
            policies.append(greedy_policy(preferred))
            continue
        _, rates = table.spec.rule.exploration(table.side, table.spec.settings)
        if len(set(rates)) > 1:
            return None
        policies.append(epsilon_greedy_policy(preferred, rates[0]))
    win, draw, loss = evaluate(combine(*policies))[0].tolist()
    return Outcome(win, draw, loss)


def true_values(
    layout: Layout, v: NDArray[np.float64], side: int, game: int = 0
) -> NDArray[np.float64]:
    """float64[5478], v*: what each position is worth to a side that plays optimally from there.

    Against an opponent that does not learn, as that one plays in game number `game`; against a
    learner or a person, the minimax value. In the player's own rewards.
    """
    table, opponent = (layout.o, layout.x) if side else (layout.x, layout.o)
    if opponent.player.rule.learns or opponent.player.rule.human:
        return minimax_rewards(table, v)
    win, draw, loss = table.spec.rule.rewards(table.spec.settings)
    chosen = parameters(opponent, layout, frozen=False)
    policy = epsilon_greedy_policy(opponent.preferences(v), exploration_rate(chosen, game))
    return optimal_response_values(policy, side + 1, win=win, draw=draw, loss=loss)


def policy_values(
    layout: Layout, v: NDArray[np.float64], side: int, game: int = 0
) -> NDArray[np.float64]:
    """float64[5478], v_π: what each position is worth to a side if both go on as they play now.

    π is what the two do in game number `game` as memory `v` has it, exploration and moves drawn by
    design included; learning stands still. In the player's own rewards, without a discount.
    """
    table = layout.o if side else layout.x
    win, draw, loss = table.spec.rule.rewards(table.spec.settings)
    policy = combine(behaviour(layout.x, layout, v, game), behaviour(layout.o, layout, v, game))
    return expected_value(policy, side + 1, win=win, draw=draw, loss=loss)


def behaviour(table: Table, layout: Layout, v: NDArray[np.float64], game: int = 0) -> Policy:
    """float64[16167]: how a player moves in game number `game`, its exploration included."""
    frozen = not table.spec.learns
    if not frozen:
        drawn = table.spec.rule.as_played(table.values(v), table.entries)
        if drawn is not None:
            return drawn
    rate = exploration_rate(parameters(table, layout, frozen=frozen), game)
    return epsilon_greedy_policy(table.preferences(v), rate)
