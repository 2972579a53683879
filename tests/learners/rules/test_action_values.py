"""The rules on moves, each against its equation; `worked.txt` has single games."""

import pytest

from afterstate_lab.learners.engine.dice import COIN, dice_word, game_key
from afterstate_lab.learners.judge import figures as f
from afterstate_lab.learners.judge.evaluation import evaluate_memory
from afterstate_lab.learners.kernel.kernel import Kernel, new_tally
from afterstate_lab.learners.kernel.memory import Layout
from afterstate_lab.learners.players.resolve import parse_player


@pytest.mark.slow
@pytest.mark.parametrize("options", ["q:step=1/n", "double-q:alpha=0.01"])
def test_it_wins_the_most_that_can_be_won_against_random(options):
    """191/192, exactly, with nothing sampled; every decision is optimal."""
    x = parse_player(f"{options},epsilon=1,symmetry=on")
    layout = Layout.of(x, parse_player("random"))
    kernel, memory = Kernel(layout, 0), layout.fresh()
    kernel.compile()
    kernel.play(memory, 0, 1_000_000, new_tally())
    found = evaluate_memory(layout, memory)[0]
    assert found[f.WIN] == pytest.approx(191 / 192, abs=1e-14)
    assert (found[f.LOSS], found[f.BEATABLE], found[f.OPTIMAL]) == (0.0, False, (2423, 2423))


# Double Q-learning: one table chooses the best move, the other values it (S&B 6.7).
START, SECOND = ".........", "X..O....."
"""X's boards at its first two turns in the game of these tests."""


def coin(game, number, t, side=0):
    """Which table is written for the player's (t - 1)-th move: 0 or 1."""
    key = game_key(*game.seed, number)
    return dice_word(*key, 2 * t - 1 + side, COIN) & 1


@pytest.mark.parametrize(("written", "new"), [(0, 0.375), (1, 0.25)])
def test_one_table_chooses_and_the_other_values(lab, written, new):
    games = (lab("double-q:alpha=0.5", "human", seed) for seed in range(64))
    game = next(game for game in games if coin(game, 0, 2) == written)
    game.teach("X", {f"{SECOND}@3": 0.75, f"{SECOND}@9": 0.0}, table=0)
    game.teach("X", {f"{SECOND}@3": 0.25, f"{SECOND}@9": 1.0}, table=1)
    game.play(lab.LOSS)
    # Written Q1: it prefers 3, worth 0.25 to Q2: 0.5 + 0.5 (0.25 - 0.5) = 0.375.
    # Written Q2: it prefers 9, worth 0 to Q1:    0.5 + 0.5 (0 - 0.5)    = 0.25.
    assert game.value("X", f"{START}@1", table=written) == new
    assert game.value("X", f"{START}@1", table=1 - written) == 0.5


def test_moves_are_ranked_by_the_sum_of_both_tables(lab):
    game = lab("random", "double-q:epsilon=0")
    game.teach("O", {"X........@5": 1.0, "X........@9": 0.875}, table=0)
    game.teach("O", {"X........@5": 0.0, "X........@9": 0.75}, table=1)
    # 9: 0.875 + 0.75; 5: 1 + 0; the others 0.5 + 0.5.
    assert game.layout.o.preferences(game.v)[9:17].tolist() == [0.5] * 7 + [(0.875 + 0.75) / 2]
    chosen = game.play("1").moves("O")[0]
    assert (chosen.cell, chosen.choice) == (8, "greedy")
    scripted = game.play("15").moves("O")[0]
    assert (scripted.cell, scripted.exploratory) == (4, True)


def test_ties_of_the_argmax_are_broken_by_the_same_throw(lab):
    """Where the written table ties, the other's values show which move was taken."""
    taken = set()
    for seed in range(64):
        game = lab("double-q:alpha=1", "human", seed)
        table = coin(game, 0, t=2)
        values = {f"{SECOND}@{cell}": cell / 16 for cell in (2, 3, 5, 6, 7, 8, 9)}
        game.teach("X", values, table=1 - table).play(lab.LOSS)
        word = dice_word(*game_key(*game.seed, 0), 3, COIN) >> 1
        expected = (2, 3, 5, 6, 7, 8, 9)[word * 7 >> 31]
        assert game.value("X", f"{START}@1", table) == expected / 16
        taken.add(expected)
    assert taken == {2, 3, 5, 6, 7, 8, 9}
