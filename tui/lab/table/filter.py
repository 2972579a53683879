"""The filter of the table: words in one line, all of which must hold.

    visits>10  error>.1  ply=3  X.O......  X??.O....@5  class  never

A board is nine characters, `?` or `*` for any, with the cell of an action value behind an `@`.
`class` lets boards match up to symmetry, `never` keeps entries that were not written yet. `error`
is compared by its size, unless the number has a sign: `error<-.1` is what is undervalued by more.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from afterstate_lab.game import space
from afterstate_lab.game.constants import SYMMETRIES, apply
from afterstate_lab.learners.errors import UsageError, shown

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from afterstate_lab.tui.lab.table.rows import TableRows

LONGEST: Final = 400
"""Characters."""
OPERATORS: Final[dict[str, Callable[[Any, Any], Any]]] = {
    ">=": operator.ge, "<=": operator.le, "!=": operator.ne,
    ">": operator.gt, "<": operator.lt, "=": operator.eq,
}  # fmt: skip
FIELDS: Final = {
    "value": "value", "v": "value", "q": "value", "beads": "value",
    "q1": "table 1", "q2": "table 2",
    "v*": "v*", "exact": "v*", "vpi": "vpi", "vπ": "vpi",
    "error": "error", "visits": "visits", "n": "visits",
    "ply": "ply", "cell": "cell", "share": "share",
}  # fmt: skip
"""What may be compared, with the column that it means."""

_COMPARISON: Final = re.compile(r"([^<>=!]*)(>=|<=|!=|==?|>|<)(.*)")
_NUMBER: Final = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)")
_BOARD: Final = re.compile(r"([xo.?*]{9})(?:@([1-9]))?")
_LIKE_A_BOARD: Final = re.compile(r"[xo.?*]+(@.*)?")
_DIGITS: Final = {".": 0, "x": 1, "o": 2}


class FilterError(UsageError):
    """A filter that cannot be used; the message is one sentence that says what would be right."""


@dataclass(frozen=True)
class ColumnCondition:
    """A column against a number."""

    field: str
    """As it was written."""
    column: str
    operator: str
    number: float
    signed: bool = False
    """The number was written with a sign: an error is compared with its own."""

    def matches(self, rows: TableRows) -> NDArray[np.bool_]:
        """The rows for which it holds."""
        if self.column not in rows.columns:
            have = ", ".join(known_fields(rows))
            raise FilterError(f"there is no {self.field} in this table, only {have}")
        values = rows.column(self.column).astype(np.float64)
        if self.column == "error" and not self.signed:
            values = np.abs(values)
        found: NDArray[np.bool_] = OPERATORS[self.operator](values, self.number)
        return found


@dataclass(frozen=True)
class Pattern:
    """Boards, and the cell of an action value, with wildcards."""

    board: str
    """Nine characters `x`, `o`, `.`, or `?` for any."""
    cell: int | None = None
    """0-8, None for any."""

    def matches(self, rows: TableRows, symmetric: bool) -> NDArray[np.bool_]:
        """The rows that match, in one of eight ways where symmetric ones count."""
        found = np.zeros(len(rows), dtype=np.bool_)
        for number in range(len(SYMMETRIES) if symmetric else 1):
            found |= self.image(number)._matches(rows)
        return found

    def image(self, symmetry: int) -> Pattern:
        """The pattern turned or mirrored by one of the symmetries of the board."""
        cell = None if self.cell is None else SYMMETRIES[symmetry][self.cell]
        return Pattern(apply(symmetry, self.board), cell)

    def _matches(self, rows: TableRows) -> NDArray[np.bool_]:
        found = np.ones(len(rows), dtype=np.bool_)
        for cell, mark in enumerate(self.board):
            if mark != "?":
                found &= marks()[rows.boards, cell] == _DIGITS[mark]
        if self.cell is not None:
            found &= rows.cells == self.cell
        return found


@dataclass(frozen=True)
class Filter:
    """What a row must have to be shown."""

    comparisons: tuple[ColumnCondition, ...] = ()
    patterns: tuple[Pattern, ...] = ()
    symmetric: bool = False
    """Boards match up to symmetry."""

    def matches(self, rows: TableRows) -> NDArray[np.bool_]:
        """bool[n]: the rows that are shown.

        Raises:
            FilterError: the rows lack a column that is compared.
        """
        found = np.ones(len(rows), dtype=np.bool_)
        for comparison in self.comparisons:
            found &= comparison.matches(rows)
        for pattern in self.patterns:
            if pattern.cell is not None and not rows.has_cells:
                raise FilterError("this table has values of boards, without cells: leave out the @")
            found &= pattern.matches(rows, self.symmetric)
        return found


def parse_filter(text: str) -> Filter:
    """The filter that a user wrote; an empty one shows every row.

    Raises:
        FilterError: a word of it is none that is known.
    """
    if len(text) > LONGEST:
        raise FilterError(f"a filter is at most {LONGEST} characters long")
    comparisons: list[ColumnCondition] = []
    patterns: list[Pattern] = []
    symmetric = False
    for word in text.lower().split():
        if word == "never":
            comparisons.append(ColumnCondition("visits", "visits", "=", 0.0))
        elif word == "class":
            symmetric = True
        elif match := _COMPARISON.fullmatch(word):
            comparisons.append(_comparison(*match.groups()))
        elif match := _BOARD.fullmatch(word):
            cell = None if match[2] is None else int(match[2]) - 1
            patterns.append(Pattern(match[1].replace("*", "?"), cell))
        elif _LIKE_A_BOARD.fullmatch(word):
            raise FilterError(
                f"{shown(word)} is no board: nine characters, perhaps a cell, as in X.O......@5"
            )
        else:
            raise FilterError(
                f"{shown(word)} is no filter: write visits>10, X.O......, class or never"
            )
    if symmetric and not patterns:
        raise FilterError("class needs a board beside it, such as X.O...... class")
    return Filter(tuple(comparisons), tuple(patterns), symmetric)


def _comparison(field: str, sign: str, number: str) -> ColumnCondition:
    if field not in FIELDS:
        known = "value, v*, vpi, error, visits, ply, cell and share"
        raise FilterError(f"{shown(field)} cannot be compared, only {known}")
    if not _NUMBER.fullmatch(number):
        raise FilterError(
            f"{field}{sign} needs a number, as in {field}{sign}3, not {shown(number)}"
        )
    operator = "=" if sign == "==" else sign
    return ColumnCondition(field, FIELDS[field], operator, float(number), signed=number[0] in "+-")


def known_fields(rows: TableRows) -> list[str]:
    """What can be compared in a table, by the names that it goes by there."""
    names = {"table 1": "q1", "table 2": "q2"}
    return [names.get(name, name) for name in rows.columns if name not in ("board", "class")]


@cache
def marks() -> NDArray[np.int8]:
    """[5478, 9] The mark on each cell of each position: 0 none, 1 X, 2 O."""
    digits: NDArray[np.int8] = (space().codes[:, None] // 3 ** np.arange(9) % 3).astype(np.int8)
    return digits
