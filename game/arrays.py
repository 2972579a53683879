"""The arrays of the state space, built by whole-array steps over all 3^9 codes."""

from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from afterstate_lab.game.constants import DRAWN, GOES_ON, LINES, O_WON, SYMMETRIES, X_WON

POWERS: Final = 3 ** np.arange(9, dtype=np.int32)
DIGITS: Final = np.indices((3,) * 9, np.int8).reshape(9, -1)[::-1]
"""[9, 19683] The cells of each code: 0 empty, 1 X, 2 O."""


def _reachable() -> tuple[NDArray[np.int32], NDArray[np.int8], NDArray[np.int8]]:
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

    codes: NDArray[np.int32]
    """[5478] The code of each id."""
    id_of_code: NDArray[np.int32]
    """[19683] The id of each code; -1 where no legal play leads."""
    ply: NDArray[np.int8]
    """[5478] Number of marks on the board."""
    outcome: NDArray[np.int8]
    """[5478] 0 unfinished, 1 X won, 2 O won, 3 draw."""
    successor: NDArray[np.int32]
    """[5478, 9] The id after a mark on each cell; -1 where illegal or the game is over."""
    first_edge: NDArray[np.int32]
    """[5479] The edges of id s are ``first_edge[s]:first_edge[s + 1]``."""
    edge_state: NDArray[np.int32]
    """[16167] The id in which each move is made."""
    edge_cell: NDArray[np.int8]
    """[16167] The cell 0-8 that each move marks."""
    edge_successor: NDArray[np.int32]
    """[16167] The id to which each move leads."""
    edge_of: NDArray[np.int32]
    """[5478, 9] The edge of each id and cell; -1 where illegal."""
    canonical: NDArray[np.int32]
    """[5478] The id of the representative (smallest code) of each symmetry class."""
    to_canonical: NDArray[np.int8]
    """[5478] The first symmetry that maps the board to its representative."""
    canonical_cell: NDArray[np.int8]
    """[5478, 9] Where that symmetry sends each cell."""
    canonical_edge: NDArray[np.int32]
    """[16167] The same move on the representative; moves that a symmetry of the representative
    exchanges are merged onto the smallest such edge."""
    symmetry_maps: NDArray[np.int32]
    """[8, 5478] The id of each board's image under each of `game.constants.SYMMETRIES`."""
    ply_edges: tuple[slice, ...]
    """The edges of each ply 0-9 (none in the last)."""

    def __init__(self) -> None:
        codes, ply, outcome = _reachable()
        ids = np.arange(len(codes), dtype=np.int32)
        digits = DIGITS[:, codes].T
        id_of_code = np.full(3**9, -1, dtype=np.int32)
        id_of_code[codes] = ids

        mark = np.where(ply % 2 == 0, 1, 2)[:, None]
        legal = (digits == 0) & (outcome == GOES_ON)[:, None]
        next_codes = np.where(legal, codes[:, None] + mark * POWERS, 0)
        successor = np.where(legal, id_of_code[next_codes], -1).astype(np.int32)
        edge_state, edge_cell = np.nonzero(legal)
        edge_of = np.full((len(codes), 9), -1, dtype=np.int32)
        edge_of[legal] = np.arange(len(edge_state), dtype=np.int32)
        first_edge = np.concatenate([[0], np.cumsum(legal.sum(axis=1))]).astype(np.int32)

        permutations = np.array(SYMMETRIES, dtype=np.int8)
        images = POWERS[permutations] @ digits.T
        symmetry_maps = id_of_code[images]
        to_canonical = images.argmin(axis=0).astype(np.int8)
        canonical = symmetry_maps[to_canonical, ids]
        canonical_cell = permutations[to_canonical]

        orbit_cell = np.full((len(codes), 9), 9, dtype=np.int8)
        for permutation, image in zip(permutations, symmetry_maps, strict=True):
            fixed = image == ids
            orbit_cell[fixed] = np.minimum(orbit_cell[fixed], permutation)
        representative = canonical[edge_state]
        merged_cell = orbit_cell[representative, canonical_cell[edge_state, edge_cell]]
        canonical_edge = edge_of[representative, merged_cell]

        bounds = first_edge[np.searchsorted(ply, np.arange(11))].tolist()
        self.codes, self.id_of_code, self.ply, self.outcome = codes, id_of_code, ply, outcome
        self.successor, self.first_edge, self.edge_of = successor, first_edge, edge_of
        self.edge_state, self.edge_cell = edge_state.astype(np.int32), edge_cell.astype(np.int8)
        self.edge_successor, self.symmetry_maps = successor[legal], symmetry_maps
        self.canonical, self.to_canonical = canonical, to_canonical
        self.canonical_cell, self.canonical_edge = canonical_cell, canonical_edge
        for value in vars(self).values():
            value.flags.writeable = False
        self.ply_edges = tuple(map(slice, bounds, bounds[1:]))

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
