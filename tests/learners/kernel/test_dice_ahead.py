"""Dice thrown ahead are the engine's own, and a game played with them is the same game."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from learners.engine.dice import COIN, EXPLORE, MASK, PICK, dice_word, game_key
from learners.kernel.dice_ahead import DiceAhead, key_ahead, word_ahead
from learners.kernel.kernel import BLOCK, WORTH_DICE_AHEAD, Kernel, new_tally
from learners.kernel.memory import Layout
from learners.players.resolve import parse_player

words = st.integers(0, MASK)


@given(
    words, words, st.integers(0, 2**50), st.integers(1, 9), st.sampled_from((EXPLORE, PICK, COIN))
)
def test_every_word_is_that_of_the_engine(low: int, high: int, first: int, ply: int, purpose: int):
    games = range(first, first + 3)
    dice = DiceAhead(low, high, first, games.stop)
    ahead = [word_ahead(*key_ahead(dice, first, game), ply, purpose) for game in games]
    assert ahead == [dice_word(*game_key(low, high, game), ply, purpose) for game in games]


@pytest.mark.parametrize("spec", ["td:epsilon=.3", "double-q", "menace"])
def test_many_games_at_once_are_those_one_by_one(spec: str):
    player = parse_player(spec)
    layout = Layout.of(player, player)
    once, single = layout.fresh(), layout.fresh()
    games = BLOCK + WORTH_DICE_AHEAD
    assert Kernel(layout, seed=3).play_interpreted(once, 0, games, new_tally()) == games
    kernel = Kernel(layout, seed=3)
    for game in range(games):
        kernel.play_interpreted(single, game, game + 1, new_tally())
    assert np.array_equal(once, single)
