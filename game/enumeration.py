"""Building the arrays of `game.space`, vectorised over all 3^9 codes."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from game.lines import LINES
from game.space import DRAWN, GOES_ON, O_WON, X_WON, StateSpace
from game.symmetry import SYMMETRIES

POWERS: Final = 3 ** np.arange(9, dtype=np.int32)


def digits_of_codes(codes: NDArray[np.int32]) -> NDArray[np.int32]:
    """The cells of each code.

    Args:
        codes: int32[n].

    Returns:
        int32[n, 9]: 0 empty, 1 X, 2 O.
    """
    return codes[:, None] // POWERS % 3


def texts_of_codes(codes: NDArray[np.int32]) -> tuple[str, ...]:
    """The nine characters `X`, `O`, `.` of each code (int32[n])."""
    characters = np.frombuffer(b".XO", dtype=np.uint8)[digits_of_codes(codes)]
    joined = characters.tobytes().decode("ascii")
    return tuple(joined[start : start + 9] for start in range(0, len(joined), 9))


def _has_line(marks: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Whether the marks of one player (bool[n, 9]) hold a line of three; bool[n]."""
    held = np.zeros(len(marks), dtype=np.bool_)
    for a, b, c in LINES:
        held |= marks[:, a] & marks[:, b] & marks[:, c]
    return held


def _reachable() -> tuple[NDArray[np.int32], NDArray[np.int8], NDArray[np.int8]]:
    """Codes, plies and outcomes of the reachable positions, in order of their ids.

    A board is reachable iff the marks alternate and whoever holds a line made the last mark: two
    lines of one player always share a cell, so that mark can have been the one that won.
    """
    codes = np.arange(3**9, dtype=np.int32)
    digits = digits_of_codes(codes)
    x_marks, o_marks = digits == 1, digits == 2
    x_count, o_count = x_marks.sum(axis=1), o_marks.sum(axis=1)
    x_line, o_line = _has_line(x_marks), _has_line(o_marks)
    x_moved_last = x_count == o_count + 1
    o_moved_last = x_count == o_count
    reachable = (x_moved_last & ~o_line) | (o_moved_last & ~x_line)
    plies = x_count + o_count
    outcome = np.select([x_line, o_line, plies == 9], [X_WON, O_WON, DRAWN], GOES_ON)
    # A stable sort by ply keeps the codes ascending within each ply.
    order = np.flatnonzero(reachable)
    order = order[np.argsort(plies[order], kind="stable")]
    return codes[order], plies[order].astype(np.int8), outcome[order].astype(np.int8)


def build_space() -> StateSpace:
    """Every array of `StateSpace`, computed and made read-only."""
    codes, ply, outcome = _reachable()
    ids = np.arange(len(codes), dtype=np.int32)
    digits = digits_of_codes(codes)
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

    bounds = np.searchsorted(ply, np.arange(11)).tolist()
    edge_bounds = first_edge[bounds].tolist()
    result = StateSpace(
        codes=codes,
        id_of_code=id_of_code,
        ply=ply,
        outcome=outcome,
        successor=successor,
        first_edge=first_edge,
        edge_state=edge_state.astype(np.int32),
        edge_cell=edge_cell.astype(np.int8),
        edge_successor=successor[legal],
        edge_of=edge_of,
        canonical=canonical,
        to_canonical=to_canonical,
        canonical_cell=canonical_cell,
        canonical_edge=canonical_edge,
        symmetry_maps=symmetry_maps,
        plies=tuple(map(slice, bounds, bounds[1:])),
        ply_edges=tuple(map(slice, edge_bounds, edge_bounds[1:])),
    )
    for value in vars(result).values():
        if isinstance(value, np.ndarray):
            value.flags.writeable = False
    return result
