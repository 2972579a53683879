"""The rules on boards by hand, each against its equation."""

from itertools import pairwise, product
from types import SimpleNamespace

import numpy as np
import pytest

from afterstate_lab.game import Board, Side, space
from afterstate_lab.game.exact import expected_value, uniform_policy
from afterstate_lab.learners.engine.choices import RESIGNS
from afterstate_lab.learners.rules.opponents import Opponent
from afterstate_lab.learners.rules.spec import PlayerSpec
from afterstate_lab.learners.rules.tdlambda import visited

# TD(0) by hand: V(S_t) <- V(S_t) + alpha [V(S_t+1) - V(S_t)], online (S&B 1.5).

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
def test_a_resignation_is_a_win_after_the_last_move(lab, name):
    spec = f"{name}{',' if ':' in name else ':'}alpha=0.5"
    game = lab(spec, PlayerSpec(Quitter)).play("1")
    assert ("X........", 0.75) in game.learned("X")


# Monte Carlo by hand: every afterstate moves towards the result of the game (S&B 5, 6.1).


def test_one_over_n_is_the_mean_of_the_results(lab):
    game = lab("mc:step=1/n", "human")
    # X wins, draws and loses after opening in the corner: 1, (1 + 0.5) / 2, (1 + 0.5 + 0) / 3.
    for cells, mean in ((lab.LOSS, 1.0), (lab.DRAWN, 0.75), ("142596", 0.5)):
        game.play(cells)
        assert game.value("X", "X........") == game.value("X", START) == mean
    assert game.visits("X", "X........") == 3
    assert game.value("X", "XX.O.....") == 0.5


@pytest.mark.slow
def test_means_against_random_play_are_the_exact_values_up_to_sampling(lab):
    """The error of a mean of n results is sigma / sqrt(n), no more and no less.

    All moves are drawn at random, so the results that follow an afterstate are independent draws
    with the exact mean v and the exact variance E[G^2] - v^2.
    """
    spec = "mc:step=1/n,epsilon=1"
    sample = lab(spec, spec)
    sample.kernel.compile()
    sample.kernel.play(sample.v, 0, 200_000, sample.tally)
    table, side = sample.table("X"), Side.X
    values, n = table.values(sample.v)[0], table.visits(sample.v)[0]
    exact = expected_value(uniform_policy(), side)
    variance = expected_value(uniform_policy(), side, draw=0.25) - exact**2
    certain = (n > 0) & (variance < 1e-12)
    assert certain.sum() > 50
    assert values[certain] == pytest.approx(exact[certain], abs=1e-12)
    often = (n > 30) & ~certain
    assert often.sum() > 1500
    squared = n[often] * (values - exact)[often] ** 2 / variance[often]
    # The squares have mean 1; entries overlap in games, hence the width of the interval.
    assert 0.9 < squared.mean() < 1.1
    assert values[0] == pytest.approx(exact[0], abs=4 * np.sqrt(variance[0] / n[0]))
    assert n[space().ply == 0] == 200_000


# n-step TD by hand: V(S_t) moves towards V(S_min(t+n,T)), online (S&B 7.1).


def test_nothing_is_left_to_learn_after_an_exploratory_last_move(lab):
    game = lab("nstep:n=2,alpha=0.5,initial=2", "human")
    game.teach("X", {"XX.O.....": 3.0})
    # To win is worth 1 and its siblings 2. S_0 has learned from S_2, 2 + 0.5 (3 - 2); so does S_1.
    assert game.play(lab.LOSS).learned("X") == [
        (START, 2.5),
        ("X........", 2.5),
        ("XX.O.....", "exploratory"),
    ]


@pytest.mark.parametrize("exploration", ["skip", "learn"])
@pytest.mark.parametrize("n", [1, 2, 3, 4, 5])
def test_every_afterstate_learns_once_from_the_horizon_of_its_definition(lab, n, exploration):
    spec = f"nstep:n={n},alpha=0.25,epsilon=0.5,exploration={exploration}"
    game = lab(spec, spec, seed=n)
    for number in range(150):
        before = game.v.copy()
        game.record(number, number + 1)
        for player in "XO":
            values, path = game.table(player).values(before)[0], game.path(player)
            end = len(path) - 1
            explored = [k for k, move in enumerate(game.moves(player), 1) if move.exploratory]
            expected = []
            for t in range(end):
                cuts = [k - 1 for k in explored if k > t and exploration == "skip"]
                horizon = min(t + n, end, *cuts, 9)
                if horizon > t:
                    expected.append((path[t], values[path[horizon]]))
            assert [(event.board, event.target) for event in game.backups(player)] == expected


# TD(lambda) by hand: V <- V + alpha delta z, online (S&B 12.2; 12.5).


def test_an_error_reaches_back_along_the_traces(lab):
    spec = "tdlambda:lambda=0.5,alpha=0.5"
    told = [(e.target, e.step, e.trace) for e in lab(spec, spec).play(lab.LOSS).backups("X")]
    assert told[-3:] == [(1.0, 0.5, 1.0), (1.0, 0.5, 0.5), (1.0, 0.5, 0.25)]


def test_the_three_traces_of_an_afterstate_that_is_visited_again():
    # z = 1/2 after the decay: 1/2 + 1, 1, and 1/2 + 1 - alpha/2.
    kinds = [SimpleNamespace(traces=kind, alpha=0.5) for kind in range(3)]
    assert [visited(me, 0.5) for me in kinds] == [1.5, 1.0, 1.25]
    # A first visit is the same for all: the only case in tic-tac-toe.
    assert [visited(me, 0.0) for me in kinds] == [1.0, 1.0, 1.0]


def textbook(values, path, kind, alpha, lambda_):
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
def test_bit_for_bit_as_the_book_computes_it(lab, kind, lambda_):
    spec = f"tdlambda:lambda={lambda_},traces={kind},alpha=0.3,exploration=learn,epsilon=0.5"
    game = lab(spec, spec)
    for number in range(150):
        before = game.v.copy()
        game.record(number, number + 1)
        for player in "XO":
            values = game.table(player).values(before)[0].copy()
            textbook(values, game.path(player), kind, 0.3, lambda_)
            assert game.table(player).values(game.v)[0].tobytes() == values.tobytes()


# The reverse chain by hand: each board moves towards the updated value of the next, last first.


def test_all_plies_put_both_players_boards_in_one_chain(lab):
    spec = "chain:alpha=0.5,plies=all"
    game = lab(spec, spec).play(lab.LOSS)
    boards = ("XX.OO....", "XX.O.....", "X..O.....", "X........", START)
    # Half of what was left: 1/4, 1/8, 1/16, 1/32, 1/64 above 0.5 for X and below it for O.
    assert game.learned("X") == [(b, 0.5 + 0.5 ** (k + 2)) for k, b in enumerate(boards)]
    assert game.learned("O") == [(b, 0.5 - 0.5 ** (k + 2)) for k, b in enumerate(boards)]


@pytest.mark.parametrize(
    ("exploration", "values"),
    [
        # From O's last board back: 1/8, then 0.5 + 0.5 (1/8 - 0.5), 0.75 + 0.5 (5/16 - 0.75), ...
        ("learn", (0.125, 0.3125, 0.53125, 0.515625, 0.5078125)),
        # O's own exploratory move breaks the chain before it, at the board after X's 2.
        ("forget", (0.125, *["exploratory"] * 4)),
        # Then from the old 0.5 of that board: 0.75 + 0.5 (0.5 - 0.75), 0.5 + 0.5 (0.625 - 0.5), ...
        ("skip", (0.125, "exploratory", 0.625, 0.5625, 0.53125)),
    ],
)
def test_exploratory_move_in_a_chain_of_all_plies(lab, exploration, values):
    game = lab("human", f"chain:alpha=0.5,plies=all,exploration={exploration}")
    game.teach("O", lab.TEMPTED)
    boards = ("XX.OO....", "XX.O.....", "X..O.....", "X........", START)
    assert game.play(lab.LOSS).learned("O") == list(zip(boards, values, strict=True))


# Negamax by hand, and against the exact values of the game it learns.


def test_only_the_players_own_exploratory_moves_break_its_chain(lab):
    forget = "chain:alpha=0.5,plies=all,exploration=forget"
    game = lab("human", forget)
    game.teach("O", {"X........": 0.25, "XX.O.....": 0.25})
    assert "exploratory" not in dict(game.play(lab.LOSS).learned("O")).values()


PLAIN = "negamax:alpha=0.5,gamma=1"


def solution(gamma):
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
