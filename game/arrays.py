"""The state space of tic-tac-toe: 5,478 reachable positions and 16,167 moves, as flat arrays.

A position is a dense id 0-5477, in ply order and within a ply by code (Σ 3^i·d_i over the cells i,
with d = 0 empty, 1 X, 2 O). A legal move from a position is an edge 0-16166, in order of position
and then cell. So each ply is one slice of ids and one slice of edges, and every non-terminal
position of ply k has exactly 9 - k edges. All are built by whole-array steps over the 3^9 codes.
"""

from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from afterstate_lab.game.constants import DRAWN, GOES_ON, LINES, O_WON, SYMMETRIES, X_WON

Int8Array = NDArray[np.int8]
Int32Array = NDArray[np.int32]

POWERS: Final = 3 ** np.arange(9, dtype=np.int32)
DIGITS: Final = np.indices((3,) * 9, np.int8).reshape(9, -1)[::-1]
"""[9, 19683] The cells of each code: 0 empty, 1 X, 2 O."""


def _reachable() -> tuple[Int32Array, Int8Array, Int8Array]:
    """Return codes, plies and outcomes of the reachable positions, in order of their ids.

    A board is reachable iff the marks alternate and the player with a line made the last mark: two
    lines of one player always share a cell, so that mark can have been the one that won.
    """
    x_marks, o_marks = DIGITS == 1, DIGITS == 2
    x_count, o_count = (m.sum(axis=0, dtype=np.int8) for m in (x_marks, o_marks))
    x_line, o_line = (m[np.array(LINES)].all(axis=1).any(axis=0) for m in (x_marks, o_marks))
    x_moved_last = x_count == o_count + 1
    o_moved_last = x_count == o_count
    reachable = (x_moved_last & ~o_line) | (o_moved_last & ~x_line)
    plies = x_count + o_count
    outcome = np.select([x_line, o_line, plies == 9], [X_WON, O_WON, DRAWN], GOES_ON)
    # A stable sort by ply keeps the codes ascending within each ply.
    order = np.flatnonzero(reachable)
    order = order[np.argsort(plies[order], kind="stable")]
    return order.astype(np.int32), plies[order], outcome[order].astype(np.int8)


class StateSpace:
    """Read-only arrays over dense ids and edges."""

    codes: Int32Array
    """[5478] The code of each id."""
    id_of_code: Int32Array
    """[19683] The id of each code; -1 where no legal play leads."""
    ply: Int8Array
    """[5478] Number of marks on the board."""
    outcome: Int8Array
    """[5478] 0 unfinished, 1 X won, 2 O won, 3 draw."""
    successor: Int32Array
    """[5478, 9] The id after a mark on each cell; -1 where illegal or the game is over."""
    first_edge: Int32Array
    """[5479] The edges of id s are ``first_edge[s]:first_edge[s + 1]``."""
    edge_state: Int32Array
    """[16167] The id in which each move is made."""
    edge_cell: Int8Array
    """[16167] The cell 0-8 that each move marks."""
    edge_successor: Int32Array
    """[16167] The id to which each move leads."""
    edge_of: Int32Array
    """[5478, 9] The edge of each id and cell; -1 where illegal."""
    canonical: Int32Array
    """[5478] The id of the representative (smallest code) of each symmetry class."""
    canonical_cell: Int8Array
    """[5478, 9] Where the first symmetry that leads to the representative sends each cell."""
    canonical_edge: Int32Array
    """[16167] The same move on the representative; moves that a symmetry of the representative
    exchanges are merged onto the smallest such edge."""
    symmetry_maps: Int32Array
    """[8, 5478] The id of each board's image under each of `game.constants.SYMMETRIES`."""

    def __init__(self) -> None:
        self.codes, self.ply, self.outcome = codes, ply, outcome = _reachable()
        ids = np.arange(len(codes), dtype=np.int32)
        digits = DIGITS[:, codes].T
        self.id_of_code = id_of_code = np.full(3**9, -1, dtype=np.int32)
        id_of_code[codes] = ids

        mark = np.where(ply % 2 == 0, 1, 2)[:, None]
        legal = (digits == 0) & (outcome == GOES_ON)[:, None]
        next_codes = np.where(legal, codes[:, None] + mark * POWERS, 0)
        self.successor = np.where(legal, id_of_code[next_codes], -1).astype(np.int32)
        self.edge_successor = self.successor[legal]
        edge_state, edge_cell = np.nonzero(legal)
        self.edge_state, self.edge_cell = edge_state.astype(np.int32), edge_cell.astype(np.int8)
        self.edge_of = np.full((len(codes), 9), -1, dtype=np.int32)
        self.edge_of[legal] = np.arange(len(edge_state), dtype=np.int32)
        first_edge = np.searchsorted(edge_state, np.arange(len(codes) + 1))
        self.first_edge = first_edge.astype(np.int32)

        permutations = np.array(SYMMETRIES, dtype=np.int8)
        images = POWERS[permutations] @ digits.T
        self.symmetry_maps = id_of_code[images]
        first_symmetry = images.argmin(axis=0)
        self.canonical = self.symmetry_maps[first_symmetry, ids]
        self.canonical_cell = permutations[first_symmetry]

        fixes = (self.symmetry_maps == ids)[:, :, None]
        orbit_cell = np.where(fixes, permutations[:, None], 9).min(axis=0)
        representative = self.canonical[edge_state]
        merged_cell = orbit_cell[representative, self.canonical_cell[edge_state, edge_cell]]
        self.canonical_edge = self.edge_of[representative, merged_cell]

        for value in vars(self).values():
            value.flags.writeable = False

    @cached_property
    def texts(self) -> tuple[str, ...]:
        """Return the 5,478 boards as nine characters `X`, `O`, `.`, by id."""
        characters = np.frombuffer(b".XO", np.uint8)[DIGITS[:, self.codes].T].tobytes().decode()
        return tuple(characters[at : at + 9] for at in range(0, len(characters), 9))

    def text(self, id: int) -> str:
        return self.texts[id]

    def edges_of(self, id: int) -> range:
        """Return the edges of a board; none if the game is over."""
        return range(int(self.first_edge[id]), int(self.first_edge[id + 1]))
