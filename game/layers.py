"""The non-terminal positions ply by ply, shaped for backward induction with whole-array steps.

All non-terminal positions of ply k have exactly 9 - k moves, so the edges of a ply are a matrix.
It is kept transposed, [9 - k, n]: reducing over the moves then runs along the long axis, which is
fast, and adds the moves one after the other, so sums are the same on every machine.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from game.constants import GOES_ON, PLAYER_O, PLAYER_X
from game.space import space

if TYPE_CHECKING:
    from numpy.typing import NDArray

Number = TypeVar("Number", bound=np.generic)


@dataclass(frozen=True, eq=False)
class Layer:
    """The n non-terminal positions of one ply and their 9 - ply moves each."""

    mover: int
    """The player to move, 1 = X or 2 = O."""
    ids: NDArray[np.intp]
    """[n] The positions."""
    edges: slice
    """Their edges, in order of position and then cell."""
    successors: NDArray[np.intp]
    """[9 - ply, n] Where the moves lead: the i-th free cell of each position in row i."""

    def of_edges(self, values: NDArray[Number]) -> NDArray[Number]:
        """A view of this ply's part of one value per edge ([16167]), as [9 - ply, n]."""
        return values[self.edges].reshape(len(self.ids), -1).T


@cache
def layers() -> tuple[Layer, ...]:
    """The layers of plies 0 to 8, built on first use."""
    states = space()
    result = []
    for ply, (ids_of_ply, edges) in enumerate(zip(states.plies, states.ply_edges, strict=True)):
        if ply == 9:
            break
        ids = np.flatnonzero(states.outcome[ids_of_ply] == GOES_ON) + ids_of_ply.start
        successors = states.edge_successor[edges].reshape(len(ids), 9 - ply).T.astype(np.intp)
        successors.flags.writeable = ids.flags.writeable = False
        mover = PLAYER_X if ply % 2 == 0 else PLAYER_O
        result.append(Layer(mover, ids, edges, successors))
    return tuple(result)
