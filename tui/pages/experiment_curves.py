"""The curves of an experiment, or of its sweep."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

import numpy as np

from afterstate_lab.learners.chart_geometry import Axis, span
from afterstate_lab.tui.blocks.curve import Curve, Level, Series
from afterstate_lab.tui.lab.experiments import ROLES, arm_names, arm_roles, number_told

if TYPE_CHECKING:
    from afterstate_lab.learners.experiments.chart import SvgCurve
    from afterstate_lab.learners.experiments.plan import Plan, SidedMetric
    from afterstate_lab.tui.lab.experiments import Digest

MOST_CURVES: Final = 7
"""With more curves, only the selected variant has a colour."""
START: Final = 0.1
LOG_START: Final = 0.4
"""The share of the axis for the first rise of curves."""


def curves(
    plan: Plan, digest: Digest | None, metric: SidedMetric, arm: int, *, swept: bool, whole: bool
) -> Curve:
    """Return the curves of a metric over the games, or against the swept option.

    Args:
        digest: its results, if any.
        arm: the selected variant, if there are many.
        swept: show a sweep against its option.
        whole: also leave room for the first games.
    """
    metrics = plan.metrics
    right = f"metric {metrics.index(metric) + 1} of {len(metrics)}" if len(metrics) > 1 else ""
    if digest is None or digest.metric != metric:
        return Curve(title=metric.symbol, right=right)
    sweep = digest.sweep if swept else None
    if sweep is not None and not any(line.x for line in sweep.lines):
        sweep = None
    chart = sweep or digest.chart
    ends = span(x for line in chart.lines for x in line.x)
    log = chart.log and ends[0] > 0
    if sweep is not None:
        found = [
            series_of(line, ROLES[n % len(ROLES)], line.name.removesuffix(chart.x_label).strip())
            for n, line in enumerate(chart.lines)
        ]
        levels: list[Level] = []
        for role, one, figures in zip(arm_roles(plan), plan.arms, digest.arms, strict=True):
            if not one.swept and figures.figure is not None:
                level = [(x, figures.figure.mean) for x in ends]
                found.append(Series(level, role=role, label=one.name))
    else:
        names = zip(chart.lines, arm_roles(plan), arm_names(plan), strict=True)
        found = [
            series_of(line, role, label, name, len(plan.arms) > MOST_CURVES and n != arm)
            for n, (line, role, (label, name)) in enumerate(names)
        ]
        levels = exact_levels(plan, chart.lines)
    return Curve(
        series=found, levels=levels, x_range=ends, log_x=log, x_label=chart.x_label, right=right,
        y_range=None if whole or sweep else settled(found, levels, Axis(*ends, log)),
        title=chart.title.removeprefix(f"{plan.title}: "),
    )  # fmt: skip


def series_of(line: SvgCurve, role: str, label: str, name: str = "", dim: bool = False) -> Series:
    points = [(float(x), y) for x, y in zip(line.x, line.y.tolist(), strict=True) if np.isfinite(y)]
    band = [] if line.low is None or line.high is None else [
        (float(x), low, high)
        for x, low, high in zip(line.x, line.low.tolist(), line.high.tolist(), strict=True)
        if np.isfinite(low + high)
    ]  # fmt: skip
    called = f"{label} {name}" if name else ""
    return Series(points, band, role, "" if dim else label, called, dim)


def exact_levels(plan: Plan, lines: Sequence[SvgCurve]) -> list[Level]:
    """Return the exact values, each with its variants unless they are all."""
    arms: dict[float, list[str]] = {}
    for (label, _), line in zip(arm_names(plan), lines, strict=True):
        if line.reference is not None:
            arms.setdefault(line.reference, []).append(label)
    levels = []
    for value, labels in sorted(arms.items(), reverse=True):
        is_common = len(labels) == len(plan.arms) or len(labels) > 3
        whose = "" if is_common else f"{''.join(labels)} "
        levels.append(Level(value, f"{whose}exact {number_told(value)}"))
    return levels


def settled(
    series: Sequence[Series], levels: Sequence[Level], axis: Axis
) -> tuple[float, float] | None:
    """Return the range of the curves after their common rise, or None before its end."""
    start = axis.at(LOG_START if axis.log else START)
    found = [y for one in series for x, y in one.points if x >= start]
    found += [y for one in series if not one.dim for x, *ends in one.band if x >= start
              for y in ends]  # fmt: skip
    return span([*found, *(level.value for level in levels)]) if found else None
