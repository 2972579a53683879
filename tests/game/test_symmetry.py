"""The eight symmetries form a group and respect the rules."""

from hypothesis import given
from hypothesis import strategies as st

from afterstate_lab.game import Board, space
from afterstate_lab.game.constants import INVERSES, SYMMETRIES, apply

symmetries = st.integers(0, 7)
cells = st.integers(0, 8)
boards = st.integers(0, 5477).map(Board.from_id)


def test_there_are_eight_different_symmetries():
    assert len(set(SYMMETRIES)) == 8
    assert SYMMETRIES[0] == tuple(range(9))


def test_a_quarter_turn_clockwise_sends_the_top_row_to_the_right_column():
    assert apply(1, "XOX......") == "..X..O..X"


@given(symmetries, st.text("XO.", min_size=9, max_size=9))
def test_the_inverse_undoes_a_symmetry(symmetry: int, text: str):
    assert apply(SYMMETRIES.index(INVERSES[symmetry]), apply(symmetry, text)) == text


@given(symmetries, symmetries, cells, st.text("XO.", min_size=9, max_size=9))
def test_a_composition_does_one_after_the_other(second: int, first: int, cell: int, text: str):
    both = SYMMETRIES.index(tuple(SYMMETRIES[second][cell] for cell in SYMMETRIES[first]))
    assert apply(both, text) == apply(second, apply(first, text))
    assert SYMMETRIES[both][cell] == SYMMETRIES[second][SYMMETRIES[first][cell]]


@given(symmetries, boards, cells)
def test_the_mark_moves_with_its_cell(symmetry: int, board: Board, cell: int):
    assert apply(symmetry, str(board))[SYMMETRIES[symmetry][cell]] == str(board)[cell]


@given(symmetries, boards)
def test_to_move_and_then_turn_is_to_turn_and_then_move(symmetry: int, board: Board):
    turned = Board.parse(apply(symmetry, str(board)))
    for cell in board.legal_cells:
        after = apply(symmetry, str(board.play(cell)))
        assert str(turned.play(SYMMETRIES[symmetry][cell])) == after


@given(symmetries, boards)
def test_symmetric_boards_have_one_representative(symmetry: int, board: Board):
    turned = Board.parse(apply(symmetry, str(board)))
    assert turned.canonical == board.canonical
    assert board.canonical.canonical == board.canonical
    assert board.canonical.code <= board.code


@given(symmetries, boards)
def test_the_state_space_knows_the_image_of_every_board(symmetry: int, board: Board):
    image = space().symmetry_maps[symmetry, board.id]
    assert space().text(image) == apply(symmetry, str(board))


@given(boards)
def test_the_state_space_maps_every_move_to_the_representative(board: Board):
    states = space()
    canonical = Board.from_id(states.canonical[board.id])
    symmetry = int(states.to_canonical[board.id])
    assert canonical == board.canonical
    assert apply(symmetry, str(board)) == str(canonical)
    for earlier in range(symmetry):
        assert apply(earlier, str(board)) != str(canonical)
    for cell in range(9):
        assert states.canonical_cell[board.id, cell] == SYMMETRIES[symmetry][cell]


@given(boards)
def test_moves_share_an_entry_exactly_when_they_lead_to_symmetric_boards(board: Board):
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


def test_the_nine_openings_share_three_entries():
    entries = space().canonical_edge[:9].tolist()
    assert entries == [0, 1, 0, 1, 4, 1, 0, 1, 0]
