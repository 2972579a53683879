"""TD(lambda) by hand: V <- V + alpha delta z, online (S&B 12.2; 12.5)."""

from itertools import pairwise, product
from types import SimpleNamespace

import numpy as np
import pytest

from learners.players.resolve import parse_player
from learners.rules.tdlambda import visited

START = "........."


def test_an_error_reaches_back_along_the_traces(lab):
    spec = "tdlambda:lambda=0.5,alpha=0.5"
    game = lab(spec, spec).play(lab.LOSS)
    # No error until the end; then delta = 1 - 0.5 at S_2, S_1, S_0 with z = 1, 1/2, 1/4.
    last = [event for event in game.backups("X") if event.ply == 5]
    assert game.learned("X")[-3:] == [("XX.O.....", 0.75), ("X........", 0.625), (START, 0.5625)]
    assert [(event.target, event.step, event.trace) for event in last] == [
        (1.0, 0.5, 1.0),
        (1.0, 0.5, 0.5),
        (1.0, 0.5, 0.25),
    ]
    assert game.learned("O")[-3:] == [("XX.OO....", 0.25), ("X..O.....", 0.375), (START, 0.4375)]
    # Newest first, at every step: S_0; S_1 S_0; S_2 S_1 S_0.
    assert [event.ply for event in game.backups("X")] == [1, 3, 3, 5, 5, 5]
    assert [event.ply for event in game.backups("O")] == [2, 4, 4, 5, 5, 5]


def test_a_draw_reaches_back(lab):
    spec = "tdlambda:lambda=0.5,alpha=0.5,draw=0"
    game = lab(spec, spec).play(lab.DRAWN)
    # delta = 0 - 0.5: below 0.5 by 1/4, 1/8, 1/16, 1/32, 1/64.
    values = [0.25, 0.375, 0.4375, 0.46875, 0.484375]
    assert game.learned("X")[-5:] == list(zip(reversed(lab.X_DRAWN), values, strict=True))
    assert game.learned("O")[-5:] == list(zip(reversed(lab.O_DRAWN), values, strict=True))


def test_exploratory_move_backs_up_nothing_and_clears_the_traces(lab):
    game = lab("human", "tdlambda:lambda=0.5,alpha=0.5")
    game.teach("O", lab.TEMPTED)
    # 0.5 + 0.5 (0.75 - 0.5); nothing; 0.25 + 0.5 (0 - 0.25), and no trace of what was before.
    assert game.play(lab.LOSS).learned("O") == [
        (START, 0.625),
        ("X..O.....", "exploratory"),
        ("XX.OO....", 0.125),
    ]


def test_exploratory_move_learned_from(lab):
    game = lab("human", "tdlambda:lambda=0.5,alpha=0.5,exploration=learn")
    game.teach("O", lab.TEMPTED)
    assert game.play(lab.LOSS).learned("O") == [
        (START, 0.625),
        # delta = 0.25 - 0.75: 0.75 - 0.5 / 2, and 0.625 - 0.5 / 4 with z = 1/2.
        ("X..O.....", 0.5),
        (START, 0.5),
        # delta = 0 - 0.25: z = 1, 1/2, 1/4.
        ("XX.OO....", 0.125),
        ("X..O.....", 0.4375),
        (START, 0.46875),
    ]


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
