"""Against the exact oracle: what is true stays, and what wins is found.

`biased` always takes the lowest free cell, so against it the optimal value of every afterstate is a
win, a draw or a loss for certain. A greedy move leads to an afterstate of the same optimal value,
so every backup from greedy moves has error 0: the exact values are a fixed point, to the bit.
"""

import pytest

from afterstate_lab.game import Side
from afterstate_lab.game.exact import (
    combine,
    greedy_policy,
    optimal_response_values,
    outcome_against,
    uniform_policy,
)

FIXED = [
    "td",
    "td:step=1/n",
    "chain:exploration=skip",
    "chain:exploration=forget",
    "chain:plies=all,exploration=skip",
    "chain:plies=all,exploration=forget",
    "mc:exploration=forget",
    "nstep:n=2",
    "nstep:n=4",
    "tdlambda:lambda=0.8",
    "tdlambda:lambda=1,traces=dutch",
]
"""Specs that learn from greedy moves only."""
LEARNERS = [*FIXED, "td:exploration=learn", "chain", "chain:plies=all", "mc"]
"""Those that learn what is true against this opponent; negamax takes any opponent for perfect."""


def against_biased(lab, spec, player):
    """A lab with a learner on one side, and the policy in which `biased` moves on both."""
    game = lab(*((spec, "biased") if player == "X" else ("biased", spec)))
    opponent = "XO"[player == "X"]
    policies = {
        player: uniform_policy(),
        opponent: greedy_policy(game.table(opponent).preferences(game.v)),
    }
    return game, combine(policies["X"], policies["O"])


@pytest.mark.quick("td-O", "nstep:n=2-X", "tdlambda:lambda=0.8-X")
@pytest.mark.parametrize("player", ["X", "O"])
@pytest.mark.parametrize("spec", FIXED)
def test_the_optimal_values_are_a_fixed_point(lab, spec, player):
    settings = f"{spec}{',' if ':' in spec else ':'}epsilon=0.5"
    game, policy = against_biased(lab, settings, player)
    values = game.table(player).values(game.v)[0]
    values[:] = optimal_response_values(policy, Side.parse(player))
    before = game.v[: len(game.v) // 2].copy()
    game.record(0, 300)
    assert len(game.backups(player)) > 300
    assert {event.error for event in game.backups(player)} == {0.0}
    assert game.v[: len(before)].tobytes() == before.tobytes()


@pytest.mark.quick("td:step=1/n-X", "nstep:n=2-O", "mc-O", "chain-X")
@pytest.mark.parametrize("player", ["X", "O"])
@pytest.mark.parametrize("spec", LEARNERS)
def test_the_learner_finds_how_to_win_every_game_that_can_be_won(lab, spec, player):
    settings = f"{spec}{',' if ':' in spec else ':'}alpha=0.3,epsilon=0.2"
    game, policy = against_biased(lab, settings, player)
    side = Side.parse(player)
    assert optimal_response_values(policy, side)[0] == 1.0
    game.kernel.play_interpreted(game.v, 0, 3000, game.tally)
    learned = greedy_policy(game.table(player).preferences(game.v))
    assert outcome_against(policy, learned, side).win == 1.0
