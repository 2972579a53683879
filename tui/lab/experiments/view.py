"""What the experiments show: plans, arms, verdicts and texts, and how many rows each pane gets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from learners.judge import figures as f
from learners.judge.figures import BEATABLE
from tui.lab.experiments.controller import ExperimentsController
from tui.lab.experiments.words import (
    arm_names,
    arm_roles,
    band_told,
    number_told,
    players_told,
    size_told,
)
from tui.lab.list_commands import Stage
from tui.theme.numerals import NONE, aligned, count, duration, short
from tui.views.experiment import ArmRow, ArmsView
from tui.views.lab import ModeView
from tui.views.table import ColumnView, TableView
from tui.views.words import TextView, Words

if TYPE_CHECKING:
    from learners.experiments.plan import Plan
    from learners.experiments.results import VerdictSummary
    from tui.lab.experiments.experiment import ArmFigures, PlanEntry

SHORT_PREDICTION = 50
"""Characters that stand beside the title of the answer."""


def top_view(controller: ExperimentsController) -> ModeView:
    if not controller.is_open:
        running = controller.running
        status = "" if running is None else f"▶ {source_text(running.plan)}"
        field = ("the book's exercises and", "your own")
        return ModeView("EXPERIMENTS", fields=(field,), status=status)
    plan = controller.entry.plan
    arms, seeds = size_told(plan)
    fields = ((source_text(plan), plan.title), (f"{arms} ×", seeds), (short(plan.games), "games"))
    return ModeView("EXPERIMENT", fields=fields, status=status_text(controller))


def source_text(plan: Plan) -> str:
    """Where a question comes from, in short: `exercise 1.4`."""
    return plan.source.removeprefix("S&B ").partition(",")[0] or plan.name


def status_text(controller: ExperimentsController) -> str:
    """What goes on, at the right end of the mode line."""
    run, digest = controller.entry.run, controller.digest
    if run is None:
        return ""
    if digest is None:
        return "" if run.is_over else "▶ reading the journal"
    shot = digest.snapshot
    if shot.done == shot.total:
        return f"✓ {duration(shot.seconds)}"
    if run.is_over:
        return "stopped"
    if run.is_paused:
        return "‖ paused"
    return "▶" if shot.seconds_left is None else f"▶ {duration(shot.seconds_left)} left"


def plans_view(controller: ExperimentsController, height: int) -> TableView:
    """The list of plans, a window of so many rows."""
    first = window(len(controller.entries), controller.at, height)
    return TableView(
        columns=(
            ColumnView("from", 17, 1, left=True),
            ColumnView("plan", 27, 0, left=True),
            ColumnView("arms", 4, 3),
            ColumnView("seeds", 5, 4),
            ColumnView("games", 6, 5),
            ColumnView("", 11, 2, left=True),
        ),
        rows=tuple(plan_cells(entry) for entry in controller.entries[first : first + height]),
        cursor=controller.at - first,
        footer=controller.footer,
        title="plans",
        right=f"{controller.at + 1} of {len(controller.entries)}",
    )


def plan_cells(entry: PlanEntry) -> tuple[Words, ...]:
    plan = entry.plan
    source = plan.source.removesuffix(", on this game") or "your own"
    return (
        ((source, "dim"),),
        ((plan.title, "text"),),
        ((str(len(plan.arms)), "dim"),),
        ((str(len(plan.seeds)), "dim"),),
        ((short(plan.games), "dim"),),
        state_words(entry),
    )


def state_words(entry: PlanEntry) -> Words:
    """How far a plan has come, in a word."""
    if entry.run is not None:
        if not entry.run.is_over:
            return (("‖ paused" if entry.run.is_paused else "▶ running", "key"),)
        shot = entry.run.snapshot
        if shot is not None and shot.done == shot.total:
            return (("✓ done", "truth"),)
        return (("stopped", "remark"),)
    return (("begun", "dim"),) if entry.has_journal else ""


def question_view(controller: ExperimentsController) -> TextView:
    """What is asked, what is measured, and what the user expects."""
    entry = controller.entry
    plan = entry.plan
    paragraphs: list[Words] = [plan.question]
    if plan.measured:
        paragraphs += ["", (("Measured: ", "title"), (plan.measured, "dim"))]
    if plan.prediction:
        paragraphs += ["", (("Predict: ", "title"), (plan.prediction, "key"))]
    if entry.prediction:
        paragraphs.append((("You: ", "title"), (entry.prediction, "text")))
    if controller.reads and controller.stage is Stage.OVER:
        paragraphs += ["", *answer_paragraphs(controller, with_prediction=False)]
    footer = controller.footer if controller.reads else ""
    return TextView(tuple(paragraphs), title=plan.title, right=plan.source, footer=footer)


def note_view(controller: ExperimentsController) -> TextView:
    """What there is to say, where a border has no room for it."""
    return TextView((((controller.note, "remark"),),), title="note")


def answer_view(controller: ExperimentsController) -> TextView:
    """What is true, beside what the user expected."""
    said = controller.entry.prediction or ""
    beside = 0 < len(said) <= SHORT_PREDICTION
    return TextView(
        answer_paragraphs(controller, with_prediction=not beside),
        title="answer",
        right=(("you predicted: ", "dim"), (said, "remark")) if beside else "",
        footer="Tab: question and answer",
    )


def answer_paragraphs(
    controller: ExperimentsController, *, with_prediction: bool = True
) -> tuple[Words, ...]:
    """The prediction, what was run now, and the answer with what that was found with."""
    entry = controller.entry
    paragraphs: list[Words] = []
    if with_prediction and entry.prediction:
        paragraphs.append((("You predicted: ", "remark"), (entry.prediction, "remark")))
    plan = entry.plan
    if words := figures_words(controller):
        paragraphs.append(((f"{plan.run_heading}: ", "title"), *words))
    if plan.answer:
        paragraphs.append(((f"{plan.answer_heading}: ", "truth"), (plan.answer, "text")))
    return tuple(paragraphs)


def figures_words(controller: ExperimentsController) -> tuple[tuple[str, str], ...]:
    """Who does best by the current metric, and whom nobody beats."""
    digest = controller.digest
    if digest is None:
        return ()
    names = [label for label, _ in arm_names(controller.entry.plan)]
    metric = digest.metric
    ends = [(arm.figure.mean, n) for n, arm in enumerate(digest.arms) if arm.figure]
    said = f"{metric}: no arm has such a number."
    if ends:
        most, least = max(ends), min(ends)
        plan = controller.entry.plan
        said = (
            f"{metric}{', mean over the run,' if plan.over_run else ''} "
            f"{'is' if plan.over_run else 'ends'} between "
            f"{number_told(least[0])} ({names[least[1]]}) and "
            f"{number_told(most[0])} ({names[most[1]]})."
        )
    safe = [
        names[n]
        for n, figures in enumerate(digest.arms)
        if figures.verdict is not None and not figures.verdict[BEATABLE]
    ]
    if safe:
        said += f" In no run can {metric.side.mark} be beaten: {', '.join(safe)}."
    return ((said, "text"),)


def arms_view(controller: ExperimentsController, height: int) -> ArmsView:
    """The arms with their progress, a window of so many rows."""
    plan, digest = controller.entry.plan, controller.digest
    first = window(len(plan.arms), controller.arm, height)
    shot = None if digest is None else digest.snapshot
    begun = controller.entry.run is not None and controller.stage is not Stage.PLAN
    rows = []
    arms = zip(arm_names(plan), players_told(plan), arm_roles(plan), strict=True)
    for n, ((label, name), players, role) in enumerate(arms):
        progress = None if shot is None else shot.results.arms[n]
        rows.append(
            ArmRow(
                label=label,
                name=name,
                players=players,
                role=role,
                share=(0.0 if progress is None else progress.share) if begun else None,
                count=f"{0 if progress is None else progress.done:>{len(str(len(plan.seeds)))}}"
                f"/{len(plan.seeds)}",
            )
        )
    right = "" if shot is None else f"{shot.done:,} of {shot.total:,} trials"
    if shot is not None and shot.resumed:
        right += f", {shot.resumed:,} from before"
    return ArmsView(
        rows=tuple(rows[first : first + height]),
        cursor=controller.arm - first,
        title=part_title("arms", first, height, len(rows)),
        right=right or " × ".join(size_told(plan)),
        footer="" if begun else controller.footer,
    )


def part_title(title: str, first: int, height: int, many: int) -> Words:
    """A title, and which part of many rows is seen."""
    if many <= height:
        return title
    return ((title, "title"), (f"  {first + 1}-{min(first + height, many)} of {many}", "dim"))


def window(many: int, at: int, height: int) -> int:
    """The first of so many rows that hold `at`; it moves by half of them."""
    half = max(1, height // 2)
    first = 0
    while at >= first + height:
        first += half
    return max(0, min(first, many - height))


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
        columns=verdict_columns(min(wide, room // 4), "run" if plan.over_run else "final"),
        rows=rows,
        cursor=browser.arm - first if rows else None,
        footer=browser.footer or metric.metric.meaning,
        title=part_title(f"exact, {when}", first, height, len(plan.arms)),
        right=f"greedy {metric.side.mark}, 95% band: {metric.band_kind}",
    )


def verdict_columns(wide: int, judged_by: str) -> tuple[ColumnView, ...]:
    """The columns of the table; the metric's own come first."""
    return (
        ColumnView("arm", wide, 0, left=True),
        ColumnView(judged_by, 7, 1),
        ColumnView("[95% band]", 13, 2),
        ColumnView("exact", 6, 8),
        ColumnView("loss", 6, 4),
        ColumnView("worst", 6, 9),
        ColumnView("beatable", 8, 3),
        ColumnView("optimal", 11, 7),
        ColumnView(f"rms {f.RMS_OPTIMAL.against}", 6, 5),
        ColumnView(f"rms {f.RMS_BEHAVIOUR.against}", 6, 10),
        ColumnView("P(better)", 9, 6),
    )


def arm_text(name: tuple[str, str]) -> str:
    return f"{name[0]} {name[1]}"


def verdict_cells(name: tuple[str, str], role: str, figures: ArmFigures) -> tuple[Words, ...]:
    final, told, exact = figures.figure, figures.verdict, figures.reference
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


ARMS_AROUND = 2
TABLE_AROUND = 3
"""Rows of a pane beside its arms: the border, and the titles of the table."""


def least_chart(rows: int) -> int:
    """Of so many rows, those that the chart has at least: two of five."""
    return max(7, rows * 2 // 5)


FEWEST_ARMS = 4
BEGINNING = 3
"""Lines of an answer that say what was run here."""


@dataclass(frozen=True, slots=True)
class Rows:
    """Rows of each pane, borders included; 0 hides it."""

    arms: int = 0
    table: int = 0
    answer: int = 0

    @property
    def shown(self) -> int:
        """How many arms the smallest of arms and table shows."""
        both = (self.arms - ARMS_AROUND, self.table - TABLE_AROUND)
        return max(1, min((many for many in both if many > 0), default=1))


def running_rows(rows: int, arms: int) -> Rows:
    """While it runs: arms with their bars above the chart, the table below.

    Args:
        rows: of the whole, without mode line and keys.
        arms: how many there are.
    """
    room = rows - ARMS_AROUND - TABLE_AROUND - least_chart(rows)
    shown = max(1, min(arms, room // 2))
    return Rows(arms=shown + ARMS_AROUND, table=shown + TABLE_AROUND)


def over_rows(rows: int, arms: int, answer: int) -> Rows:
    """When all is over: the chart, the table, and the answer in so many lines below.

    All arms are shown where the answer can be read in full beside them, else at least a few. An
    answer that has no room for all of it leaves the chart what its beginning does not need.
    """
    most = rows - least_chart(rows) - TABLE_AROUND - 1
    answer = answer + 2 if answer + 2 <= most else min(BEGINNING + 2, most)
    room = rows - least_chart(rows) - answer - TABLE_AROUND
    shown = max(min(arms, room), min(arms, FEWEST_ARMS))
    answer = min(answer, rows - least_chart(rows) - TABLE_AROUND - shown)
    return Rows(table=shown + TABLE_AROUND, answer=max(0, answer))
