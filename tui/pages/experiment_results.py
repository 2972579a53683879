"""What is shown of an experiment: variants, numbers, verdicts, and curves over games or options."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from string import ascii_uppercase
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from afterstate_lab.learners.chart_geometry import Axis, span
from afterstate_lab.learners.experiments.results import curve_chart, sweep_chart
from afterstate_lab.learners.judge import figures as f
from afterstate_lab.tui.blocks.curve import Curve, Level, Series
from afterstate_lab.tui.blocks.span import Words
from afterstate_lab.tui.blocks.table import Cell, Column
from afterstate_lab.tui.lab.labels import SHORT, short_number
from afterstate_lab.tui.theme.numerals import NONE, aligned

if TYPE_CHECKING:
    from afterstate_lab.learners.experiments import chart as svg
    from afterstate_lab.learners.experiments.plan import Plan, SidedMetric
    from afterstate_lab.learners.experiments.results import ArmFigures, Estimate, Results
    from afterstate_lab.learners.rules.spec import PlayerSpec

MOST_CURVES: Final = 7
"""With more curves, only the selected variant has a colour."""
START: Final = 0.1
LOG_START: Final = 0.4
"""The share of the axis for the first rise of curves."""
ROLES: Final = ("strong", "bead 1", "bead 8", "bead 4", "bead 3")
"""Colours of variants: not a side's, and not green or red, which have a meaning."""
PLACES: Final = 4
"""Decimals, as in the book's .9948."""
LIKELY = 0.95
"""At this chance one variant counts as better or worse."""


def arm_names(plan: Plan) -> list[tuple[str, str]]:
    """Return a letter and a name for each variant: the plan's letters if it has them."""
    names = [arm.name for arm in plan.arms]
    letters = [name.partition(" ")[0] for name in names]
    if all(len(letter) == 1 for letter in letters) and len(set(letters)) == len(letters):
        return [(name[0], name[1:].strip() or name) for name in names]
    numbers = map(str, range(27, 1_000))
    return list(zip([*ascii_uppercase, *numbers], names, strict=False))


def arm_roles(plan: Plan) -> list[str]:
    """Return a colour for each variant; a sweep's variants share one."""
    families = list(dict.fromkeys(arm.origin for arm in plan.arms))
    return [ROLES[families.index(arm.origin) % len(ROLES)] for arm in plan.arms]


def players_told(plan: Plan) -> list[str]:
    """Return the players of each variant, differences first: `td exploration=skip α.5 v random`."""
    sides = [players_in_words([getattr(arm, side) for arm in plan.arms]) for side in ("x", "o")]
    return [f"{x} v {'itself' if o == x else o}" for x, o in zip(*sides, strict=True)]


def players_in_words(specs: list[PlayerSpec]) -> Iterable[str]:
    """Yield players in a few words, first the options in which variants of the same name differ."""
    for spec in specs:
        alike = [one.settings for one in specs if one.rule.name == spec.rule.name]
        first, last = [spec.rule.name], []
        for option in spec.rule.options:
            name, text = option.name, option.format(spec.settings[option.name])
            said = f"{SHORT[name]}{short_number(text)}" if name in SHORT else f"{name}={text}"
            if any(option.format(one[name]) != text for one in alike):
                first.append(said)
            elif name in dict(spec.given):
                last.append(said)
        yield " ".join((*first, *last))


def number_told(value: float | None) -> str:
    """Return a metric as text: four decimals, or one for large counts."""
    if value is not None and abs(value) >= 10:
        return f"{value:,.1f}"
    return aligned(value, PLACES)


def band_told(estimate: Estimate | None) -> str:
    """Return a 95% interval as text: `[.9947,.9949]`."""
    if estimate is None or estimate.low is None or estimate.high is None:
        return NONE
    return f"[{number_told(estimate.low)},{number_told(estimate.high)}]"


def size_told(plan: Plan) -> tuple[str, str]:
    """Return how large an experiment is: `2 variants` and `30 seeds`."""
    arms, seeds = len(plan.arms), len(plan.seeds)
    return f"{arms} variant{'s' * (arms != 1)}", f"{seeds:,} seed{'s' * (seeds != 1)}"


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
        series=found,
        levels=levels,
        x_range=ends,
        log_x=log,
        x_label=chart.x_label,
        right=right,
        y_range=None if whole or sweep else settled(found, levels, Axis(*ends, log)),
        title=chart.title.removeprefix(f"{plan.title}: "),
    )


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
    found += [
        y for one in series if not one.dim for x, *ends in one.band if x >= start for y in ends
    ]
    return span([*found, *(level.value for level in levels)]) if found else None


def ends(plan: Plan, digest: Digest) -> str:
    """Return which variant is best by the current metric, and who cannot be beaten."""
    names = [label for label, _ in arm_names(plan)]
    metric = digest.metric
    found = [(arm.figure.mean, n) for n, arm in enumerate(digest.arms) if arm.figure]
    if not found:
        return f"{metric}: no variant has this metric."
    (low, worst), (high, best) = min(found), max(found)
    over = ", mean over the run, is" if plan.over_run else " ends"
    said = (
        f"{metric}{over} between {number_told(low)} ({names[worst]}) "
        f"and {number_told(high)} ({names[best]})."
    )
    pairs = zip(names, (arm.verdict for arm in digest.arms), strict=True)
    safe = [name for name, verdict in pairs if verdict and not verdict["beatable"]]
    if safe:
        said += f" {metric.side.mark} is unbeatable with every seed: {', '.join(safe)}."
    return said


def verdict_columns(plan: Plan, wide: int) -> tuple[Column, ...]:
    """Return the columns of the metrics, beginning with the current one."""
    return (
        Column("variant", wide),
        Column("run" if plan.over_run else "final", 7, 1, False, role="strong"),
        Column("95% interval", 13, 2, False, "in {}", role="dim"),
        Column("exact", 6, 8, False, "exact {}", role="truth"),
        Column("loss", 6, 4, False, "loss to random moves {}"),
        Column("to best", 7, 9, False, "loss to the best opponent {}", role="dim"),
        Column("beatable", 8, 3, False, "beatable {}"),
        Column("optimal", 11, 7, False, "optimal {}", role="dim"),
        Column(f"rms {f.RMS_OPTIMAL.against}", 6, 5, False, "error {}"),
        Column(f"rms {f.RMS_BEHAVIOUR.against}", 6, 10, False, "", role="dim"),
        Column("P(better)", 9, 6, False, "better with probability {}"),
    )


def verdict_cells(row: tuple[tuple[str, str], str, ArmFigures]) -> tuple[Cell | Words, ...]:
    (label, name), role, arm = row
    told: tuple[Cell | Words, ...] = (NONE,) * 6
    if (verdict := arm.verdict) is not None:
        beaten = f"{verdict['beatable']}/{verdict['seeds']}"
        optimal = f"{verdict['optimal']:,.0f}/{verdict['decisions']:,}"
        told = (
            aligned(verdict["loss"], 4),
            aligned(verdict["worst_loss"], 4),
            Cell(
                ((beaten, "worse" if verdict["beatable"] else "truth"),),
                beaten.replace("/", " of "),
            ),
            Cell(optimal, optimal.replace("/", " of ")),
            aligned(verdict["rms_optimal"], 3),
            aligned(verdict["rms_behaviour"], 3),
        )
    chance = None if arm.better is None else arm.better.mean
    likely = abs((0.5 if chance is None else chance) - 0.5) >= LIKELY - 0.5
    colour = "text" if chance is None or not likely else "truth" if chance > 0.5 else "worse"
    return (
        ((label, role), (f" {name}", "text")),
        number_told(None if arm.figure is None else arm.figure.mean),
        band_told(arm.figure),
        number_told(None if arm.reference is None else arm.reference.value),
        *told,
        ((aligned(chance, 2), colour),),
    )
