"""Every metric against a player whose numbers are known exactly."""

import numpy as np
import pytest

from game import Board, Side, space
from game.exact import expected_value, optimal_response_values, uniform_policy
from learners.errors import UsageError
from learners.experiments.metrics import METRICS, SidedMetric, VerdictSummary, verdict
from learners.experiments.results import reference
from learners.experiments.sweep import Arm
from learners.judge.evaluated_state import EvaluatedState, Pair
from learners.judge.figures import BEATABLE, OPTIMAL, RMS_MINIMAX, RMS_OPTIMAL, WIN, WORST_LOSS
from learners.kernel.memory import Layout
from learners.players.resolve import parse_player


def state(x: str, o: str = "random", **more) -> EvaluatedState:
    layout = Layout.of(parse_player(x), parse_player(o))
    return EvaluatedState(Pair(layout), layout.fresh(), **({"game": 0} | more))


def measured(name: str, at: EvaluatedState) -> float:
    return SidedMetric.parse(name).measure(at)


def test_a_learner_that_knows_nothing_plays_at_random():
    """Of pairs: a fresh table of afterstates would know which boards are won."""
    fresh = state("q:draw=0")
    assert measured("win X", fresh) == pytest.approx(737 / 1260)
    assert measured("draw X", fresh) == pytest.approx(8 / 63)
    assert measured("loss X", fresh) == pytest.approx(121 / 420)
    assert measured("greedy-value X", fresh) == pytest.approx(737 / 1260)
    assert measured("behaviour-value X", fresh) == pytest.approx(737 / 1260)
    assert measured("beatable X", fresh) == 1.0
    assert measured("value X", fresh) == 0.5
    assert measured("coverage X", fresh) == 0.0


def test_a_learner_that_knows_v_star_is_as_good_as_can_be_and_has_no_error():
    known = state("td:draw=0,epsilon=0.1")
    v_star = optimal_response_values(uniform_policy(), 1, draw=0.0)
    known.table(Side.X).values(known.memory)[0][:] = v_star
    assert measured("greedy-value X", known) == pytest.approx(191 / 192)
    assert measured("value X", known) == pytest.approx(191 / 192)
    assert measured("rms-v* X", known) == 0.0
    assert 0.96 < measured("behaviour-value X", known) < 0.9744
    assert measured("rms-v_pi X", known) > 0.0


def test_a_learner_that_knows_v_pi_of_random_play_has_no_error_against_it():
    known = state("td:epsilon=1")
    known.table(Side.X).values(known.memory)[0][:] = expected_value(uniform_policy(), 1)
    assert measured("rms-v_pi X", known) == 0.0
    assert measured("rms-v* X", known) > 0.1


def test_the_error_is_over_the_afterstates_of_the_side():
    """Of a constant 0.5 against v*: worked from the definition."""
    fresh, s = state("random", "td:draw=0"), space()
    own = (s.outcome == 0) & (s.ply > 0) & (s.ply % 2 == 0)
    assert np.count_nonzero(own) == 2422
    truth = optimal_response_values(uniform_policy(), 2, draw=0.0)[own]
    expected = float(np.sqrt(np.mean((0.5 - truth) ** 2)))
    assert measured("rms-v* O", fresh) == pytest.approx(expected)


def test_what_a_learner_does_now_follows_its_epsilon_and_its_opponents():
    changing = "td:epsilon=1..0,over=100", "drifting:over=100"
    start, later = (state(*changing, game=game) for game in (0, 100))
    assert measured("behaviour-value O", start) == pytest.approx(1 - (737 / 1260 + 4 / 63))
    perfect = state("td:epsilon=0", "perfect")
    assert measured("behaviour-value O", later) == measured("behaviour-value O", perfect)


def test_an_action_value_learner_expects_what_its_best_opening_is_worth():
    q = state("q")
    table = q.table(Side.X)
    edge = space().edge_of[Board().id, 4]
    table.values(q.memory)[0][table.entries.of_edge[edge]] = 0.75
    assert measured("value X", q) == 0.75
    assert np.isnan(measured("value O", state("random", "q")))


def test_what_a_player_has_not_is_no_number():
    for at in (state("random", "td"), state("menace", "td"), state("negamax", "td")):
        assert np.isnan(measured("value X", at))
    for name in ("rms-v* X", "rms-v_pi X", "rms-minimax X", "coverage X"):
        assert np.isnan(measured(name, state("random", "td")))
    assert np.isnan(measured("won X", state("td")))


def test_the_shares_of_results_are_of_the_games_since_the_moment_before():
    at = state("td", results=(6, 3, 1))
    assert [measured(f"{name} X", at) for name in ("won", "drawn", "lost")] == [0.6, 0.1, 0.3]
    assert [measured(f"{name} O", at) for name in ("won", "drawn", "lost")] == [0.3, 0.1, 0.6]


def test_every_metric_measures_both_sides_of_every_kind_of_player():
    pairs = ("td", "td"), ("q", "menace"), ("perfect", "double-q"), ("menace-code", "menace-code")
    for x, o in pairs:
        at = state(x, o, results=(1, 1, 1))
        for name in METRICS:
            numbers = [measured(f"{name} {side}", at) for side in "XO"]
            assert all(np.isnan(number) or -1.0 <= number <= 2423 for number in numbers)


def test_an_unknown_metric_is_refused_with_what_would_be_right():
    with pytest.raises(UsageError, match="there is no metric 'beetable'; did you mean beatable"):
        SidedMetric.parse("beetable X")
    with pytest.raises(UsageError, match="needs a side: win X or win O"):
        SidedMetric.parse("win")


def arm(x: str, o: str = "random") -> Arm:
    return Arm("A", parse_player(x), parse_player(o))


@pytest.mark.parametrize(
    ("x", "metric", "value"),
    [
        ("td:draw=0,epsilon=0.1", "value X", 191 / 192),
        ("td:draw=0,epsilon=0.1,exploration=learn", "value X", 0.9743),
        ("td:draw=0,epsilon=1,exploration=learn", "value X", 737 / 1260),
        ("sarsa:draw=0,epsilon=0.1", "value X", 0.9743),
        ("q:draw=0,epsilon=0.1", "value X", 191 / 192),
        ("td:draw=0,epsilon=0.1,exploration=learn", "greedy-value X", 191 / 192),
        ("td:draw=0,epsilon=0.1", "behaviour-value X", 0.9743),
        ("td:draw=0,epsilon=0.1,learn=off", "behaviour-value X", 191 / 192),
        ("td", "win X", 191 / 192),
    ],
)
def test_the_exact_values_of_exercise_1_4_and_others(x: str, metric: str, value: float):
    found = reference(arm(x), SidedMetric.parse(metric))
    assert found is not None
    assert found.value == pytest.approx(value, abs=0.00005)


def test_o_can_win_at_most_887_of_945_games_against_random_moves():
    found = reference(arm("random", "td:draw=0"), SidedMetric.parse("greedy-value O"))
    assert found is not None and found.value == pytest.approx(887 / 945)


def test_in_self_play_the_value_of_the_game_is_a_draw():
    found = reference(arm("td:draw=0.4", "td"), SidedMetric.parse("value X"))
    assert found is not None and (found.label, found.value) == ("minimax", 0.4)


@pytest.mark.parametrize(
    ("x", "o", "metric"),
    [
        ("td:epsilon=.3..0", "random", "behaviour-value X"),
        ("td", "drifting", "value X"),
        ("menace", "random", "behaviour-value X"),
        ("td", "td", "behaviour-value X"),
        ("td", "random", "rms-v* X"),
        ("td", "random", "win O"),
    ],
)
def test_where_nothing_is_exact_there_is_no_line(x: str, o: str, metric: str):
    assert reference(arm(x, o), SidedMetric.parse(metric)) is None


def test_verdicts_are_summed_up():
    told = verdict(state("q"), Side.X)
    assert told is not None
    better = told | {"beatable": False, "worst_loss": 0.0, "rms_optimal": None}
    found = VerdictSummary.of([told, better])
    assert found is not None
    assert (found.seeds, found[BEATABLE], found[WORST_LOSS]) == (2, 1, told["worst_loss"])
    assert found[WIN] == pytest.approx(737 / 1260)
    assert found.decisions == 2423
    assert np.isnan(found[RMS_OPTIMAL])
    assert found.as_json()["rms_optimal"] is None
    assert found[RMS_MINIMAX] == pytest.approx(told["rms_minimax"])
    assert found[OPTIMAL] == told["optimal"][0]
    assert verdict(state("q"), Side.O) is None
    assert VerdictSummary.of([]) is None
