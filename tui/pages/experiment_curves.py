"""The curves of an experiment, or of its sweep."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from afterstate_lab.learners.chart_geometry import Axis, span
from afterstate_lab.learners.experiments.results import curve_chart, sweep_chart
from afterstate_lab.tui.blocks.curve import Curve, Level, Series
from afterstate_lab.tui.lab.experiments import ROLES, arm_names, arm_roles, number_told

if TYPE_CHECKING:
    from afterstate_lab.learners.experiments import chart as svg
    from afterstate_lab.learners.experiments.plan import Plan, SidedMetric
    from afterstate_lab.learners.experiments.results import ArmFigures, Results

MOST_CURVES: Final = 7
"""With more curves, only the selected variant has a colour."""
START: Final = 0.1
LOG_START: Final = 0.4
"""The share of the axis for the first rise of curves."""


@dataclass(frozen=True, eq=False)
class Digest:
    """The results of an experiment by one metric."""

    results: Results
    metric: SidedMetric
    arms: Sequence[ArmFigures]
    chart: svg.Chart
    """Over the games."""
    sweep: svg.Chart | None
    """Against the option swept last."""

    @classmethod
    def of(cls, found: Results, metric: SidedMetric) -> Digest:
        charts = curve_chart(found, metric), sweep_chart(found, metric)
        return cls(found, metric, found.figures(metric), *charts)


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
    roles, levels = arm_roles(plan), list[Level]()
    if sweep is not None:
        found = [
            series_of(line, ROLES[n % len(ROLES)], line.name.removesuffix(chart.x_label).strip())
            for n, line in enumerate(chart.lines)
        ]
        for role, one, figures in zip(roles, plan.arms, digest.arms, strict=True):
            if not one.swept and figures.figure is not None:
                level = [(x, figures.figure.mean) for x in ends]
                found.append(Series(level, role=role, label=one.name))
    else:
        found = [
            series_of(line, role, label, name, len(plan.arms) > MOST_CURVES and n != arm)
            for n, (line, role, (label, name)) in enumerate(
                zip(chart.lines, roles, arm_names(plan), strict=True)
            )
        ]
        levels = exact_levels(plan, chart.lines)
    return Curve(
        series=found, levels=levels, x_range=ends, log_x=log, x_label=chart.x_label, right=right,
        y_range=None if whole or sweep else settled(found, levels, Axis(*ends, log)),
        title=chart.title.removeprefix(f"{plan.title}: "),
    )  # fmt: skip


def series_of(line: svg.Curve, role: str, label: str, name: str = "", dim: bool = False) -> Series:
    def known(*columns: Sequence[float]) -> list[Any]:
        return [row for row in zip(*columns, strict=True) if np.isfinite(row).all()]

    x, called = list(map(float, line.x)), f"{label} {name}" if name else ""
    ends = [y.tolist() for y in (line.low, line.high) if y is not None]
    band = known(x, *ends) if ends else []
    return Series(known(x, line.y.tolist()), band, role, "" if dim else label, called, dim)


def exact_levels(plan: Plan, lines: Sequence[svg.Curve]) -> list[Level]:
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
