"""Double Q-learning by hand: one table chooses the best move, the other values it (S&B 6.7)."""

import pytest

from afterstate_lab.game import space
from afterstate_lab.game.exact import (
    evaluate_player,
    greedy_policy,
    optimal_response_values,
    uniform_policy,
)
from afterstate_lab.learners.engine.dice import COIN, dice_word, game_key
from afterstate_lab.learners.kernel.kernel import Kernel, new_tally
from afterstate_lab.learners.kernel.memory import Layout
from afterstate_lab.learners.players.resolve import parse_player

START = "........."
SECOND = "X..O....."
"""X's board at its second turn in the game of these tests."""
HEADS = 0
"""The first table is written."""


def coin(game, number: int, t: int, side: int = 0) -> int:
    """Which table is written for the player's (t - 1)-th move: 0 or 1."""
    key = game_key(*game.seed, number)
    return dice_word(*key, 2 * t - 1 + side, COIN) & 1


def seed_where(move_lab, falls: int) -> int:
    """The first seed with which the coin for X's first move falls so."""
    return next(
        seed for seed in range(64) if coin(move_lab("double-q", "human", seed), 0, 2) == falls
    )


@pytest.mark.parametrize(("written", "new"), [(0, 0.375), (1, 0.25)])
def test_one_table_chooses_and_the_other_values(move_lab, written: int, new: float):
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


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_it_wins_the_most_that_can_be_won_against_random(seed: int):
    layout = Layout.of(
        parse_player("double-q:epsilon=1,alpha=0.01,symmetry=on"), parse_player("random")
    )
    kernel, memory = Kernel(layout, seed), layout.fresh()
    kernel.compile()
    kernel.play(memory, 0, 1_000_000, new_tally())
    verdict = evaluate_player(greedy_policy(layout.x.preferences(memory)), 1)
    assert verdict.vs_random.win == pytest.approx(191 / 192, abs=1e-14)
    assert (verdict.vs_random.loss, verdict.optimal) == (0.0, (2423, 2423))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_it_does_not_take_the_luck_of_one_estimate_for_value(seed: int):
    """Q-learning's maximum makes O hope for more than it can get; the other table damps that."""
    truth = optimal_response_values(uniform_policy(), 2, draw=0.0)[space().edge_successor]
    errors = []
    for name in ("q", "double-q"):
        spec = parse_player(f"{name}:epsilon=1,alpha=0.3,draw=0,symmetry=on")
        layout = Layout.of(parse_player("random"), spec)
        memory = layout.fresh()
        Kernel(layout, seed).play_interpreted(memory, 0, 20_000, new_tally())
        replies = slice(9, 81)
        errors.append((layout.o.preferences(memory) - truth)[replies].mean())
    by_q, by_double_q = errors
    assert by_q > max(by_double_q, 0.0)
