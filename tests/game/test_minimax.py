"""Minimax: the known facts of the solved game, and a recursion that shares no code."""

import numpy as np
import pytest

from afterstate_lab.game import Board, reachable_boards, space
from afterstate_lab.game.exact import minimax, minimax_values, optimal_edges


def test_the_game_is_a_draw():
    assert minimax(Board()) == 0


@pytest.mark.parametrize("cell", range(9))
def test_every_opening_draws(cell: int):
    assert minimax(Board().play(cell)) == 0


@pytest.mark.parametrize(
    ("opening", "holding"),
    [(cell, 1) for cell in (0, 2, 6, 8)] + [(cell, 4) for cell in (1, 3, 4, 5, 7)],
)
def test_replies_that_hold(opening: int, holding: int):
    board = Board().play(opening)
    replies = [minimax(board.play(cell)) for cell in board.legal_cells]
    assert replies.count(0) == holding
    assert replies.count(1) == 8 - holding


def test_only_the_centre_holds_against_a_corner():
    board = Board().play(0)
    assert [cell for cell in board.legal_cells if minimax(board.play(cell)) == 0] == [4]


def test_minimax_is_the_plain_recursion_everywhere(slow):
    assert minimax_values().tolist() == [slow.minimax(str(board)) for board in reachable_boards()]


def test_every_move_is_optimal_in_1329_positions():
    decisions = np.flatnonzero(space().outcome == 0)
    indifferent = np.logical_and.reduceat(optimal_edges(), space().first_edge[decisions])
    assert len(indifferent) == 4520
    assert indifferent.sum() == 1329


def test_an_optimal_move_is_one_that_keeps_the_value():
    board = Board.parse("XX.OO....")
    edges = [space().edge_of[board.id, cell] for cell in board.legal_cells]
    assert optimal_edges()[edges].tolist() == [True, False, False, False, False]
