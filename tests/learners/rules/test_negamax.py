"""Negamax by hand, and against the exact values of the game it learns."""

import numpy as np
import pytest

from afterstate_lab.game import Board, space
from afterstate_lab.game.exact import combine, evaluate_player, greedy_policy
from afterstate_lab.learners.kernel.kernel import Kernel, new_tally
from afterstate_lab.learners.kernel.memory import Layout
from afterstate_lab.learners.players.resolve import parse_player

PLAIN = "negamax:alpha=0.5,gamma=1"


def solution(gamma: float) -> np.ndarray:
    """float64[5478]: the value of every board to the player who has just moved, by recursion."""
    s = space()
    values = np.where(s.outcome == 3, 0.5, 1.0)
    for board in range(len(values) - 1, -1, -1):
        if s.outcome[board] == 0:
            replies = s.edge_successor[s.first_edge[board] : s.first_edge[board + 1]]
            values[board] = 0.5 + gamma * (1.0 - values[replies].max() - 0.5)
    return values


def test_every_move_is_backed_up_at_once_by_the_player_who_made_it(lab):
    game = lab(PLAIN, PLAIN).play(lab.LOSS)
    # Replies are all worth 0.5 until O has allowed a win at once: 0.5 + 0.5 ((1 - 1) - 0.5).
    assert game.learned("X") == [("X........", 0.5), ("XX.O.....", 0.5)]
    assert game.learned("O") == [("X..O.....", 0.5), ("XX.OO....", 0.25)]
    assert [event.ply for event in game.backups("X") + game.backups("O")] == [1, 3, 2, 4]
    # O plays it again though its siblings are worth more: exploratory, and learned from.
    game.play(lab.LOSS)
    assert game.moves("O")[1].exploratory
    assert game.learned("O") == [("X..O.....", 0.5), ("XX.OO....", 0.125)]


def test_a_draw_is_worth_a_half_to_both(lab):
    game = lab("negamax:alpha=0.5,gamma=0.5", "negamax:alpha=0.5,gamma=0.5")
    game.teach("X", {"XOX.OOOXX": 0.75, "XOX.O.OXX": 0.25})
    game.play(lab.DRAWN)
    # Ply 8 has one reply, the draw: 0.75 + 0.5 (0.5 - 0.75). At ply 7 O's best reply is worth 0.75:
    # the target is 0.5 + 0.5 (0.25 - 0.5) = 0.375, and 0.25 + 0.5 (0.375 - 0.25) = 0.3125.
    assert game.value("O", "XOX.OOOXX") == 0.625
    assert game.value("X", "XOX.O.OXX") == 0.3125


def test_a_nearer_win_is_worth_more(lab):
    spec = "negamax:alpha=1,gamma=0.5"
    game = lab(spec, spec)
    # X's 4 threatens 6 and 7. Whatever O replies, X wins at once: 0.5 + 0.5 ((1 - 1) - 0.5).
    for reply, win in ("36", "67", "76", "86"):
        game.play(f"12594{reply}{win}")
    assert game.value("O", "XOOXX...O") == game.value("O", "XO.XX.O.O") == 0.25
    game.play("1259436")
    # The fork wins two plies later: 0.5 + 0.5 ((1 - 0.25) - 0.5).
    assert game.value("X", "XO.XX...O") == 0.625
    assert game.value("X", "XOOXXX..O") == 1.0


def test_two_share_one_table_unless_they_differ(lab):
    together = lab("negamax", "negamax")
    assert together.layout.x.base == together.layout.o.base
    apart = lab("negamax", "negamax:alpha=0.2")
    assert apart.layout.x.base != apart.layout.o.base
    # A won board is worth 1 to the winner, who has just moved, whoever that is.
    for board in ("XXXOO....", "OOOXX.X.."):
        assert together.value("X", board) == together.value("O", board) == 1.0
    # Each keeps its own rewards all the same.
    for table, rewards in ((together.layout.x, [1, 0, 0.5]), (together.layout.o, [0, 1, 0.5])):
        assert together.v[table.rewards + 1 : table.rewards + 4].tolist() == rewards


@pytest.mark.parametrize("symmetry", ["off", "on"])
def test_one_alone_learns_what_two_would_have_learned(lab, symmetry: str):
    spec = f"negamax:alpha=0.3,symmetry={symmetry}"
    both = lab(spec, spec, seed=3)
    alone_x, alone_o = lab(spec, "human"), lab("human", spec)
    for number in range(200):
        both.record(number, number + 1)
        moves = sorted(both.moves("X") + both.moves("O"), key=lambda move: move.ply)
        cells = "".join(str(move.cell + 1) for move in moves)
        backed_up = {board for player in "XO" for board, _ in both.learned(player)}
        assert {board for board, _ in alone_x.play(cells).learned("X")} == backed_up
        assert {board for board, _ in alone_o.play(cells).learned("O")} == backed_up
    learned = both.table("X").values(both.v)
    assert alone_x.table("X").values(alone_x.v).tobytes() == learned.tobytes()
    assert alone_o.table("O").values(alone_o.v).tobytes() == learned.tobytes()


def test_one_alone_backs_up_its_opponents_move_when_its_own_turn_comes(lab):
    game = lab(PLAIN, "human").play("142596")
    assert game.learned("X") == [
        (str(Board.parse(board)), 0.5) for board in ("X........", "X..O.....", "XX.O.....")
    ] + [("XX.OO....", 0.25), ("XX.OO...X", 0.25)]
    assert [event.ply for event in game.backups("X")] == [1, 3, 3, 5, 5]


def test_the_exact_values_do_not_change_whoever_plays(lab):
    spec = "negamax:alpha=0.3,epsilon=0.5,gamma=0.9"
    for x, o in ((spec, spec), (spec, "random"), ("random", spec)):
        game = lab(x, o)
        for table in (game.layout.x, game.layout.o):
            if table.spec.rule.name == "negamax":
                table.values(game.v)[0][:] = solution(0.9)
        before = game.v[: len(game.v) // 2].copy()
        game.record(0, 200)
        assert game.v[: len(before)].tobytes() == before.tobytes()


@pytest.mark.slow
def test_all_decisions_are_optimal_within_20_000_games_and_stay_so():
    """alpha = 1 and epsilon = 1: only boards that were never visited can be wrong."""
    spec = parse_player("negamax:alpha=1,epsilon=1")
    layout = Layout.of(spec, spec)
    for seed in range(3):
        kernel, v, tally = Kernel(layout, seed), layout.fresh(), new_tally()
        kernel.compile()
        for games in range(0, 40_000, 2000):
            kernel.play(v, games, games + 2000, tally)
            x, o = verdicts(layout, v)
            assert x.missed_wins == o.missed_wins == 0
            if games >= 18_000:
                assert x.optimal == (2423, 2423)
                assert o.optimal == (2097, 2097)
                assert not x.beatable
                assert not o.beatable
        values, live = layout.x.values(v)[0], layout.x.entries.live
        live = live & (np.arange(len(live)) > 0)
        assert values[live] == pytest.approx(solution(0.99)[live], rel=0, abs=1e-15)


@pytest.mark.quick("symmetry=on")
@pytest.mark.parametrize("options", ["", "alpha=0.3,epsilon=0.3", "symmetry=on", "gamma=0.5"])
def test_no_win_at_once_is_ever_missed(options: str):
    """Only a win at once is worth 1: every target is at most 1/2 + gamma/2."""
    spec = parse_player(f"negamax:{options}")
    layout = Layout.of(spec, spec)
    kernel, v, tally = Kernel(layout, 0), layout.fresh(), new_tally()
    for games in range(0, 2000, 100):
        kernel.play(v, games, games + 100, tally)
        x, o = verdicts(layout, v)
        assert x.missed_wins == o.missed_wins == 0


def verdicts(layout: Layout, v: np.ndarray):
    """The exact evaluation of X and of O."""
    policy = combine(greedy_policy(layout.x.preferences(v)), greedy_policy(layout.o.preferences(v)))
    return evaluate_player(policy, 1), evaluate_player(policy, 2)
