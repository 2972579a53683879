"""The board: its rules, its text, and what it says when it is misused."""

import copy

import pytest
from hypothesis import given
from hypothesis import strategies as st

from afterstate_lab.game import Board, IllegalMoveError, InvalidBoardError, reachable_boards, space

boards = st.integers(0, 5477).map(Board.from_id)
ongoing = boards.filter(lambda board: not board.is_over)


def test_the_game_starts_on_an_empty_board_with_x_to_move():
    board = Board()
    assert str(board) == "........."
    assert board.to_move == "X"
    assert board.legal_cells == tuple(range(9))
    assert board.id == board.code == board.ply == 0


def test_a_game_in_which_the_top_row_wins():
    board = Board()
    for cell in (0, 4, 1, 8):
        board = board.play(cell)
    assert str(board) == "XX..O...O"
    assert board.winner is None
    board = board.play(2)
    assert board.winner == "X"
    assert board.is_over
    assert not board.is_draw
    assert board.legal_cells == ()


def test_a_full_board_without_a_line_is_a_draw():
    board = Board.parse("XOXXOOOXX")
    assert board.is_over
    assert board.is_draw
    assert board.winner is None


def test_a_line_on_a_full_board_is_a_win():
    board = Board.parse("XOXOXOXOX")
    assert board.winner == "X"
    assert not board.is_draw


def test_a_move_leaves_the_board_before_it_as_it_was():
    board = Board()
    board.play(4)
    assert board == Board()


def test_a_board_cannot_be_changed():
    with pytest.raises(AttributeError):
        Board()._cells = "X........"


def test_the_code_counts_cells_in_base_three():
    assert Board.parse("X.O.X....").code == 1 + 2 * 9 + 81


def test_the_canonical_board_has_the_smallest_code():
    assert str(Board.parse("........X").canonical) == "X........"


def test_all_reachable_boards_come_in_order_of_their_ids(slow):
    found = list(reachable_boards())
    assert [board.id for board in found] == list(range(5478))
    assert {str(board) for board in found} == slow.boards()


def test_every_text_that_is_not_reachable_is_refused():
    reachable = {board.code for board in reachable_boards()}
    for code in set(range(3**9)) - reachable:
        with pytest.raises(InvalidBoardError):
            Board.parse("".join(".XO"[code // 3**cell % 3] for cell in range(9)))


@given(boards)
def test_a_board_survives_its_text_code_id_repr_and_copies(board: Board):
    assert Board.parse(str(board)) == board
    assert Board.from_id(board.id) == board
    assert eval(repr(board)) == board
    assert copy.deepcopy(board) == board


@given(boards, boards)
def test_boards_are_equal_exactly_when_their_texts_are(one: Board, other: Board):
    assert (one == other) == (str(one) == str(other))
    assert hash(one) == hash(Board.parse(str(one)))


@given(ongoing)
def test_every_legal_move_adds_one_mark_of_the_mover(board: Board):
    for cell in board.legal_cells:
        after = board.play(cell)
        assert str(after)[cell] == board.to_move
        assert after.ply == board.ply + 1
        assert after.to_move != board.to_move
        assert after.id == space().successor[board.id, cell]


@given(boards, st.integers(-20, 20))
def test_a_move_is_refused_exactly_when_it_is_not_legal(board: Board, cell: int):
    if cell in board.legal_cells:
        board.play(cell)
    else:
        with pytest.raises(IllegalMoveError):
            board.play(cell)


@given(st.text(max_size=12) | st.text("XO.", min_size=9, max_size=9))
def test_parsing_gives_the_board_of_the_text_or_says_that_there_is_none(text: str):
    if text in space().texts:
        assert str(Board.parse(text)) == text
    else:
        with pytest.raises(InvalidBoardError) as refusal:
            Board.parse(text)
        assert str(refusal.value).isprintable()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("X.O", "'X.O' is no board: its length is 3, a board has 9 characters."),
        ("X" * 99, f"'{'X' * 24}'... is no board: its length is 99, a board has 9 characters."),
        (
            "X.O.x....",
            "'X.O.x....' is no board: it contains 'x', a board has only 'X', 'O' and '.'.",
        ),
        (
            "X.O.\x1b....",
            r"'X.O.\x1b....' is no board: it contains '\x1b', a board has only 'X', 'O' and '.'.",
        ),
        (
            "O........",
            (
                "'O........' is no board: X has 0 and O has 1 marks, "
                "but X opens and the players take turns."
            ),
        ),
        ("XXXOOO...", "'XXXOOO...' is no board: both players have three in a row."),
        ("XXXOO...O", "'XXXOO...O' is no board: play went on after X had won."),
        ("OOOXX.X.X", "'OOOXX.X.X' is no board: play went on after O had won."),
    ],
)
def test_a_refused_text_is_told_in_one_sentence_what_is_wrong(text: str, message: str):
    with pytest.raises(InvalidBoardError) as refusal:
        Board.parse(text)
    assert str(refusal.value) == message


@pytest.mark.parametrize(
    ("text", "cell", "message"),
    [
        ("X........", 0, "Cell 1 is taken by X: free cells are 2, 3, 4, 5, 6, 7, 8, 9."),
        ("X........", 9, "Cell 10 is off the board: cells are 1 to 9."),
        ("X........", -1, "Cell 0 is off the board: cells are 1 to 9."),
        ("XXXOO....", 8, "The game is over: XXXOO.... is won by X."),
        ("XOXXOOOXX", 0, "The game is over: XOXXOOOXX is a draw."),
    ],
)
def test_a_refused_move_is_told_in_one_sentence_what_is_wrong(text: str, cell: int, message: str):
    with pytest.raises(IllegalMoveError) as refusal:
        Board.parse(text).play(cell)
    assert str(refusal.value) == message


@pytest.mark.parametrize("id", [-1, 5478])
def test_an_id_off_the_scale_is_refused(id: int):
    with pytest.raises(InvalidBoardError, match="ids run from 0 to 5477"):
        Board.from_id(id)
