"""What two players know after some games, and what follows from it exactly."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from game import space
from game.exact import PlayerEvaluation as Verdict
from game.exact import (
    Policy,
    combine,
    epsilon_greedy_policy,
    evaluate_player,
    expected_value,
    greedy_policy,
    uniform_policy,
)
from learners.engine.choices import exploration_rate
from learners.judge.evaluation import minimax_rewards, rms_against, true_values
from learners.kernel.parameters import parameters

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from learners.kernel.memory import Layout, Table

START = 0
"""The id of the empty board."""


@dataclass(frozen=True, eq=False)
class Pair:
    """Two players and where what they know lies in memory."""

    layout: Layout

    @cached_property
    def parameters(self) -> tuple[Any, Any]:
        """The parameters of X and O as the engine sees them."""
        tables = self.layout.x, self.layout.o
        x, o = (parameters(t, self.layout, frozen=not t.spec.learns) for t in tables)
        return x, o

    @cached_property
    def steady(self) -> dict[int, Policy]:
        """By side, the policy of one who never learns nor changes; filled as it is asked for."""
        return {}

    def table(self, side: int) -> Table:
        """The part of memory of a side, 0 for X and 1 for O."""
        return self.layout.o if side else self.layout.x


class Moment:
    """A place in a run. Everything is worked out when it is asked for, and once.

    Args:
        pair: the players.
        memory: what they know, float64[2N]; it may not change while this is asked.
        game: games that are over.
        results: how the games since the moment before ended: won by X, by O, drawn.
    """

    def __init__(
        self,
        pair: Pair,
        memory: NDArray[np.float64],
        game: int,
        results: tuple[int, int, int] = (0, 0, 0),
    ) -> None:
        self.pair, self.memory, self.game, self.results = pair, memory, game, results
        self._greedy: dict[int, Policy] = {}
        self._behaviour: dict[int, Policy] = {}
        self._verdict: dict[int, Verdict] = {}

    def greedy(self, side: int) -> Policy:
        """A side's moves without exploration, ties uniform; an opponent's are as ever."""
        if side not in self._greedy:
            table = self.pair.table(side)
            self._greedy[side] = (
                greedy_policy(table.preferences(self.memory))
                if table.spec.rule.learns
                else self.behaviour(side)
            )
        return self._greedy[side]

    def behaviour(self, side: int) -> Policy:
        """A side's moves in the next game: ε-greedy, or drawn as its rule draws them."""
        if side not in self._behaviour:
            learns = self.pair.table(side).spec.rule.learns
            self._behaviour[side] = self._learner(side) if learns else self._opponent(side)
        return self._behaviour[side]

    def _learner(self, side: int) -> Policy:
        table = self.pair.table(side)
        if table.spec.learns:
            drawn = table.spec.rule.as_played(table.values(self.memory), table.entries)
            if drawn is not None:
                return drawn
        rate = float(exploration_rate(self.pair.parameters[side], self.game))
        return (1.0 - rate) * self.greedy(side) + rate * uniform_policy()

    def _opponent(self, side: int) -> Policy:
        chosen, known = self.pair.parameters[side], self.pair.steady
        if side in known:
            return known[side]
        rate = float(exploration_rate(chosen, self.game))
        policy = epsilon_greedy_policy(self.pair.table(side).preferences(self.memory), rate)
        if chosen.phases == 1:
            known[side] = policy
        return policy

    def verdict(self, side: int) -> Verdict:
        """What is exactly true of a side's greedy play."""
        if side not in self._verdict:
            self._verdict[side] = evaluate_player(self.greedy(side), side + 1)
        return self._verdict[side]

    def estimate(self, side: int) -> float:
        """What a learner itself expects at the empty board; NaN where it keeps no such number.

        An action-value learner's is the value of its best opening, so O has none; a table for both
        players (negamax) has none either: nobody has just moved there.
        """
        table, rule = self.pair.table(side), self.pair.table(side).spec.rule
        if not (rule.learns and rule.estimates) or rule.one_table:
            return np.nan
        if table.entries.of_state is not None:
            return float(table.values(self.memory)[0][table.entries.start])
        if side:
            return np.nan
        openings = slice(*space().first_edge[:2].tolist())
        return float(table.preferences(self.memory)[openings].max())

    def worth(self, side: int, policy: Policy) -> float:
        """The exact value for a side of playing by `policy` against the opponent's behaviour."""
        return float(self._values(side, policy)[START])

    def rms_behaviour(self, side: int) -> float:
        """RMS error of a learner's values against v_π, π being what both players do now."""
        return self._rms(side, self._values(side, self.behaviour(side)))

    def rms_optimal(self, side: int) -> float:
        """RMS error against v*: optimal play against this opponent."""
        return self._rms(side, true_values(self.pair.layout, self.memory, side, self.game))

    def rms_minimax(self, side: int) -> float:
        """RMS error against the minimax values."""
        return self._rms(side, minimax_rewards(self.pair.table(side), self.memory))

    def share(self, result: int) -> float:
        """The share of games since the moment before that ended so: 0 X won, 1 O won, 2 drawn."""
        played = sum(self.results)
        return self.results[result] / played if played else np.nan

    def _values(self, side: int, policy: Policy) -> NDArray[np.float64]:
        """float64[5478]: what each position is worth to a side that plays by `policy`."""
        spec, other = self.pair.table(side).spec, self.behaviour(1 - side)
        joint = combine(other, policy) if side else combine(policy, other)
        win, draw, loss = spec.rule.rewards(spec.settings)
        return expected_value(joint, side + 1, win, draw, loss)

    def _rms(self, side: int, truth: NDArray[np.float64]) -> float:
        table = self.pair.table(side)
        if not (table.spec.rule.learns and table.spec.rule.estimates):
            return np.nan
        return rms_against(table, self.memory, truth)
