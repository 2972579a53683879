"""A side's values of all 765 positions, sorted so that correct values make a smooth picture."""

from __future__ import annotations

from functools import cache
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from afterstate_lab.game import Side, space
from afterstate_lab.game.exact import optimal_response_values, uniform_policy
from afterstate_lab.learners.judge.evaluated_state import true_values
from afterstate_lab.learners.judge.evaluator import own_edges
from afterstate_lab.learners.kernel.memory import Layout

ROWS: Final = (1, 1, 1, 1, 2, 3, 4, 3, 1, 1)
"""Rows of each ply."""
SHADES: Final = 3
"""Shades on each side of a draw."""
UNKNOWN: Final = -SHADES - 1
"""The shade of a position that was never visited."""


class Mind(NamedTuple):
    """What a side expects of each class of positions, by the image that it visited most."""

    boards: NDArray[np.int64]
    """[765] Position ids."""
    values: NDArray[np.float64]
    visits: NDArray[np.int64]
    entries: NDArray[np.int64]
    """[765] Index into memory of the value; -1 where a finished game has it, or nothing."""
    is_known: NDArray[np.bool_]
    """[765] Whether it was visited, or follows from finished games."""


@cache
def images() -> NDArray[np.int64]:
    """[8, 765] The positions of each class, ascending."""
    s = space()
    found: NDArray[np.int64] = np.sort(s.symmetry_maps[:, np.unique(s.canonical)], axis=0)
    return found.astype(np.int64)


def places(layout: Layout, side: Side) -> list[NDArray[np.int64]]:
    """Return the classes of each row of the map, from the top.

    A ply is sorted by exact value, then by the value against chance, column by column.
    """
    spec = layout.table(side).spec
    win, draw, loss = spec.rule.rewards(spec.settings)
    chance = optimal_response_values(uniform_policy(), side, win=win, draw=draw, loss=loss)
    boards = images()[0]
    exact = true_values(layout, layout.fresh(), side, 0)[boards]
    chance, ply = chance[boards], space().ply[boards]
    rows: list[NDArray[np.int64]] = []
    for number, many in enumerate(ROWS):
        own = np.flatnonzero(ply == number)
        own = own[np.lexsort((own, -chance[own], -exact[own]))]
        rows += [own[row::many] for row in range(many)]
    return rows


def mind(layout: Layout, v: NDArray[np.float64], side: Side) -> Mind:
    """Return what a learner expects: of boards after its move its values, else of its best move."""
    s, table = space(), layout.table(side)
    entries, numbers = table.entries, table.visits(v).sum(axis=0)
    ranks, values = table.preferences(v), np.full(len(s.codes), np.nan)
    visits, at = np.zeros(len(s.codes)), np.full(len(s.codes), -1)
    if entries.of_state is not None:
        own = entries.live[entries.of_state] & ((s.ply % 2 != side) | (not layout.is_shared))
        at[own] = entries.of_state[own]
        known = table.spec.rule.preferences(table.values(v))
        values[own], visits[own] = known[at[own]], numbers[at[own]]
    else:
        edges = own_edges(side)
        edges = edges[s.outcome[s.edge_successor[edges]] == 0]
        edges = edges[np.lexsort((-edges, numbers[entries.of_edge[edges]]))]
        after = s.edge_successor[edges]  # of several ways to a board, the most visited stays
        at[after], values[after] = entries.of_edge[edges], ranks[edges]
        visits[after] = numbers[entries.of_edge[edges]]
    known_end = s.outcome > 0
    values[known_end] = v[table.rewards : table.rewards + 4][s.outcome[known_end]]
    edges = own_edges(side)
    edges = edges[np.lexsort((-edges, ranks[edges], s.edge_state[edges]))]
    best = np.full(len(s.codes), -1)
    best[s.edge_state[edges]] = edges  # of several moves the best stays
    ids = np.flatnonzero(np.isnan(values) & (best >= 0))
    ends = (s.outcome[s.edge_successor] > 0) & table.spec.rule.by_state
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


def shades(values: NDArray[np.float64], rewards: tuple[float, float, float]) -> NDArray[np.int64]:
    """Return the shade of each value, by the root of its distance to a draw: news is seen early.

    With rewards of 1, .5 and 0, a shade begins at .543, .673 and .889.
    """
    win, draw, loss = rewards
    away = np.nan_to_num(values - draw)
    whole = np.where(away > 0, (win - draw) or 1.0, (draw - loss) or 1.0)
    steps = np.floor((SHADES + 0.4) * np.sqrt(np.abs(away / whole)))
    found: NDArray[np.int64] = (np.sign(away) * np.minimum(steps, SHADES)).astype(np.int64)
    return found
