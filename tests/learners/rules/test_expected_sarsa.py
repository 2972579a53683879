"""Expected Sarsa by hand: the target is R + gamma sum_a pi(a|S') Q(S',a) (S&B 6.6)."""

import pytest

from afterstate_lab.game import space
from afterstate_lab.learners.kernel.kernel import Kernel, new_tally
from afterstate_lab.learners.kernel.memory import Layout
from afterstate_lab.learners.players.resolve import parse_player


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


@pytest.mark.parametrize("options", ["alpha=0.3,gamma=0.9", "step=1/n,symmetry=on"])
def test_without_exploration_it_is_q_learning_bit_for_bit(options: str):
    memories = []
    for name in ("expected-sarsa", "q"):
        spec = parse_player(f"{name}:epsilon=0,{options}")
        layout = Layout.of(spec, spec)
        memory = layout.fresh()
        Kernel(layout, seed=6).play_interpreted(memory, 0, 2000, new_tally())
        memories.append(memory.tobytes())
    assert memories[0] == memories[1]


def test_on_the_same_dice_it_plays_the_games_of_sarsa_and_agrees_where_nothing_is_left_to_expect():
    tables = []
    for name in ("sarsa", "expected-sarsa"):
        layout = Layout.of(parse_player(f"{name}:epsilon=1"), parse_player("random"))
        memory = layout.fresh()
        Kernel(layout, seed=7).play_interpreted(memory, 0, 2000, new_tally())
        tables.append((layout.x.values(memory)[0], layout.x.visits(memory)[0]))
    (sampled, sarsa_visits), (expected, visits) = tables
    assert (sarsa_visits == visits).all()
    # X's fifth move fills the board: its target is the result, in both.
    fifth = space().ply[layout.x.entries.boards] == 8
    assert visits[fifth].sum() > 0 and (sampled[fifth] == expected[fifth]).all()
    assert (sampled[~fifth] != expected[~fifth]).any()
