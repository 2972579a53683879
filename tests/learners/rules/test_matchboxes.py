"""Matchboxes by hand: MENACE, the article's prose and the article's code."""

from fractions import Fraction

import numpy as np
import pytest

from afterstate_lab.game import Board, Side, space
from afterstate_lab.game.constants import SYMMETRIES
from afterstate_lab.game.exact import evaluate_player, greedy_policy
from afterstate_lab.learners.engine.choices import exploration_rate
from afterstate_lab.learners.engine.entries import movers
from afterstate_lab.learners.kernel.parameters import parameters
from afterstate_lab.learners.tape.events import GameOver, Move

# How a bead is drawn: in proportion, by the dice, and from an empty box not at all.

START = "........."
CORNER_BOX = [("X........", cell) for cell in (2, 3, 5, 6, 9)]
"""The five colours of O's reply to a corner."""


def as_played(game, player):
    table = game.table(player)
    return table.spec.rule.as_played(table.values(game.v), table.entries)


def test_a_colour_is_drawn_in_proportion_to_its_beads_and_its_cells_share_them(move_lab):
    """On the empty board a corner is as likely as the centre, and each corner a quarter of that."""
    game = move_lab("menace", "human")
    assert as_played(game, "X")[:9].tolist() == [1 / 12] * 4 + [1 / 3] + [1 / 12] * 4
    game.know("X", {(START, 1): 6.0, (START, 2): 1.0, (START, 5): 1.0})
    # Corner, edge, centre have 6 : 1 : 1 beads.
    a, b, c = 6 / 32, 1 / 32, 1 / 8
    assert as_played(game, "X")[:9].tolist() == [a, b, a, b, c, b, a, b, a]


@pytest.mark.parametrize("spec", ["menace", "menace-article"])
def test_every_move_is_the_one_that_the_dice_point_at(move_lab, spec):
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
    verdict = evaluate_player(policy, Side.O)
    assert (verdict.worst_loss, verdict.beatable) == (1.0, True)


# MENACE by hand: boxes, beads, colours, and what a game adds or takes (Michie 1961; 1963).


def test_its_greedy_policy_takes_the_fullest_colour(move_lab):
    game = move_lab("menace:learn=off", "random").know("X", {(START, 5): 5.0})
    assert greedy_policy(game.layout.x.preferences(game.v))[4] == 1.0
    openings = {game.record(n, n + 1).moves("X")[0].cell for n in range(50)}
    assert (openings, game.backups("X")) == ({4}, [])


def boxes(lab, player):
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


LOST, DRAWN, MIRRORED, WON_BY_O = "14253", "159287364", "36251", "142596"
EMPTIED = dict.fromkeys(CORNER_BOX, 0.0) | {("X........", 4): 1.0}
FULLEST = {("XX.O.....", 9): 5.0}
"""O's 5 is exploratory beside it."""
ADDED = [
    # X's 1, 2, 3 were 4, 3 and 2 beads, O's 4 and 5 were 4 and 3: a win adds 3, a loss takes 1.
    ("menace", "menace", {}, [LOST], [(4, 7), (3, 6), (2, 5)], [(4, 3), (3, 2)]),
    # A draw adds 1. X made five moves, of which the last, forced one has no box; O made four.
    ("menace", "menace", {}, [DRAWN], *[[(4, 5), (3, 4), (2, 3), (1, 2)]] * 2),
    # Rewards and first beads are options; a draw that adds nothing writes nothing.
    ("menace:win=5,loss=-2,beads=9/8/7/6", "menace:loss=-2,beads=2", {}, [LOST],
     [(9, 14), (8, 13), (7, 12)], [(2, 0), (2, 0)]),
    ("menace:draw=0,beads=9/8/7/6", "human", {}, [DRAWN], [], None),
    # Beads never go below zero.
    *(("human", "menace:loss=-3", {}, [LOST] * n, None, [(b, max(0, b - 3)), (c, 0)])
      for n, b, c in ((1, 4, 3), (2, 1, 0), (3, 0, 0))),
    # O's last bead is taken, and five of each of five colours are put in; the next box has beads.
    ("human", "menace:empty=refill,loss=-9,beads=5/4/3/2", EMPTIED, [LOST], None,
     [(1, 0), *[(0, 5)] * 5, (4, 0)]),
    # The article: ten beads, +1, 0, -1. No colour is shared: the mirrored game finds ten again.
    *(("menace-article", "menace-article", {}, games, [(10, 11)] * 3, [(10, 9)] * 2)
      for games in ([LOST], [LOST, MIRRORED])),
    *((name, name, {}, [DRAWN], [], []) for name in ("menace-article", "menace-code")),
    ("menace-article:symmetry=on", "human", {}, [LOST, MIRRORED], [(11, 12)] * 3, None),
    # The forced last move has a box, too: X wins with its fifth mark, on the only free cell.
    ("menace-article", "human", {}, ["123456879"], [(10, 11)] * 5, None),
    # The code, L = 5: moves 0, 2, 4 gain 4, 5, 6; 1, 3 would lose 5 and 6 of 2, and keep one.
    ("menace-code", "menace-code", {}, [LOST], [(2, 6), (2, 7), (2, 8)], [(2, 1), (2, 1)]),
    # L = 6: moves 1, 3, 5 gain 3, 4, 5, the exploratory one as well.
    ("human", "menace-code", FULLEST, [WON_BY_O], None, [(2, 5), (2, 6), (2, 7)]),
]  # fmt: skip
"""Players, what O knew, the games; the beads of X's and of O's moves before and after the last."""


@pytest.mark.parametrize(("x", "o", "known", "games", "of_x", "of_o"), ADDED)
def test_what_a_game_adds_to_each_box_and_takes_from_it(move_lab, x, o, known, games, of_x, of_o):
    game = move_lab(x, o).know("O", known)
    for cells in games:
        before = game.v.copy()
        game.play(cells)
    for player, expected in (("X", of_x), ("O", of_o)):
        backups = game.backups(player)
        assert expected is None or [(e.old, e.new) for e in backups] == expected
        assert {(e.step, e.trace, e.ply) for e in backups} <= {(1, 1, len(games[-1]))}
        # What is told as the target is the new number of beads, unless it would be less than none.
        assert all(e.target == e.new or e.target < 0 for e in backups)
    assert (of_x, of_o) != ([], []) or game.v.tobytes() == before.tobytes()
    if known is FULLEST:
        assert [move.exploratory for move in game.moves("O")] == [False, True, False]


def test_a_game_won_reaches_every_cell_of_its_colour_and_leaves_a_forced_move_alone(move_lab):
    game = move_lab("menace", "menace").play(LOST)
    assert [game.known("X", START, cell) for cell in (1, 2, 5, 9)] == [7, 4, 4, 7]
    game = move_lab("menace", "menace").play(DRAWN)
    assert game.box("X", "XOX.OOOXX") == [1.0]
    assert not game.table("X").entries.live[game.entry("X", "XOX.OOOXX", 4)]
    game = move_lab("human", "menace:empty=refill,loss=-9,beads=5/4/3/2").know("O", EMPTIED)
    assert game.play(LOST).box("O", "X........") == [5.0] * 8
    assert game.box("O", "XX.O.....") == [4.0, 0.0, 4.0, 4.0, 4.0, 4.0]
    game = move_lab("menace-article", "human").play("123456879")
    assert game.events[-1] == GameOver(game=0, ply=9, result="X", resigned=False)
    assert game.learned("X")[-1] == ("XOXOXOOX.", 9, 11)


# The article's matchboxes by hand: ten beads of each colour, +1, 0, -1 (seed 004, its prose).


def test_an_empty_box_of_the_article_resigns_or_is_filled_anew(move_lab):
    last_bead = {("X........", cell): 0.0 for cell in range(2, 10)} | {("X........", 4): 1.0}
    game = move_lab("human", "menace-article").know("O", last_bead).play(move_lab.LOSS)
    assert game.box("O", "X........") == [0.0] * 8
    assert game.play("1").events[-1] == GameOver(game=1, ply=1, result="X", resigned=True)
    game = move_lab("human", "menace-article:empty=refill").know("O", last_bead)
    assert game.play(move_lab.LOSS).box("O", "X........") == [10.0] * 8


# The article's code by hand: the fullest colour, and more beads for short games (seed 004).
GAMES = {5: "12437", 6: "123548", 7: "1234567", 8: "12346578", 9: "123456879"}
"""A game of each length, won by who moves last: X when the length is odd."""
BEADS = {
    5: (4, 5, 5, 6, 6),
    6: (3, 3, 4, 4, 5, 5),
    7: (2, 3, 3, 4, 4, 5, 5),
    8: (1, 1, 2, 2, 3, 3, 4, 4),
    9: (0, 1, 1, 2, 2, 3, 3, 4, 4),
}
"""By length, the beads that move k = 0, 1, ... gains or loses."""


@pytest.mark.parametrize("plies", BEADS)
def test_the_formula_is_that_of_the_code(plies):
    """`learn(game_state, ...)`, whose list holds the empty board and the one after each move."""
    boards = plies + 1
    by_code = [int((10 - boards) / 2) + int((9 - (boards - k - 2)) / 2) for k in range(boards - 1)]
    assert tuple(by_code) == BEADS[plies]
    assert BEADS[plies] == tuple((9 - plies) // 2 + (10 - plies + k) // 2 for k in range(plies))


@pytest.mark.parametrize("plies", BEADS)
def test_the_winner_gains_and_the_loser_loses_by_the_formula(move_lab, plies):
    game = move_lab("menace-code", "menace-code")
    game.table("X").values(game.v)[:] = 20.0
    game.play(GAMES[plies])
    winner, loser = "XO" if plies % 2 else "OX"
    changes = {player: [event.new - event.old for event in game.backups(player)] for player in "XO"}
    first = "XO".index(winner)
    assert changes[winner] == list(BEADS[plies][first::2])
    assert changes[loser] == [-beads for beads in BEADS[plies][1 - first :: 2]]
    assert {event.ply for event in [*game.backups("X"), *game.backups("O")]} == {plies}


def test_both_sides_share_one_table_of_boxes(move_lab):
    game = move_lab("menace-code", "menace-code")
    x, o = game.table("X"), game.table("O")
    assert x.base == o.base
    # 627 boards up to symmetry that are not over; of the empty board's nine cells three are left.
    free = [9 - int(space().ply[board]) for board in np.unique(x.entries.boards)]
    assert (len(free), len(x.entries.boards)) == (627, sum(free) - 6)
    assert (x.entries.live ^ o.entries.live).all()
    assert game.box("X", START) == [2.0] * 9
    game.play(move_lab.LOSS)
    # The opening corner is every corner; 2 on X..O is its mirror image 4 on XO.
    assert game.box("X", START) == [6, 2, 6, 2, 2, 2, 6, 2, 6]
    assert game.known("X", "XO.......", 4) == game.known("X", "X..O.....", 2) == 7


def test_other_symmetric_boards_have_a_colour_for_each_free_cell(move_lab):
    game = move_lab("human", "menace-code").play("142596")
    # O's reply 4 to the corner is not its mirror image 2, and only one of them gained.
    box = game.box("O", "X........")
    assert sorted(box) == [2.0] * 7 + [5.0]
    assert game.known("O", "X........", 4) == 5


def test_epsilon_goes_by_quarters_of_the_run_and_by_side(move_lab):
    layout = move_lab("menace-code", "menace-code").layout
    x, o = (parameters(table, layout, frozen=False) for table in (layout.x, layout.o))
    rates = {
        game: (exploration_rate(x, game), exploration_rate(o, game))
        for game in (0, 2499, 2500, 4999, 5000, 7499, 7500, 9999, 10_000, 10**9)
    }
    quarters = [(1, 1), (1, 0), (0, 1), (0.3, 0.3)]
    assert list(rates.values()) == [*(rate for rate in quarters for _ in (0, 1)), *quarters[3:] * 2]
    layout = move_lab("menace-code:over=8", "random").layout
    x = parameters(layout.x, layout, frozen=False)
    assert [exploration_rate(x, game) for game in range(9)] == [1, 1, 1, 1, 0, 0, 0.3, 0.3, 0.3]
    frozen = parameters(layout.x, layout, frozen=True)
    assert [exploration_rate(frozen, game) for game in range(3)] == [0, 0, 0]


def test_the_fullest_colour_is_chosen(move_lab):
    # The third quarter: X greedy, O at random.
    game = move_lab("menace-code:over=8", "random").know("X", {(START, 5): 3.0})
    for number in (4, 5):
        memory = game.v.copy()
        game.record(number, number + 1)
        first = game.moves("X")[0]
        assert (first.cell, first.choice) == (4, "greedy")
        game.v = memory
    chosen = greedy_policy(game.layout.x.preferences(game.v))[:9]
    assert chosen.tolist() == [0, 0, 0, 0, 1, 0, 0, 0, 0]
