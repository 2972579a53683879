"""The layout of memory: one flat float64 array holds everything that two learners know.

The array has 2N numbers: N values, then the visit count of each. The values are, for X and then
for O: the table (or tables), the rewards by result, and the count of greedy moves. Two players that
share a table have rewards and counts of their own. So stepping back, storing and comparing work on
any pair of learners.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from afterstate_lab.game import Side, space
from afterstate_lab.game.exact import Bools, Floats
from afterstate_lab.learners.engine.entries import Entries
from afterstate_lab.learners.rules.base import Rule
from afterstate_lab.learners.rules.spec import PlayerSpec

REWARDS = 4
"""Slots for the rewards by result: unused, X won, O won, draw."""
LARGEST_VALUE = 1e30
"""The largest absolute value: squares of values and of errors, summed over a table, are finite."""


@dataclass(frozen=True, eq=False)
class Table:
    """One player's part of memory."""

    spec: PlayerSpec
    side: Side
    entries: Entries
    base: int
    """Index of the first value."""
    stand_in: PlayerSpec | None = None
    """The player that moves instead of the learner (a human), or None. Memory is unaffected."""
    rewards_at: int | None = None
    """Index of the rewards if the table is the other player's."""

    @property
    def player(self) -> PlayerSpec:
        return self.stand_in or self.spec

    @property
    def rule(self) -> type[Rule]:
        """The rule of the learner, not of a person in its seat."""
        return self.spec.rule

    @property
    def size(self) -> int:
        return self.rule.tables * len(self.entries.boards)

    @property
    def rewards(self) -> int:
        return self.base + self.size if self.rewards_at is None else self.rewards_at

    @property
    def counter(self) -> int:
        return self.rewards + REWARDS

    @property
    def end(self) -> int:
        return self.counter + 1

    def place_of(self, entry: int) -> tuple[int, int] | None:
        """Return the position and cell (-1 for none) of an index into memory; None for a reward."""
        if not self.base <= entry < self.base + self.size:
            return None
        own = (entry - self.base) % len(self.entries.boards)
        return int(self.entries.boards[own]), int(self.entries.cells[own])

    def values(self, v: Floats) -> Floats:
        """Return a view [tables, entries] of this player's values in memory `v`."""
        return v[self.base : self.base + self.size].reshape(self.rule.tables, -1)

    def visits(self, v: Floats) -> Floats:
        """Return a view [tables, entries] of the visit count of each value."""
        offset = len(v) // 2
        first = offset + self.base
        return v[first : first + self.size].reshape(self.rule.tables, -1)

    def preferences(self, v: Floats, edges: slice | range | NDArray[Any] = slice(None)) -> Floats:
        """Return float64[16167]: the number that ranks each of the player's moves in memory `v`.

        Args:
            v: memory.
            edges: the moves; all by default.
        """
        ranked = self.rule.preferences(self.values(v))
        return np.asarray(ranked[self.entries.of_edge[edges]], dtype=np.float64)

    def initialise(self, v: Floats) -> None:
        """Write the learner's initial values and rewards."""
        win, draw, loss = self.spec.rewards
        by_result = np.array([0.0, *((loss, win) if self.side else (win, loss)), draw])
        values = self.values(v)
        values[:] = self.rule.initial_values(self.entries, self.spec.settings)
        if self.entries.of_state is not None:
            outcome = space().outcome[self.entries.boards]
            to_mover = np.array([0.0, win, win, draw]) if self.rule.one_table else by_result
            values[:, outcome > 0] = to_mover[outcome[outcome > 0]]
        v[self.rewards : self.counter] = by_result


@dataclass(frozen=True, eq=False)
class Layout:
    """The two tables; iterating over it yields X's, then O's."""

    x: Table
    o: Table

    @classmethod
    def of(cls, x: PlayerSpec, o: PlayerSpec) -> Layout:
        """Lay out the memory of X and O; equal one-table learners share theirs."""
        first = Table(x, Side.X, x.rule.entries(0, x.settings), 0)
        shared = x.rule.one_table and x.rule is o.rule and x.settings == o.settings
        base, rewards_at = (0, first.end) if shared else (first.end, None)
        other = Table(o, Side.O, o.rule.entries(1, o.settings), base, rewards_at=rewards_at)
        return cls(first, other)

    def __iter__(self) -> Iterator[Table]:
        yield self.x
        yield self.o

    def table(self, side: int) -> Table:
        return self.o if side else self.x

    @property
    def learners(self) -> list[Side]:
        """The sides that learn, or did before they were frozen."""
        return [side for side in Side if self.table(side).rule.learns]

    @property
    def is_shared(self) -> bool:
        return self.x.base == self.o.base

    @property
    def is_counted_once(self) -> bool:
        """Whether both have the same entries, so that sums must count them once.

        Two of negamax share every entry; two of menace-code share a table in which each has its own
        boxes.
        """
        return self.is_shared and np.array_equal(self.x.entries.live, self.o.entries.live)

    @property
    def values(self) -> int:
        """N, the number of values, without visit counts."""
        return self.o.end

    @cached_property
    def ends(self) -> Bools:
        """Return bool[N]: the values that are the worth of a result, of finished boards too."""
        found = np.ones(self.values, dtype=np.bool_)
        for table in self:
            outcome = space().outcome[table.entries.boards] > 0
            by_board = outcome & (table.entries.of_state is not None)
            found[table.base : table.base + table.size] = np.tile(by_board, table.rule.tables)
        return found

    def fresh(self) -> Floats:
        """Return memory before the first game, float64[2N]."""
        return self._fresh.copy()

    @cached_property
    def _fresh(self) -> Floats:
        v = np.zeros(2 * self.values)
        for table in self:
            table.initialise(v)
        return v

    def table_of(self, entry: int) -> Table:
        """Return the table that contains an index into memory."""
        return self.x if entry < self.x.end else self.o
