"""The state space agrees with the board and with the published counts."""

from collections import Counter

import numpy as np

from afterstate_lab.game import Board, reachable_boards, space


def test_positions_by_ply():
    counts = [ids.stop - ids.start for ids in space().plies]
    assert counts == [1, 9, 72, 252, 756, 1260, 1520, 1140, 390, 78]
    assert sum(counts) == 5478


def test_4520_positions_go_on_and_958_are_terminal():
    goes_on, x_won, o_won, drawn = np.bincount(space().outcome).tolist()
    assert (goes_on, x_won, o_won, drawn) == (4520, 626, 316, 16)


def test_x_is_to_move_in_2423_positions_and_o_in_2097():
    plies = space().ply[space().outcome == 0]
    assert np.bincount(plies % 2).tolist() == [2423, 2097]


def test_765_positions_up_to_symmetry():
    classes = np.unique(space().canonical)
    assert len(classes) == 765
    assert np.bincount(space().outcome[classes]).tolist() == [627, 91, 44, 3]


def test_16167_moves_of_which_x_makes_8631():
    movers = space().ply[space().edge_state] % 2
    assert np.bincount(movers).tolist() == [8631, 7536]


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
    assert sum(results.values()) == 255_168


def test_every_array_agrees_with_the_board():
    states = space()
    edge = 0
    for id, board in enumerate(reachable_boards()):
        assert states.text(id) == str(board)
        assert states.codes[id] == board.code
        assert states.id_of_code[board.code] == id
        assert states.ply[id] == board.ply
        assert states.outcome[id] == (
            3 if board.is_draw else {None: 0, "X": 1, "O": 2}[board.winner]
        )
        assert states.first_edge[id] == edge
        for cell in range(9):
            if cell not in board.legal_cells:
                assert states.successor[id, cell] == states.edge_of[id, cell] == -1
                continue
            after = board.play(cell).id
            assert states.successor[id, cell] == states.edge_successor[edge] == after
            assert states.edge_of[id, cell] == edge
            assert (states.edge_state[edge], states.edge_cell[edge]) == (id, cell)
            edge += 1
    assert states.first_edge[-1] == edge == 16167
    assert (states.id_of_code >= 0).sum() == 5478


def test_ids_ascend_by_ply_and_then_by_code():
    keys = space().ply.astype(int) * 3**9 + space().codes
    assert (np.diff(keys) > 0).all()


def test_plies_are_slices_of_ids_and_of_edges():
    states = space()
    for ply, (ids, edges) in enumerate(zip(states.plies, states.ply_edges, strict=True)):
        assert (states.ply[ids] == ply).all()
        assert (states.ply[states.edge_state[edges]] == ply).all()
    assert states.plies[-1].stop == 5478
    assert states.ply_edges[-1].stop == 16167


def test_the_arrays_are_compact_shared_and_read_only():
    states = space()
    assert states is space()
    small = {"ply", "outcome", "edge_cell", "to_canonical", "canonical_cell"}
    arrays = {name: value for name, value in vars(states).items() if name in states.__annotations__}
    for name, value in arrays.items():
        if isinstance(value, np.ndarray):
            assert value.dtype == (np.int8 if name in small else np.int32), name
            assert not value.flags.writeable, name
