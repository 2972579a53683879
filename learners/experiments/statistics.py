"""Statistics over seeds: mean, interquartile mean, 95% bands, probability of improvement.

The band of a share of the seeds (beatable or not) is the exact interval of Clopper and Pearson
(1934); it covers the true share with probability 95% or more for any number of seeds. The other
bands are percentile bootstraps (Efron, 1979) of ten lines of numpy with a fixed seed, so the
same trials give the same band everywhere; with few seeds they cover somewhat less than 95%.
`scipy.stats` does both, for 100 MB of package and half a second of import; tests compare them.
Interquartile mean and probability of
improvement are as in Agarwal et al., "Deep reinforcement learning at the edge of the statistical
precipice" (2021).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from math import lgamma, log, log1p
from typing import TYPE_CHECKING, Any, Final

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

RESAMPLES: Final = 2_000
CONFIDENCE: Final = 0.95
BOOTSTRAP: Final = "bootstrap"
CLOPPER_PEARSON: Final = "Clopper-Pearson"
FEWEST_FOR_IQM: Final = 8
"""Fewer seeds have no quarters to leave out."""

Statistic = Callable[["NDArray[np.float64]"], "NDArray[np.float64]"]
"""Of float64[..., n, m] over the last axis but one."""


@dataclass(frozen=True)
class Estimate:
    """A figure over seeds with its 95% band."""

    seeds: int
    mean: float
    low: float | None
    """None where a single seed gives no band."""
    high: float | None
    iqm: float | None = None
    """Mean of the middle half; None below `FEWEST_FOR_IQM` seeds."""
    iqm_low: float | None = None
    iqm_high: float | None = None
    band_kind: str = BOOTSTRAP
    """How the band was made."""

    def as_json(self) -> dict[str, Any]:
        """The figure as plain data."""
        told: dict[str, Any] = {
            "mean": self.mean,
            "band": [self.low, self.high],
            "band_kind": self.band_kind,
        }
        if self.iqm is not None:
            told |= {"iqm": self.iqm, "iqm_band": [self.iqm_low, self.iqm_high]}
        return told


def mean(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """The mean over seeds, [..., n, m] -> [..., m]."""
    result: NDArray[np.float64] = values.mean(axis=-2)
    return result


def interquartile_mean(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """The mean of the middle half over seeds, [..., n, m] -> [..., m].

    Of n numbers the smallest and the largest floor(n / 4) are left out.
    """
    n = values.shape[-2]
    cut = n // 4
    result: NDArray[np.float64] = np.sort(values, axis=-2)[..., cut : n - cut, :].mean(axis=-2)
    return result


@lru_cache(maxsize=4)
def drawn_seeds(n: int, seed: int = 0) -> NDArray[np.intp]:
    """[RESAMPLES, n]: the seeds of each resample."""
    return np.random.default_rng(seed).integers(n, size=(RESAMPLES, n))


@lru_cache(maxsize=4)
def drawn_shares(n: int, seed: int = 0) -> NDArray[np.float64]:
    """[RESAMPLES, n]: the share that each seed has of each resample."""
    shares = np.zeros((RESAMPLES, n))
    np.add.at(shares, (np.arange(RESAMPLES)[:, None], drawn_seeds(n, seed)), 1.0 / n)
    return shares


def bootstrap_band(
    values: NDArray[np.float64], statistic: Statistic = mean
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The 95% percentile bootstrap band of a statistic.

    Args:
        values: float64[n, m], n seeds of m figures; the same seeds are drawn for all figures.
        statistic: what is made of the drawn seeds.

    Returns:
        Its ends, float64[m] each.
    """
    n = len(values)
    if statistic is mean:
        found = drawn_shares(n) @ values
    else:
        drawn = drawn_seeds(n)
        columns = [statistic(values[drawn, m : m + 1]) for m in range(values.shape[1])]
        found = np.concatenate(columns, axis=1)
    return band_of(found)


def clopper_pearson_band(
    values: NDArray[np.float64],
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The exact 95% band of a share of the seeds.

    Args:
        values: float64[n, m], each 0 or 1, or NaN.

    Returns:
        Its ends, float64[m] each; NaN where a seed has no value.
    """
    n = len(values)
    sums = values.sum(axis=0).tolist()
    ends = [(np.nan, np.nan) if np.isnan(k) else clopper_pearson(round(k), n) for k in sums]
    low, high = np.array(ends).reshape(len(ends), 2).T
    return low, high


@lru_cache(maxsize=4_096)
def clopper_pearson(successes: int, n: int) -> tuple[float, float]:
    """The exact 95% interval of a probability, after some successes in n trials.

    It holds every p for which neither as many successes or more nor as many or fewer have a
    probability below 2.5% (Clopper and Pearson, "The use of confidence or fiducial limits
    illustrated in the case of the binomial", 1934).
    """
    low = 0.0 if successes == 0 else 1.0 - largest_with_tail(n - successes, n)
    return low, 1.0 if successes == n else largest_with_tail(successes, n)


def largest_with_tail(successes: int, n: int) -> float:
    """The largest p with P(at most so many successes of n) >= 2.5%; successes < n."""
    k = np.arange(successes + 1)
    choose = np.array([lgamma(n + 1) - lgamma(i + 1) - lgamma(n - i + 1) for i in k.tolist()])
    low, high = 0.0, 1.0
    while low < (p := (low + high) / 2) < high:
        tail = np.exp(choose + k * log(p) + (n - k) * log1p(-p)).sum()
        low, high = (p, high) if tail >= (1.0 - CONFIDENCE) / 2 else (low, p)
    return low


def band_of(found: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The middle 95% of resampled figures, float64[RESAMPLES, m] -> float64[m] each."""
    tail = (1.0 - CONFIDENCE) / 2
    low, high = np.quantile(found, (tail, 1.0 - tail), axis=0)
    return low, high


def estimate(values: NDArray[np.float64], *, is_share: bool = False) -> Estimate | None:
    """A figure over seeds; None where a seed has none.

    Args:
        values: float64[n].
        is_share: whether each is 0 or 1, so that the mean is a share of the seeds. It has the
            exact band, and no interquartile mean.
    """
    n = len(values)
    if n == 0 or np.isnan(values).any():
        return None
    if is_share:
        low, high = (None, None) if n == 1 else clopper_pearson(round(values.sum()), n)
        return Estimate(n, float(values.mean()), low, high, band_kind=CLOPPER_PEARSON)
    if n == 1:
        return Estimate(1, float(values[0]), None, None)
    # From the first one on, so that seeds which agree have a band of no width, to the last bit.
    column = values[:, None] - values[0]

    def whole(differences: NDArray[np.float64]) -> float:
        return float(values[0] + differences[0])

    low, high = map(whole, bootstrap_band(column))
    middle = whole(mean(column))
    if n < FEWEST_FOR_IQM:
        return Estimate(n, middle, low, high)
    iqm = whole(interquartile_mean(column))
    iqm_low, iqm_high = map(whole, bootstrap_band(column, interquartile_mean))
    return Estimate(n, middle, low, high, iqm, iqm_low, iqm_high)


def probability_of_improvement(
    a: NDArray[np.float64], b: NDArray[np.float64], *, higher_is_better: bool = True
) -> Estimate | None:
    """The chance that a run of A does better than a run of B; equal ones count half.

    Args:
        a: float64[n], a figure of each seed of A.
        b: float64[k], of B.
        higher_is_better: what better means.

    Returns:
        The share of all n·k pairs, with a band over draws of both; None where one has no figures.
    """
    if not len(a) or not len(b) or np.isnan(a).any() or np.isnan(b).any():
        return None
    wins = 0.5 + 0.5 * np.sign(a[:, None] - b[None, :])
    wins = wins if higher_is_better else 1.0 - wins
    if len(a) < 2 or len(b) < 2:
        return Estimate(min(len(a), len(b)), float(wins.mean()), None, None)
    found = ((drawn_shares(len(a)) @ wins) * drawn_shares(len(b), seed=1)).sum(axis=1)
    low, high = band_of(found[:, None])
    return Estimate(min(len(a), len(b)), float(wins.mean()), float(low[0]), float(high[0]))
