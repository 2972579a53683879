"""Q-learning by hand: Q(S,A) <- Q(S,A) + alpha [R + gamma max_a Q(S',a) - Q(S,A)] (S&B 6.5)."""

import pytest

from afterstate_lab.game.exact import evaluate_player, greedy_policy
from afterstate_lab.learners.kernel.kernel import Kernel, new_tally
from afterstate_lab.learners.kernel.memory import Layout
from afterstate_lab.learners.players.resolve import parse_player

START = "........."


def test_one_over_n_makes_a_value_the_mean_of_its_targets(move_lab):
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


@pytest.mark.parametrize(("side", "pairs"), [("X", 8631), ("O", 7536)])
def test_only_legal_moves_have_an_entry(move_lab, side: str, pairs: int):
    assert len(move_lab("q", "q").table(side).entries.boards) == pairs


def test_symmetric_moves_share_an_entry(move_lab):
    game = move_lab("q:alpha=0.5,symmetry=on", "human").play("14253").play("36251")
    # The second game mirrors the first left to right, so it goes on from what that one taught.
    assert [new for *_, new in game.learned("X")] == [0.5, 0.625, 0.875]
    assert game.known("X", START, 1) == game.known("X", START, 9) == 0.5
    assert game.known("X", "XX.OO....", 3) == game.known("X", ".XX.OO...", 1) == 0.875


@pytest.mark.parametrize("name", ["q", "sarsa", "expected-sarsa", "double-q"])
def test_a_resignation_is_a_win_for_the_last_move_made(move_lab, name: str):
    empty_box = dict.fromkeys([("X........", cell) for cell in (2, 3, 5, 6, 9)], 0.0)
    game = move_lab(f"{name}:alpha=0.5", "menace").know("O", empty_box).play("1")
    assert game.learned("X") == [(START, 1, 0.75)]


@pytest.mark.parametrize("name", ["q", "sarsa", "expected-sarsa", "double-q"])
def test_who_made_no_move_learns_nothing(move_lab, name: str):
    empty_box = dict.fromkeys([(START, cell) for cell in (1, 2, 5)], 0.0)
    game = move_lab("menace", name).know("X", empty_box).play()
    assert game.backups("O") == []


def greedy_verdict(spec: str, seed: int, games: int):
    """X as it plays greedily after learning against the random player."""
    layout = Layout.of(parse_player(spec), parse_player("random"))
    kernel, v = Kernel(layout, seed), layout.fresh()
    kernel.compile()
    kernel.play(v, 0, games, new_tally())
    return evaluate_player(greedy_policy(layout.x.preferences(v)), 1)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_it_wins_the_most_that_can_be_won_against_random(seed: int):
    """191/192, whether or not a draw is better than a loss: exactly, with nothing sampled."""
    verdict = greedy_verdict("q:draw=0,epsilon=1,step=1/n,symmetry=on", seed, 1_000_000)
    assert verdict.vs_random.win == pytest.approx(191 / 192, abs=1e-14)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_with_draws_worth_more_than_losses_every_decision_is_optimal(seed: int):
    verdict = greedy_verdict("q:epsilon=1,step=1/n,symmetry=on", seed, 1_000_000)
    assert verdict.vs_random.win == pytest.approx(191 / 192, abs=1e-14)
    assert (verdict.vs_random.loss, verdict.beatable) == (0.0, False)
    assert verdict.optimal == (2423, 2423)
