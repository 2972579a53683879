"""The rules on boards, each against its equation; `worked.txt` has single games."""

from itertools import pairwise, product
from types import SimpleNamespace

import numpy as np
import pytest

from afterstate_lab.learners.rules.state_values import visited

# n-step TD: V(S_t) moves towards V(S_min(t+n,T)), online (S&B 7.1).


@pytest.mark.parametrize("exploration", ["skip", "learn"])
@pytest.mark.parametrize("n", [1, 2, 3, 4, 5])
def test_every_afterstate_learns_once_from_the_horizon_of_its_definition(lab, n, exploration):
    spec = f"nstep:n={n},alpha=0.25,epsilon=0.5,exploration={exploration}"
    game = lab(spec, spec, seed=n)
    for number in range(150):
        before = game.v.copy()
        game.record(number, number + 1)
        for player in "XO":
            values, path = game.table(player).values(before)[0], game.path(player)
            end = len(path) - 1
            explored = [k for k, move in enumerate(game.moves(player), 1) if move.exploratory]
            expected = []
            for t in range(end):
                cuts = [k - 1 for k in explored if k > t and exploration == "skip"]
                horizon = min(t + n, end, *cuts, 9)
                if horizon > t:
                    expected.append((path[t], values[path[horizon]]))
            assert [(event.board, event.target) for event in game.backups(player)] == expected


# TD(lambda): V <- V + alpha delta z, online (S&B 12.2; 12.5).


def test_the_three_traces_of_an_afterstate_that_is_visited_again():
    # z = 1/2 after the decay: 1/2 + 1, 1, and 1/2 + 1 - alpha/2.
    kinds = [SimpleNamespace(traces=kind, alpha=0.5) for kind in range(3)]
    assert [visited(me, 0.5) for me in kinds] == [1.5, 1.0, 1.25]
    # A first visit is the same for all: the only case in tic-tac-toe.
    assert [visited(me, 0.0) for me in kinds] == [1.0, 1.0, 1.0]


def textbook(values, path, kind, alpha, lambda_):
    """S&B's algorithms with a trace for every board; the dutch one is true online TD(lambda)."""
    z = np.zeros(len(values))
    seen = values[path[0]]
    for s, s_next in pairwise(path):
        now, after = values[s], values[s_next]
        correction = now - seen if kind == "dutch" else 0.0
        decayed = lambda_ * z[s]
        z *= lambda_
        z[s] = {
            "accumulating": decayed + 1.0,
            "replacing": 1.0,
            "dutch": decayed + 1.0 - alpha * decayed,
        }[kind]
        values += alpha * z * (after - now + correction)
        values[s] -= alpha * correction
        seen = after


@pytest.mark.parametrize(
    ("kind", "lambda_"), list(product(("accumulating", "replacing", "dutch"), (0.3, 0.9, 1.0)))
)
def test_bit_for_bit_as_the_book_computes_it(lab, kind, lambda_):
    spec = f"tdlambda:lambda={lambda_},traces={kind},alpha=0.3,exploration=learn,epsilon=0.5"
    game = lab(spec, spec)
    for number in range(150):
        before = game.v.copy()
        game.record(number, number + 1)
        for player in "XO":
            values = game.table(player).values(before)[0].copy()
            textbook(values, game.path(player), kind, 0.3, lambda_)
            assert game.table(player).values(game.v)[0].tobytes() == values.tobytes()
