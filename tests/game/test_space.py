"""The state space agrees with the board and with the published counts."""

from collections import Counter

import numpy as np

from afterstate_lab.game import Board, space


def test_the_published_counts():
    """Positions by ply, by result, by the side to move, up to symmetry; moves by their maker."""
    states = space()
    counts = [ids.stop - ids.start for ids in states.plies]
    assert counts == [1, 9, 72, 252, 756, 1260, 1520, 1140, 390, 78]
    assert np.bincount(states.outcome).tolist() == [4520, 626, 316, 16]
    assert np.bincount(states.ply[states.outcome == 0] % 2).tolist() == [2423, 2097]
    classes = np.unique(states.canonical)
    assert np.bincount(states.outcome[classes]).tolist() == [627, 91, 44, 3]
    assert np.bincount(states.ply[states.edge_state] % 2).tolist() == [8631, 7536]


def test_255168_games_by_result_and_length():
    ways = {Board(): 1}
    results: Counter[str | None] = Counter()
    lengths: Counter[int] = Counter()
    while ways:
        following: Counter[Board] = Counter()
        for board, count in ways.items():
            if board.is_over:
                results[board.winner] += count
                lengths[board.ply] += count
            for cell in board.legal_cells:
                following[board.play(cell)] += count
        ways = following
    assert results == {"X": 131_184, "O": 77_904, None: 46_080}
    assert lengths == {5: 1_440, 6: 5_328, 7: 47_952, 8: 72_576, 9: 127_872}
