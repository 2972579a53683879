"""The article's matchboxes by hand: ten beads of each colour, +1, 0, -1 (seed 004, its prose)."""

import numpy as np
import pytest

from afterstate_lab.game import space
from afterstate_lab.game.exact import evaluate_player
from afterstate_lab.learners.kernel.kernel import Kernel, new_tally
from afterstate_lab.learners.kernel.memory import Layout
from afterstate_lab.learners.players.resolve import parse_player
from afterstate_lab.learners.tape.events import GameOver

START = "........."


@pytest.mark.parametrize(("player", "boxes", "colours"), [("X", 2423, 8631), ("O", 2097, 7536)])
def test_every_board_has_a_box_and_every_free_cell_a_colour_of_ten_beads(
    move_lab, player: str, boxes: int, colours: int
):
    game = move_lab("menace-article", "menace-article")
    table = game.table(player)
    assert len(np.unique(table.entries.boards)) == boxes
    assert table.entries.live.sum() == colours
    assert set(table.values(game.v)[0]) == {10.0}


def test_a_win_adds_one_bead_and_a_loss_takes_one(move_lab):
    game = move_lab("menace-article", "menace-article").play(move_lab.LOSS)
    assert game.learned("X") == [(START, 1, 11), ("X..O.....", 2, 11), ("XX.OO....", 3, 11)]
    assert game.learned("O") == [("X........", 4, 9), ("XX.O.....", 5, 9)]
    # No colour is shared: the mirrored game finds ten beads again.
    assert game.play("36251").learned("X")[0] == (START, 3, 11)


def test_after_a_draw_nothing_is_done(move_lab):
    game = move_lab("menace-article", "menace-article")
    before = game.v.copy()
    game.play(move_lab.DRAWN)
    assert game.learned("X") == game.learned("O") == []
    assert game.v.tobytes() == before.tobytes()


def test_the_forced_last_move_has_a_box_too(move_lab):
    """XOX, OXO, OXX: X wins with its fifth mark, on the only free cell."""
    won = move_lab("menace-article", "human").play("123456879")
    assert won.events[-1] == GameOver(game=0, ply=9, result="X", resigned=False)
    assert [new for *_, new in won.learned("X")] == [11] * 5
    assert won.learned("X")[-1] == ("XOXOXOOX.", 9, 11)


def test_an_empty_box_resigns_or_is_filled_anew(move_lab):
    last_bead = {("X........", cell): 0.0 for cell in range(2, 10)} | {("X........", 4): 1.0}
    game = move_lab("human", "menace-article").know("O", last_bead).play(move_lab.LOSS)
    assert game.box("O", "X........") == [0.0] * 8
    assert game.play("1").events[-1] == GameOver(game=1, ply=1, result="X", resigned=True)
    game = move_lab("human", "menace-article:empty=refill").know("O", last_bead)
    assert game.play(move_lab.LOSS).box("O", "X........") == [10.0] * 8


def test_symmetric_boards_share_a_box_when_asked_to(move_lab):
    game = move_lab("menace-article:symmetry=on", "human").play("14253").play("36251")
    assert [new for *_, new in game.learned("X")] == [12, 12, 12]


def test_a_new_box_draws_every_move_alike(move_lab):
    game = move_lab("menace-article", "random")
    table = game.table("X")
    policy = table.spec.rule.as_played(table.values(game.v), table.entries)
    s = space()
    own = s.ply[s.edge_state] % 2 == 0
    assert (policy[own] == 1 / (9 - s.ply[s.edge_state[own]])).all()
    verdict = evaluate_player(policy, 1)
    assert verdict.vs_random.win == pytest.approx(737 / 1260, abs=1e-14)


@pytest.mark.quick("0")
@pytest.mark.parametrize("seed", range(3))
def test_it_learns_to_win_more_often(seed: int):
    layout = Layout.of(parse_player("menace-article"), parse_player("random"))
    kernel, memory = Kernel(layout, seed), layout.fresh()
    wins = []
    for first, last in ((0, 0), (0, 2000), (2000, 12_000)):
        kernel.play_interpreted(memory, first, last, new_tally())
        policy = layout.x.spec.rule.as_played(layout.x.values(memory), layout.x.entries)
        wins.append(evaluate_player(policy, 1).vs_random.win)
    assert wins[0] < wins[1] < wins[2]
