"""The opponents do what their one-line descriptions say, exactly."""

import pytest

from afterstate_lab.game import Board, reachable_boards, space
from afterstate_lab.game.constants import LINES
from afterstate_lab.game.exact import greedy_policy, minimax, perfect_policy, uniform_policy
from afterstate_lab.learners.engine.choices import exploration_rate
from afterstate_lab.learners.kernel.hooks import parameters
from afterstate_lab.learners.tape.recording import Move

SIDES = pytest.mark.parametrize(("player", "side"), [("X", 0), ("O", 1)])


def policy_of(lab, name, player):
    game = lab(name, name)
    return greedy_policy(game.table(player).preferences(game.v))


def own(side):
    return space().ply[space().edge_state] % 2 == side


def boards_of(side):
    return [board for board in reachable_boards() if not board.is_over and board.ply % 2 == side]


def played(policy, board):
    edges = {cell: space().edge_of[board.id, cell] for cell in board.legal_cells}
    return {cell: float(policy[edge]) for cell, edge in edges.items() if policy[edge] > 0}


@SIDES
def test_random_plays_every_legal_move_alike(lab, player, side):
    policy = policy_of(lab, "random", player)
    assert (policy[own(side)] == uniform_policy()[own(side)]).all()


@SIDES
def test_perfect_plays_uniformly_among_the_optimal_moves(lab, player, side):
    policy = policy_of(lab, "perfect", player)
    assert (policy[own(side)] == perfect_policy()[own(side)]).all()


def test_perfect_errs_with_the_probability_that_it_is_told(lab):
    """Where the dice fall below epsilon it makes any legal move, elsewhere an optimal one."""
    game = lab("perfect:epsilon=0.1", "perfect:epsilon=0.1").record(0, 500)
    moves = [event for event in game.events if isinstance(event, Move)]
    erring = [move for move in moves if move.explore < 0.1]
    for move in moves:
        board = Board.from_id(move.board)
        cells = board.legal_cells
        if move.explore >= 0.1:
            cells = [c for c in cells if minimax(board.play(c)) == minimax(board)]
        assert move.cell == cells[int(move.pick * len(cells))]
        assert move.choice == "drawn"
    assert abs(len(erring) - 0.1 * len(moves)) < 3 * (0.09 * len(moves)) ** 0.5


def completing(board, mark):
    text = str(board)
    return [
        cell
        for cell in board.legal_cells
        if any(cell in line and all(text[c] == mark for c in line if c != cell) for line in LINES)
    ]


@SIDES
def test_winblock_wins_if_it_can_else_blocks_else_plays_at_random(lab, player, side):
    policy = policy_of(lab, "winblock", player)
    opponent = "OX"[side]
    kinds = set()
    for board in boards_of(side):
        wins, blocks = completing(board, player), completing(board, opponent)
        cells = wins or blocks or board.legal_cells
        assert played(policy, board) == dict.fromkeys(cells, 1 / len(cells))
        kinds.add((bool(wins), bool(blocks)))
    assert len(kinds) == 4


@SIDES
def test_biased_prefers_the_lowest_free_cell(lab, player, side):
    policy = policy_of(lab, "biased", player)
    assert all(played(policy, board) == {board.legal_cells[0]: 1.0} for board in boards_of(side))


def test_drifting_turns_from_random_to_perfect(lab):
    assert (policy_of(lab, "drifting", "X") == policy_of(lab, "perfect", "X")).all()
    layout = lab("drifting:over=1000", "drifting").layout
    x, o = (parameters(table, layout, frozen=True) for table in (layout.x, layout.o))
    assert [exploration_rate(x, game) for game in (0, 250, 500, 1000, 9999)] == [1, 0.75, 0.5, 0, 0]
    assert [exploration_rate(o, game) for game in (0, 5000, 10_000)] == [1, 0.5, 0]
