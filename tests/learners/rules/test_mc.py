"""Monte Carlo by hand: every afterstate moves towards the result of the game (S&B 5, 6.1)."""

import numpy as np
import pytest

from afterstate_lab.game import space
from afterstate_lab.game.exact import expected_value, uniform_policy

START = "........."


def test_one_over_n_is_the_mean_of_the_results(lab):
    game = lab("mc:step=1/n", "human")
    # X wins, draws and loses after opening in the corner: 1, (1 + 0.5) / 2, (1 + 0.5 + 0) / 3.
    for cells, mean in ((lab.LOSS, 1.0), (lab.DRAWN, 0.75), ("142596", 0.5)):
        game.play(cells)
        assert game.value("X", "X........") == game.value("X", START) == mean
    assert game.visits("X", "X........") == 3
    assert game.value("X", "XX.O.....") == 0.5


@pytest.mark.slow
@pytest.mark.parametrize("player", ["X", "O"])
def test_means_against_random_play_are_the_exact_values_up_to_sampling(lab, player: str):
    """The error of a mean of n results is sigma / sqrt(n), no more and no less.

    All moves are drawn at random, so the results that follow an afterstate are independent draws
    with the exact mean v and the exact variance E[G^2] - v^2.
    """
    spec = "mc:step=1/n,epsilon=1"
    sample = lab(spec, spec)
    sample.kernel.compile()
    sample.kernel.play(sample.v, 0, 200_000, sample.tally)
    table, side = sample.table(player), "XO".index(player) + 1
    values, n = table.values(sample.v)[0], table.visits(sample.v)[0]
    exact = expected_value(uniform_policy(), side)
    variance = expected_value(uniform_policy(), side, draw=0.25) - exact**2
    certain = (n > 0) & (variance < 1e-12)
    assert certain.sum() > 50
    assert values[certain] == pytest.approx(exact[certain], abs=1e-12)
    often = (n > 30) & ~certain
    assert often.sum() > 1500
    squared = n[often] * (values - exact)[often] ** 2 / variance[often]
    # The squares have mean 1; entries overlap in games, hence the width of the interval.
    assert 0.9 < squared.mean() < 1.1
    assert values[0] == pytest.approx(exact[0], abs=4 * np.sqrt(variance[0] / n[0]))
    assert n[space().ply == 0] == 200_000
