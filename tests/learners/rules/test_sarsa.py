"""Sarsa by hand: Q(S,A) <- Q(S,A) + alpha [R + gamma Q(S',A') - Q(S,A)] (S&B 6.4)."""

import numpy as np
import pytest

from afterstate_lab.game import space
from afterstate_lab.game.exact import expected_value, optimal_response_values, uniform_policy
from afterstate_lab.learners.kernel.kernel import Kernel, new_tally
from afterstate_lab.learners.kernel.memory import Layout
from afterstate_lab.learners.players.resolve import parse_player

CENTRE, CORNERS = {4}, {0, 2, 6, 8}


@pytest.mark.parametrize("options", ["alpha=0.3,gamma=0.9", "step=1/n,symmetry=on"])
def test_without_exploration_sarsa_is_q_learning_bit_for_bit(options: str):
    """A greedy A' is worth the maximum, whichever of the best it is."""
    memories = []
    for name in ("sarsa", "q"):
        spec = parse_player(f"{name}:epsilon=0,{options}")
        layout = Layout.of(spec, spec)
        memory = layout.fresh()
        Kernel(layout, seed=5).play_interpreted(memory, 0, 2000, new_tally())
        memories.append(memory.tobytes())
    assert memories[0] == memories[1]


MEANS = "step=1/n"
RECENT = "alpha=0.02,initial=1"
"""Hopes for the best, and forgets: comes down to what Q-learning is after in far fewer games."""


@pytest.mark.parametrize(
    "seed", [0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in (1, 2))]
)
@pytest.mark.parametrize(
    ("name", "step", "games"),
    [
        ("sarsa", MEANS, 10_000),
        ("expected-sarsa", MEANS, 10_000),
        pytest.param("q", RECENT, 50_000, marks=pytest.mark.slow),
        pytest.param("q", MEANS, 1_000_000, marks=pytest.mark.slow),
    ],
)
def test_on_policy_the_centre_is_best_for_who_plays_at_random_off_policy_a_corner(
    name, step, games, seed
):
    """What an opening is worth depends on how X goes on: as it does, or as it best could."""
    random = uniform_policy()
    as_it_does = expected_value(random, 1, draw=0.0)[space().edge_successor[:9]]
    as_it_could = optimal_response_values(random, 1, draw=0.0)[space().edge_successor[:9]]
    assert set(np.flatnonzero(as_it_does == as_it_does.max())) == CENTRE
    assert set(np.flatnonzero(np.isclose(as_it_could, as_it_could.max(), atol=1e-9))) == CORNERS
    layout = Layout.of(
        parse_player(f"{name}:epsilon=1,draw=0,{step},symmetry=on"),
        parse_player("random"),
    )
    memory = layout.fresh()
    kernel = Kernel(layout, seed)
    if games == 1_000_000:
        kernel.compile()
    kernel.play(memory, 0, games, new_tally())
    openings = layout.x.preferences(memory)[:9]
    best = set(np.flatnonzero(openings == openings.max()))
    assert best == (CORNERS if name == "q" else CENTRE)
