"""The dice are uniform, and what they show in one place says nothing about another.

All seeds are fixed. A chi-square of k cells has mean k - 1 and variance 2 (k - 1); the tests allow
four standard deviations, which a fair die exceeds about once in ten thousand.
"""

from math import sqrt

import numpy as np
import pytest

from afterstate_lab.learners.engine import dice

GAMES = 2_000
PLIES = range(1, 10)


def words(seed, purpose, games=range(GAMES)):
    """float64[games, 9]: the words of each game and ply, in [0, 1)."""
    low, high = dice.seed_words(seed)
    keys = (dice.game_key(low, high, game) for game in games)
    return (
        np.array([[dice.dice_word(*key, ply, purpose) for ply in PLIES] for key in keys])
        / dice.WORDS
    )


def assert_uniform(samples, cells):
    counts = np.bincount((samples.ravel() * cells).astype(int), minlength=cells)
    expected = samples.size / cells
    chi_square = ((counts - expected) ** 2 / expected).sum()
    assert abs(chi_square - (cells - 1)) < 4 * sqrt(2 * (cells - 1))


def assert_uncorrelated(one, other):
    """The correlation of n independent pairs has standard deviation 1 / sqrt(n)."""
    one, other = one.ravel(), other.ravel()
    assert abs(np.corrcoef(one, other)[0, 1]) < 4 / sqrt(len(one))


@pytest.mark.parametrize("purpose", [dice.EXPLORE, dice.PICK, dice.COIN])
def test_words_of_all_plies_of_each_and_their_low_bits_are_uniform(purpose):
    sample = words(7, purpose)
    for cells in (2, 9, 10, 256):
        assert_uniform(sample, cells)
    for of_ply in sample.T:
        assert_uniform(of_ply, 64)
    assert_uniform(sample * 2**24 % 1.0, 256)


def test_words_of_one_game_over_seeds_are_uniform_too():
    assert_uniform(np.concatenate([words(seed, dice.PICK, range(1)) for seed in range(1_000)]), 64)


def test_exploring_says_nothing_about_what_is_picked_or_the_next_ply_game_or_seed():
    explore, pick = words(5, dice.EXPLORE), words(5, dice.PICK)
    assert_uncorrelated(explore, pick)
    assert_uniform(pick[explore < 0.1], 9)
    assert_uncorrelated(explore[:, :-1], explore[:, 1:])
    assert_uniform(explore[:, 1:][explore[:, :-1] < 0.1], 10)
    assert_uncorrelated(explore[:-1], explore[1:])
    assert_uncorrelated(explore, words(6, dice.EXPLORE))


def test_keys_differ_by_seed_and_game_and_words_fit_in_32_bits():
    keys = [
        dice.game_key(*dice.seed_words(seed), game) for seed in range(10) for game in range(200)
    ]
    assert len(set(keys)) == len(keys)
    assert dice.game_key(1, 2, 5) != dice.game_key(1, 2, 5 + 2**32)
    assert dice.seed_words(0) != dice.seed_words(2**64)
    low, high = dice.game_key(dice.MASK, dice.MASK, 2**40)
    assert all(
        0 <= word <= dice.MASK for word in (low, high, dice.dice_word(low, high, 9, dice.COIN))
    )
