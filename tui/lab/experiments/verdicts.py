"""The exact verdicts on every arm, as a table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from learners.judge import figures as f
from tui.lab.experiments.controller import ExperimentsController, Stage
from tui.lab.experiments.view import part_title, window
from tui.lab.experiments.words import arm_names, arm_roles, band_told, number_told
from tui.lab.table.view import aligned
from tui.theme.numerals import NONE, count
from tui.views.table import ColumnView, TableView
from tui.views.words import Words

if TYPE_CHECKING:
    from learners.experiments.metrics import VerdictSummary
    from tui.lab.experiments.digest import ArmFigures

LIKELY: Final = 0.95
"""From here on, or below its opposite, one arm is better or worse than the other."""


def verdicts_view(browser: ExperimentsController, height: int, room: int) -> TableView:
    """The exact verdicts, a window of so many rows in a pane with room for so many columns."""
    plan, digest, metric = browser.entry.plan, browser.digest, browser.metric
    first = window(len(plan.arms), browser.arm, height)
    names, roles = arm_names(plan), arm_roles(plan)
    rows: tuple[tuple[Words, ...], ...] = ()
    if digest is not None and digest.metric == metric:
        every = zip(names, roles, digest.arms, strict=True)
        rows = tuple(verdict_cells(*arm) for arm in every)[first : first + height]
    when = "at the end" if browser.stage is Stage.OVER else "so far"
    wide = max(len(arm_text(name)) for name in names)
    return TableView(
        columns=verdict_columns(min(wide, room * 2 // 9)),
        rows=rows,
        cursor=browser.arm - first if rows else None,
        footer=browser.footer or metric.metric.meaning,
        title=part_title(f"exact, {when}", first, height, len(plan.arms)),
        right=f"greedy {metric.side.mark}",
    )


def verdict_columns(wide: int) -> tuple[ColumnView, ...]:
    """The columns of the table; the metric's own come first."""
    return (
        ColumnView("arm", wide, 0, left=True),
        ColumnView("final", 7, 1),
        ColumnView("[95% band]", 13, 2, left=True),
        ColumnView("exact", 6, 8),
        ColumnView("loss", 6, 4),
        ColumnView("worst", 6, 9),
        ColumnView("beatable", 8, 3),
        ColumnView("optimal", 11, 7),
        ColumnView("rms v*", 6, 5),
        ColumnView("rms vπ", 6, 10),
        ColumnView("P(better)", 9, 6),
    )


def arm_text(name: tuple[str, str]) -> str:
    """A letter and a name."""
    return f"{name[0]} {name[1]}"


def verdict_cells(name: tuple[str, str], role: str, figures: ArmFigures) -> tuple[Words, ...]:
    """An arm in the table."""
    final, told, exact = figures.final, figures.verdict, figures.reference
    return (
        ((name[0], role), (f" {name[1]}", "text")),
        ((number_told(None if final is None else final.mean), "strong"),),
        ((band_told(final), "dim"),),
        ((number_told(None if exact is None else exact.value), "truth"),),
        *verdict_told(told),
        better_told(figures),
    )


def verdict_told(told: VerdictSummary | None) -> tuple[Words, ...]:
    """Loss to random moves, worst loss, beatable, optimal decisions, and errors."""
    if told is None:
        return (((NONE, "dim"),),) * 6
    beaten = "truth" if told[f.BEATABLE] == 0 else "worse"
    return (
        ((aligned(told[f.LOSS], 4), "text"),),
        ((aligned(told[f.WORST_LOSS], 4), "dim"),),
        ((f"{told[f.BEATABLE]:.0f}/{told.seeds}", beaten),),
        ((f"{told[f.OPTIMAL]:,.0f}/{count(told.decisions)}", "dim"),),
        ((aligned(told[f.RMS_OPTIMAL], 3), "text"),),
        ((aligned(told[f.RMS_BEHAVIOUR], 3), "dim"),),
    )


def better_told(figures: ArmFigures) -> Words:
    """The chance of ending better than the arm that it is compared with."""
    if figures.better is None:
        return ((NONE, "dim"),)
    share = figures.better.mean
    role = "truth" if share >= LIKELY else "worse" if share <= 1 - LIKELY else "text"
    return ((aligned(share, 2), role),)
