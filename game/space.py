"""The state space of tic-tac-toe: 5,478 reachable positions and 16,167 moves, as flat arrays.

A position is a dense id 0-5477, in ply order and within a ply by code (Σ 3^i·d_i over the cells i,
with d = 0 empty, 1 X, 2 O). A legal move from a position is an edge 0-16166, in order of position
and then cell. So each ply is one slice of ids and one slice of edges, and every non-terminal
position of ply k has exactly 9 - k edges.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

POSITIONS: Final = 5478
"""Positions reachable by legal play, the empty board and the finished games included."""

EDGES: Final = 16167
"""State-action pairs: every legal move of every position that is not over."""

PLAYER_X: Final = 1
"""The player who opens, where arrays and policies name a player."""

PLAYER_O: Final = 2
"""The player who replies."""

GOES_ON: Final = 0
X_WON: Final = 1
O_WON: Final = 2
DRAWN: Final = 3


@dataclass(frozen=True, eq=False)
class StateSpace:
    """Read-only arrays over dense ids and edges."""

    codes: NDArray[np.int32]
    """[5478] The code of each id."""
    id_of_code: NDArray[np.int32]
    """[19683] The id of each code; -1 where no legal play leads."""
    ply: NDArray[np.int8]
    """[5478] Number of marks on the board."""
    outcome: NDArray[np.int8]
    """[5478] 0 the game goes on, 1 X has won, 2 O has won, 3 draw."""
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
    """[8, 5478] The id of each board's image under each of `game.symmetry.SYMMETRIES`."""
    plies: tuple[slice, ...]
    """The ids of each ply 0-9."""
    ply_edges: tuple[slice, ...]
    """The edges of each ply 0-9 (none in the last)."""

    @cached_property
    def texts(self) -> tuple[str, ...]:
        """The 5,478 boards as nine characters `X`, `O`, `.`, by id."""
        from game.enumeration import texts_of_codes

        return texts_of_codes(self.codes)

    def text(self, id: int) -> str:
        """The nine characters of the board with this id."""
        return self.texts[id]


@cache
def space() -> StateSpace:
    """The state space, built on first use (a few milliseconds) and kept."""
    from game.enumeration import build_space

    return build_space()
