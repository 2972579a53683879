"""The curves of an experiment, or its sweep, as they are shown."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

import numpy as np

from afterstate_lab.learners.chart_geometry import Axis, span
from afterstate_lab.learners.experiments.results import placed_sweep
from afterstate_lab.tui.blocks.curve import Curve, Level, Series
from afterstate_lab.tui.lab.experiments import ROLES, arm_names, arm_roles, number_told

if TYPE_CHECKING:
    from afterstate_lab.learners.experiments.plan import Plan, SidedMetric
    from afterstate_lab.tui.lab.experiments import Digest

MOST_CURVES: Final = 7
"""Of more curves only the one of the selected arm has a colour."""
START: Final = 0.1
LOG_START: Final = 0.4
"""The share of the axis in which curves rise from their start."""


def curves(
    plan: Plan, digest: Digest | None, metric: SidedMetric, arm: int, *, swept: bool, whole: bool
) -> Curve:
    """What is measured, over the games or against the option that is swept.

    Args:
        plan: what is run.
        digest: its figures; None where there are none yet.
        metric: what is measured by.
        arm: the one that is looked at, where there are many.
        swept: a sweep is shown against its option.
        whole: there is room for the first games too, and so less for the rest.
    """
    metrics = plan.metrics
    right = f"metric {metrics.index(metric) + 1} of {len(metrics)}" if len(metrics) > 1 else ""
    if digest is None or digest.metric != metric:
        return Curve(title=metric.symbol, right=right)
    if swept and any(found for points in digest.sweep.values() for _, found in points):
        return replace(sweep_chart(plan, digest), right=right)
    chart = games_chart(plan, digest, arm)
    return replace(chart, right=right, y_range=None if whole else settled(chart))


def games_chart(plan: Plan, digest: Digest, selected: int) -> Curve:
    """A metric of every arm over the games, and the exact values."""
    series, levels = [], dict[float, list[str]]()
    arms = zip(arm_names(plan), arm_roles(plan), digest.arms, strict=True)
    for n, ((label, name), role, figures) in enumerate(arms):
        dim = len(plan.arms) > MOST_CURVES and n != selected
        curve = figures.curve
        means = zip(curve.games, curve.mean.tolist(), strict=True)
        band = () if curve.low is None or curve.high is None else zip(
            curve.games, curve.low.tolist(), curve.high.tolist(), strict=True)  # fmt: skip
        series.append(Series(
            points=[(float(x), y) for x, y in means if np.isfinite(y)],
            band=[(float(x), low, high) for x, low, high in band if np.isfinite(low + high)],
            role=role, label="" if dim else label, name=f"{label} {name}", dim=dim,
        ))  # fmt: skip
        if figures.reference is not None:
            levels.setdefault(figures.reference.value, []).append(label)
    return Curve(
        series=series,
        levels=[
            Level(value, f"{whose(labels, plan)}exact {number_told(value)}")
            for value, labels in sorted(levels.items(), reverse=True)
        ],
        x_range=(float(plan.points[0]), float(plan.points[-1])),
        log_x=plan.log and plan.points[0] > 0,
        title=f"{digest.metric.symbol}, mean and 95% band ({digest.metric.band_kind})",
    )


def whose(labels: list[str], plan: Plan) -> str:
    """The arms that an exact value belongs to, where that is not all of them."""
    return "" if len(labels) == len(plan.arms) or len(labels) > 3 else f"{''.join(labels)} "


def settled(view: Curve) -> tuple[float, float] | None:
    """The range of the curves without their first games, in which all of them rise from the same.

    None where they have not come so far.
    """
    start = Axis(*(view.x_range or (0.0, 1.0)), view.log_x).at(LOG_START if view.log_x else START)
    found = [y for one in view.series for x, y in one.points if x >= start]
    found += [y for one in view.series if not one.dim for x, *ends in one.band if x >= start
              for y in ends]  # fmt: skip
    if not found:
        return None
    found += [level.value for level in view.levels]
    return span(found)


def sweep_chart(plan: Plan, digest: Digest) -> Curve:
    """A metric, as the plan judges, against the option that is swept, as in Figure 2.6."""
    arms = plan.arms
    option = next(arm.swept[-1][0] for arm in arms if arm.swept)
    placed, is_numeric = placed_sweep(digest.sweep)
    xs = sorted({x for points in placed.values() for x, _ in points})
    series = [
        Series(
            points=[(x, found.mean) for x, found in points],
            band=[(x, found.low, found.high) for x, found in points
                  if found.low is not None and found.high is not None],
            role=ROLES[n % len(ROLES)], label=name.removesuffix(option).strip(),
        )
        for n, (name, points) in enumerate(placed.items())
    ]  # fmt: skip
    for n, (arm, figures) in enumerate(zip(arms, digest.arms, strict=True)):
        if not arm.swept and figures.figure is not None and xs:
            level = figures.figure.mean
            ends = ((xs[0], level), (xs[-1], level))
            series.append(Series(ends, role=arm_roles(plan)[n], label=arm.name))
    return Curve(
        series=series,
        x_range=(xs[0], xs[-1]),
        log_x=is_numeric and xs[0] > 0,
        x_label=option,
        title=f"{digest.metric.symbol}, {plan.judged_by}"
        f", with 95% band ({digest.metric.band_kind})",
    )
