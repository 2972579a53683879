"""A learner's whole table as columns, sorted and filtered.

The 16,167 rows stay numpy arrays, sorted and filtered in a millisecond or two.

A filter is words in one line, all of which must hold:

    visits>10  error>.1  ply=3  X.O......  X??.O....@5  never

A board is nine characters, `?` for any, with the cell of an action value after an `@`. `never`
keeps entries without visits. `error` is compared by its size, unless the number has a sign:
`error<-.1` finds entries undervalued by more.
"""

from __future__ import annotations

import operator
import re
from dataclasses import dataclass
from functools import cache
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from afterstate_lab.game import Side, space
from afterstate_lab.game.arrays import DIGITS
from afterstate_lab.game.exact import Bools, Floats, Ints, optimal_response_values, uniform_policy
from afterstate_lab.learners.errors import UsageError, shown
from afterstate_lab.learners.judge.evaluated_state import EvaluatedState, optimum, true_values
from afterstate_lab.learners.judge.evaluator import own_edges
from afterstate_lab.learners.kernel.memory import Layout

RISING: Final = "board", "cell", "ply"
"""Columns sorted with the smallest number first; the others with the largest."""


class TableRows:
    """The n entries of a player that a backup can reach, in order of ply and board.

    If both players update one table, each has the entries it updates.

    Args:
        layout: the layout of memory.
        v: memory, float64[2N].
        side: the player, a learner.
        game: the number of the game, for opponents whose exploration changes.
    """

    def __init__(self, layout: Layout, v: Floats, side: Side, game: int) -> None:
        self.table = table = layout.table(side)
        rule, entries = table.rule, table.entries
        self.entries = live = own_entries(layout, side)
        """[n] Indices into the table."""
        self.boards = boards = entries.boards[live]
        """[n] Position ids."""
        self.cells = entries.cells[live]
        """[n] The cell 0-8 of an action value or a bead's colour, -1 of a state value."""
        has_cells = entries.of_state is None
        self.estimates = rule.estimates
        """Whether the numbers estimate results (beads do not)."""
        self.symbol = "beads" if not rule.estimates else "Q" if has_cells else "V"
        win, draw, loss = table.spec.rewards
        self.low = min(win, draw, loss)
        self.span = (max(win, draw, loss) - self.low) or 1.0
        """The range of rewards, from `low`."""
        self.ply = space().ply[boards]
        parts = table.values(v)
        self.parts = parts[:, live].copy()
        """[tables, n] Each table's own number."""
        self.values = np.array(rule.preferences(parts)[live], dtype=np.float64)
        """[n] The number that ranks moves: of two tables, the mean."""
        self.visits = table.visits(v).sum(axis=0)[live].astype(np.int64)
        """[n] Number of backups."""
        reached = space().successor[boards, self.cells] if has_cells else boards
        self.truth = true_values(layout, side, game)[reached]
        self.policy = EvaluatedState(layout, v, game).v_pi(side)[reached]
        """[n] The value of optimal play from there, minimax or v*; v_π: under current play."""
        self.optimum = optimum(layout, side)
        if rule.one_table and not has_cells:  # for the player who has just moved
            own = self.ply % 2 != side
            self.truth = np.where(own, self.truth, win + loss - self.truth)
            self.policy = np.where(own, self.policy, win + loss - self.policy)
        self.columns: dict[str, NDArray[Any]] = {"board": np.arange(len(self))}
        """[n] Columns by name, in display order; cells from 1."""
        if has_cells:
            self.columns["cell"] = self.cells + 1
        self.columns["value"] = self.values
        if len(parts) > 1:
            self.columns |= {"table 1": self.parts[0], "table 2": self.parts[1]}
        if not rule.estimates:
            box = np.bincount(boards, self.values, minlength=len(space().codes))[boards]
            self.columns["share"] = self.values / np.where(box > 0.0, box, 1.0)
        self.columns |= {"v*": self.truth, "vpi": self.policy}
        if rule.estimates:
            self.columns["error"] = self.values - self.truth
        self.columns |= {"visits": self.visits, "ply": self.ply}

    def __len__(self) -> int:
        return len(self.entries)

    def row(self, entry: int) -> int:
        """Return the row of an index into memory."""
        own = (entry - self.table.base) % len(self.table.entries.boards)
        return int(np.searchsorted(self.entries, own))

    def entry(self, row: int) -> int:
        """Return the index into memory of a row's number, of two tables in the first."""
        return self.table.base + int(self.entries[row])


def own_entries(layout: Layout, side: Side) -> Ints:
    """Return the indices into a player's table of what a backup of this player can reach."""
    entries = layout.table(side).entries
    live = entries.live
    if layout.is_shared:
        after_own_move = space().ply[entries.boards] % 2 != side
        live = live & (after_own_move == (entries.cells < 0))
    return np.flatnonzero(live)


def sorted_rows(rows: TableRows, shown: Bools, column: str, reverse: bool) -> Ints:
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
    if (column in RISING) == reverse:
        keys = -keys
    return found[np.argsort(keys, kind="stable")]


# the filter

LONGEST: Final = 400
"""Characters."""
OPERATORS: Final[dict[str, Any]] = {
    ">=": operator.ge, "<=": operator.le, "!=": operator.ne, "==": operator.eq,
    ">": operator.gt, "<": operator.lt, "=": operator.eq,
}  # fmt: skip
FIELDS: Final = {
    "value": "value", "v": "value", "q": "value", "beads": "value",
    "q1": "table 1", "q2": "table 2",
    "v*": "v*", "mm": "v*", "minimax": "v*", "exact": "v*", "vpi": "vpi", "vπ": "vpi",
    "error": "error", "visits": "visits", "n": "visits",
    "ply": "ply", "cell": "cell", "share": "share",
}  # fmt: skip
"""The fields to compare, with their columns."""
COMPARISON: Final = re.compile(r"([^<>=!]*)(>=|<=|!=|==?|>|<)(.*)")
NUMBER: Final = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)")
BOARD: Final = re.compile(r"([xo.?]{9})(?:@([1-9]))?")
LIKE_A_BOARD: Final = re.compile(r"[xo.?]+(@.*)?")


def filtered(rows: TableRows, text: str) -> Bools:
    """Return bool[n], the rows that match a filter; an empty text matches every row."""
    if len(text) > LONGEST:
        raise UsageError(f"a filter is at most {LONGEST} characters long")
    found = np.ones(len(rows), dtype=np.bool_)
    for word in text.lower().split():
        if word == "never":
            found &= rows.visits == 0
        elif match := COMPARISON.fullmatch(word):
            found &= compared(rows, *match.groups())
        elif match := BOARD.fullmatch(word):
            found &= alike(rows, *match.groups())
        elif LIKE_A_BOARD.fullmatch(word):
            raise UsageError(
                f"{shown(word)} is not a board: nine characters, perhaps a cell, as in X.O......@5"
            )
        else:
            raise UsageError(f"{shown(word)} is not a filter: write visits>10, X.O...... or never")
    return found


def compared(rows: TableRows, field: str, sign: str, number: str) -> Bools:
    """Return the matching rows; errors by size, unless the number has a sign."""
    column = FIELDS.get(field)
    if column is None:
        known = "value, exact, vpi, error, visits, ply, cell and share"
        raise UsageError(f"{shown(field)} cannot be compared, only {known}")
    if not NUMBER.fullmatch(number):
        raise UsageError(f"{field}{sign} needs a number, as in {field}{sign}3, not {shown(number)}")
    if column not in rows.columns:
        raise UsageError(f"there is no {field} in this table")
    values = rows.columns[column].astype(np.float64)
    if column == "error" and number[0] not in "+-":
        values = np.abs(values)
    return np.asarray(OPERATORS[sign](values, float(number)))


def alike(rows: TableRows, board: str, cell: str | None) -> Bools:
    """Return the rows of a board, in which `?` stands for any mark."""
    if cell and "cell" not in rows.columns:
        raise UsageError("this table has values of boards, without cells: leave out the @")
    found = np.ones(len(rows), dtype=np.bool_)
    for marks, mark in zip(DIGITS[:, space().codes[rows.boards]], board, strict=True):
        if mark != "?":
            found &= marks == ".xo".index(mark)
    return found & (rows.cells == int(cell) - 1) if cell else found


ROWS: Final = (1, 1, 1, 1, 2, 3, 4, 3, 1, 1)
"""Rows of each ply."""
SHADES: Final = 3
"""Shades on each side of a draw."""
UNKNOWN: Final = -SHADES - 1
"""The shade of a position that was never visited."""


class Mind(NamedTuple):
    """What a side expects of each class of positions, by the image that it visited most."""

    boards: Ints
    """[765] Position ids."""
    values: Floats
    visits: Ints
    entries: Ints
    """[765] Index into memory of the value; -1 where a finished game has it, or nothing."""
    is_known: Bools
    """[765] Whether it was visited, or follows from finished games."""


@cache
def images() -> Ints:
    """[8, 765] The positions of each class, ascending."""
    s = space()
    found: Ints = np.sort(s.symmetry_maps[:, np.unique(s.canonical)], axis=0)
    return found.astype(np.int64)


def places(layout: Layout, side: Side) -> list[Ints]:
    """Return the classes of each row of the map, from the top.

    A ply is sorted by exact value, then by the value against chance, column by column.
    """
    spec = layout.table(side).spec
    win, draw, loss = spec.rewards
    chance = optimal_response_values(uniform_policy(), side, win=win, draw=draw, loss=loss)
    boards = images()[0]
    exact = true_values(layout, side, 0)[boards]
    chance, ply = chance[boards], space().ply[boards]
    rows: list[Ints] = []
    for number, many in enumerate(ROWS):
        own = np.flatnonzero(ply == number)
        own = own[np.lexsort((own, -chance[own], -exact[own]))]
        rows += [own[row::many] for row in range(many)]
    return rows


def mind(layout: Layout, v: Floats, side: Side) -> Mind:
    """Return what a learner expects: of boards after its move its values, else of its best move."""
    s, table, edges = space(), layout.table(side), own_edges(side)
    entries, known = table.entries, table.rule.preferences(table.values(v))
    numbers, ranks = table.visits(v).sum(axis=0), known[entries.of_edge]
    if entries.of_state is not None:
        own = entries.live[entries.of_state] & ((s.ply % 2 != side) | (not layout.is_shared))
        at = np.where(own, entries.of_state, -1)
    else:  # of several ways to a board, the most visited
        goes_on = edges[s.outcome[s.edge_successor[edges]] == 0]
        way = largest(goes_on, numbers[entries.of_edge], s.edge_successor)
        at = np.where(way < 0, -1, entries.of_edge[way])
    values, visits = np.where(at < 0, np.nan, known[at]), np.where(at < 0, 0.0, numbers[at])
    known_end = s.outcome > 0
    values[known_end] = v[table.rewards : table.rewards + 4][s.outcome[known_end]]
    best = largest(edges, ranks, s.edge_state)
    ids = np.flatnonzero(np.isnan(values) & (best >= 0))
    ends = (s.outcome[s.edge_successor] > 0) & table.rule.by_state
    many = np.where(ends, 0.0, numbers[entries.of_edge])[edges]
    visits[ids] = np.bincount(s.edge_state[edges], many, len(s.codes))[ids]
    best = best[ids]
    values[ids], known_end[ids] = ranks[best], ends[best]
    at[ids] = np.where(ends[best], -1, entries.of_edge[best])
    chosen = images()[np.argmax(visits[images()], axis=0), np.arange(images().shape[1])]
    index = np.where(at < 0, -1, table.base + at)
    return Mind(
        chosen,
        values[chosen],
        visits[chosen].astype(np.int64),
        index[chosen],
        known_end[chosen] | (visits[chosen] > 0),
    )


def largest(edges: NDArray[Any], numbers: Floats, positions: NDArray[Any]) -> Ints:
    """Return the first move of the largest number for each position, -1 without moves, int64[5478].

    Args:
        edges: the moves.
        numbers: float64[16167].
        positions: int[16167], the position of each move.
    """
    edges = edges[np.lexsort((-edges, numbers[edges]))]
    found = np.full(len(space().codes), -1)
    found[positions[edges]] = edges  # the last of each position stays
    return found


def shades(values: Floats, rewards: tuple[float, float, float]) -> Ints:
    """Return the shade of each value, by the root of its distance to a draw: news is seen early.

    With rewards of 1, .5 and 0, a shade begins at .543, .673 and .889.
    """
    win, draw, loss = rewards
    away = np.nan_to_num(values - draw)
    whole = np.where(away > 0, (win - draw) or 1.0, (draw - loss) or 1.0)
    steps = np.floor((SHADES + 0.4) * np.sqrt(np.abs(away / whole)))
    found: Ints = (np.sign(away) * np.minimum(steps, SHADES)).astype(np.int64)
    return found


HEADER = "player,board,cell,value,visits"


@dataclass(frozen=True)
class Row:
    """One entry of a learner's table."""

    player: str
    board: str
    cell: int | None
    """1-9, or None for a state value."""
    value: float
    visits: int

    def as_csv(self) -> str:
        """The row of `export --format csv`."""
        cell = "" if self.cell is None else str(self.cell)
        return f"{self.player},{self.board},{cell},{self.value:.17g},{self.visits}"


def exported_rows(layout: Layout, v: Floats) -> list[Row]:
    """Return one row for each entry that a backup can reach, sorted by player, board and cell.

    An entry of a shared table appears once, under the player that updates it.
    """
    rows, texts = [], space().texts
    for side in layout.learners:
        table = layout.table(side)
        entries, values = table.entries, table.rule.preferences(table.values(v))
        visits = table.visits(v).sum(axis=0)
        for n in own_entries(layout, side).tolist():
            cell = int(entries.cells[n])
            board, place = texts[entries.boards[n]], None if cell < 0 else cell + 1
            rows.append(Row(side.mark, board, place, float(values[n]), int(visits[n])))
    return sorted(rows, key=lambda row: (row.player, row.board, row.cell or 0))
