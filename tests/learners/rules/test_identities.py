"""What theory says is the same, tested on the same games: to the bit where both round alike.

Two rules play every game from the memory that the first has reached by then, so they see the same
boards, make the same moves, and differ only in what they write.
"""

import numpy as np
import pytest

ROUNDINGS = 2
"""In how many units in the last place (of 1) two sums of at most five terms in [-1, 1] differ."""

SETTINGS = [
    "alpha=0.3,epsilon=0.4",
    "alpha=0.1,epsilon=0.4,draw=0.2,symmetry=on",
    "alpha=0.9,epsilon=0.4,initial=0.7",
]


def farthest_apart(lab, one, other, games=500):
    """The largest difference of a value after any game, in units in the last place of 1."""
    first, second = lab(one, one, seed=5), lab(other, other, seed=5)
    n, worst = len(first.v) // 2, 0.0
    for number in range(games):
        second.v[:] = first.v
        for side in (first, second):
            side.kernel.play_interpreted(side.v, number, number + 1, side.tally)
        worst = max(worst, np.abs(first.v[:n] - second.v[:n]).max())
    assert first.tally.tolist() == second.tally.tolist()
    assert np.count_nonzero(first.v[n:] > 0) > 300
    return float(worst / np.spacing(1.0))


@pytest.mark.quick("alpha=0.3,epsilon=0.4-skip", "alpha=0.9,epsilon=0.4,initial=0.7-learn")
@pytest.mark.parametrize("exploration", ["learn", "skip"])
@pytest.mark.parametrize("settings", SETTINGS)
def test_the_reverse_chain_is_td_lambda_with_lambda_alpha_up_to_rounding(
    lab, settings, exploration
):
    alpha = settings.removeprefix("alpha=").partition(",")[0]
    chain = f"chain:{settings},exploration={exploration}"
    forward = f"tdlambda:lambda={alpha},{settings},exploration={exploration}"
    assert 0.0 < farthest_apart(lab, chain, forward) <= ROUNDINGS


@pytest.mark.parametrize(
    ("spec", "names"),
    [
        ("td:exploration={}", "skip learn"),
        ("chain:exploration={}", "learn forget skip"),
        ("chain:plies=all,exploration={}", "learn forget skip"),
        ("mc:exploration={}", "learn forget"),
        ("nstep:exploration={}", "skip learn"),
        ("tdlambda:exploration={}", "skip learn"),
        ("{}:alpha=0.3,gamma=0.9", "q sarsa expected-sarsa"),
        ("{}:step=1/n,symmetry=on", "q sarsa expected-sarsa"),
    ],
)
def test_with_no_exploration_these_are_the_same_to_the_bit(lab, spec, names):
    """A greedy A' is worth the maximum, whichever of the best it is."""
    memories = set()
    for name in names.split():
        game = lab(*2 * [f"{spec.format(name)},epsilon=0"], seed=5)
        game.kernel.play_interpreted(game.v, 0, 500, game.tally)
        memories.add(game.v.tobytes())
    assert len(memories) == 1
