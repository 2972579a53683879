"""The board, its symmetries and the space of states: the rules again, texts, published counts."""

import copy

import numpy as np
import pytest
import referee
from hypothesis import given
from hypothesis import strategies as st

from afterstate_lab.game import Board, InvalidBoardError, reachable_boards, space
from afterstate_lab.game.constants import SYMMETRIES

boards = st.integers(0, 5477).map(Board.from_id)
symmetries, cells = st.integers(0, 7), st.integers(0, 8)
TEXTS = st.text("XO.", min_size=9, max_size=9)


def apply(symmetry, text):
    """The image of a board."""
    return "".join(text[SYMMETRIES[symmetry].index(cell)] for cell in range(9))


def canonical(board):
    """The image of a board with the smallest code."""
    images = (Board.parse(apply(symmetry, str(board))) for symmetry in range(8))
    return min(images, key=lambda image: image.code)


def test_every_reachable_board_follows_the_rules_and_comes_in_order_of_its_id():
    found = list(reachable_boards())
    assert [board.id for board in found] == list(range(5478))
    assert {str(board) for board in found} == {*referee.boards()}
    assert str(found[0]) == str(Board()) == "........."
    for board in found:
        text = str(board)
        assert (board.winner, board.to_move) == (referee.winner(text), referee.mover(text))
        assert [str(board.play(cell)) for cell in board.legal_cells] == referee.afters(text)
        assert [board.play(cell).id for cell in board.legal_cells] == [
            after for after in space().successor[board.id].tolist() if after >= 0
        ]
        assert board.is_over == (not referee.afters(text))
        assert str(board) == text
    assert Board.parse("X.O.X....").code == 1 + 2 * 9 + 81


def test_every_text_that_is_not_reachable_is_refused():
    reachable = {board.code for board in reachable_boards()}
    for code in set(range(3**9)) - reachable:
        with pytest.raises(InvalidBoardError):
            Board.parse("".join(".XO"[code // 3**cell % 3] for cell in range(9)))


@given(boards, boards)
def test_a_board_survives_its_text_code_id_repr_and_copies(board, other):
    assert Board.parse(str(board)) == Board.from_id(board.id) == board
    assert eval(repr(board)) == copy.deepcopy(board) == board
    assert (board == other) == (str(board) == str(other))
    assert hash(board) == hash(Board.parse(str(board)))
    with pytest.raises(AttributeError):
        board._cells = "X........"


@given(symmetries, symmetries, cells, TEXTS)
def test_eight_symmetries_form_a_group_and_the_second_turns_clockwise(second, first, cell, text):
    assert len(set(SYMMETRIES)) == 8
    assert apply(1, "XOX......") == "..X..O..X"
    both = SYMMETRIES.index(tuple(SYMMETRIES[second][cell] for cell in SYMMETRIES[first]))
    assert apply(both, text) == apply(second, apply(first, text))
    assert SYMMETRIES[both][cell] == SYMMETRIES[second][SYMMETRIES[first][cell]]
    back = SYMMETRIES.index(tuple(map(SYMMETRIES[first].index, range(9))))
    assert apply(back, apply(first, text)) == text
    assert apply(first, text)[SYMMETRIES[first][cell]] == text[cell]


@given(symmetries, boards)
def test_symmetric_boards_have_the_same_moves_and_one_representative(symmetry, board):
    turned = Board.parse(apply(symmetry, str(board)))
    assert space().text(space().symmetry_maps[symmetry, board.id]) == str(turned)
    for cell in board.legal_cells:
        after = apply(symmetry, str(board.play(cell)))
        assert str(turned.play(SYMMETRIES[symmetry][cell])) == after
    assert turned.canonical == board.canonical == canonical(board)


@given(boards)
def test_the_state_space_maps_every_move_to_the_representative(board):
    states = space()
    named = Board.from_id(states.canonical[board.id])
    symmetry = SYMMETRIES.index(tuple(states.canonical_cell[board.id].tolist()))
    assert named == canonical(board)
    assert apply(symmetry, str(board)) == str(named)
    assert all(apply(earlier, str(board)) != str(named) for earlier in range(symmetry))


@given(boards)
def test_moves_share_an_entry_exactly_when_they_lead_to_symmetric_boards(board):
    states = space()
    classes: dict[int, int] = {}
    for cell in board.legal_cells:
        entry = int(states.canonical_edge[states.edge_of[board.id, cell]])
        assert states.edge_state[entry] == states.canonical[board.id]
        afterstate = states.canonical[states.successor[board.id, cell]]
        assert states.canonical[states.edge_successor[entry]] == afterstate
        assert classes.setdefault(entry, afterstate) == afterstate
        mapped = states.edge_of[states.canonical[board.id], states.canonical_cell[board.id, cell]]
        assert entry <= mapped
    assert space().canonical_edge[:9].tolist() == [0, 1, 0, 1, 4, 1, 0, 1, 0]


def test_the_published_counts():
    """Positions by ply, by result, by the side to move, up to symmetry; moves by their maker."""
    states = space()
    assert np.bincount(states.ply).tolist() == [1, 9, 72, 252, 756, 1260, 1520, 1140, 390, 78]
    assert np.bincount(states.outcome).tolist() == [4520, 626, 316, 16]
    assert np.bincount(states.ply[states.outcome == 0] % 2).tolist() == [2423, 2097]
    classes = np.unique(states.canonical)
    assert np.bincount(states.outcome[classes]).tolist() == [627, 91, 44, 3]
    assert np.bincount(states.ply[states.edge_state] % 2).tolist() == [8631, 7536]
