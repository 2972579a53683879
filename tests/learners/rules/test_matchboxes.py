"""How a bead is drawn: in proportion, by the dice, and from an empty box not at all."""

from fractions import Fraction

import numpy as np
import pytest

from afterstate_lab.game import Board, space
from afterstate_lab.game.exact import evaluate_player, greedy_policy
from afterstate_lab.learners.rules.matchboxes import drawn_policy
from afterstate_lab.learners.tape.events import GameOver, Move

START = "........."
CORNER_BOX = [("X........", cell) for cell in (2, 3, 5, 6, 9)]
"""The five colours of O's reply to a corner."""


def as_played(game, player: str) -> np.ndarray:
    """The exact probabilities of a player's moves."""
    table = game.table(player)
    return drawn_policy(table.values(game.v), table.entries)


def test_a_colour_is_drawn_in_proportion_to_its_beads_and_its_cells_share_them(move_lab):
    """On the empty board a corner is as likely as the centre, and each corner a quarter of that."""
    game = move_lab("menace", "human")
    assert as_played(game, "X")[:9].tolist() == [1 / 12] * 4 + [1 / 3] + [1 / 12] * 4
    game.know("X", {(START, 1): 6.0, (START, 2): 1.0, (START, 5): 1.0})
    # Corner, edge, centre have 6 : 1 : 1 beads.
    a, b, c = 6 / 32, 1 / 32, 1 / 8
    assert as_played(game, "X")[:9].tolist() == [a, b, a, b, c, b, a, b, a]


@pytest.mark.parametrize("spec", ["menace", "menace-article"])
def test_every_move_is_the_one_that_the_dice_point_at(move_lab, spec: str):
    """Cells in order, each as wide as its share of the beads: the dice, in [0, 1), fall on one."""
    game = move_lab(spec, spec, seed=3)
    drawn = 0
    for number in range(300):
        memory = game.v.copy()
        game.record(number, number + 1)
        for move in game.events:
            if isinstance(move, Move):
                table = game.table(move.player)
                cells = Board.from_id(move.board).legal_cells
                entries = [table.entries.of_edge[space().edge_of[move.board, c]] for c in cells]
                weights = [
                    Fraction(int(table.values(memory)[0][entry]), entries.count(entry))
                    for entry in entries
                ]
                point = Fraction(move.pick) * sum(weights)
                fallen = next(i for i in range(9) if point < sum(weights[: i + 1]))
                assert (move.cell, move.choice) == (cells[fallen], "drawn")
                assert not move.exploratory
                drawn += 1
    assert drawn > 300


def test_an_empty_box_resigns(move_lab):
    game = move_lab("menace", "menace")
    game.know("X", {("X..O.....", cell): 0.0 for cell in (2, 3, 5, 6, 7, 8, 9)}).play("14")
    # X cannot go on: it loses the bead of its opening, and O's reply was a win.
    assert [event.new for event in game.backups("X")] == [3]
    assert [event.new for event in game.backups("O")] == [7]
    over = game.events[-1]
    assert over == GameOver(game=0, ply=2, result="O", resigned=True)
    game = move_lab("menace", "menace").know(
        "X", dict.fromkeys([(START, 1), (START, 2), (START, 5)], 0.0)
    )
    assert game.play().events == [GameOver(game=0, ply=0, result="O", resigned=True)]
    game = move_lab("menace", "menace").know("O", dict.fromkeys(CORNER_BOX, 0.0))
    assert game.play("1").events[-1] == GameOver(game=0, ply=1, result="X", resigned=True)
    assert [event.new for event in game.backups("X")] == [7]


def test_an_emptied_box_is_filled_anew_when_asked_to(move_lab):
    game = move_lab("human", "menace:empty=refill,loss=-9,beads=5/4/3/2")
    game.know("O", dict.fromkeys(CORNER_BOX, 0.0))
    game.know("O", {("X........", 4): 1.0}).play("14253")
    # Its last bead is taken, and five of each of the five colours are put in; the next box still
    # has beads of other colours.
    assert [event.new for event in game.backups("O")] == [0, 5, 5, 5, 5, 5, 0]
    assert game.box("O", "X........") == [5.0] * 8
    assert game.box("O", "XX.O.....") == [4.0, 0.0, 4.0, 4.0, 4.0, 4.0]


def test_as_played_a_box_without_beads_leaves_all_probability_to_resigning(move_lab):
    game = move_lab("menace", "menace").know("O", dict.fromkeys(CORNER_BOX, 0.0))
    policy = as_played(game, "O")
    s = space()
    sums = np.bincount(s.edge_state, policy, minlength=5478)
    o_to_move = (s.outcome == 0) & (s.ply % 2 == 1)
    corner_openings = {Board.parse(START).play(cell).id for cell in (0, 2, 6, 8)}
    assert set(np.flatnonzero(o_to_move & (sums < 0.5))) == corner_openings
    assert sums[o_to_move & (sums > 0.5)] == pytest.approx(1.0, abs=1e-15)
    assert (sums[~o_to_move] == 0).all()
    verdict = evaluate_player(policy, 2)
    assert (verdict.worst_loss, verdict.beatable) == (1.0, True)


def test_its_greedy_policy_takes_the_fullest_colour(move_lab):
    game = move_lab("menace:learn=off", "random").know("X", {(START, 5): 5.0})
    assert greedy_policy(game.layout.x.preferences(game.v))[4] == 1.0
    openings = {game.record(n, n + 1).moves("X")[0].cell for n in range(50)}
    assert (openings, game.backups("X")) == ({4}, [])
