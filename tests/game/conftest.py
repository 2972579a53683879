"""A policy to judge by the plain recursions of `tests/tui/truth/referee.py`."""

from fractions import Fraction

import numpy as np
import pytest

from afterstate_lab.game import space


@pytest.fixture(
    scope="session", params=[0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in (1, 2))]
)
def random_rows(request):
    """A random policy, by board and cell as exact chances, and as the array of its floats.

    Many moves have probability 0, and where the dice say so the mover may or must resign.
    """
    generator = np.random.default_rng(request.param)
    table: dict[str, dict[int, Fraction]] = {}
    policy = np.zeros(16167)
    states = space()
    for state in range(5478):
        edges = slice(states.first_edge[state], states.first_edge[state + 1])
        count = edges.stop - edges.start
        weights = generator.integers(0, 4, count).tolist()
        resigns = int(generator.integers(1, 3)) if generator.random() < 0.1 else 0
        total = sum(weights) + resigns
        if count and total == 0:
            weights[0] = total = 1
        cells = states.edge_cell[edges].tolist()
        chances = (Fraction(weight, total) for weight in weights)
        table[states.text(state)] = dict(zip(cells, chances, strict=True))
        policy[edges] = [weight / total for weight in weights]
    return table.__getitem__, policy
