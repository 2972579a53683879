"""TD(lambda) by hand: V <- V + alpha delta z, online (S&B 12.2; 12.5)."""

from itertools import pairwise, product
from types import SimpleNamespace

import numpy as np
import pytest

from afterstate_lab.learners.players.resolve import parse_player
from afterstate_lab.learners.rules.tdlambda import visited


def test_an_error_reaches_back_along_the_traces(lab):
    spec = "tdlambda:lambda=0.5,alpha=0.5"
    told = [(e.target, e.step, e.trace) for e in lab(spec, spec).play(lab.LOSS).backups("X")]
    assert told[-3:] == [(1.0, 0.5, 1.0), (1.0, 0.5, 0.5), (1.0, 0.5, 0.25)]


@pytest.mark.parametrize("exploration", ["skip", "learn"])
def test_every_recorded_backup_can_be_worked_out_again(lab, exploration: str):
    """new = old + step * trace * delta, delta that of the first backup of the player and ply."""
    spec = f"tdlambda:lambda=0.7,alpha=0.3,epsilon=0.4,exploration={exploration}"
    game = lab(spec, spec).record(0, 200)
    delta = {}
    for event in game.backups("X") + game.backups("O"):
        error = delta.setdefault((event.game, event.ply, event.player), event.error)
        assert event.new == event.old + event.step * event.trace * error
    assert len(delta) > 1000


def test_lambda_is_spelled_lambda_in_a_spec():
    spec = parse_player("tdlambda:lambda=0.25,traces=dutch")
    assert str(spec) == "tdlambda:lambda=0.25,traces=dutch"
    assert spec.settings["lambda"] == 0.25


def test_the_three_traces_of_an_afterstate_that_is_visited_again():
    # z = 1/2 after the decay: 1/2 + 1, 1, and 1/2 + 1 - alpha/2.
    kinds = [SimpleNamespace(traces=kind, alpha=0.5) for kind in range(3)]
    assert [visited(me, 0.5) for me in kinds] == [1.5, 1.0, 1.25]
    # A first visit is the same for all: the only case in tic-tac-toe.
    assert [visited(me, 0.0) for me in kinds] == [1.0, 1.0, 1.0]


def textbook(values, path, kind: str, alpha: float, lambda_: float) -> None:
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
def test_bit_for_bit_as_the_book_computes_it(lab, kind: str, lambda_: float):
    spec = f"tdlambda:lambda={lambda_},traces={kind},alpha=0.3,exploration=learn,epsilon=0.5"
    game = lab(spec, spec)
    for number in range(150):
        before = game.v.copy()
        game.record(number, number + 1)
        for player in "XO":
            values = game.table(player).values(before)[0].copy()
            textbook(values, game.path(player), kind, 0.3, lambda_)
            assert game.table(player).values(game.v)[0].tobytes() == values.tobytes()
