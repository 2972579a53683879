"""What two players know after some games, and the exact values that follow.

π is how both players move in the next game; v_π and v* are the values of positions under π and
under optimal play.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from afterstate_lab.game import Side, space
from afterstate_lab.game.exact import (
    PlayerEvaluation,
    Policy,
    combine,
    epsilon_greedy_policy,
    evaluate_player,
    expected_value,
    greedy_policy,
    minimax_values,
    optimal_response_values,
    uniform_policy,
)
from afterstate_lab.learners.engine.choices import exploration_rate
from afterstate_lab.learners.kernel.memory import Layout, Table
from afterstate_lab.learners.kernel.parameters import parameters
from afterstate_lab.learners.rules.spec import PlayerSpec

START: Final = 0
"""The id of the empty board."""


@dataclass(frozen=True, eq=False)
class Play:
    """A policy of a side, and the exact metrics that follow from it."""

    policy: Policy
    side: Side

    @cached_property
    def verdict(self) -> PlayerEvaluation:
        """Whether it can be beaten, and how it does against random and perfect play."""
        return evaluate_player(self.policy, self.side)


class EvaluatedState:
    """A moment of a run; each metric is computed once, on demand.

    Args:
        layout: the players, and where what they know is in memory.
        memory: what they know, float64[2N]; it may not change while this is asked.
        game: games that are over.
        results: how the games since the state before ended: won by X, by O, drawn.
    """

    def __init__(
        self,
        layout: Layout,
        memory: NDArray[np.float64],
        game: int = 0,
        results: tuple[int, int, int] = (0, 0, 0),
    ) -> None:
        self.layout, self.memory, self.game, self.results = layout, memory, game, results
        self._greedy: dict[Side, Play] = {}
        self._behaviour: dict[Side, Policy] = {}

    def greedy(self, side: Side) -> Play:
        """Return a side's play without exploration, ties uniform; an opponent plays as always."""
        if side not in self._greedy:
            table = self.layout.table(side)
            policy = (
                greedy_policy(table.preferences(self.memory))
                if table.spec.rule.learns
                else self.behaviour(side)
            )
            self._greedy[side] = Play(policy, side)
        return self._greedy[side]

    def drawn(self, side: Side) -> Play | None:
        """Return the play of a learner that draws its moves by design (MENACE), or None."""
        table = self.layout.table(side)
        if not table.spec.learns:
            return None  # it is frozen, so it plays greedily
        policy = table.spec.rule.as_played(table.values(self.memory), table.entries)
        return None if policy is None else Play(policy, side)

    def behaviour(self, side: Side) -> Policy:
        """Return π of a side: ε-greedy, or as its rule draws moves."""
        if side not in self._behaviour:
            table, chosen = self.layout.table(side), parameters_of(self.layout)[side]
            rate = float(exploration_rate(chosen, self.game))
            drawn = self.drawn(side)
            if drawn is not None:
                found = drawn.policy
            elif table.spec.rule.learns:
                found = (1.0 - rate) * self.greedy(side).policy + rate * uniform_policy()
            elif chosen.phases == 1:
                found = steady_policy(self.layout, side)
            else:
                found = opponents_policy(table, self.memory, rate)
            self._behaviour[side] = found
        return self._behaviour[side]

    def estimate(self, side: Side) -> float:
        """Return what a learner expects at the empty board; NaN if it has no such number.

        An action-value learner's is the value of its best opening, so O has none; a table for both
        players (negamax) has none either: nobody has just moved there.
        """
        table, rule = self.layout.table(side), self.layout.table(side).spec.rule
        if not (rule.learns and rule.estimates) or rule.one_table:
            return np.nan
        if table.entries.of_state is not None:
            return float(table.values(self.memory)[0][table.entries.start])
        if side is Side.O:
            return np.nan
        return float(table.preferences(self.memory, space().edges_of(START)).max())

    def values_of(self, policy: Policy, side: Side) -> NDArray[np.float64]:
        """Return float64[5478]: the value of each position for a side that plays `policy` against
        the opponent's behaviour."""
        spec, other = self.layout.table(side).spec, self.behaviour(side.other)
        joint = combine(other, policy) if side else combine(policy, other)
        return expected_value(joint, side, *spec.rule.rewards(spec.settings))

    def v_pi(self, side: Side) -> NDArray[np.float64]:
        """Return v_π, float64[5478]: the value of each position under current play.

        Exploration and random moves by design are part of π. In the player's own rewards, without a
        discount.
        """
        return self.values_of(self.behaviour(side), side)

    def v_minimax(self, side: Side) -> NDArray[np.float64]:
        return minimax_rewards(self.layout.table(side), self.memory)

    def v_star(self, side: Side) -> NDArray[np.float64]:
        return true_values(self.layout, self.memory, side, self.game)

    def rms(self, side: Side, truth: Callable[[Side], NDArray[np.float64]]) -> float | None:
        """Return the RMS error of a learner's values against `v_star`, `v_pi` or `v_minimax`, or
        None.
        """
        table = self.layout.table(side)
        if not (table.spec.rule.learns and table.spec.rule.estimates):
            return None
        return rms_against(table, self.memory, truth(side))

    def coverage(self, side: Side) -> tuple[int, int]:
        """Return how many of a learner's entries were visited, S_0 excluded, out of how many."""
        table = self.layout.table(side)
        if not table.spec.rule.learns:
            return 0, 0
        counted = table.entries.live & covers(table.entries.boards, table.entries.cells)
        written = table.visits(self.memory).sum(axis=0) > 0
        return int(np.count_nonzero(written & counted)), table.entries.counted

    def share(self, result: int) -> float:
        """Return the share of games since the previous state by result: 0 X won, 1 O won, 2
        drawn."""
        played = sum(self.results)
        return self.results[result] / played if played else np.nan


@lru_cache(maxsize=8)
def parameters_of(layout: Layout) -> tuple[Any, Any]:
    """Return the parameters of X and O for the engine."""
    x, o = (parameters(t, layout, frozen=not t.spec.learns) for t in (layout.x, layout.o))
    return x, o


@lru_cache(maxsize=8)
def steady_policy(layout: Layout, side: Side) -> Policy:
    """Return the policy of a player that never learns or changes its moves."""
    rate = float(exploration_rate(parameters_of(layout)[side], 0))
    return opponents_policy(layout.table(side), layout.fresh(), rate)


def steady_rate(spec: PlayerSpec, side: Side) -> float | None:
    """Return the exploration rate of a player, or None if it changes between games."""
    _, rates = spec.rule.exploration(side, spec.settings)
    return float(rates[0]) if len(set(rates)) == 1 else None


def covers(boards: NDArray[np.int32], cells: NDArray[np.int8]) -> NDArray[np.bool_]:
    """Return which entries count for coverage: all except the empty board."""
    return (boards > 0) | (cells >= 0)


def opponents_policy(table: Table, v: NDArray[np.float64], rate: float) -> Policy:
    """Return the policy of a player that does not learn: ε-greedy, or as its rule draws moves."""
    drawn = table.spec.rule.as_played(table.values(v), table.entries)
    return epsilon_greedy_policy(table.preferences(v), rate) if drawn is None else drawn


def true_values(
    layout: Layout, v: NDArray[np.float64], side: Side, game: int
) -> NDArray[np.float64]:
    """Return v*, float64[5478]: the value of each position for a side that plays optimally.

    Against an opponent that does not learn, as it plays in game number `game`; against a learner or
    a person, the minimax value. In the player's own rewards.
    """
    table, opponent = layout.table(side), layout.table(side.other)
    if opponent.player.rule.learns or opponent.player.rule.human:
        return minimax_rewards(table, v)
    rate = exploration_rate(parameters(opponent, layout, frozen=False), game)
    rewards = table.spec.rule.rewards(table.spec.settings)
    return optimal_response_values(opponents_policy(opponent, v, rate), side, *rewards)


def minimax_rewards(table: Table, v: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return float64[5478]: the minimax value of each position in the player's own rewards."""
    return minimax_by_result(v[table.rewards : table.rewards + 4].tobytes())


@lru_cache(maxsize=8)
def minimax_by_result(by_result: bytes) -> NDArray[np.float64]:
    """Return the minimax value of each position, read-only; rewards never change in a run."""
    rewards: NDArray[np.float64] = np.frombuffer(by_result)[np.array([3, 1, 2])[minimax_values()]]
    rewards.flags.writeable = False
    return rewards


def rms_against(table: Table, v: NDArray[np.float64], truth: NDArray[np.float64]) -> float:
    """Return the RMS error of a learner's values against the exact value of each afterstate.

    Args:
        table: the learner.
        v: memory.
        truth: float64[5478], by position.
    """
    compared, states = afterstates_of(table)
    has_states = table.entries.of_state is not None
    values = table.values(v)[0][compared] if has_states else table.preferences(v, compared)
    errors = values - truth[states]
    return math.sqrt((errors * errors).mean())


@lru_cache(maxsize=8)
def afterstates_of(table: Table) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return the entries (or moves) of a learner that are compared with exact values, and the
    positions that have these values."""
    if table.entries.of_state is not None:
        states = own_afterstates(table.side)
        return table.entries.of_state[states], states
    edges = own_edges(table.side)
    return edges, space().edge_successor[edges]


def greedy_opening(layout: Layout, v: NDArray[np.float64]) -> tuple[int, ...]:
    """Return the cells that X prefers on the empty board; none if X is not a learner."""
    if not layout.x.spec.rule.learns:
        return ()
    preferred = layout.x.preferences(v, space().edges_of(START))
    return tuple(np.flatnonzero(preferred == preferred.max()).tolist())


@cache
def own_edges(side: Side) -> NDArray[np.int64]:
    """Return the moves of a side whose afterstate (or pair) is compared with exact values."""
    s = space()
    return np.flatnonzero(s.ply[s.edge_state] % 2 == side)


@cache
def own_afterstates(side: Side) -> NDArray[np.int64]:
    """Return the non-terminal afterstates of a side: 2,097 of X, 2,422 of O."""
    s = space()
    return np.flatnonzero((s.outcome == 0) & (s.ply > 0) & (s.ply % 2 != side))
