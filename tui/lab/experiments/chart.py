"""The curves of an experiment, or its sweep, as they are shown."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

import numpy as np

from learners.chart_geometry import Axis, span
from learners.experiments.results import placed_sweep
from tui.lab.experiments.words import ROLES, arm_names, arm_roles, number_told
from tui.views.experiment import ChartReference, ChartSeries, ChartView

if TYPE_CHECKING:
    from learners.experiments.plan import Plan
    from learners.experiments.results import Curve, Estimate
    from tui.lab.experiments.controller import ExperimentsController
    from tui.lab.experiments.experiment import Digest

MOST_CURVES: Final = 7
"""Of more curves only the one of the selected arm has a colour."""
START: Final = 0.1
LOG_START: Final = 0.4
"""The share of the axis in which curves rise from their start."""


def chart_view(browser: ExperimentsController) -> ChartView:
    digest, metric = browser.digest, browser.metric
    metrics = browser.entry.plan.metrics
    right = f"metric {metrics.index(metric) + 1} of {len(metrics)}" if len(metrics) > 1 else ""
    if digest is None or digest.metric != metric:
        return ChartView(title=metric.symbol, right=right)
    if browser.shows_sweep and any(p.estimate for points in digest.sweep.values() for p in points):
        return sweep_view(browser, digest, right)
    return curves_view(browser, digest, right)


def curves_view(browser: ExperimentsController, digest: Digest, right: str) -> ChartView:
    """A metric of every arm over the games."""
    plan = browser.entry.plan
    names, roles = arm_names(plan), arm_roles(plan)
    many = len(plan.arms) > MOST_CURVES
    series = []
    for n, figures in enumerate(digest.arms):
        dim = many and n != browser.arm
        series.append(
            ChartSeries(
                points=known(figures.curve),
                band=band(figures.curve),
                role=roles[n],
                label="" if dim else names[n][0],
                dim=dim,
            )
        )
    view = ChartView(
        series=tuple(series),
        references=references(plan, digest),
        x_range=(float(plan.points[0]), float(plan.points[-1])),
        log_x=plan.log and plan.points[0] > 0,
        x_label="games (log)" if plan.log and plan.points[0] > 0 else "games",
        title=f"{digest.metric.symbol}, mean and 95% band ({digest.metric.band_kind})",
        right=right,
    )
    return view if browser.wants_all else replace(view, y_range=settled(view))


def known(curve: Curve) -> tuple[tuple[float, float], ...]:
    pairs = zip(curve.games, curve.mean.tolist(), strict=True)
    return tuple((float(x), y) for x, y in pairs if np.isfinite(y))


def band(curve: Curve) -> tuple[tuple[float, float, float], ...]:
    if curve.low is None or curve.high is None:
        return ()
    ends = zip(curve.games, curve.low.tolist(), curve.high.tolist(), strict=True)
    return tuple((float(x), low, high) for x, low, high in ends if np.isfinite(low + high))


def references(plan: Plan, digest: Digest) -> tuple[ChartReference, ...]:
    """The exact values, each with the arms that it belongs to where that is not all of them."""
    arms: dict[float, list[str]] = {}
    for (label, _), figures in zip(arm_names(plan), digest.arms, strict=True):
        if figures.reference is not None:
            arms.setdefault(figures.reference.value, []).append(label)
    return tuple(
        ChartReference(
            value,
            f"exact {number_told(value)}"
            if len(labels) == len(plan.arms) or len(labels) > 3
            else f"{''.join(labels)} exact {number_told(value)}",
        )
        for value, labels in sorted(arms.items(), reverse=True)
    )


def settled(view: ChartView) -> tuple[float, float] | None:
    """The range of the curves without their first games, in which all of them rise from the same.

    None where they have not come so far.
    """
    start = Axis(*view.x_range, view.log_x).at(LOG_START if view.log_x else START)
    found = [y for one in view.series for x, y in one.points if x >= start]
    found += [y for one in view.series if not one.dim for x, *ends in one.band if x >= start
              for y in ends]  # fmt: skip
    if not found:
        return None
    found += [reference.value for reference in view.references]
    return span(found)


def sweep_view(browser: ExperimentsController, digest: Digest, right: str) -> ChartView:
    """A metric, as the plan judges, against the option that is swept, as in Figure 2.6."""
    arms = browser.entry.plan.arms
    option = next(arm.swept[-1][0] for arm in arms if arm.swept)
    placed, is_numeric = placed_sweep(digest.sweep)
    xs = sorted({x for points in placed.values() for x, _ in points})
    series = [
        swept_series(name.removesuffix(option).strip(), ROLES[n % len(ROLES)], points)
        for n, (name, points) in enumerate(placed.items())
    ]
    for n, (arm, figures) in enumerate(zip(arms, digest.arms, strict=True)):
        if not arm.swept and figures.figure is not None and xs:
            level = figures.figure.mean
            ends = ((xs[0], level), (xs[-1], level))
            series.append(ChartSeries(ends, role=arm_roles(browser.entry.plan)[n], label=arm.name))
    return ChartView(
        series=tuple(series),
        x_range=(xs[0], xs[-1]),
        log_x=is_numeric and xs[0] > 0,
        x_label=f"{option} (log)" if is_numeric and xs[0] > 0 else option,
        title=f"{digest.metric.symbol}, {browser.entry.plan.judged_by}"
        f", with 95% band ({digest.metric.band_kind})",
        right=right,
    )


def swept_series(label: str, role: str, points: list[tuple[float, Estimate]]) -> ChartSeries:
    return ChartSeries(
        points=tuple((x, estimate.mean) for x, estimate in points),
        band=tuple(
            (x, estimate.low, estimate.high)
            for x, estimate in points
            if estimate.low is not None and estimate.high is not None
        ),
        role=role,
        label=label,
    )
