"""The state space of tic-tac-toe: 5,478 reachable positions and 16,167 moves, as flat arrays.

A position is a dense id 0-5477, in ply order and within a ply by code (Σ 3^i·d_i over the cells i,
with d = 0 empty, 1 X, 2 O). A legal move from a position is an edge 0-16166, in order of position
and then cell. So each ply is one slice of ids and one slice of edges, and every non-terminal
position of ply k has exactly 9 - k edges.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from afterstate_lab.game.arrays import StateSpace


@cache
def space() -> StateSpace:
    """Return the state space, built on first use (in a few milliseconds)."""
    from afterstate_lab.game.arrays import StateSpace

    return StateSpace()
