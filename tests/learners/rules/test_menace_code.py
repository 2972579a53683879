"""The article's code by hand: the fullest colour, and more beads for short games (seed 004)."""

import numpy as np
import pytest

from afterstate_lab.game import space
from afterstate_lab.game.exact import evaluate_player, greedy_policy
from afterstate_lab.learners.engine.choices import exploration_rate
from afterstate_lab.learners.kernel.kernel import Kernel, new_tally
from afterstate_lab.learners.kernel.memory import Layout
from afterstate_lab.learners.kernel.parameters import parameters
from afterstate_lab.learners.players.resolve import parse_player
from afterstate_lab.learners.rules.menace_code import OPENINGS

START = "........."
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
def test_the_formula_is_that_of_the_code(plies: int):
    """`learn(game_state, ...)`, whose list holds the empty board and the one after each move."""
    boards = plies + 1
    by_code = [int((10 - boards) / 2) + int((9 - (boards - k - 2)) / 2) for k in range(boards - 1)]
    assert tuple(by_code) == BEADS[plies]
    assert BEADS[plies] == tuple((9 - plies) // 2 + (10 - plies + k) // 2 for k in range(plies))


@pytest.mark.parametrize("plies", BEADS)
def test_the_winner_gains_and_the_loser_loses_by_the_formula(move_lab, plies: int):
    game = move_lab("menace-code", "menace-code")
    game.table("X").values(game.v)[:] = 20.0
    game.play(GAMES[plies])
    winner, loser = "XO" if plies % 2 else "OX"
    changes = {player: [event.new - event.old for event in game.backups(player)] for player in "XO"}
    first = "XO".index(winner)
    assert changes[winner] == list(BEADS[plies][first::2])
    assert changes[loser] == [-beads for beads in BEADS[plies][1 - first :: 2]]
    assert {event.ply for event in [*game.backups("X"), *game.backups("O")]} == {plies}


def test_a_won_and_a_lost_game_from_two_beads(move_lab):
    game = move_lab("menace-code", "menace-code").play(move_lab.LOSS)
    # L = 5: X's moves 0, 2, 4 gain 4, 5, 6; O's 1, 3 would lose 5 and 6 of 2, and keep one.
    assert [(e.old, e.new) for e in game.backups("X")] == [(2, 6), (2, 7), (2, 8)]
    assert [(e.old, e.target, e.new) for e in game.backups("O")] == [(2, 1, 1), (2, 1, 1)]


def test_a_draw_changes_nothing(move_lab):
    game = move_lab("menace-code", "menace-code")
    before = game.v.copy()
    game.play(move_lab.DRAWN)
    assert game.learned("X") == game.learned("O") == []
    assert game.v.tobytes() == before.tobytes()


def test_an_exploratory_move_is_learned_from(move_lab):
    game = move_lab("human", "menace-code").know("O", {("XX.O.....", 9): 5.0}).play("142596")
    assert [move.exploratory for move in game.moves("O")] == [False, True, False]
    # L = 6: moves 1, 3, 5 gain 3, 4, 5.
    assert [event.new for event in game.backups("O")] == [5, 6, 7]


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
    assert list(rates.values()) == [
        (1, 1),
        (1, 1),
        (1, 0),
        (1, 0),
        (0, 1),
        (0, 1),
        (0.3, 0.3),
        (0.3, 0.3),
        (0.3, 0.3),
        (0.3, 0.3),
    ]
    layout = move_lab("menace-code:over=8", "random").layout
    x = parameters(layout.x, layout, frozen=False)
    assert [exploration_rate(x, game) for game in range(9)] == [1, 1, 1, 1, 0, 0, 0.3, 0.3, 0.3]
    frozen = parameters(layout.x, layout, frozen=True)
    assert [exploration_rate(frozen, game) for game in range(3)] == [0, 0, 0]


def test_a_random_opening_takes_each_of_the_three_colours_alike(move_lab):
    game = move_lab("menace-code", "random").record(0, 400)
    openings = [move for move in game.moves("X") if move.ply == 1]
    assert [move.cell for move in openings] == [OPENINGS[int(move.pick * 12)] for move in openings]
    thirds = [OPENINGS[n : n + 4] for n in (0, 4, 8)]
    assert thirds == [(0, 2, 6, 8), (1, 3, 5, 7), (4, 4, 4, 4)]


def test_the_fullest_colour_is_chosen(move_lab):
    # The third quarter: X greedy, O at random.
    game = move_lab("menace-code:over=8", "random").know("X", {(START, 5): 3.0})
    for number in (4, 5):
        memory = game.v.copy()
        game.record(number, number + 1)
        first = game.moves("X")[0]
        assert (first.cell, first.choice) == (4, "greedy")
        game.v = memory
    assert greedy_policy(game.layout.x.preferences(game.v))[:9].tolist() == [
        0,
        0,
        0,
        0,
        1,
        0,
        0,
        0,
        0,
    ]


def test_after_its_schedule_it_beats_the_random_player_more_often_than_before():
    spec = parse_player("menace-code")
    layout = Layout.of(spec, spec)
    memory = layout.fresh()
    wins = []
    for first, last in ((0, 0), (0, 10_000)):
        Kernel(layout, seed=0).play_interpreted(memory, first, last, new_tally())
        wins.append(
            [
                evaluate_player(greedy_policy(table.preferences(memory)), side).vs_random.win
                for side, table in ((1, layout.x), (2, layout.o))
            ]
        )
    # Before: all colours are alike, so both play at random.
    assert wins[0] == pytest.approx([737 / 1260, 121 / 420], abs=1e-14)
    assert wins[1][0] > wins[0][0] and wins[1][1] > wins[0][1]
