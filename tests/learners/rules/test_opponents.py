"""The opponents do what their one-line descriptions say, exactly."""

import pytest

from afterstate_lab.game import Board, reachable_boards, space
from afterstate_lab.game.constants import LINES
from afterstate_lab.game.exact import greedy_policy, minimax
from afterstate_lab.learners.engine.choices import exploration_rate
from afterstate_lab.learners.kernel.hooks import parameters
from afterstate_lab.learners.tape.recording import Move


def optimal(board):
    return [cell for cell in board.legal_cells if minimax(board.play(cell)) == minimax(board)]


def completing(board, mark):
    text = str(board)
    return [
        cell
        for cell in board.legal_cells
        if any(cell in line and all(text[c] == mark for c in line if c != cell) for line in LINES)
    ]


CHOICES = {
    "random": lambda board: board.legal_cells,
    "perfect": optimal,
    "drifting": optimal,
    "winblock": lambda board: (
        completing(board, board.to_move)
        or completing(board, "OX"[board.ply % 2])
        or board.legal_cells
    ),
    "biased": lambda board: board.legal_cells[:1],
}


@pytest.mark.parametrize("side", [0, 1])
@pytest.mark.parametrize("name", CHOICES)
def test_an_opponent_makes_each_of_its_moves_alike_and_no_other(lab, name, side):
    game = lab(name, name)
    policy = greedy_policy(game.layout.table(side).preferences(game.v))
    for board in reachable_boards():
        if not board.is_over and board.ply % 2 == side:
            cells = CHOICES[name](board)
            chances = policy[space().edge_of[board.id, list(board.legal_cells)]]
            expected = [(cell in cells) / len(cells) for cell in board.legal_cells]
            assert chances.tolist() == expected


def test_perfect_errs_with_the_probability_that_it_is_told(lab):
    """Where the dice fall below epsilon it makes any legal move, elsewhere an optimal one."""
    game = lab("perfect:epsilon=0.1", "perfect:epsilon=0.1").record(0, 500)
    moves = [event for event in game.events if isinstance(event, Move)]
    for move in moves:
        board = Board.from_id(move.board)
        cells = board.legal_cells if move.explore < 0.1 else optimal(board)
        assert (move.cell, move.choice) == (cells[int(move.pick * len(cells))], "drawn")
    erring = sum(move.explore < 0.1 for move in moves)
    assert abs(erring - 0.1 * len(moves)) < 3 * (0.09 * len(moves)) ** 0.5


def test_drifting_turns_from_random_to_perfect(lab):
    layout = lab("drifting:over=1000", "drifting").layout
    x, o = (parameters(table, layout, frozen=True) for table in (layout.x, layout.o))
    assert [exploration_rate(x, game) for game in (0, 250, 500, 1000, 9999)] == [1, 0.75, 0.5, 0, 0]
    assert [exploration_rate(o, game) for game in (0, 5000, 10_000)] == [1, 0.5, 0]
