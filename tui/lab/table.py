"""A learner's whole table as columns, sorted and filtered.

The 16,167 rows stay numpy arrays, sorted and filtered in a millisecond or two.

A filter is words in one line, all of which must hold:

    visits>10  error>.1  ply=3  X.O......  X??.O....@5  class  never

A board is nine characters, `?` or `*` for any, with the cell of an action value after an `@`.
`class` matches boards up to symmetry, `never` keeps entries without visits. `error` is compared by
its size, unless the number has a sign: `error<-.1` finds entries undervalued by more.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, cached_property, partial
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from afterstate_lab.game import Side, space
from afterstate_lab.game.constants import SYMMETRIES, apply
from afterstate_lab.learners.errors import UsageError, shown
from afterstate_lab.learners.judge.evaluated_state import EvaluatedState

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from afterstate_lab.learners.kernel.memory import Layout, Table

BY_SIZE: Final = frozenset({"value", "table 1", "table 2", "v*", "vpi", "error", "visits", "share"})
"""Columns sorted with the largest number first."""


@dataclass(frozen=True, eq=False)
class TableRows:
    """The n entries of a player that a backup can reach, in order of ply and board."""

    table: Table
    entries: NDArray[np.int64]
    """[n] Indices into the table."""
    boards: NDArray[np.int32]
    """[n] Position ids."""
    cells: NDArray[np.int8]
    """[n] The cell 0-8 of an action value or a bead's colour, -1 of a state value."""
    values: NDArray[np.float64]
    """[n] The number that ranks moves: of two tables, the mean."""
    parts: NDArray[np.float64]
    """[tables, n] Each table's own number."""
    truth: NDArray[np.float64]
    """[n] v*: the value if the player plays optimally from there."""
    policy: NDArray[np.float64]
    """[n] v_π: the value under current play, exploration included."""
    visits: NDArray[np.int64]
    """[n] Number of backups."""
    shares: NDArray[np.float64] | None
    """[n] The colour's share of its box; None for values."""

    def __len__(self) -> int:
        return len(self.entries)

    @property
    def estimates(self) -> bool:
        """Whether the numbers estimate results (beads do not)."""
        return self.shares is None

    @property
    def has_cells(self) -> bool:
        """Whether an entry is a position with a move."""
        return self.table.entries.of_state is None

    @cached_property
    def errors(self) -> NDArray[np.float64]:
        """[n] value - v*; NaN for beads."""
        return self.values - self.truth if self.estimates else np.full(len(self), np.nan)

    @cached_property
    def ply(self) -> NDArray[np.int8]:
        """[n] Number of marks on the board."""
        return space().ply[self.boards]

    @cached_property
    def classes(self) -> NDArray[np.int32]:
        """[n] The canonical boards, as position ids."""
        return space().canonical[self.boards]

    @cached_property
    def columns(self) -> Mapping[str, NDArray[Any]]:
        """[n] Columns by name, in display order; cells from 1."""
        found: dict[str, NDArray[Any]] = {"board": np.arange(len(self))}
        if self.has_cells:
            found["cell"] = self.cells + 1
        found["value"] = self.values
        if len(self.parts) > 1:
            found |= {"table 1": self.parts[0], "table 2": self.parts[1]}
        if self.shares is not None:
            found["share"] = self.shares
        found |= {"v*": self.truth, "vpi": self.policy}
        if self.shares is None:
            found["error"] = self.errors
        return found | {"visits": self.visits, "ply": self.ply, "class": self.classes}

    def index(self) -> NDArray[np.int64]:
        """[entries of the table] The row of each entry, or -1."""
        row_of = np.full(len(self.table.entries.boards), -1, dtype=np.int64)
        row_of[self.entries] = np.arange(len(self))
        return row_of

    def memory_indices(self, row: int) -> tuple[int, ...]:
        """Return the memory indices of the numbers in a row, one for each table."""
        size = len(self.table.entries.boards)
        first = self.table.base + int(self.entries[row])
        return tuple(first + size * number for number in range(len(self.parts)))


def table_rows(
    layout: Layout, v: NDArray[np.float64], side: Side, game: int = 0
) -> TableRows | None:
    """Return all rows of one player; None if it is not a learner.

    If both players update one table, each has the entries it updates.

    Args:
        layout: the layout of memory.
        v: memory, float64[2N].
        side: the player.
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
    state = EvaluatedState(layout, v, game)
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
    """Turn values for one side into values for the player who has just moved."""
    win, _, loss = table.spec.rule.rewards(table.spec.settings)
    own = space().ply[boards] % 2 != table.side
    return np.where(own, numbers, win + loss - numbers)


def _shares(boards: NDArray[np.int32], beads: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return [n], each colour's share of its box, 0 in an empty box."""
    box = np.bincount(boards, beads, minlength=len(space().codes))[boards]
    return beads / np.where(box > 0.0, box, 1.0)


def sorted_rows(
    rows: TableRows, shown: NDArray[np.bool_], column: str, reverse: bool = False
) -> NDArray[np.int64]:
    """Return the shown rows, sorted by a column; equal rows keep the order of their boards.

    Args:
        rows: the table.
        shown: bool[n].
        column: a name of `rows.columns`. Numbers start with the largest, errors with the largest
            of either sign.
    """
    found = np.flatnonzero(shown)
    keys = rows.columns[column][found].astype(np.float64)
    if column == "error":
        keys = np.abs(keys)
    if (column in BY_SIZE) != reverse:
        keys = -keys
    return found[np.argsort(keys, kind="stable")]


class Image(NamedTuple):
    """An entry under a symmetry."""

    board: int
    cell: int
    """0-8, -1 of a state value."""
    row: int
    """The row of its value; the entry's own if they share one."""


def images(rows: TableRows, row: int) -> tuple[Image, ...]:
    """Return the different images of a row's entry under the eight symmetries, itself first."""
    s, entries, row_of = space(), rows.table.entries, rows.index()
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


# the filter

LONGEST: Final = 400
"""Characters."""
OPERATORS: Final[dict[str, Callable[[Any, Any], Any]]] = {
    ">=": operator.ge, "<=": operator.le, "!=": operator.ne, "==": operator.eq,
    ">": operator.gt, "<": operator.lt, "=": operator.eq,
}  # fmt: skip
FIELDS: Final = {
    "value": "value", "v": "value", "q": "value", "beads": "value",
    "q1": "table 1", "q2": "table 2",
    "v*": "v*", "exact": "v*", "vpi": "vpi", "vπ": "vpi",
    "error": "error", "visits": "visits", "n": "visits",
    "ply": "ply", "cell": "cell", "share": "share",
}  # fmt: skip
"""The fields to compare, with their columns."""

_COMPARISON: Final = re.compile(r"([^<>=!]*)(>=|<=|!=|==?|>|<)(.*)")
_NUMBER: Final = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)")
_BOARD: Final = re.compile(r"([xo.?*]{9})(?:@([1-9]))?")
_LIKE_A_BOARD: Final = re.compile(r"[xo.?*]+(@.*)?")
_DIGITS: Final = {".": 0, "x": 1, "o": 2}


class FilterError(UsageError):
    """A wrong filter; the message explains what is right."""


class Filter(NamedTuple):
    """The conditions of a shown row."""

    words: tuple[Callable[[TableRows], NDArray[np.bool_]], ...] = ()

    def matches(self, rows: TableRows) -> NDArray[np.bool_]:
        """Return bool[n], the matching rows.

        Raises:
            FilterError: a compared column is missing.
        """
        found = np.ones(len(rows), dtype=np.bool_)
        for word in self.words:
            found &= word(rows)
        return found


def parse_filter(text: str) -> Filter:
    """Parse a filter; an empty text matches every row.

    Raises:
        FilterError: a word is unknown.
    """
    if len(text) > LONGEST:
        raise FilterError(f"a filter is at most {LONGEST} characters long")
    words = text.lower().split()
    images = len(SYMMETRIES) if "class" in words else 1
    found: list[Callable[[TableRows], NDArray[np.bool_]]] = []
    boards = 0
    for word in words:
        if word == "never":
            found.append(partial(compared, "visits", "=", "0"))
        elif match := _COMPARISON.fullmatch(word):
            found.append(comparison(*match.groups()))
        elif match := _BOARD.fullmatch(word):
            boards += 1
            found.append(partial(alike, match[1].replace("*", "?"), match[2], images))
        elif _LIKE_A_BOARD.fullmatch(word):
            raise FilterError(
                f"{shown(word)} is not a board: nine characters, perhaps a cell, as in X.O......@5"
            )
        elif word != "class":
            raise FilterError(
                f"{shown(word)} is not a filter: write visits>10, X.O......, class or never"
            )
    if images > 1 and not boards:
        raise FilterError("class needs a board with it, such as X.O...... class")
    return Filter(tuple(found))


def comparison(field: str, sign: str, number: str) -> Callable[[TableRows], NDArray[np.bool_]]:
    if field not in FIELDS:
        known = "value, v*, vpi, error, visits, ply, cell and share"
        raise FilterError(f"{shown(field)} cannot be compared, only {known}")
    if not _NUMBER.fullmatch(number):
        raise FilterError(
            f"{field}{sign} needs a number, as in {field}{sign}3, not {shown(number)}"
        )
    return partial(compared, field, sign, number)


def compared(field: str, sign: str, number: str, rows: TableRows) -> NDArray[np.bool_]:
    """Return the matching rows; errors by size, unless the number has a sign."""
    column = FIELDS[field]
    if column not in rows.columns:
        names = {"table 1": "q1", "table 2": "q2"}
        have = ", ".join(names.get(n, n) for n in rows.columns if n not in ("board", "class"))
        raise FilterError(f"there is no {field} in this table, only {have}")
    values = rows.columns[column].astype(np.float64)
    if column == "error" and number[0] not in "+-":
        values = np.abs(values)
    found: NDArray[np.bool_] = OPERATORS[sign](values, float(number))
    return found


def alike(board: str, cell: str | None, images: int, rows: TableRows) -> NDArray[np.bool_]:
    """Return the rows of a board with wildcards, or of some of its images."""
    if cell and not rows.has_cells:
        raise FilterError("this table has values of boards, without cells: leave out the @")
    found = np.zeros(len(rows), dtype=np.bool_)
    for number in range(images):
        is_like = np.ones(len(rows), dtype=np.bool_)
        for place, mark in enumerate(apply(number, board)):
            if mark != "?":
                is_like &= marks()[rows.boards, place] == _DIGITS[mark]
        if cell:
            is_like &= rows.cells == SYMMETRIES[number][int(cell) - 1]
        found |= is_like
    return found


@cache
def marks() -> NDArray[np.int8]:
    """Return [5478, 9], the mark on each cell of each position: 0 none, 1 X, 2 O."""
    digits: NDArray[np.int8] = (space().codes[:, None] // 3 ** np.arange(9) % 3).astype(np.int8)
    return digits
