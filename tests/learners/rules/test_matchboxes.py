"""Matchboxes of MENACE and of the article's code; `worked.txt` has single games."""

from fractions import Fraction

import numpy as np
import pytest

from afterstate_lab.game import Board, Side, space
from afterstate_lab.game.constants import SYMMETRIES
from afterstate_lab.game.exact import greedy_policy, worst_losses
from afterstate_lab.learners.engine.entries import movers
from afterstate_lab.learners.tape.recording import Move

# How a bead is drawn: in proportion, by the dice, and from an empty box not at all.

START = "........."


def as_played(game, player):
    table = game.table(player)
    return table.rule.as_played(table.values(game.v), table.entries)


def test_a_colour_is_drawn_in_proportion_to_its_beads_and_its_cells_share_them(lab):
    """On the empty board a corner is as likely as the centre, and each corner a quarter of that."""
    game = lab("menace", "human")
    assert as_played(game, "X")[:9].tolist() == [1 / 12] * 4 + [1 / 3] + [1 / 12] * 4
    game.teach("X", {f"{START}@1": 6.0, f"{START}@2": 1.0, f"{START}@5": 1.0})
    # Corner, edge, centre have 6 : 1 : 1 beads.
    a, b, c = 6 / 32, 1 / 32, 1 / 8
    assert as_played(game, "X")[:9].tolist() == [a, b, a, b, c, b, a, b, a]


@pytest.mark.parametrize("spec", ["menace", "menace-article"])
def test_every_move_is_the_one_that_the_dice_point_at(lab, spec):
    """Cells in order, each as wide as its share of the beads: the dice, in [0, 1), fall on one."""
    game = lab(spec, spec, seed=3)
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


def test_as_played_a_box_without_beads_leaves_all_probability_to_resigning(lab):
    replies_to_a_corner = [f"X........@{cell}" for cell in (2, 3, 5, 6, 9)]
    game = lab("menace", "menace").teach("O", dict.fromkeys(replies_to_a_corner, 0.0))
    policy = as_played(game, "O")
    s = space()
    sums = np.bincount(s.edge_state, policy, minlength=5478)
    o_to_move = (s.outcome == 0) & (s.ply % 2 == 1)
    corner_openings = {Board.parse(START).play(cell).id for cell in (0, 2, 6, 8)}
    assert set(np.flatnonzero(o_to_move & (sums < 0.5))) == corner_openings
    assert sums[o_to_move & (sums > 0.5)] == pytest.approx(1.0, abs=1e-15)
    assert (sums[~o_to_move] == 0).all()
    assert worst_losses(policy, Side.O)[Board().id] == 1.0


# MENACE: boxes, beads and colours (Michie 1961; 1963).


@pytest.mark.parametrize("spec", ["menace:learn=off", "menace-code:learn=off"])
def test_the_fullest_colour_is_taken_once_it_has_learned(lab, spec):
    game = lab(spec, "random").teach("X", {f"{START}@5": 5.0})
    assert greedy_policy(game.layout.x.preferences(game.v))[:9].tolist() == [0] * 4 + [1] + [0] * 4
    openings = {game.record(n, n + 1).moves("X")[0].cell for n in range(50)}
    assert (openings, game.backups("X")) == ({4}, [])


@pytest.mark.parametrize(
    ("player", "by_ply", "colours", "beads"),
    [
        ("X", {0: 1, 2: 12, 4: 108, 6: 183}, 1087, 1720),
        ("O", {1: 3, 3: 38, 5: 153, 7: 95}, 975, 1991),
    ],
)
def test_boxes_colours_and_beads(lab, player, by_ply, colours, beads):
    game = lab("menace", "menace")
    table = game.table(player)
    live = table.entries.live
    plies = space().ply[np.unique(table.entries.boards[live])]
    assert {ply: int((plies == ply).sum()) for ply in set(plies.tolist())} == by_ply
    assert sum(by_ply.values()) == {"X": 304, "O": 289}[player]
    assert (live.sum(), table.entries.counted.sum()) == (colours, colours)
    assert table.values(game.v)[0][live].sum() == beads


def test_symmetric_moves_share_one_colour_and_others_do_not(lab):
    """The map to boxes and back, on every move of every position: 16,167 less the forced ones."""
    game = lab("menace", "menace")
    s = space()
    for side, player in enumerate("XO"):
        entries, own = game.table(player).entries, np.flatnonzero(movers(side))
        colours = entries.of_edge[own]
        assert (entries.boards[colours] == s.canonical[s.edge_state[own]]).all()
        back = np.zeros(len(own), dtype=bool)
        for g, images in enumerate(s.symmetry_maps):
            boards, cells = images[s.edge_state[own]], np.array(SYMMETRIES[g])[s.edge_cell[own]]
            assert (entries.of_edge[s.edge_of[boards, cells]] == colours).all()
            # Back: the colour's own board and cell are an image of the move, under some symmetry.
            back |= (boards == entries.boards[colours]) & (cells == entries.cells[colours])
        assert back.all()
    corners = [game.entry("X", f"{START}@{cell}") for cell in range(1, 10)]
    assert corners == [0, 1, 0, 1, 2, 1, 0, 1, 0]


# The article's code: the fullest colour, and more beads for short games (seed 004).


def test_both_sides_share_one_table_of_boxes(lab):
    game = lab("menace-code", "menace-code")
    x, o = game.table("X"), game.table("O")
    assert x.base == o.base
    # 627 boards up to symmetry that are not over; of the empty board's nine cells three are left.
    free = [9 - int(space().ply[board]) for board in np.unique(x.entries.boards)]
    assert (len(free), len(x.entries.boards)) == (627, sum(free) - 6)
    assert (x.entries.live ^ o.entries.live).all()


def test_the_fullest_colour_is_chosen_in_the_quarter_without_exploration(lab):
    for number in (4, 5):
        game = lab("menace-code:over=8", "random").teach("X", {f"{START}@5": 3.0})
        first = game.record(number, number + 1).moves("X")[0]
        assert (first.cell, first.choice) == (4, "greedy")
