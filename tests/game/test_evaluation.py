"""Exact evaluation against known fractions and against a recursion on exact fractions."""

from fractions import Fraction

import numpy as np
import pytest

from afterstate_lab.game import Board, reachable_boards, space
from afterstate_lab.game.exact import (
    combine,
    evaluate,
    expected_value,
    perfect_policy,
    uniform_policy,
)

START = "........."
LAST_BITS = 1e-14
"""What nine plies of rounding can cost a probability."""


def split(x: Fraction, o: Fraction) -> tuple[Fraction, Fraction, Fraction]:
    """(X wins, draw, O wins) with what is left to the draw."""
    return x, 1 - x - o, o


RANDOM_V_RANDOM = (Fraction(737, 1260), Fraction(8, 63), Fraction(121, 420))
PERFECT_X_V_RANDOM = split(Fraction(75257, 77760), Fraction(0))
PERFECT_O_V_RANDOM = split(Fraction(0), Fraction(2645, 3402))


def test_random_against_random(slow):
    assert slow.evaluate(slow.uniform)(START) == RANDOM_V_RANDOM
    assert evaluate(uniform_policy())[0] == pytest.approx(
        [float(p) for p in RANDOM_V_RANDOM], abs=LAST_BITS
    )


@pytest.mark.parametrize(
    ("perfect", "known"),
    [("X", PERFECT_X_V_RANDOM), ("O", PERFECT_O_V_RANDOM)],
)
def test_perfect_against_random(slow, perfect: str, known: tuple[Fraction, ...]):
    def rows(board: str) -> list[Fraction]:
        return (slow.perfect if slow.mover(board) == perfect else slow.uniform)(board)

    pair = (perfect_policy(), uniform_policy())
    policy = combine(*(pair if perfect == "X" else pair[::-1]))
    assert slow.evaluate(rows)(START) == known
    assert evaluate(policy)[0] == pytest.approx([float(p) for p in known], abs=LAST_BITS)


def test_perfect_against_perfect_draws_for_certain():
    assert evaluate(perfect_policy())[0].tolist() == [0.0, 1.0, 0.0]


@pytest.mark.quick("policy0")
def test_any_policy_is_evaluated_as_the_plain_recursion_does(slow, random_rows):
    rows, policy = random_rows
    recursion = slow.evaluate(rows)
    exact = np.array([recursion(str(board)) for board in reachable_boards()])
    values = evaluate(policy)
    assert values.shape == (5478, 3)
    assert values == pytest.approx(exact.astype(float), abs=LAST_BITS)
    assert ((values == 0.0) == (exact == 0)).all()


def test_a_game_that_is_over_ends_as_it_did():
    values = evaluate(uniform_policy())
    assert values[Board.parse("XXXOO....").id].tolist() == [1.0, 0.0, 0.0]
    assert values[Board.parse("XOXXOOOXX").id].tolist() == [0.0, 1.0, 0.0]
    assert values[Board.parse("OOOXX.X..").id].tolist() == [0.0, 0.0, 1.0]


def test_a_resignation_wins_for_the_opponent():
    policy = uniform_policy().copy()
    policy[:9] = 0.0
    assert evaluate(policy)[0].tolist() == [0.0, 0.0, 1.0]
    first_of_o = space().ply_edges[1]
    policy = uniform_policy().copy()
    policy[first_of_o] = 0.0
    assert evaluate(policy)[0].tolist() == [1.0, 0.0, 0.0]


@pytest.mark.parametrize(
    ("player", "expected"),
    [(1, 737 / 1260 + 0.5 * 8 / 63), (2, 121 / 420 + 0.5 * 8 / 63)],
)
def test_the_expected_value_counts_a_draw_as_half_a_win(player: int, expected: float):
    value = expected_value(uniform_policy(), player)
    assert value.shape == (5478,)
    assert value[0] == pytest.approx(expected, abs=LAST_BITS)


def test_the_expected_value_takes_other_rewards():
    value = expected_value(uniform_policy(), 2, win=1.0, draw=0.0, loss=-1.0)
    assert value[0] == pytest.approx(121 / 420 - 737 / 1260, abs=LAST_BITS)
