"""What two players know after some games, and the exact values that follow.

π is how both players move in the next game; v_π is the value of a position under π, v* that of the
best reply to an opponent that does not learn, and minimax that of perfect play by both.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from afterstate_lab.game import Side, space
from afterstate_lab.game.exact import (
    Policy,
    epsilon_greedy_policy,
    expected_value,
    greedy_policy,
    optimal_response_values,
    uniform_policy,
)
from afterstate_lab.learners.engine.choices import exploration_rate
from afterstate_lab.learners.judge import evaluator as ev
from afterstate_lab.learners.judge.evaluator import minimax_rewards
from afterstate_lab.learners.kernel.hooks import parameters
from afterstate_lab.learners.kernel.memory import Layout, Table
from afterstate_lab.learners.rules.spec import PlayerSpec

START: Final = 0
"""The id of the empty board."""


@dataclass(frozen=True, eq=False)
class Play:
    """A policy of a side, and the exact metrics that follow from it."""

    policy: Policy
    side: Side

    @cached_property
    def columns(self) -> NDArray[np.float64]:
        """Its metrics, float64[COLUMNS]; those of values are not computed."""
        nobody = ev.anybody()
        asked = (0, ev.OF_PLAY) if self.side else (ev.OF_PLAY, 0)
        given = {(ev.GREEDY_AT, self.side): self.policy}
        found: NDArray[np.float64]
        found = ev.evaluator(nobody)(nobody.fresh()[None], asked, given=given)[0, self.side]
        return found


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
        self._known, self._columns = (0, 0), np.zeros((len(Side), ev.COLUMNS))

    def ask(self, x: int, o: int) -> None:
        """Compute, for X and O, the columns of these bits (see `learners.judge.evaluator`)."""
        known_x, known_o = self._known
        new = x & ~known_x, o & ~known_o
        if any(new):
            found = figures_of(self.layout, self.memory[None], new, self.game, self)[0]
            if any(self._known):
                found = np.where(ev.requested(new), found, self._columns)
            self._columns, self._known = found, (known_x | x, known_o | o)

    def column(self, column: int, side: Side) -> float:
        """Return one of a side's metrics, computed unless it is known."""
        if not self._known[side] >> column & 1:
            self.ask(*((0, 1 << column) if side else (1 << column, 0)))
        return float(self._columns[side, column])

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
        pair = (other, policy) if side else (policy, other)
        return expected_value(*pair, side, *spec.rule.rewards(spec.settings))

    def v_pi(self, side: Side) -> NDArray[np.float64]:
        """Return v_π, float64[5478]: the value of each position under current play.

        Exploration and random moves by design are part of π. In the player's own rewards, without a
        discount.
        """
        return self.values_of(self.behaviour(side), side)

    def true_values(self, side: Side) -> NDArray[np.float64]:
        return true_values(self.layout, self.memory, side, self.game)

    def share(self, result: int) -> float:
        """Return the share of games since the previous state by result: 0 X won, 1 O won, 2
        drawn."""
        played = sum(self.results)
        return self.results[result] / played if played else np.nan


@lru_cache(maxsize=2)
def parameters_of(layout: Layout) -> tuple[Any, Any]:
    """Return the parameters of X and O for the engine."""
    x, o = (parameters(t, layout, frozen=not t.spec.learns) for t in (layout.x, layout.o))
    return x, o


@lru_cache(maxsize=2)
def steady_policy(layout: Layout, side: Side) -> Policy:
    """Return the policy of a player that never learns or changes its moves."""
    rate = float(exploration_rate(parameters_of(layout)[side], 0))
    return opponents_policy(layout.table(side), layout.fresh(), rate)


def steady_rate(spec: PlayerSpec, side: Side) -> float | None:
    """Return the exploration rate of a player, or None if it changes between games."""
    _, rates = spec.rule.exploration(side, spec.settings)
    return float(rates[0]) if len(set(rates)) == 1 else None


def opponents_policy(table: Table, v: NDArray[np.float64], rate: float) -> Policy:
    """Return the policy of a player that does not learn: ε-greedy, or as its rule draws moves."""
    drawn = table.spec.rule.as_played(table.values(v), table.entries)
    return epsilon_greedy_policy(table.preferences(v), rate) if drawn is None else drawn


def optimum(layout: Layout, side: Side) -> str:
    """Return what `true_values` of a side are: `minimax`, or `v*` if its opponent never learns."""
    rule = layout.table(side.other).player.rule
    return "minimax" if rule.learns or rule.human else "v*"


def true_values(
    layout: Layout, v: NDArray[np.float64], side: Side, game: int
) -> NDArray[np.float64]:
    """Return float64[5478], the value of each position for a side that plays optimally.

    v*, against an opponent that never learns, as it plays in game number `game`; the minimax value,
    against a learner (though it be frozen) or a person. In the player's own rewards.
    """
    table, opponent = layout.table(side), layout.table(side.other)
    if optimum(layout, side) == "minimax":
        return minimax_rewards(table, v)
    of_opponent = parameters(opponent, layout, frozen=False)
    if of_opponent.phases == 1 and opponent.stand_in is None:
        return steady_response(layout, side)
    policy = opponents_policy(opponent, v, exploration_rate(of_opponent, game))
    return optimal_response_values(policy, side, *table.spec.rule.rewards(table.spec.settings))


@lru_cache(maxsize=2)
def steady_response(layout: Layout, side: Side) -> NDArray[np.float64]:
    """Return v* against an opponent that never learns or changes its moves; read-only."""
    spec = layout.table(side).spec
    policy = steady_policy(layout, side.other)
    values = optimal_response_values(policy, side, *spec.rule.rewards(spec.settings))
    values.flags.writeable = False
    return values


def greedy_opening(layout: Layout, v: NDArray[np.float64]) -> tuple[int, ...]:
    """Return the cells that X prefers on the empty board; none if X is not a learner."""
    if not layout.x.spec.rule.learns:
        return ()
    preferred = layout.x.preferences(v, space().edges_of(START))
    return tuple(np.flatnonzero(preferred == preferred.max()).tolist())


def figures_of(
    layout: Layout,
    memories: NDArray[np.float64],
    asked: tuple[int, int],
    game: int = 0,
    first: EvaluatedState | None = None,
) -> NDArray[np.float64]:
    """Return exact metrics of many tables: float64[tables, 2, COLUMNS], NaN for an error of beads.

    One call of machine code; another thread can evaluate meanwhile. See `learners.judge.evaluator`
    for the columns.

    Args:
        layout: the players.
        memories: float64[tables, 2N], what they know.
        asked: for X and for O, the bits of what to compute; the rest is anything.
        game: games that are over.
        first: the state of the first table, if it is at hand.
    """
    state = first or EvaluatedState(layout, memories[0], game)
    any_asked = asked[0] | asked[1]
    is_played = any_asked & (ev.PLAY | ev.BEHAVIOUR) > 0
    drawn = {side: play for side in Side if is_played and (play := state.drawn(side)) is not None}
    if drawn and len(memories) > 1:
        one_by_one = [figures_of(layout, v[None], asked, game) for v in memories]
        return np.concatenate(one_by_one)
    given = {(ev.BEHAVIOUR_AT, side): play.policy for side, play in drawn.items()}
    rates: list[float] = [-1.0, -1.0]
    best: list[NDArray[np.float64] | None] = [None, None]
    for side in Side:
        if not layout.table(side).spec.rule.learns:
            given |= dict.fromkeys(
                ((ev.GREEDY_AT, side), (ev.BEHAVIOUR_AT, side)), state.behaviour(side)
            )
        elif side not in drawn:
            rates[side] = float(exploration_rate(parameters_of(layout)[side], game))
        if asked[side] & ev.BEST and not layout.table(side.other).player.rule.learns:
            best[side] = true_values(layout, memories[0], side, game)
    return ev.evaluator(layout)(memories, asked, (rates[0], rates[1]), best, given)
