"""The rules on moves by hand, each against its equation."""

import numpy as np
import pytest

from afterstate_lab.game import Side, space
from afterstate_lab.game.exact import (
    evaluate_player,
    expected_value,
    greedy_policy,
    optimal_response_values,
    uniform_policy,
)
from afterstate_lab.learners.engine.dice import COIN, dice_word, game_key
from afterstate_lab.learners.kernel.kernel import Kernel, new_tally
from afterstate_lab.learners.kernel.memory import Layout
from afterstate_lab.learners.players.resolve import parse_player

# Q-learning by hand: Q(S,A) <- Q(S,A) + alpha [R + gamma max_a Q(S',a) - Q(S,A)] (S&B 6.5).

START = "........."


def test_q_with_one_over_n_makes_a_value_the_mean_of_its_targets(move_lab):
    game = move_lab("human", "q:step=1/n")
    lost, went_on = "14253", "142596"
    # Lost: 0. Gone on: 0.5, the best that was known of the next turn then.
    for n, (cells, target, mean) in enumerate(
        [(lost, 0.0, 0.0), (went_on, 0.5, 0.25), (lost, 0.0, 0.5 / 3), (lost, 0.0, 0.125)], 1
    ):
        last = game.play(cells).backups("O")[1]
        assert (last.cell, last.step, last.target) == (4, 1 / n, target)
        assert last.new == pytest.approx(mean, abs=1e-16)
    assert game.table("O").visits(game.v)[0][game.entry("O", "XX.O.....", 5)] == 4


def test_symmetric_moves_share_an_entry(move_lab):
    game = move_lab("q:alpha=0.5,symmetry=on", "human").play("14253").play("36251")
    # The second game mirrors the first left to right, so it goes on from what that one taught.
    assert [new for *_, new in game.learned("X")] == [0.5, 0.625, 0.875]
    assert game.known("X", START, 1) == game.known("X", START, 9) == 0.5
    assert game.known("X", "XX.OO....", 3) == game.known("X", ".XX.OO...", 1) == 0.875


@pytest.mark.parametrize("name", ["q", "sarsa", "expected-sarsa", "double-q"])
def test_a_resignation_is_a_win_for_the_last_move_made(move_lab, name):
    empty_box = dict.fromkeys([("X........", cell) for cell in (2, 3, 5, 6, 9)], 0.0)
    game = move_lab(f"{name}:alpha=0.5", "menace").know("O", empty_box).play("1")
    assert game.learned("X") == [(START, 1, 0.75)]


@pytest.mark.parametrize("name", ["q", "sarsa", "expected-sarsa", "double-q"])
def test_who_made_no_move_learns_nothing(move_lab, name):
    empty_box = dict.fromkeys([(START, cell) for cell in (1, 2, 5)], 0.0)
    game = move_lab("menace", name).know("X", empty_box).play()
    assert game.backups("O") == []


@pytest.mark.slow
@pytest.mark.parametrize("options", ["q:step=1/n", "double-q:alpha=0.01"])
def test_it_wins_the_most_that_can_be_won_against_random(options):
    """191/192, exactly, with nothing sampled; every decision is optimal."""
    x = parse_player(f"{options},epsilon=1,symmetry=on")
    layout = Layout.of(x, parse_player("random"))
    kernel, memory = Kernel(layout, 0), layout.fresh()
    kernel.compile()
    kernel.play(memory, 0, 1_000_000, new_tally())
    verdict = evaluate_player(greedy_policy(layout.x.preferences(memory)), Side.X)
    assert verdict.vs_random.win == pytest.approx(191 / 192, abs=1e-14)
    assert (verdict.vs_random.loss, verdict.beatable) == (0.0, False)
    assert verdict.optimal == (2423, 2423)


# Sarsa by hand: Q(S,A) <- Q(S,A) + alpha [R + gamma Q(S',A') - Q(S,A)] (S&B 6.4).

CENTRE, CORNERS = {4}, {0, 2, 6, 8}


@pytest.mark.parametrize("options", ["alpha=0.3,gamma=0.9", "step=1/n,symmetry=on"])
@pytest.mark.parametrize("name", ["sarsa", "expected-sarsa"])
def test_without_exploration_it_is_q_learning_bit_for_bit(name, options):
    """A greedy A' is worth the maximum, whichever of the best it is."""
    memories = []
    for rule in (name, "q"):
        spec = parse_player(f"{rule}:epsilon=0,{options}")
        layout = Layout.of(spec, spec)
        memory = layout.fresh()
        Kernel(layout, seed=5).play_interpreted(memory, 0, 2000, new_tally())
        memories.append(memory.tobytes())
    assert memories[0] == memories[1]


@pytest.mark.parametrize(
    ("name", "games"),
    [
        ("sarsa", 10_000),
        pytest.param("expected-sarsa", 10_000, marks=pytest.mark.slow),
        pytest.param("q", 1_000_000, marks=pytest.mark.slow),
    ],
)
def test_on_policy_the_centre_is_best_for_who_plays_at_random_off_policy_a_corner(name, games):
    """What an opening is worth depends on how X goes on: as it does, or as it best could."""
    random = uniform_policy()
    as_it_does = expected_value(random, Side.X, draw=0.0)[space().edge_successor[:9]]
    as_it_could = optimal_response_values(random, Side.X, draw=0.0)[space().edge_successor[:9]]
    assert set(np.flatnonzero(as_it_does == as_it_does.max())) == CENTRE
    assert set(np.flatnonzero(np.isclose(as_it_could, as_it_could.max(), atol=1e-9))) == CORNERS
    layout = Layout.of(
        parse_player(f"{name}:epsilon=1,draw=0,step=1/n,symmetry=on"), parse_player("random")
    )
    memory = layout.fresh()
    kernel = Kernel(layout, 0)
    if games == 1_000_000:
        kernel.compile()
    kernel.play(memory, 0, games, new_tally())
    openings = layout.x.preferences(memory)[:9]
    best = set(np.flatnonzero(openings == openings.max()))
    assert best == (CORNERS if name == "q" else CENTRE)


# Expected Sarsa by hand: the target is R + gamma sum_a pi(a|S') Q(S',a) (S&B 6.6).


def test_the_target_is_what_the_policy_expects_whatever_was_played(move_lab):
    spec = "expected-sarsa:alpha=0.5,epsilon=0.5"
    game = move_lab("human", spec).know("O", {("XX.O.....", 5): 0.125}).play(move_lab.LOSS)
    assert [move.exploratory for move in game.moves("O")] == [False, True]
    # Six moves: 0.125 and five times 0.5. Their mean is 2.625 / 6 = 0.4375, the best is 0.5:
    # 0.5 * 0.5 + 0.5 * 0.4375 = 0.46875, though O plays the worst of them.
    first, last = game.backups("O")
    assert (first.old, first.target, first.new) == (0.5, 0.46875, 0.484375)
    assert (last.old, last.target, last.new) == (0.125, 0.0, 0.0625)


def test_ties_share_the_greedy_mass(move_lab):
    spec = "expected-sarsa:alpha=1,epsilon=0.25"
    tied = {("XX.OO....", cell): 1.0 for cell in (3, 6)} | {
        ("XX.OO....", cell): 0.0 for cell in (7, 8, 9)
    }
    game = move_lab(spec, "human").know("X", tied).play(move_lab.LOSS)
    # Two of five are worth 1: 0.75 * 1 (a half each) + 0.25 * 2 / 5 = 0.85.
    assert game.backups("X")[1].target == pytest.approx(0.85, abs=1e-16)


def test_epsilon_is_that_of_the_game(move_lab):
    spec = "expected-sarsa:alpha=0.5,epsilon=1..0,over=2"
    targets = []
    for game_number in range(3):
        game = move_lab(spec, "human")
        game.tally[3] = game_number
        targets.append(game.know("X", {("X..O.....", 2): 1.0}).play("14253").backups("X")[0].target)
    # One of seven moves is worth 1, six 0.5: the mean is 4 / 7. Epsilon is 1, 0.5, 0.
    assert targets == pytest.approx([4 / 7, 0.5 + 2 / 7, 1.0], abs=1e-15)


# Double Q-learning by hand: one table chooses the best move, the other values it (S&B 6.7).
SECOND = "X..O....."
"""X's board at its second turn in the game of these tests."""
HEADS = 0
"""The first table is written."""


def coin(game, number, t, side=0):
    """Which table is written for the player's (t - 1)-th move: 0 or 1."""
    key = game_key(*game.seed, number)
    return dice_word(*key, 2 * t - 1 + side, COIN) & 1


def seed_where(move_lab, falls):
    """The first seed with which the coin for X's first move falls so."""
    return next(
        seed for seed in range(64) if coin(move_lab("double-q", "human", seed), 0, 2) == falls
    )


@pytest.mark.parametrize(("written", "new"), [(0, 0.375), (1, 0.25)])
def test_one_table_chooses_and_the_other_values(move_lab, written, new):
    game = move_lab("double-q:alpha=0.5", "human", seed_where(move_lab, written))
    game.know("X", {(SECOND, 3): 0.75, (SECOND, 9): 0.0}, table=0)
    game.know("X", {(SECOND, 3): 0.25, (SECOND, 9): 1.0}, table=1)
    game.play(move_lab.LOSS)
    # Written Q1: it prefers 3, worth 0.25 to Q2: 0.5 + 0.5 (0.25 - 0.5) = 0.375.
    # Written Q2: it prefers 9, worth 0 to Q1:    0.5 + 0.5 (0 - 0.5)    = 0.25.
    assert game.known("X", START, 1, table=written) == new
    assert game.known("X", START, 1, table=1 - written) == 0.5


def test_backups_of_a_won_and_of_a_lost_game(move_lab):
    spec = "double-q:alpha=0.5"
    game = move_lab(spec, spec).play(move_lab.LOSS)
    # All values are 0.5 in both tables; the written one moves to the result: 0.75, and 0.25 for O.
    assert game.learned("X") == [(START, 1, 0.5), (SECOND, 2, 0.5), ("XX.OO....", 3, 0.75)]
    assert game.learned("O") == [("X........", 4, 0.5), ("XX.O.....", 5, 0.25)]
    x, o = coin(game, 0, t=4), coin(game, 0, t=3, side=1)
    assert [game.known("X", "XX.OO....", 3, n) for n in (x, 1 - x)] == [0.75, 0.5]
    assert [game.known("O", "XX.O.....", 5, n) for n in (o, 1 - o)] == [0.25, 0.5]


def test_moves_are_ranked_by_the_sum_of_both_tables(move_lab):
    game = move_lab("random", "double-q:epsilon=0")
    game.know("O", {("X........", 5): 1.0, ("X........", 9): 0.875}, table=0)
    game.know("O", {("X........", 5): 0.0, ("X........", 9): 0.75}, table=1)
    # 9: 0.875 + 0.75; 5: 1 + 0; the others 0.5 + 0.5.
    assert game.layout.o.preferences(game.v)[9:17].tolist() == [0.5] * 7 + [(0.875 + 0.75) / 2]
    chosen = game.play("1").moves("O")[0]
    assert (chosen.cell, chosen.choice) == (8, "greedy")
    scripted = game.play("15").moves("O")[0]
    assert (scripted.cell, scripted.exploratory) == (4, True)


def test_the_coin_says_which_table_is_written(move_lab):
    spec = "double-q:epsilon=1"
    game = move_lab(spec, spec).record(0, 200)
    heads = 0
    for player, side in (("X", 0), ("O", 1)):
        size = len(game.table(player).entries.boards)
        turns: dict[int, int] = {}
        for event in game.backups(player):
            turns[event.game] = turns.get(event.game, 1) + 1
            table = (event.entry - game.table(player).base) // size
            assert table == coin(game, event.game, turns[event.game], side)
            heads += table == HEADS
    # A fair coin: 1,527 throws, 764 +- 20 heads.
    throws = len(game.backups("X")) + len(game.backups("O"))
    assert abs(heads - throws / 2) < 3 * (throws / 4) ** 0.5


def test_ties_of_the_argmax_are_broken_by_the_same_throw(move_lab):
    """Where the written table ties, the other's values show which move was taken."""
    taken = set()
    for seed in range(64):
        game = move_lab("double-q:alpha=1", "human", seed)
        table = coin(game, 0, t=2)
        values = {(SECOND, cell): cell / 16 for cell in (2, 3, 5, 6, 7, 8, 9)}
        game.know("X", values, table=1 - table).play(move_lab.LOSS)
        word = dice_word(*game_key(*game.seed, 0), 3, COIN) >> 1
        expected = (2, 3, 5, 6, 7, 8, 9)[word * 7 >> 31]
        assert game.known("X", START, 1, table) == expected / 16
        taken.add(expected)
    assert taken == {2, 3, 5, 6, 7, 8, 9}
