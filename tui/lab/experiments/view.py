"""The plans, the arms, the table and the texts of the experiments, as they are shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from learners.judge.figures import BEATABLE
from tui.lab.experiments.controller import ExperimentsController, Stage
from tui.lab.experiments.words import arm_names, arm_roles, number_told, players_told, size_told
from tui.theme.numerals import duration, short
from tui.views.experiment import ArmRow, ArmsView, TextView
from tui.views.lab import ModeView
from tui.views.table import ColumnView, TableView
from tui.views.words import Words

if TYPE_CHECKING:
    from learners.experiments.plan import Plan
    from tui.lab.experiments.experiment import PlanEntry

SHORT_PREDICTION = 50
"""Characters that stand beside the title of the answer."""


def top_view(controller: ExperimentsController) -> ModeView:
    """The mode line."""
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
    """A plan in the list."""
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
    """The prediction and the answer; without one in the plan, the figures in words."""
    entry = controller.entry
    paragraphs: list[Words] = []
    if with_prediction and entry.prediction:
        paragraphs.append((("You predicted: ", "remark"), (entry.prediction, "remark")))
    if entry.plan.answer:
        head = "Run in full: " if entry.is_changed else ""
        paragraphs.append(((head, "truth"), (entry.plan.answer, "text")))
    else:
        paragraphs.append(figures_words(controller))
    return tuple(paragraphs)


def figures_words(controller: ExperimentsController) -> Words:
    """Who ends best by the current metric, and whom nobody beats."""
    digest = controller.digest
    if digest is None:
        return ""
    names = [label for label, _ in arm_names(controller.entry.plan)]
    metric = digest.metric
    ends = [(figures.final.mean, n) for n, figures in enumerate(digest.arms) if figures.final]
    said = f"{metric}: no arm has such a number."
    if ends:
        most, least = max(ends), min(ends)
        said = (
            f"{metric} ends between {number_told(least[0])} ({names[least[1]]}) and "
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
        progress = None if shot is None else shot.arms[n]
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
