"""TD(0) by hand: V(S_t) <- V(S_t) + alpha [V(S_t+1) - V(S_t)], online (S&B 1.5)."""

import pytest

from afterstate_lab.learners.engine.choices import RESIGNS
from afterstate_lab.learners.rules.opponents import Opponent
from afterstate_lab.learners.rules.spec import PlayerSpec

START = "........."


def test_figure_1_1(lab):
    """The opponent opens; c to a and g to e are backed up, e to c is not, for e* is better."""
    a, c, e, g = START, "X...O....", "X.O.O...X", "X.OOO.X.X"
    e_star = "XO..O...X"
    game = lab("human", "td:alpha=0.5")
    game.teach("O", {a: 0.5, c: 0.625, e: 0.375, e_star: 0.875, g: 0.75})
    game.play("1593748")
    # Backed up: 0.5 + 0.5 (0.625 - 0.5); nothing; 0.375 + 0.5 (0.75 - 0.375);
    # then X completes the last row: 0.75 + 0.5 (0 - 0.75).
    assert game.learned("O") == [(a, 0.5625), (c, "exploratory"), (e, 0.5625), (g, 0.375)]
    assert [move.exploratory for move in game.moves("O")] == [False, True, False]


def test_one_over_n_makes_a_value_the_mean_of_its_targets(lab):
    lost, won = "14253", "142596"
    game = lab("human", "td:step=1/n")
    targets = []
    for cells, mean in ((lost, 0.0), (won, 1 / 2), (lost, 1 / 3), (lost, 1 / 4)):
        last = game.play(cells).backups("O")[-1]
        targets.append(last.target)
        assert last.step == 1 / len(targets)
        assert last.new == pytest.approx(mean, abs=1e-16)
    assert targets == [0.0, 1.0, 0.0, 0.0]
    assert game.visits("O", "XX.OO....") == 4


def test_alpha_decays_after_every_nth_greedy_move_of_the_player(lab):
    """The N-th still uses the alpha before it, as the notebook does."""
    game = lab("td:alpha=0.5,decay=0.5,every=2", "human")
    # Greedy moves made before: 0, 1, 2 in the first game and 3, 4, 5 in the second.
    assert [event.step for event in game.play(lab.LOSS).backups("X")] == [0.5, 0.5, 0.25]
    assert [event.step for event in game.play(lab.LOSS).backups("X")] == [0.25, 0.125, 0.125]
    game = lab("td:alpha=0.5,decay=0.5,every=2", "human")
    game.teach("X", {"X........": 0.25})
    # The first move is exploratory and does not count: 0, 0, 1.
    assert [event.step for event in game.play(lab.LOSS).backups("X")] == [0.5, 0.5]


def test_symmetric_boards_share_a_value(lab):
    mirrored = "36251"
    assert mirrored == lab.LOSS.translate(str.maketrans("147369", "369147"))
    shared = lab("td:alpha=0.5,symmetry=on", "td:alpha=0.5,symmetry=on")
    first = [shared.play(lab.LOSS).learned("X"), shared.learned("O")]
    second = [shared.play(mirrored).learned("X"), shared.learned("O")]
    # The mirrored game goes on from what the first one taught, under the same boards ...
    assert [[board for board, _ in half] for half in second] == [
        [board for board, _ in half] for half in first
    ]
    # ... with the numbers of the same game played twice.
    plain = lab("td:alpha=0.5", "td:alpha=0.5").play(lab.LOSS).play(lab.LOSS)
    for player, half in zip("XO", second, strict=True):
        assert [told for _, told in half] == [told for _, told in plain.learned(player)]


def test_nothing_is_learned_when_learning_is_off(lab):
    game = lab("td:learn=off", "td:learn=off,epsilon=1")
    before = game.v.copy()
    assert game.record(0, 20).learned("X") == game.learned("O") == []
    assert game.v.tobytes() == before.tobytes()


class Quitter(Opponent):
    """Resigns at once."""

    name = "quitter"

    def choose(v, game, me, row, n, ply, low, high, threshold):
        return RESIGNS, 1


@pytest.mark.parametrize("name", ["td", "chain", "chain:plies=all", "mc", "nstep", "tdlambda"])
def test_a_resignation_is_a_win_after_the_last_move(lab, name: str):
    spec = f"{name}{',' if ':' in name else ':'}alpha=0.5"
    game = lab(spec, PlayerSpec(Quitter)).play("1")
    assert ("X........", 0.75) in game.learned("X")
