"""Where everything that two learners know lies in one flat float64 array.

The array has 2N numbers: N values, then the visit count of each. The values are, for X and then
for O: the table (or tables), the rewards by result, and the count of greedy moves; two that share
a table have the rest each for itself. So stepping back, storing and comparing work on any pair of
learners without knowing them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from game import space
from learners.engine.entries import Entries

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from learners.rules.spec import PlayerSpec

REWARDS = 4
"""Slots for the rewards by result: unused, X won, O won, draw."""
LARGEST_VALUE = 1e30
"""No value is larger: its square, summed over a table, is still a number, and so is every error."""


@dataclass(frozen=True, eq=False)
class Table:
    """One player's part of memory."""

    spec: PlayerSpec
    side: int
    """0 for X, 1 for O."""
    entries: Entries
    base: int
    """Index of the first value."""
    guest: PlayerSpec | None = None
    """Who plays in the learner's place (a person), its memory untouched; None when it plays."""
    apart: int | None = None
    """Index of the rewards where they do not follow the values: the table is the other player's."""

    @property
    def player(self) -> PlayerSpec:
        """Who makes the moves of this side."""
        return self.guest or self.spec

    @property
    def size(self) -> int:
        """Number of values: tables times entries."""
        return self.spec.rule.tables * len(self.entries.boards)

    @property
    def rewards(self) -> int:
        """Index of the rewards."""
        return self.base + self.size if self.apart is None else self.apart

    @property
    def counter(self) -> int:
        """Index of the number of greedy moves made."""
        return self.rewards + REWARDS

    @property
    def end(self) -> int:
        """Index after the last of this player's values."""
        return self.counter + 1

    def values(self, v: NDArray[np.float64]) -> NDArray[np.float64]:
        """A view [tables, entries] of this player's values in memory `v`."""
        return v[self.base : self.base + self.size].reshape(self.spec.rule.tables, -1)

    def visits(self, v: NDArray[np.float64]) -> NDArray[np.float64]:
        """A view [tables, entries] of how often each value was written."""
        offset = len(v) // 2
        first = offset + self.base
        return v[first : first + self.size].reshape(self.spec.rule.tables, -1)

    def preferences(self, v: NDArray[np.float64]) -> NDArray[np.float64]:
        """float64[16167]: by how much each of the player's moves is preferred in memory `v`."""
        ranked = self.spec.rule.preferences(self.values(v), self.entries)
        return np.asarray(ranked[self.entries.of_edge], dtype=np.float64)

    def initialise(self, v: NDArray[np.float64]) -> None:
        """Write what the learner knows before its first game."""
        win, draw, loss = self.spec.rule.rewards(self.spec.settings)
        by_result = np.array([0.0, *((loss, win) if self.side else (win, loss)), draw])
        values = self.values(v)
        values[:] = self.spec.rule.initial_values(self.entries, self.spec.settings)
        if self.entries.of_state is not None:
            outcome = space().outcome[self.entries.boards]
            to_mover = np.array([0.0, win, win, draw]) if self.spec.rule.one_table else by_result
            values[:, outcome > 0] = to_mover[outcome[outcome > 0]]
        v[self.rewards : self.counter] = by_result


@dataclass(frozen=True, eq=False)
class Layout:
    """The memory of two players."""

    x: Table
    o: Table

    @classmethod
    def of(cls, x: PlayerSpec, o: PlayerSpec) -> Layout:
        """Lay out the memory of X and O; equal one-table learners share theirs."""
        first = Table(x, 0, x.rule.entries(0, x.settings), 0)
        shared = x.rule.one_table and x.rule is o.rule and x.settings == o.settings
        base, apart = (0, first.end) if shared else (first.end, None)
        return cls(first, Table(o, 1, o.rule.entries(1, o.settings), base, apart=apart))

    def with_guests(self, x: PlayerSpec | None, o: PlayerSpec | None) -> Layout:
        """The same memory with somebody else to play in a learner's place."""
        return Layout(replace(self.x, guest=x), replace(self.o, guest=o))

    @property
    def learn_together(self) -> bool:
        """Whether both players write the same table."""
        return self.x.base == self.o.base and self.x.guest is None and self.o.guest is None

    @property
    def values(self) -> int:
        """N, the number of values (visit counts apart)."""
        return self.o.end

    def fresh(self) -> NDArray[np.float64]:
        """Memory before the first game, float64[2N]."""
        v = np.zeros(2 * self.values)
        self.x.initialise(v)
        self.o.initialise(v)
        return v

    def table_of(self, entry: int) -> Table:
        """The table to which an index into memory belongs."""
        return self.x if entry < self.x.end else self.o
