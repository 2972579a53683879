"""The statistics against numbers worked by hand, and against scipy where it is installed."""

from math import comb

import numpy as np
import pytest

from learners.experiments.statistics import (
    bootstrap_band,
    clopper_pearson,
    estimate,
    interquartile_mean,
    probability_of_improvement,
)


def test_the_interquartile_mean_leaves_out_a_quarter_at_each_end():
    assert interquartile_mean(np.array([[100.0, 1, 2, 3, 4, 5, 6, -100]]).T)[0] == 3.5
    ten = np.arange(10.0)[:, None] ** 2
    assert interquartile_mean(ten)[0] == (4 + 9 + 16 + 25 + 36 + 49) / 6


def test_the_band_of_two_seeds_spans_both():
    """Their resampled mean is 0, 1/2 or 1 with probability 1/4, 1/2, 1/4."""
    low, high = bootstrap_band(np.array([[0.0, 5.0], [1.0, 5.0]]))
    assert low.tolist() == [0.0, 5.0]
    assert high.tolist() == [1.0, 5.0]


def test_the_band_of_one_success_in_eight_begins_at_none_and_ends_at_three():
    """3 or fewer of 8 draws with p = 1/8 have probability .988, 2 or fewer .930."""
    found = estimate(np.array([1.0] + [0.0] * 7))
    assert found is not None
    assert (found.mean, found.low, found.high) == (0.125, 0.0, 0.375)
    assert (found.seeds, found.iqm) == (8, 0.0)


def test_one_seed_has_no_band_and_seven_no_interquartile_mean():
    one, seven = estimate(np.array([0.3])), estimate(np.arange(7.0))
    assert one is not None and seven is not None
    assert (one.mean, one.low, one.high) == (0.3, None, None)
    assert (seven.mean, seven.iqm) == (3.0, None)


def test_there_is_no_estimate_of_what_has_no_number():
    assert estimate(np.array([])) is None
    assert estimate(np.array([0.5, np.nan])) is None


def test_the_same_trials_have_the_same_band():
    values = np.random.default_rng(7).random((30, 4))
    assert [e.tolist() for e in bootstrap_band(values)] == [
        e.tolist() for e in bootstrap_band(values)
    ]


def test_the_band_holds_the_true_mean_about_as_often_as_it_says():
    """Of 400 samples of 30; at a true rate of .93 to .95 a count below 352 has p < .001."""
    draws = np.random.default_rng(1)
    low, high = bootstrap_band(draws.random((30, 400)))
    assert 352 <= np.count_nonzero((low <= 0.5) & (high >= 0.5)) <= 394


def test_the_chance_of_improvement_counts_pairs_and_halves_ties():
    """1 loses to 2 and 2; 2 ties with both; 3 beats both: (0 + 0 + ½ + ½ + 1 + 1) / 6."""
    a, b = np.array([1.0, 2.0, 3.0]), np.array([2.0, 2.0])
    found = probability_of_improvement(a, b)
    assert found is not None and found.mean == 0.5
    b = np.array([1.0, 2.5])
    higher = probability_of_improvement(a, b)
    lower = probability_of_improvement(a, b, higher_is_better=False)
    assert higher is not None and higher.mean == (0.5 + 0 + 1 + 0 + 1 + 1) / 6
    assert lower is not None and lower.mean == pytest.approx(1 - higher.mean)
    assert higher.low is not None and higher.low <= higher.mean <= (higher.high or 0)


def test_an_arm_that_always_wins_improves_for_certain():
    found = probability_of_improvement(np.array([3.0, 4.0]), np.array([1.0, 2.0]))
    assert found is not None and (found.mean, found.low, found.high) == (1.0, 1.0, 1.0)


@pytest.mark.slow
def test_scipy_finds_the_same_bands():
    """Both draw at random: their ends differ by less than a tenth of the band's width."""
    stats = pytest.importorskip("scipy.stats", reason="scipy is not installed")
    values = np.random.default_rng(3).normal(size=40) ** 3
    for ours, statistic in ((None, np.mean), (interquartile_mean, trimmed(stats))):
        low, high = bootstrap_band(values[:, None], *([] if ours is None else [ours]))
        theirs = stats.bootstrap(
            (values,), statistic, method="percentile", n_resamples=20_000, rng=1
        ).confidence_interval
        width = theirs.high - theirs.low
        assert abs(low[0] - theirs.low) < width / 10
        assert abs(high[0] - theirs.high) < width / 10


def test_the_exact_interval_of_none_of_n_ends_where_none_has_2_5_percent():
    """(1 - p)^n = .025 at its end; by symmetry for n of n, and all is possible after nothing."""
    for n in (1, 10, 20, 1_000):
        end = 1 - 0.025 ** (1 / n)
        assert clopper_pearson(0, n) == (0.0, pytest.approx(end, abs=1e-14))
        assert clopper_pearson(n, n) == (pytest.approx(1 - end, abs=1e-14), 1.0)


def test_the_exact_interval_covers_every_share_as_often_as_it_says():
    """Summed exactly over all outcomes; the bootstrap of few seeds covers much less."""
    for n in (2, 10, 30):
        intervals = [clopper_pearson(k, n) for k in range(n + 1)]
        for p in np.linspace(0.001, 0.999, 99).tolist():
            covered = sum(
                comb(n, k) * p**k * (1 - p) ** (n - k)
                for k, (low, high) in enumerate(intervals)
                if low <= p <= high
            )
            assert covered >= 0.95


@pytest.mark.slow
def test_scipy_finds_the_same_exact_intervals():
    stats = pytest.importorskip("scipy.stats", reason="scipy is not installed")
    for n in (1, 2, 10, 30, 1_000):
        for k in {0, 1, n // 3, n // 2, n - 1, n}:
            theirs = stats.binomtest(k, n).proportion_ci(0.95, method="exact")
            assert clopper_pearson(k, n) == pytest.approx((theirs.low, theirs.high), abs=1e-10)


def trimmed(stats):
    """scipy's interquartile mean."""
    return lambda values, axis: stats.trim_mean(values, 0.25, axis=axis)
