"""MENACE by hand: boxes, beads, colours, and what a game adds or takes (Michie 1961; 1963)."""

import numpy as np
import pytest

from afterstate_lab.game import Board, space
from afterstate_lab.game.constants import LINES, SYMMETRIES
from afterstate_lab.game.exact import evaluate_player, minimax
from afterstate_lab.learners.engine.entries import movers
from afterstate_lab.learners.errors import SpecError
from afterstate_lab.learners.kernel.kernel import Kernel, new_tally
from afterstate_lab.learners.kernel.memory import Layout
from afterstate_lab.learners.players.recipes import find_recipe
from afterstate_lab.learners.players.resolve import parse_player
from afterstate_lab.learners.rules.matchboxes import drawn_policy

START = "........."


def boxes(lab, player: str) -> np.ndarray:
    """The positions of a player's boxes."""
    entries = lab("menace", "menace").table(player).entries
    return np.unique(entries.boards[entries.live])


@pytest.mark.parametrize(
    ("player", "by_ply", "colours", "beads"),
    [
        ("X", {0: 1, 2: 12, 4: 108, 6: 183}, 1087, 1720),
        ("O", {1: 3, 3: 38, 5: 153, 7: 95}, 975, 1991),
    ],
)
def test_boxes_colours_and_beads(move_lab, player, by_ply, colours, beads):
    game = move_lab("menace", "menace")
    table = game.table(player)
    plies = space().ply[boxes(move_lab, player)]
    assert {ply: int((plies == ply).sum()) for ply in set(plies.tolist())} == by_ply
    assert sum(by_ply.values()) == {"X": 304, "O": 289}[player]
    live = table.entries.live
    assert (live.sum(), table.entries.counted) == (colours, colours)
    assert table.values(game.v)[0][live].sum() == beads


def test_michie_left_out_17_boxes_of_the_22_that_are_lost(move_lab):
    """287 = 304 - the boxes where O threatens two lines and X cannot win at once."""

    def winning_cells(board: str, mark: str) -> set[int]:
        return {
            cell
            for line in LINES
            for cell in line
            if board[cell] == "." and all(board[c] == mark for c in line if c != cell)
        }

    lost = [
        board
        for board in map(space().text, boxes(move_lab, "X").tolist())
        if not winning_cells(board, "X") and len(winning_cells(board, "O")) > 1
    ]
    assert len(lost) == 304 - 287
    plies = {board.count("X") + board.count("O") for board in lost}
    lost_by_minimax = {
        board
        for board in map(space().text, boxes(move_lab, "X").tolist())
        if minimax(Board.parse(board)) < 0
    }
    assert plies == {6}
    assert set(lost) <= lost_by_minimax
    assert len(lost_by_minimax) == 22
    recipe = find_recipe("menace").corrected
    assert "304 boxes" in recipe
    assert "22 of the 304" in recipe


def test_a_new_box_has_4_3_2_or_1_beads_of_each_colour(move_lab):
    game = move_lab("menace", "menace")
    for stage, (x_board, o_board) in enumerate(
        [
            (START, "X........"),
            ("X..O.....", "XX.O....."),
            ("XX.OO....", "XX.OO...X"),
            ("XXOOO...X", "XXOOOX..X"),
        ]
    ):
        assert set(game.box("X", x_board)) == set(game.box("O", o_board)) == {4.0 - stage}


def test_symmetric_moves_share_one_colour_and_others_do_not(move_lab):
    """The map to boxes and back, on every move of every position: 16,167 less the forced ones."""
    game = move_lab("menace", "menace")
    s = space()
    for side, player in enumerate("XO"):
        entries = game.table(player).entries
        of_edge = entries.of_edge
        own = np.flatnonzero(movers(side))
        canonical = s.canonical[s.edge_state[own]]
        assert (entries.boards[of_edge[own]] == canonical).all()
        for g, images in enumerate(s.symmetry_maps):
            cells = np.array(SYMMETRIES[g])[s.edge_cell[own]]
            assert (of_edge[s.edge_of[images[s.edge_state[own]], cells]] == of_edge[own]).all()
        # Back: the colour's own board and cell are an image of the move, under some symmetry.
        back = np.zeros(len(own), dtype=bool)
        for g, images in enumerate(s.symmetry_maps):
            cells = np.array(SYMMETRIES[g])[s.edge_cell[own]]
            back |= (images[s.edge_state[own]] == entries.boards[of_edge[own]]) & (
                cells == entries.cells[of_edge[own]]
            )
        assert back.all()
    assert [game.entry("X", START, cell) for cell in range(1, 10)] == [0, 1, 0, 1, 2, 1, 0, 1, 0]


def test_a_win_adds_three_beads_and_a_loss_takes_one(move_lab):
    game = move_lab("menace", "menace").play(move_lab.LOSS)
    # X's 1, 2, 3 were 4, 3 and 2 beads. O's 4 and 5 were 4 and 3. Boards are those of the boxes.
    assert [(e.old, e.target, e.new) for e in game.backups("X")] == [
        (4, 7, 7),
        (3, 6, 6),
        (2, 5, 5),
    ]
    assert [(e.old, e.target, e.new) for e in game.backups("O")] == [(4, 3, 3), (3, 2, 2)]
    assert [game.known("X", START, cell) for cell in (1, 2, 5)] == [7, 4, 4]
    assert game.known("X", START, 9) == 7
    assert {(event.step, event.trace, event.ply) for event in game.backups("X")} == {(1, 1, 5)}


def test_a_draw_adds_one_bead_and_a_forced_move_has_no_box(move_lab):
    game = move_lab("menace", "menace").play(move_lab.DRAWN)
    # X made five moves, the last one forced; O made four.
    assert [event.new for event in game.backups("X")] == [5, 4, 3, 2]
    assert [event.new for event in game.backups("O")] == [5, 4, 3, 2]
    assert game.box("X", "XOX.OOOXX") == [1.0]
    assert not game.table("X").entries.live[game.entry("X", "XOX.OOOXX", 4)]


def test_the_rewards_and_the_first_beads_are_options(move_lab):
    game = move_lab("menace:win=5,draw=0,loss=-2,beads=9/8/7/6", "menace:loss=-2,beads=2")
    game.play(move_lab.LOSS)
    assert [event.new for event in game.backups("X")] == [14, 13, 12]
    assert [event.new for event in game.backups("O")] == [0, 0]
    # A draw that adds nothing writes nothing.
    assert game.play(move_lab.DRAWN).backups("X") == []


@pytest.mark.parametrize("text", ["beads=4/3/2/1", "beads=7", "win=0,loss=-3,empty=refill"])
def test_options_round_trip(text: str):
    assert str(parse_player(f"menace:{text}")) == f"menace:{text}"


@pytest.mark.parametrize(
    "text", ["4/3/2", "0", "4/3/2/1/1", "-1", "1.5", "", "4//2/1", "²", "9" * 99]
)
def test_beads_that_will_not_do(text: str):
    with pytest.raises(SpecError, match=r"beads=.* will not do: it must be whole numbers from 1"):
        parse_player(f"menace:beads={text}")


def test_beads_never_go_below_zero(move_lab):
    game = move_lab("human", "menace:loss=-3")
    for beads in (1, 0, 0):
        assert [event.new for event in game.play("14253").backups("O")] == [beads, 0]


@pytest.mark.quick("0")
@pytest.mark.parametrize("seed", range(3))
def test_it_learns_to_win_more_often(seed: int):
    """Exactly, as it plays: a new MENACE wins 0.607 of its games against random moves."""
    layout = Layout.of(parse_player("menace"), parse_player("random"))
    kernel, memory = Kernel(layout, seed), layout.fresh()
    wins = []
    for first, last in ((0, 0), (0, 1000), (1000, 10_000)):
        kernel.play_interpreted(memory, first, last, new_tally())
        policy = drawn_policy(layout.x.values(memory), layout.x.entries)
        wins.append(evaluate_player(policy, 1).vs_random.win)
    assert round(wins[0], 3) == 0.607
    assert wins[0] < wins[1] < wins[2]


def test_against_perfect_play_the_opening_box_is_soon_empty():
    """Twelve beads, one lost in most games: from then on MENACE resigns every game."""
    layout = Layout.of(parse_player("menace"), parse_player("perfect"))
    memory, tally = layout.fresh(), new_tally()
    Kernel(layout, seed=0).play_interpreted(memory, 0, 1000, tally)
    assert layout.x.preferences(memory)[:9].tolist() == [0.0] * 9
    policy = drawn_policy(layout.x.values(memory), layout.x.entries)
    assert evaluate_player(policy, 1).vs_random.loss == 1.0
