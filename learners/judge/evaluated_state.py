"""What two players know after some games, and the exact values that follow.

π is how both players move in the next game; v_π is the value of a position under π, v* that of the
best reply to an opponent that does not learn, and minimax that of perfect play by both.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from afterstate_lab.game import Side, space
from afterstate_lab.game.exact import (
    START,
    Floats,
    Outcome,
    Policy,
    epsilon_greedy_policy,
    evaluate,
    greedy_policy,
    optimal_response_values,
    read_only,
)
from afterstate_lab.learners.engine.choices import exploration_rate
from afterstate_lab.learners.judge import evaluator as ev
from afterstate_lab.learners.kernel.hooks import parameters
from afterstate_lab.learners.kernel.memory import Layout
from afterstate_lab.learners.rules.spec import PlayerSpec


class EvaluatedState:
    """A moment of a run; each metric is computed once, on demand.

    Args:
        layout: the players, and where what they know is in memory.
        memory: what they know, float64[2N]; it may not change while this is asked.
        game: games that are over.
    """

    def __init__(self, layout: Layout, memory: Floats, game: int = 0) -> None:
        self.layout, self.memory, self.game = layout, memory, game
        self._behaviour: dict[Side, Policy] = {}
        self._known, self._columns = [0, 0], np.zeros(len(Side) * ev.COLUMNS)

    @classmethod
    def of_play(cls, policy: Policy, side: Side) -> EvaluatedState:
        """Return a state in which a side plays like this, and nobody knows anything."""
        state = cls(nobody := ev.anybody(), nobody.fresh())
        state._behaviour[side] = policy
        return state

    def ask(self, *asked: int) -> None:
        """Compute, for X and O, the columns of these bits (see `learners.judge.evaluator`)."""
        new = [bits & ~known for bits, known in zip(asked, self._known, strict=True)]
        if any(new):
            self._evaluate(new)
            self._known = [bits | known for bits, known in zip(asked, self._known, strict=True)]

    def _evaluate(self, asked: Sequence[int], *, explores: bool = True) -> tuple[Floats, Floats]:
        """Compute columns; return the policies and the results of `evaluate`.

        Args:
            asked: bits, of X and of O.
            explores: whether the behaviour of learners is π; else it is greedy, and the columns
                are not kept.
        """
        out = self._columns if explores else np.empty_like(self._columns)
        is_drawn = explores and any(bits & (ev.PLAY | ev.BEHAVIOUR) for bits in asked)
        given: ev.Given = {}
        rates, best = [-1.0, -1.0], []
        for side in Side:
            if not self.layout.table(side).rule.learns:
                places = (ev.GREEDY_AT, side), (ev.BEHAVIOUR_AT, side)
                given |= dict.fromkeys(places, self.behaviour(side))
            elif is_drawn and (drawn := self.drawn(side)) is not None:
                given[ev.BEHAVIOUR_AT, side] = drawn
            else:
                rates[side] = rate_of(self.layout, side, self.game) if explores else 0.0
            asks_best = asked[side] >> ev.RMS_OPTIMAL & 1
            best.append(true_values(self.layout, side, self.game) if asks_best else out)
        return ev.evaluated(self.layout, self.memory, asked, rates, best, given, out)

    def ends(self) -> Outcome:
        """Return how greedy games end: the chances that X wins, of a draw, that O wins (X's loss).

        Ties are uniform; an opponent plays as always.
        """
        _, results = self._evaluate((ev.BEHAVIOUR, ev.BEHAVIOUR), explores=False)
        return Outcome(*results[:3].tolist())

    def moves(self) -> Policy:
        """Return the greedy play of both sides, as `greedy` has that of one, but faster."""
        policies, _ = self._evaluate((ev.MOVES, ev.MOVES))
        return policies[ev.GREEDY_AT : ev.BEHAVIOUR_AT].copy()

    def column(self, column: int, side: Side) -> float:
        """Return one of a side's metrics, computed unless it is known."""
        if not self._known[side] >> column & 1:
            self.ask(*((0, 1 << column) if side else (1 << column, 0)))
        return float(self._columns[side * ev.COLUMNS + column])

    def greedy(self, side: Side) -> Policy:
        """Return a side's play without exploration, ties uniform; an opponent plays as always."""
        table = self.layout.table(side)
        if not table.rule.learns:
            return self.behaviour(side)
        return greedy_policy(table.preferences(self.memory))

    def drawn(self, side: Side) -> Policy | None:
        """Return the play of a learner that draws its moves by design (MENACE), or None."""
        table = self.layout.table(side)
        if not table.spec.learns:
            return None  # it is frozen, so it plays greedily
        return table.rule.as_played(table.values(self.memory), table.entries)

    def behaviour(self, side: Side) -> Policy:
        """Return π of a side: ε-greedy, or as its rule draws moves."""
        if side not in self._behaviour:
            table, rate = self.layout.table(side), rate_of(self.layout, side, self.game)
            if not table.rule.learns:
                found = opponents_policy(self.layout, side, rate)
            elif (drawn := self.drawn(side)) is not None:
                found = drawn
            else:
                found = epsilon_greedy_policy(table.preferences(self.memory), rate)
            self._behaviour[side] = found
        return self._behaviour[side]

    def estimate(self, side: Side) -> float:
        """Return what a learner expects at the empty board; NaN if it has no such number.

        An action-value learner's is the value of its best opening, so O has none; a table for both
        players (negamax) has none either: nobody has just moved there.
        """
        table, rule = self.layout.table(side), self.layout.table(side).rule
        if not (rule.learns and rule.estimates) or rule.one_table:
            return np.nan
        if table.entries.of_state is not None:
            return float(table.values(self.memory)[0][0])
        if side is Side.O:
            return np.nan
        return float(table.preferences(self.memory, space().edges_of(START)).max())

    def v_pi(self, side: Side) -> Floats:
        """Return v_π, float64[5478]: the value of each position under current play.

        Exploration and random moves by design are part of π. In the player's own rewards, without a
        discount.
        """
        rewards = ev.rewards_of(self.layout.table(side))
        values: Floats = evaluate(*map(self.behaviour, Side)) @ rewards
        return values


def rate_of(layout: Layout, side: Side, game: int) -> float:
    """Return the exploration rate of a side in a game."""
    table = layout.table(side)
    return float(exploration_rate(parameters(table, layout, not table.spec.learns), game))


def steady_rate(spec: PlayerSpec, side: Side) -> float | None:
    """Return the exploration rate of a player, or None if it changes between games."""
    _, rates = spec.rule.exploration(side, spec.settings)
    return float(rates[0]) if len(set(rates)) == 1 else None


@lru_cache(maxsize=2)
def opponents_policy(layout: Layout, side: Side, rate: float) -> Policy:
    """Return the policy of a player that does not learn: ε-greedy, or as its rule draws moves."""
    table, v = layout.table(side), layout.fresh()
    drawn = table.rule.as_played(table.values(v), table.entries)
    return epsilon_greedy_policy(table.preferences(v), rate) if drawn is None else drawn


@lru_cache(maxsize=2)
def best_response(layout: Layout, side: Side, rate: float, epsilon: float = 0.0) -> Floats:
    """Return v* of a side against an opponent that does not learn, read-only.

    Args:
        layout: the players.
        side: the one who replies.
        rate: the exploration of the opponent.
        epsilon: the share of moves that it must draw at random.
    """
    spec, policy = layout.table(side).spec, opponents_policy(layout, side.other, rate)
    rewards = spec.rewards
    return read_only(optimal_response_values(policy, side, *rewards, epsilon))


def optimum(layout: Layout, side: Side) -> str:
    """Return what `true_values` of a side are: `minimax`, or `v*` if its opponent never learns."""
    rule = layout.table(side.other).rule
    return "minimax" if rule.learns or rule.human else "v*"


def true_values(layout: Layout, side: Side, game: int) -> Floats:
    """Return float64[5478], the value of each position for a side that plays optimally.

    v*, against an opponent that never learns, as it plays in game number `game`; the minimax value,
    against a learner (though it be frozen) or a person. In the player's own rewards.
    """
    if optimum(layout, side) == "minimax":
        return ev.minimax_rewards(layout.table(side))
    return best_response(layout, side, rate_of(layout, side.other, game))


def greedy_opening(layout: Layout, v: Floats) -> tuple[int, ...]:
    """Return the cells that X prefers on the empty board; none if X is not a learner."""
    if not layout.x.rule.learns:
        return ()
    preferred = layout.x.preferences(v, space().edges_of(START))
    return tuple(np.flatnonzero(preferred == preferred.max()).tolist())
