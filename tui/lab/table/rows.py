"""A learner's whole table as columns: every entry with what it is worth and how it came about.

The rows stay numpy arrays, so the 16,167 of them are sorted and filtered in a millisecond or two.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final

import numpy as np

from afterstate_lab.game import Side, space
from afterstate_lab.game.constants import SYMMETRIES
from afterstate_lab.learners.judge.evaluated_state import EvaluatedState, Pair

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from afterstate_lab.learners.kernel.memory import Layout, Table

BY_SIZE: Final = frozenset({"value", "table 1", "table 2", "v*", "vpi", "error", "visits", "share"})
"""Columns that are sorted with the largest number first."""


@dataclass(frozen=True, eq=False)
class TableRows:
    """The entries of one player that a backup can reach, n of them, in order of ply and board."""

    table: Table
    """Whose they are."""
    entries: NDArray[np.int64]
    """[n] The number of each among the table's entries."""
    boards: NDArray[np.int32]
    """[n] Position ids."""
    cells: NDArray[np.int8]
    """[n] The cell 0-8 of an action value or a bead's colour, -1 of a state value."""
    values: NDArray[np.float64]
    """[n] The number by which the player ranks: of two tables the mean."""
    parts: NDArray[np.float64]
    """[tables, n] Each table's own number."""
    truth: NDArray[np.float64]
    """[n] v*: what the entry is worth to a player that plays optimally from there."""
    policy: NDArray[np.float64]
    """[n] v_π: what it is worth as both players play now, exploration included."""
    visits: NDArray[np.int64]
    """[n] How often it was written."""
    shares: NDArray[np.float64] | None
    """[n] The part of its box that is of this colour; None where the numbers are values."""

    def __len__(self) -> int:
        return len(self.entries)

    @property
    def estimates(self) -> bool:
        """Whether the numbers estimate what a game is worth (beads do not)."""
        return self.table.spec.rule.estimates

    @property
    def has_cells(self) -> bool:
        """Whether an entry is a position with a move."""
        return self.table.entries.of_state is None

    @cached_property
    def errors(self) -> NDArray[np.float64]:
        """[n] value - v*; NaN where the numbers are beads."""
        return self.values - self.truth if self.estimates else np.full(len(self), np.nan)

    @cached_property
    def ply(self) -> NDArray[np.int8]:
        """[n] Number of marks on the board."""
        return space().ply[self.boards]

    @cached_property
    def classes(self) -> NDArray[np.int32]:
        """[n] The canonical board of each, as a position id."""
        return space().canonical[self.boards]

    @cached_property
    def columns(self) -> tuple[str, ...]:
        """The names of the columns that there are, in the order in which they are shown."""
        names = ["board", "cell", "value", "table 1", "table 2", "share", "v*", "vpi", "error"]
        left_out = set()
        if not self.has_cells:
            left_out.add("cell")
        if len(self.parts) < 2:
            left_out |= {"table 1", "table 2"}
        left_out.add("error" if self.shares is not None else "share")
        return (*(name for name in names if name not in left_out), "visits", "ply", "class")

    def column(self, name: str) -> NDArray[np.generic]:
        """[n] A column by its name; a cell counts from 1.

        Raises:
            KeyError: the rows have no such column.
        """
        if name not in self.columns:
            raise KeyError(name)
        columns: dict[str, NDArray[np.generic]] = {
            "board": np.arange(len(self)), "cell": self.cells + 1, "value": self.values,
            "table 1": self.parts[0], "table 2": self.parts[-1], "v*": self.truth,
            "vpi": self.policy, "error": self.errors, "visits": self.visits, "ply": self.ply,
            "class": self.classes,
        }  # fmt: skip
        if self.shares is not None:
            columns["share"] = self.shares
        return columns[name]

    def index(self) -> NDArray[np.int64]:
        """[entries of the table] The row of each, -1 for those that have none."""
        row_of = np.full(len(self.table.entries.boards), -1, dtype=np.int64)
        row_of[self.entries] = np.arange(len(self))
        return row_of

    def memory_indices(self, row: int) -> tuple[int, ...]:
        """Where the numbers of a row lie in memory, one for each table."""
        size = len(self.table.entries.boards)
        first = self.table.base + int(self.entries[row])
        return tuple(first + size * number for number in range(len(self.parts)))


def table_rows(
    layout: Layout, v: NDArray[np.float64], side: Side, game: int = 0
) -> TableRows | None:
    """All rows of one player; None when it is not a learner.

    Of a table that both players write, each has the entries that it writes itself.

    Args:
        layout: where what the players know lies in memory.
        v: memory, float64[2N].
        side: whose.
        game: the number of the game, for opponents whose exploration changes.
    """
    table = layout.table(side)
    rule, entries = table.spec.rule, table.entries
    if not rule.learns:
        return None
    live = np.flatnonzero(entries.live)
    if layout.is_shared:
        after_own_move = space().ply[entries.boards[live]] % 2 != side
        live = live[after_own_move == (entries.cells[live] < 0)]
    boards, cells = entries.boards[live], entries.cells[live]
    reached = boards if entries.of_state is not None else space().successor[boards, cells]
    state = EvaluatedState(Pair(layout), v, game)
    truth, policy = state.v_star(side)[reached], state.v_pi(side)[reached]
    if rule.one_table and entries.of_state is not None:
        truth, policy = (_of_mover(table, numbers, boards) for numbers in (truth, policy))
    parts = table.values(v)
    values = np.array(rule.preferences(parts, entries)[live], dtype=np.float64)
    return TableRows(
        table=table,
        entries=live,
        boards=boards,
        cells=cells,
        values=values,
        parts=parts[:, live].copy(),
        truth=truth,
        policy=policy,
        visits=table.visits(v).sum(axis=0)[live].astype(np.int64),
        shares=None if rule.estimates else _shares(boards, values),
    )


def _of_mover(
    table: Table, numbers: NDArray[np.float64], boards: NDArray[np.int32]
) -> NDArray[np.float64]:
    """Values for the player of a side as values for whoever has just moved."""
    win, _, loss = table.spec.rule.rewards(table.spec.settings)
    own = space().ply[boards] % 2 != table.side
    return np.where(own, numbers, win + loss - numbers)


def _shares(boards: NDArray[np.int32], beads: NDArray[np.float64]) -> NDArray[np.float64]:
    """[n] The part of each box that is of the row's colour, 0 in an empty one."""
    box = np.bincount(boards, beads, minlength=len(space().codes))[boards]
    return beads / np.where(box > 0.0, box, 1.0)


def sorted_rows(
    rows: TableRows, shown: NDArray[np.bool_], column: str, reverse: bool = False
) -> NDArray[np.int64]:
    """The rows that are shown, in order of a column; equal ones stay in order of their boards.

    Args:
        rows: the table.
        shown: bool[n].
        column: a name of `rows.columns`. Numbers start with the largest, errors with the largest
            of either sign.
        reverse: the other way round.
    """
    found = np.flatnonzero(shown)
    keys = rows.column(column)[found].astype(np.float64)
    if column == "error":
        keys = np.abs(keys)
    if (column in BY_SIZE) != reverse:
        keys = -keys
    return found[np.argsort(keys, kind="stable")]


@dataclass(frozen=True)
class Image:
    """What a symmetry makes of an entry."""

    board: int
    cell: int
    """0-8, -1 of a state value."""
    row: int
    """The row that holds its value; the same as the entry's own where they share one."""


def images(rows: TableRows, row: int) -> tuple[Image, ...]:
    """The entry in a row and its different images under the eight symmetries, itself first."""
    s = space()
    entries = rows.table.entries
    row_of = rows.index()
    board, cell = int(rows.boards[row]), int(rows.cells[row])
    found: dict[tuple[int, int], Image] = {}
    for number, symmetry in enumerate(SYMMETRIES):
        image = int(s.symmetry_maps[number, board])
        moved = symmetry[cell] if cell >= 0 else -1
        if entries.of_state is not None:
            entry = entries.of_state[image]
        else:
            entry = entries.of_edge[s.edge_of[image, moved]]
        found.setdefault((image, moved), Image(image, moved, int(row_of[entry])))
    return tuple(found.values())
