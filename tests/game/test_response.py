"""Optimal play against a fixed opponent, and the worst that an opponent can do."""

from fractions import Fraction
from functools import cache

import numpy as np
import pytest

from afterstate_lab.game import Board, reachable_boards, space
from afterstate_lab.game.exact import (
    combine,
    evaluate,
    expected_value,
    greedy_policy,
    likeliest_refutation,
    optimal_response_values,
    perfect_policy,
    reached_positions,
    shortest_refutation,
    uniform_policy,
    worst_loss,
    worst_losses,
)

START = "........."
LAST_BITS = 1e-14
WINS_COUNT = (Fraction(1), Fraction(0), Fraction(0))
"""Rewards of a win, a draw, a loss: the value is the probability to win."""


def best_response(policy, player, **rewards):
    """The policy with the moves of `player` replaced by a best response to the opponent's."""
    values = optimal_response_values(policy, player, **rewards)
    response = greedy_policy(values[space().edge_successor])
    return combine(response, policy) if player == 1 else combine(policy, response)


@pytest.mark.parametrize(
    ("player", "mark", "most"),
    [(1, "X", Fraction(191, 192)), (2, "O", Fraction(887, 945))],
)
def test_the_most_that_a_player_can_win_against_random(slow, player, mark, most):
    assert slow.best(slow.uniform, mark, WINS_COUNT)(START) == most
    value = optimal_response_values(uniform_policy(), player, draw=0.0)[0]
    assert value == pytest.approx(float(most), abs=LAST_BITS)


def test_x_wins_the_most_against_random_without_a_loss():
    response = best_response(uniform_policy(), 1)
    x_wins, draws, o_wins = evaluate(response)[0]
    assert (x_wins, draws) == pytest.approx((191 / 192, 1 / 192), abs=LAST_BITS)
    assert o_wins == 0.0


def test_o_must_risk_a_loss_for_its_most_and_wins_less_while_unbeatable(slow):
    # A draw worth next to nothing: of all ways to win most, the one that loses least.
    x_wins, _, o_wins = evaluate(best_response(uniform_policy(), 2, draw=1e-6))[0]
    assert o_wins == pytest.approx(887 / 945, abs=LAST_BITS)
    assert x_wins > 0.0

    def unbeatable(board: str, values: list[Fraction]) -> Fraction:
        holds = [slow.minimax(after) <= 0 for after in slow.after(board)]
        # In a position that is lost already, no choice is left to make.
        return max(v for v, hold in zip(values, holds, strict=True) if hold or not any(holds))

    value = slow.best(slow.uniform, "O", WINS_COUNT, unbeatable)
    assert value(START) == Fraction(866, 945)


@pytest.mark.parametrize(
    ("cells", "value"),
    [((0, 2, 6, 8), 0.9948), ((4,), 0.9896), ((1, 3, 5, 7), 0.9870)],
    ids=["corner", "centre", "edge"],
)
def test_the_value_against_random_by_opening(cells: tuple[int, ...], value: float):
    optimal = optimal_response_values(uniform_policy(), 1, draw=0.0)
    for cell in cells:
        assert round(optimal[Board().play(cell).id], 4) == value


def test_exercise_1_4_what_exploring_costs_against_random():
    """S&B exercise 1.4: the value of the greedy player, and of the best one that explores."""
    never, tenth = (
        optimal_response_values(uniform_policy(), 1, draw=0.0, epsilon=epsilon)[0]
        for epsilon in (0.0, 0.1)
    )
    assert (round(never, 4), round(tenth, 4)) == (0.9948, 0.9743)


def test_exercise_1_4_when_the_exploratory_draw_leaves_the_best_move_out(slow):
    def choose(_: str, values: list[Fraction]) -> Fraction:
        *others, best = sorted(values)
        rest = sum(others) / len(others) if others else best
        return Fraction(9, 10) * best + Fraction(1, 10) * rest

    value = slow.best(slow.uniform, "X", WINS_COUNT, choose)(START)
    assert round(float(value), 4) == 0.9684


@pytest.mark.quick("policy0-rewards0-2-O", "policy1-rewards1-1-X")
@pytest.mark.parametrize(("player", "mark"), [(1, "X"), (2, "O")])
@pytest.mark.parametrize("rewards", [(1.0, 0.5, 0.0), (1.0, 0.0, -1.0)])
def test_optimal_values_are_those_of_the_plain_recursion(slow, random_rows, player, mark, rewards):
    rows, policy = random_rows
    value = slow.best(rows, mark, tuple(map(Fraction, rewards)))
    exact = [float(value(str(board))) for board in reachable_boards()]
    values = optimal_response_values(policy, player, *rewards)
    assert values == pytest.approx(np.array(exact), abs=LAST_BITS)


@pytest.mark.parametrize("player", [1, 2])
def test_a_best_response_attains_the_optimal_value(random_rows, player):
    _, policy = random_rows
    response = best_response(policy, player)
    attained = expected_value(response, player)
    assert attained == pytest.approx(optimal_response_values(policy, player), abs=LAST_BITS)
    opponents_moves = space().ply[space().edge_state] % 2 != player - 1
    assert (response[opponents_moves] == policy[opponents_moves]).all()


@pytest.mark.quick("policy0-1-O", "policy1-2-X")
@pytest.mark.parametrize(("player", "opponent"), [(1, "O"), (2, "X")])
def test_the_worst_loss_is_the_opponents_best_win(slow, random_rows, player, opponent):
    rows, policy = random_rows
    value = slow.best(rows, opponent, WINS_COUNT)
    exact = [value(str(board)) for board in reachable_boards()]
    worst = worst_losses(policy, player)
    assert worst == pytest.approx(np.array(exact, dtype=float), abs=LAST_BITS)
    assert ((worst > 0.0) == (np.array(exact) > 0)).all()
    assert worst_loss(policy, player) == worst[0]


@pytest.mark.parametrize("player", [1, 2])
def test_perfect_players_cannot_be_beaten(player: int):
    assert worst_loss(perfect_policy(), player) == 0.0
    assert shortest_refutation(perfect_policy(), player) is None


@pytest.mark.parametrize(("player", "game"), [(1, (0, 1, 2, 4, 3, 7)), (2, (0, 1, 3, 2, 6))])
def test_the_random_player_can_lose_as_fast_as_the_rules_allow(player: int, game: tuple[int, ...]):
    assert shortest_refutation(uniform_policy(), player) == game


@pytest.mark.parametrize("player", [1, 2])
def test_a_refutation_is_a_game_that_the_player_may_play_and_loses(slow, player):
    beaten = 0
    for seed in range(20):
        policy = greedy_policy(np.random.default_rng(seed).random(16167))
        game = shortest_refutation(policy, player)
        assert (game is None) == (worst_loss(policy, player) == 0.0)
        if game is None:
            continue
        board = Board()
        for cell in game:
            if board.ply % 2 == player - 1:
                assert policy[space().edge_of[board.id, cell]] > 0.0
            board = board.play(cell)
        assert board.winner == "XO"[2 - player]
        beaten += 1
    assert beaten > 0


def test_no_shorter_game_refutes(slow, random_rows):
    rows, policy = random_rows

    @cache
    def plies(board: str, player: str) -> float:
        if slow.winner(board):
            return 0 if slow.winner(board) != player else float("inf")
        after = slow.after(board)
        if slow.mover(board) == player:
            if sum(rows(board)) < 1:
                return 0
            after = [b for b, p in zip(after, rows(board), strict=True) if p > 0]
        return 1 + min((plies(b, player) for b in after), default=float("inf"))

    for player, mark in ((1, "X"), (2, "O")):
        assert len(shortest_refutation(policy, player)) == plies(START, mark)


def test_a_resignation_ends_the_refutation_before_the_move():
    policy = perfect_policy().copy()
    policy[:9] = 0.0
    assert shortest_refutation(policy, 1) == ()
    assert worst_loss(policy, 1) == 1.0
    assert optimal_response_values(policy, 2)[0] == 1.0


@pytest.mark.parametrize("player", [1, 2])
def test_the_likeliest_refutation_of_a_deterministic_player_is_the_shortest(player):
    assert likeliest_refutation(perfect_policy(), player) is None
    for seed in range(20):
        policy = greedy_policy(np.random.default_rng(seed).random(16167))
        found, game = likeliest_refutation(policy, player), shortest_refutation(policy, player)
        assert (found is None) == (game is None)
        assert found is None or (found.cells, found.probability) == (game, 1.0)


@pytest.mark.quick("policy0-2-O", "policy1-1-X")
@pytest.mark.parametrize(("player", "mark"), [(1, "X"), (2, "O")])
def test_the_likeliest_refutation_is_that_of_plain_recursion(slow, random_rows, player, mark):
    rows, policy = random_rows

    @cache
    def of(board: str) -> tuple[Fraction, Fraction, int]:
        """The best opponent's chance; the likeliest such game, and minus its length."""
        after = slow.after(board)
        if not after:
            lost = Fraction(slow.winner(board) not in (None, mark))
            return lost, lost, 0
        found = [of(b) for b in after]
        if slow.mover(board) == mark:
            chances = rows(board)
            rest = 1 - sum(chances)
            worst = rest + sum(p * w for p, (w, _, _) in zip(chances, found, strict=True))
            games = [(p * q, n - 1) for p, (_, q, n) in zip(chances, found, strict=True)]
            return worst, *max([*games, (rest, 0)])
        worst = max(w for w, _, _ in found)
        return worst, *max((q, n - 1) for w, q, n in found if w == worst)

    worst, likely, length = of(START)
    found = likeliest_refutation(policy, player)
    assert worst > 0
    assert found.probability == pytest.approx(float(likely), rel=1e-12)
    assert len(found.cells) == -length


def test_a_game_may_end_by_resignation():
    policy = perfect_policy().copy()
    policy[:9] = 0.0
    assert likeliest_refutation(policy, 1) == ((), 1.0)


@pytest.mark.parametrize("player", [1, 2])
def test_what_is_reached_is_what_legal_games_against_the_policy_reach(player):
    policy = greedy_policy(np.random.default_rng(3).random(16167))
    found, ply = {Board()}, {Board()}
    while ply:
        ply = {
            board.play(cell)
            for board in ply
            for cell in board.legal_cells
            if board.ply % 2 != player - 1 or policy[space().edge_of[board.id, cell]] > 0
        }
        found |= ply
    reached = reached_positions(policy, player)
    assert {Board.from_id(n) for n in np.flatnonzero(reached).tolist()} == found
