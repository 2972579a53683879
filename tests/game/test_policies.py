"""Policies as arrays of edge probabilities."""

import numpy as np
import pytest

from afterstate_lab.game import Board, space
from afterstate_lab.game.exact import (
    combine,
    epsilon_greedy_policy,
    greedy_policy,
    minimax_values,
    opponent_of,
    optimal_edges,
    perfect_policy,
    resignation,
    uniform_policy,
)


def row(policy: np.ndarray, text: str) -> list[float]:
    """The probabilities of one position's legal moves, by cell."""
    state = Board.parse(text).id
    return policy[space().first_edge[state] : space().first_edge[state + 1]].tolist()


def preferring(**preferences: float) -> np.ndarray:
    """Preferences on the empty board, by cell name a-i; 0 elsewhere."""
    array = np.zeros(16167)
    for name, value in preferences.items():
        array["abcdefghi".index(name)] = value
    return array


def test_the_uniform_policy_plays_every_move_alike():
    assert row(uniform_policy(), ".........") == [1 / 9] * 9
    assert row(uniform_policy(), "XOXXOO.X.") == [1 / 2, 1 / 2]


def test_the_perfect_policy_spreads_over_the_optimal_moves():
    assert row(perfect_policy(), "X........") == [0, 0, 0, 1, 0, 0, 0, 0]
    assert (perfect_policy() > 0.0).tolist() == optimal_edges().tolist()


def test_the_greedy_policy_takes_the_preferred_move():
    assert row(greedy_policy(preferring(b=0.1)), ".........") == [0, 1, 0, 0, 0, 0, 0, 0, 0]


def test_exact_ties_share_the_greedy_mass():
    greedy = greedy_policy(preferring(a=0.3, i=0.3, e=np.nextafter(0.3, 0.0)))
    assert row(greedy, ".........") == [0.5, 0, 0, 0, 0, 0, 0, 0, 0.5]


def test_greedy_for_the_mover_in_minimax_is_perfect():
    signs = np.where(space().ply[space().edge_state] % 2 == 0, 1.0, -1.0)
    preferences = signs * minimax_values()[space().edge_successor]
    assert (greedy_policy(preferences) == perfect_policy()).all()


def test_epsilon_greedy_draws_from_all_moves_the_greedy_one_included():
    policy = epsilon_greedy_policy(preferring(a=1.0), epsilon=0.09)
    assert row(policy, ".........") == pytest.approx([0.92] + [0.01] * 8, rel=1e-15)


def test_epsilon_zero_is_greedy_and_one_is_uniform():
    preferences = np.random.default_rng(0).random(16167)
    assert (epsilon_greedy_policy(preferences, 0.0) == greedy_policy(preferences)).all()
    assert (epsilon_greedy_policy(preferences, 1.0) == uniform_policy()).all()


def test_combining_takes_each_players_moves_from_its_own_policy():
    combined = combine(perfect_policy(), uniform_policy())
    x_moves = space().ply[space().edge_state] % 2 == 0
    assert (combined[x_moves] == perfect_policy()[x_moves]).all()
    assert (combined[~x_moves] == uniform_policy()[~x_moves]).all()


@pytest.mark.parametrize("policy", [uniform_policy, perfect_policy])
def test_rounding_is_no_resignation(policy):
    assert not resignation(policy()).any()


def test_what_a_row_misses_of_one_resigns():
    policy = uniform_policy().copy()
    policy[:9] = [0.5, 0.25, 0, 0, 0, 0, 0, 0, 0]
    policy[9:17] = 0.0
    resigning = resignation(policy)
    assert resigning[:3].tolist() == [0.25, 1.0, 0.0]
    assert not resigning[space().outcome > 0].any()


def test_shared_policies_are_read_only_and_made_ones_are_not():
    assert not uniform_policy().flags.writeable
    assert not perfect_policy().flags.writeable
    assert greedy_policy(np.zeros(16167)).flags.writeable


@pytest.mark.parametrize("player", [0, 3])
def test_only_two_can_play(player: int):
    with pytest.raises(ValueError, match=f"{player} is no player: 1 is X, 2 is O"):
        opponent_of(player)
