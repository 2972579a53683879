"""What the entries of a learner's table are: afterstates, or pairs of a position and a move.

`Entries` numbers the entries of one player and maps each move to its entry, so that the engine, the
tape, the export and the screens do not depend on the kind of learner.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from afterstate_lab.game import space
from afterstate_lab.game.exact import Bools, Ints


@dataclass(frozen=True, eq=False)
class Entries:
    """The n entries of one player's table; of states, the first is S_0, the empty board."""

    boards: NDArray[np.int32]
    """[n] The position of each entry."""
    cells: NDArray[np.int8]
    """[n] The cell 0-8 of each entry, -1 where the entry is the value of the position."""
    of_edge: Ints
    """[16167] The entry of each move of this player (0 for the opponent's moves)."""
    of_state: Ints | None
    """[5478] The entry of each position, for a state-value learner."""
    side: int
    """0 for X, 1 for O: whose they are."""
    live: Bools
    """[n] Entries that a backup can reach: no terminal board, no board merged into another."""

    @property
    def edges(self) -> NDArray[np.int32]:
        """int32[n]: the move of each entry that is of a pair."""
        return space().edge_of[self.boards, self.cells]

    @property
    def counted(self) -> Bools:
        """bool[n]: the live entries without the first, if that is S_0: what coverage counts."""
        return self.live & ((self.boards > 0) | (self.cells >= 0))


def movers(side: int) -> Bools:
    """bool[16167]: whether each move is made by this side (0 X, 1 O)."""
    s = space()
    of_side: Bools = s.ply[s.edge_state] % 2 == side
    return of_side


@cache
def state_entries(side: int, symmetry: bool = False, all_plies: bool = False) -> Entries:
    """The entries of a state-value learner: one for each position.

    Args:
        side: 0 for X, 1 for O.
        symmetry: store symmetric boards under their canonical board.
        all_plies: the boards after the opponent's moves are learned as well.
    """
    s = space()
    ids = np.arange(len(s.codes), dtype=np.int64)
    of_state = s.canonical.astype(np.int64) if symmetry else ids
    own = (s.ply % 2 != side) | (s.ply == 0)
    live = (s.outcome == 0) & (own | all_plies) & (of_state == ids)
    return Entries(
        boards=ids.astype(np.int32),
        cells=np.full(len(ids), -1, dtype=np.int8),
        of_edge=np.where(movers(side), of_state[s.edge_successor], 0),
        of_state=of_state,
        side=side,
        live=live,
    )


@cache
def pair_entries(side: int, symmetry: bool = False) -> Entries:
    """The entries of an action-value learner: one for each of its legal moves.

    Args:
        side: 0 for X, 1 for O.
        symmetry: store symmetric moves under the move on the canonical board.
    """
    s = space()
    edges = np.flatnonzero(movers(side))
    kept, rank = np.unique(s.canonical_edge[edges] if symmetry else edges, return_inverse=True)
    of_edge = np.zeros(len(s.edge_state), dtype=np.int64)
    of_edge[edges] = rank
    return Entries(
        boards=s.edge_state[kept].astype(np.int32),
        cells=s.edge_cell[kept].astype(np.int8),
        of_edge=of_edge,
        of_state=None,
        side=side,
        live=np.ones(len(kept), dtype=np.bool_),
    )


@cache
def padded_edges() -> Ints:
    """[5478 * 9] The edge of the i-th legal move (in cell order) of each position; -1 past them."""
    s = space()
    within = np.arange(len(s.edge_state)) - s.first_edge[s.edge_state]
    padded = np.full(len(s.codes) * 9, -1, dtype=np.int64)
    padded[s.edge_state.astype(np.int64) * 9 + within] = np.arange(len(s.edge_state))
    return padded


def sharing(entries: Entries) -> NDArray[np.uint8]:
    """uint8[5478 * 9]: how many moves of the position share the entry of each padded move.

    1 for every move on its own; 2 or 4 for moves that a symmetry of the board exchanges, where
    they share an entry.
    """
    edges = padded_edges()
    moves = np.where(edges < 0, -1, entries.of_edge[edges]).reshape(-1, 9)
    alike = (moves[:, :, None] == moves[:, None, :]).sum(axis=2)
    return np.where(moves < 0, 1, alike).astype(np.uint8).reshape(-1)
