"""The backups that change the greedy moves of some position.

The greedy moves of a position are those that no legal move is ranked strictly above, ties included.
A move ranks by the value of its entry, or by the sum of both of two tables. A backup of an entry
can change them only in the positions with a move to that entry. It does so exactly if comparing the
entry with the best of the other moves (below, equal, above) gives another result afterwards.

`mark_greedy_changes` is plain Python over flat arrays; compiled, it gives the same result.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from game import space
from learners.engine.backups import BACKUP
from learners.engine.entries import padded_edges
from learners.kernel import compiler
from learners.kernel.kernel import mover_entries

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from learners.kernel.memory import Layout
    from learners.tape.recording import Recording


MARKS = "greedy-changes"
"""How the machine code of `mark_greedy_changes` is ordered from `learners.precompile`."""


class EntryMoves(NamedTuple):
    """The moves that lead to each entry of a layout."""

    moves: NDArray[np.int32]
    """[5478 * 9] The mover's entry (of its first table) for each padded move."""
    legal: NDArray[np.int32]
    """[5478] The number of legal moves of each position."""
    second: NDArray[np.int32]
    """[2] For X and O, the offset of its second table from its first; 0 for one table."""
    base: NDArray[np.int32]
    """[N] The same entry in the player's first table."""
    first: NDArray[np.int32]
    """[N + 1] ``positions[first[e] : first[e + 1]]`` have a move to entry e."""
    positions: NDArray[np.int32]


def mark_greedy_changes(
    n_rows: int, rows: Any, entry: Any, new: Any, v: Any,
    moves: Any, legal: Any, second: Any, base: Any, first: Any, positions: Any, marks: Any,
) -> None:  # fmt: skip
    """Mark the backups that change the greedy moves of one of the positions.

    Args:
        n_rows: the number of rows.
        rows: int64[n], the rows of the backups.
        entry: int32, the entry that each row writes.
        new: float64, the value that each row writes.
        v: float64[2N], memory before the first row; changed in place.
        moves: see `EntryMoves`, as for legal, second, base, first and positions.
        legal: see `EntryMoves`.
        second: see `EntryMoves`.
        base: see `EntryMoves`.
        first: see `EntryMoves`.
        positions: see `EntryMoves`.
        marks: uint8[n], set to 1 for the backups that change them.
    """
    for i in range(n_rows):
        written = entry[rows[i]]
        old = v[written]
        now = new[rows[i]]
        if now == old:
            continue
        own = base[written]
        for k in range(first[own], first[own + 1]):
            s = positions[k]
            n = legal[s]
            gap = second[(9 - n) & 1]
            best = -np.inf
            for j in range(9 * s, 9 * s + n):
                move = moves[j]
                if move != own:
                    rank = v[move] + v[move + gap] if gap else v[move]
                    if rank > best:
                        best = rank
            rest = (v[own + gap] if written == own else v[own]) if gap else 0.0
            before, after = old + rest, now + rest
            if (before > best) != (after > best) or (before < best) != (after < best):
                marks[i] = 1
                break
        v[written] = now


@lru_cache(maxsize=8)
def entry_moves(layout: Layout, position: int | None = None) -> EntryMoves:
    """The moves that lead to each entry of a layout: all of them, or those of one position."""
    padded = np.flatnonzero(padded_edges() >= 0)
    moves = mover_entries(layout).astype(np.int32)
    boards = padded // 9
    looked_at = padded if position is None else padded[boards == position]
    pairs = np.unique(np.stack((moves[looked_at], looked_at // 9)), axis=1)
    tables = layout.x, layout.o
    second = [len(t.entries.boards) * (t.spec.rule.tables - 1) for t in tables]
    base = np.arange(layout.values)
    for table, gap in zip(tables, second, strict=True):
        if gap:
            base[table.base + gap : table.base + 2 * gap] -= gap
    first = np.searchsorted(pairs[0], np.arange(layout.values + 1))
    legal = np.bincount(boards, minlength=len(space().codes))
    return EntryMoves(
        moves, *(np.asarray(a, dtype=np.int32) for a in (legal, second, base, first, pairs[1]))
    )


def compiled_marks(*order: str) -> Callable[..., Any] | None:
    """`mark_greedy_changes` compiled, in a child process if it is ordered; else None."""
    whole, small = np.zeros(0, np.int64), np.zeros(0, np.int32)
    number = np.zeros(0)
    tables = (small,) * len(EntryMoves._fields)
    like = (0, whole, small, number, number, *tables, np.zeros(0, np.uint8))
    return compiler.compiled_function(mark_greedy_changes, like, order)


@lru_cache(maxsize=8)
def leads_to(layout: Layout, position: int) -> NDArray[np.bool_]:
    """bool[N]: whether each entry is that of a move of this position."""
    found = entry_moves(layout, position)
    return np.asarray(found.first[found.base] < found.first[found.base + 1])


def greedy_changes(recording: Recording, position: int | None = None) -> NDArray[np.int64]:
    """The rows of the backups that change the greedy moves of a position.

    Args:
        recording: the events.
        position: the only position to consider; all by default.
    """
    found = entry_moves(recording.layout, position)
    columns: Any = recording.columns
    rows = np.flatnonzero(recording.kinds == BACKUP)
    if position is not None:
        rows = rows[leads_to(recording.layout, position)[columns.entry[rows]]]
        if not len(rows):
            return np.zeros(0, dtype=np.int64)
    marks = np.zeros(len(rows), dtype=np.uint8)
    new = np.ascontiguousarray(columns.new)
    arrays = (rows, columns.entry, new, recording.before.copy(), *found, marks)
    compiled = compiled_marks(MARKS) if compiler.has_machine_code() else None
    if compiled is None:
        lists = [array.tolist() for array in arrays]
        mark_greedy_changes(len(rows), *lists)
        marks[:] = lists[-1]
    else:
        compiled(len(rows), *arrays)
    return np.asarray(rows[marks > 0])
