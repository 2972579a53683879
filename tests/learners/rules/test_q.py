"""Q-learning by hand: Q(S,A) <- Q(S,A) + alpha [R + gamma max_a Q(S',a) - Q(S,A)] (S&B 6.5)."""

import pytest

from game.exact import evaluate_player, greedy_policy
from learners.kernel.kernel import Kernel, new_tally
from learners.kernel.memory import Layout
from learners.players.resolve import parse_player

START = "........."


def test_backups_of_a_won_and_of_a_lost_game(move_lab):
    game = move_lab("q:alpha=0.5", "q:alpha=0.5").play(move_lab.LOSS)
    # All values are 0.5: 0.5 + 0.5 (0.5 - 0.5) until the end, then r = 1 for X and 0 for O.
    assert game.learned("X") == [(START, 1, 0.5), ("X..O.....", 2, 0.5), ("XX.OO....", 3, 0.75)]
    assert game.learned("O") == [("X........", 4, 0.5), ("XX.O.....", 5, 0.25)]
    game.play(move_lab.LOSS)
    # X's third board has a move worth 0.75 now: 0.5 + 0.5 (0.75 - 0.5); then 0.75 + 0.5 (1 - 0.75).
    assert game.learned("X") == [(START, 1, 0.5), ("X..O.....", 2, 0.625), ("XX.OO....", 3, 0.875)]
    # O's second board still has moves worth 0.5, and that is its maximum; 0.25 + 0.5 (0 - 0.25).
    assert game.learned("O") == [("X........", 4, 0.5), ("XX.O.....", 5, 0.125)]


def test_an_exploratory_move_teaches_the_best_value_not_its_own(move_lab):
    game = move_lab("human", "q:alpha=0.5").know(
        "O", {("XX.O.....", 5): 0.25, ("XX.O.....", 9): 0.75}
    )
    game.play(move_lab.LOSS)
    assert [move.exploratory for move in game.moves("O")] == [False, True]
    # O plays 5 (0.25) where 9 is worth 0.75: 0.5 + 0.5 (0.75 - 0.5), then 0.25 + 0.5 (0 - 0.25).
    assert game.learned("O") == [("X........", 4, 0.625), ("XX.O.....", 5, 0.125)]


@pytest.mark.parametrize(("draw", "last"), [("0.5", 0.5), ("0", 0.25), ("1", 0.75)])
def test_a_draw_is_worth_what_the_option_says(move_lab, draw: str, last: float):
    spec = f"q:alpha=0.5,draw={draw}"
    game = move_lab(spec, spec).play(move_lab.DRAWN)
    # 0.5 + 0.5 (draw - 0.5): for X after its own last move, for O when X's ends the game.
    assert game.learned("X") == [
        (START, 1, 0.5),
        ("X...O....", 9, 0.5),
        ("XO..O...X", 8, 0.5),
        ("XO..O.OXX", 3, 0.5),
        ("XOX.OOOXX", 4, last),
    ]
    assert game.learned("O") == [
        ("X........", 5, 0.5),
        ("X...O...X", 2, 0.5),
        ("XO..O..XX", 7, 0.5),
        ("XOX.O.OXX", 6, last),
    ]


def test_the_next_turn_is_discounted_and_the_reward_is_not(move_lab):
    game = move_lab("q:alpha=1,gamma=0.5", "human").play(move_lab.LOSS).play(move_lab.LOSS)
    # 0.5 * 0.5; 0.5 * 1 (the third board's best is the win of the first game); 1.
    assert game.learned("X") == [(START, 1, 0.25), ("X..O.....", 2, 0.5), ("XX.OO....", 3, 1.0)]


def test_a_move_learns_at_the_players_next_turn_and_when_the_opponent_ends_the_game(move_lab):
    game = move_lab("q", "q").play(move_lab.LOSS)
    assert [event.ply for event in game.backups("X")] == [3, 5, 5]
    assert [event.ply for event in game.backups("O")] == [4, 5]


def test_a_backup_tells_old_target_step_trace_and_new(move_lab):
    last = move_lab("q:alpha=0.25", "human").play(move_lab.LOSS).backups("X")[-1]
    assert (last.old, last.target, last.step, last.trace, last.new) == (0.5, 1.0, 0.25, 1.0, 0.625)
    assert (last.rule, last.error) == ("q", 0.5)


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
