"""The exact figures of a player."""

import numpy as np
import pytest

from afterstate_lab.game import Board, reachable_boards, space
from afterstate_lab.game.exact import (
    Outcome,
    PlayerEvaluation,
    evaluate_player,
    minimax,
    perfect_policy,
    uniform_policy,
)

LAST_BITS = 1e-14


def values(outcome: Outcome) -> tuple[float, float, float]:
    return outcome.win, outcome.draw, outcome.loss


@pytest.mark.parametrize(("player", "decisions"), [(1, 2423), (2, 2097)])
def test_the_perfect_player_draws_itself_and_errs_nowhere(player: int, decisions: int):
    figures = evaluate_player(perfect_policy(), player)
    assert not figures.beatable
    assert figures.worst_loss == 0.0
    assert figures.vs_perfect == Outcome(win=0.0, draw=1.0, loss=0.0)
    assert figures.optimal == (decisions, decisions)
    assert figures.vs_random.loss == 0.0


def test_results_are_told_from_the_players_side():
    x, o = (evaluate_player(perfect_policy(), player) for player in (1, 2))
    assert x.vs_random.win == pytest.approx(75257 / 77760, abs=LAST_BITS)
    assert o.vs_random.win == pytest.approx(2645 / 3402, abs=LAST_BITS)
    random_x, random_o = (evaluate_player(uniform_policy(), player) for player in (1, 2))
    assert values(random_x.vs_perfect) == values(o.vs_random)[::-1]
    assert values(random_o.vs_perfect) == values(x.vs_random)[::-1]
    assert values(random_o.vs_random) == values(random_x.vs_random)[::-1]


@pytest.mark.parametrize(("player", "worst"), [(1, 887 / 945), (2, 191 / 192)])
def test_the_random_player_is_beatable_as_often_as_anyone_can_beat_it(player: int, worst: float):
    figures = evaluate_player(uniform_policy(), player)
    assert figures.beatable
    assert figures.worst_loss == pytest.approx(worst, abs=LAST_BITS)


def test_figures_are_those_of_the_definitions(slow, random_rows):
    rows, policy = random_rows
    for player, mark in ((1, "X"), (2, "O")):
        optimal = missed = 0
        for board in reachable_boards():
            if board.is_over or board.to_move != mark:
                continue
            after = slow.after(str(board))
            played = [b for b, p in zip(after, rows(str(board)), strict=True) if p > 0]
            resigns = sum(rows(str(board))) < 1
            lost = minimax(board) == (-1 if mark == "X" else 1)
            optimal += all(slow.minimax(b) == minimax(board) for b in played) and (
                lost or not resigns
            )
            missed += any(map(slow.winner, after)) and (
                resigns or not all(map(slow.winner, played))
            )
        figures = evaluate_player(policy, player)
        assert figures.optimal[0] == optimal
        assert figures.missed_wins == missed


def test_a_win_is_missed_unless_it_is_certain():
    state = Board.parse("XX.OO....").id
    edges = slice(space().first_edge[state], space().first_edge[state + 1])

    def missed(row: list[float]) -> int:
        policy = perfect_policy().copy()
        policy[edges] = row
        return evaluate_player(policy, 1).missed_wins

    certain = missed([1, 0, 0, 0, 0])
    assert missed([1 - 1e-12, 1e-12, 0, 0, 0]) == certain + 1
    assert missed([0.5, 0, 0, 0, 0]) == certain + 1


def test_to_resign_is_optimal_only_when_lost():
    lost, drawn = Board.parse("X.X.O.X.O").id, Board.parse("X...O....").id
    assert minimax(Board.from_id(lost)) == 1
    counts = []
    for state in (lost, drawn):
        policy = perfect_policy().copy()
        policy[space().first_edge[state] : space().first_edge[state + 1]] = 0.0
        player = 1 + int(space().ply[state] % 2)
        right, of = evaluate_player(policy, player).optimal
        counts.append(of - right)
    assert counts == [0, 1]


def test_the_opponents_moves_do_not_count():
    policy = np.random.default_rng(0).random(16167)
    o_moves = space().ply[space().edge_state] % 2 == 1
    mixed = np.where(o_moves, policy, perfect_policy())
    assert evaluate_player(mixed, 1) == evaluate_player(perfect_policy(), 1)


@pytest.mark.parametrize("player", [1, 2])
def test_figures_are_plain_numbers(player: int):
    figures = evaluate_player(uniform_policy(), player)
    assert isinstance(figures, PlayerEvaluation)
    assert type(figures.beatable) is bool
    assert type(figures.worst_loss) is float
    assert {type(value) for value in values(figures.vs_random)} == {float}
    assert {type(count) for count in (*figures.optimal, figures.missed_wins)} == {int}
