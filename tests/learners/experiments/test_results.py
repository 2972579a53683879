"""Statistics and figures against numbers worked by hand, and against scipy."""

import json
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from made import PLAN, TINY, sentences, state_of

from afterstate_lab.game import Side
from afterstate_lab.learners.experiments import results
from afterstate_lab.learners.experiments.plan import METRICS, Arm, Plan, SidedMetric
from afterstate_lab.learners.judge.evaluation import evaluations
from afterstate_lab.learners.judge.figures import OPTIMAL, RMS_MINIMAX, WORST_LOSS
from afterstate_lab.learners.players.resolve import parse_player

VALUE = SidedMetric.parse("value X")
BEATABLE_X = SidedMetric.parse("beatable X")
ANYWHERE = -np.inf, np.inf

# Statistics.


def test_the_interquartile_mean_leaves_out_a_quarter_at_each_end():
    assert results.interquartile_mean(np.array([100.0, 1, 2, 3, 4, 5, 6, -100])) == 3.5
    ten = np.arange(10.0) ** 2
    assert results.interquartile_mean(ten) == (4 + 9 + 16 + 25 + 36 + 49) / 6


def test_the_interval_of_two_seeds_is_worked_by_hand():
    """Mean 1/2, standard error 1/2, and t of one degree is tan(.475 π); none where seeds agree."""
    low, high = results.band(np.array([[0.0, 5.0], [1.0, 5.0]]), False, ANYWHERE)
    half = np.tan(0.475 * np.pi) / 2
    assert low == pytest.approx([0.5 - half, 5.0]) and high == pytest.approx([0.5 + half, 5.0])
    assert (low[1], high[1]) == (5.0, 5.0)


def test_an_estimate_says_only_what_its_seeds_allow():
    sevenths = tuple(n * 3 / 7 for n in range(8))
    one, seven, eight = (results.estimate(sevenths[:n], False, ANYWHERE) for n in (1, 7, 8))
    assert (one.mean, one.low, one.high) == (0.0, None, None)
    assert (seven.iqm, seven.mean) == (None, pytest.approx(9 / 7))
    assert eight.iqm == pytest.approx(1.5)
    assert eight.iqm_low < eight.iqm < eight.iqm_high
    assert results.estimate((), False, ANYWHERE) is None
    assert results.estimate((0.5, np.nan), False, ANYWHERE) is None


def test_an_interval_ends_where_no_mean_can_be_unless_a_seed_is_there():
    """Of two that differ by .02, t is 12.706: the interval reaches .12706 to both sides."""
    free, cut, beyond = (
        results.estimate(values, False, limits)
        for values, limits in (
            ((0.97, 0.99), ANYWHERE),
            ((0.97, 0.99), (0.0, 1.0)),
            ((0.99, 1.01), (0.0, 1.0)),
        )
    )
    assert (free.low, free.high) == pytest.approx((0.98 - 0.12706, 0.98 + 0.12706), abs=1e-5)
    assert (cut.low, cut.high) == (free.low, 1.0)
    assert beyond.high == 1.01
    arm = Plan.parse(TINY).arms[0]
    limits = {name: SidedMetric.parse(f"{name} X").limits(arm) for name in METRICS}
    assert limits["value"] == limits["win"] == limits["optimal"] == (0.0, 1.0)
    assert limits["rms-v*"] == limits["missed-wins"] == (0.0, np.inf)


def test_the_chance_of_improvement_counts_pairs_and_halves_ties():
    """Of five: 1 loses to all but itself, … 5 beats all: 10 of 25, and 5 ties that count half."""
    a, less, more = ((1 + d, 2 + d, 3 + d, 4 + d, 5 + d) for d in (0, -0.5, 9))
    assert results.probability_of_improvement(a, a).mean == (10 + 5 / 2) / 25
    higher = results.probability_of_improvement(a, less)
    lower = results.probability_of_improvement(a, less, higher_is_better=False)
    assert (higher.mean, lower.mean) == (15 / 25, pytest.approx(10 / 25))
    assert higher.low <= higher.mean <= higher.high
    certain = results.probability_of_improvement(more, a)
    assert (certain.mean, certain.low, certain.high) == (1.0, 1.0, 1.0)
    for own, others in ((1, 1), (4, 4), (4, 30), (30, 4)):
        assert results.probability_of_improvement((1.0,) * own, (0.0,) * others) is None


@pytest.mark.slow
def test_scipy_finds_the_same_intervals():
    stats = pytest.importorskip("scipy.stats", reason="scipy is not installed")
    for n in (1, 2, 10, 30, 999):
        assert results.student_t(n) == pytest.approx(stats.t.ppf(0.975, n), rel=1e-12)
        for k in {0, 1, n // 3, n // 2, n - 1, n}:
            theirs = stats.binomtest(k, n).proportion_ci(0.95, method="exact")
            assert results.clopper_pearson(k, n) == pytest.approx(
                (theirs.low, theirs.high), abs=1e-10
            )
    values = np.random.default_rng(3).normal(size=40) ** 3
    ours = results.estimate(tuple(values.tolist()), False, ANYWHERE)
    theirs = stats.ttest_1samp(values, 0.0).confidence_interval()
    assert ours is not None and (ours.low, ours.high) == pytest.approx((theirs.low, theirs.high))
    # Both draw at random: their ends differ by less than a tenth of the interval's width.
    resampled = stats.bootstrap(
        (values,),
        lambda values, axis: stats.trim_mean(values, 0.25, axis=axis),
        method="percentile", n_resamples=20_000, rng=1,
    ).confidence_interval  # fmt: skip
    width = resampled.high - resampled.low
    assert abs(ours.iqm_low - resampled.low) < width / 10
    assert abs(ours.iqm_high - resampled.high) < width / 10
    assert results.drawn_seeds(40, 0).shape == (2_000, 40)


# Metrics of players whose numbers are known exactly.


@pytest.mark.parametrize(
    ("x", "o", "metric", "value"), sentences("learners/experiments/references.txt")
)
def test_the_exact_values_of_exercise_1_4_and_others(x, o, metric, value):
    found = results.reference(Arm("A", parse_player(x), parse_player(o)), SidedMetric.parse(metric))
    assert (found is None) == (value == "?")
    if found is not None:
        assert found.value == pytest.approx(float(Fraction(value)), abs=0.00005)
        assert (found.label == "minimax") == (o == "td")


# Results of trials that are made up.


def test_verdicts_are_summed_up(tiny):
    told, nothing = evaluations(state_of("q"), at_end=True)
    assert nothing is None
    better = {"beatable": False, "worst-loss": 0.0, "rms-v*": None}
    better = replace(told, values=told.values | better)
    first, last = (results.Trial(0, np.empty(0), (0, 0, 0), (x, None)) for x in (told, better))
    found = results.ArmResults(tiny.arms[0], tiny, (first, last)).verdict(Side.X)
    assert (found["seeds"], found["decisions"], found["beatable"]) == (2, 2423, 1)
    assert (found["worst_loss"], found["optimal"]) == (told[WORST_LOSS], told[OPTIMAL][0])
    assert found["win"] == pytest.approx(737 / 1260)
    assert found["rms_minimax"] == pytest.approx(told[RMS_MINIMAX])
    assert found["rms_optimal"] is None


def results_of(plan, finals):
    """Results in which both first metrics rise from 0 to these finals, one for each seed."""
    arms = []
    for arm in plan.arms:
        trials = []
        for n, final in enumerate(finals.get(arm.name, [])):
            row = np.linspace(0.0, final, len(plan.points))
            values = np.array([row, row, np.full(len(row), np.nan)])
            trials.append(results.Trial(n, values, (3, 2, 1), (None, None)))
        arms.append(results.ArmResults(arm, plan, tuple(trials)))
    return results.Results(plan, tuple(arms))


def test_an_arm_has_a_curve_with_its_interval_a_final_figure_and_an_average(tiny):
    """The average is that of all points but the start."""
    made = results_of(tiny, {"A": [0.3, 0.6]})
    arm, untried = made.arms
    found = arm.curve(VALUE)
    exact = [round(one.curve(VALUE).reference, 4) for one in made.arms]
    assert exact == [0.9948, 0.9743]
    assert found.x == (0, 100, 200, 300)
    assert found.y == pytest.approx([0.0, 0.15, 0.3, 0.45])
    half = results.student_t(1) * 0.15 * np.arange(4) / 3
    assert found.low == pytest.approx((found.y - half).clip(0.0))
    assert found.high == pytest.approx((found.y + half).clip(max=1.0))
    assert tuple(arm.figure(VALUE, over).mean for over in (False, True)) == pytest.approx(
        (0.45, 0.3)
    )
    assert arm.figure(tiny.metrics[2], False) is arm.figure(tiny.metrics[2], True) is None
    assert untried.figure(VALUE) is untried.figure(VALUE, True) is untried.verdict(Side.X) is None
    assert np.isnan(untried.curve(VALUE).y).all()
    told = json.loads(json.dumps(made.as_json(), allow_nan=False))["arms"]
    assert told[0]["results"] == {"x": 6, "draw": 4, "o": 2}
    assert told[1]["results"] == {"x": 0, "draw": 0, "o": 0}


def test_a_swept_arm_is_compared_with_the_baseline_of_the_same_value():
    made = results_of(Plan.parse(PLAN.replace('arm = "A"\n', "")), {})
    pairs = {one.arm.name: made.baseline(one).arm.name for one in made.arms[2:]}
    assert pairs == {"B alpha=0.1": "A alpha=0.1", "B alpha=0.2": "A alpha=0.2"}


@pytest.mark.parametrize(
    ("a", "b", "metric", "chance"),
    [
        ([0, 1, 1, 1, 1], [0] * 5, BEATABLE_X, (5 / 2 + 20) / 25),
        ([0.3] * 5, [], BEATABLE_X, None),
        ([0.0] * 5, [1.0] * 5, VALUE, None),
    ],
)
def test_better_means_lower_where_lower_is_better(tiny, a, b, metric, chance):
    made = results_of(tiny, {"A": a, "B": b})
    found = made.improvement(metric, made.arms[1])
    assert (found and found.mean) == chance
