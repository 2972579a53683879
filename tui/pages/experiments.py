"""Experiments: the list, and one with its curves, metrics and answer."""

from __future__ import annotations

import re
import threading
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import cycle
from pathlib import Path
from string import ascii_uppercase
from typing import Any, Final

import numpy as np

from afterstate_lab.learners.errors import printable
from afterstate_lab.learners.experiments.plan import Plan, SidedMetric, catalogue, find_plan, size
from afterstate_lab.learners.experiments.results import ArmResults, Results, reference
from afterstate_lab.learners.experiments.results import Curve as Line
from afterstate_lab.learners.experiments.run import Experiment
from afterstate_lab.learners.files import data_folder, path_of
from afterstate_lab.learners.judge.figures import BEATABLE
from afterstate_lab.tui.blocks import Cell, Column, Stack, Table, Text, Window, Words
from afterstate_lab.tui.blocks.curve import Curve, Level, Series
from afterstate_lab.tui.lab.modes import Settings
from afterstate_lab.tui.pages.page import BACK, Key, LabController, Opened, Page, Work, to_lab
from afterstate_lab.tui.theme.numerals import NONE, aligned, duration, short

FIRST_SECONDS, LOOK_SECONDS = 0.25, 1.0
"""Seconds until the first results, and from one to the next: curves are most of the bytes."""
LONGEST_PREDICTION = 200
PLANS = (
    Column("from", 17, 1, role="dim"), Column("experiment", 27),
    Column("games", 6, 5, False, "{} games", role="dim"), Column("", 11, 2, role="dim"),
)  # fmt: skip
MOST_CURVES: Final = 7
"""With more curves, only the selected variant has a colour."""
ROLES: Final = ("strong", "bead 1", "bead 8", "bead 4", "bead 3")
"""Colours of variants: not a side's, and not green or red, which have a meaning."""
ANSWER: Final = 9
"""Rows of an answer, if it has as many."""
PLACES: Final = 4
"""Decimals, as in the book's .9948."""


@dataclass(eq=False)
class PlanEntry:
    plan: Plan
    prediction: str | None = None
    """The user's prediction; None until asked, empty if skipped."""
    run: Experiment | None = None

    @property
    def is_running(self) -> bool:
        return self.run is not None and not self.run.is_over

    @property
    def folder(self) -> Path | None:
        """The folder of its journal; None without a folder for the user's data."""
        name = re.sub(r"[^\w-]+", "-", self.plan.name).strip("-") or "plan"
        try:
            return data_folder() / "experiments" / name[:80]
        except RuntimeError:
            return None


class Experiments:
    """The state of the page, which outlives its screen."""

    def __init__(self, lab: LabController) -> None:
        self.lab = lab
        self.entries = [PlanEntry(plan) for plan in catalogue()]
        self.plans, self.arms = Window(), Window()
        self.is_open = False
        self.metric_number = 0
        self.results: Results | None = None
        """What is known; its statistics by the current metric are remembered."""
        self.lines: Sequence[Line] = ()
        """The metric over the games, by variant."""

    @property
    def entry(self) -> PlanEntry:
        return self.entries[self.plans.cursor]

    @property
    def plan(self) -> Plan:
        return self.entry.plan

    @property
    def metric(self) -> SidedMetric:
        return self.plan.metrics[self.metric_number]

    @property
    def running(self) -> PlanEntry | None:
        return next((entry for entry in self.entries if entry.is_running), None)

    @property
    def is_done(self) -> bool:
        return self.results is not None and self.results.done == self.plan.trials

    def open(self) -> None:
        self.is_open, self.results = True, None
        self.metric_number %= len(self.plan.metrics)

    def open_text(self, text: str) -> None:
        plan = find_plan(str(path_of(text)))
        plans = [entry.plan for entry in self.entries]
        if plan not in plans:
            plans.append(plan)
            self.entries.append(PlanEntry(plan))
        self.plans.cursor = plans.index(plan)
        self.open()

    def run(self) -> str | Key | None:
        """Run it or its rest; ask for the prediction first."""
        entry, running = self.entry, self.running
        if running is not None:
            return f"{running.plan.title} is still running. Open it and stop it first."
        if entry.prediction is None and entry.plan.prediction:
            asks = f"{entry.plan.prediction} Use your own words, or press Enter to skip it."
            return Key("y", "predict", self.predict, "write down what you expect", asks)
        self.begin()
        return None

    def begin(self) -> None:
        self.open()
        self.entry.run = run = Experiment(self.plan, self.entry.folder)
        threading.Thread(target=run.run, daemon=True).start()

    def stop(self) -> None:
        for entry in self.entries:
            if entry.run is not None:
                entry.run.stop()

    def predict(self, text: str) -> None:
        self.entry.prediction = printable(" ".join(text.split()))[:LONGEST_PREDICTION]
        self.begin()

    def close(self) -> None:
        self.is_open, self.results = False, None

    def look(self, after: float = 0.0, number: int | None = None) -> Work:
        """Compute the current results of a metric in a thread, since bootstraps are slow."""
        run, plan = self.entry.run, self.plan
        number = self.metric_number if number is None else number

        def measure(_: object) -> tuple[Results, list[Line]] | None:
            if run is None or not run.is_ready:
                return None
            found, metric = run.snapshot, plan.metrics[number]
            for arm in found.arms:
                arm.figure(metric)
                found.improvement(metric, arm)
            return found, [arm.curve(metric) for arm in found.arms]

        def take(found: tuple[Results, list[Line]] | None) -> None:
            if found is not None and run is self.entry.run and plan is self.plan:
                self.metric_number, (self.results, self.lines) = number, found

        return Work(measure, after, then=take)

    # what is shown

    def page(self) -> Page:
        if not self.is_open:
            return self.list_page()
        plan, run, found = self.plan, self.entry.run, self.results
        note, right = "" if run is None else run.failure, size(plan.seeds, plan.games)
        comes = run is not None and (run.is_ready or not run.failure)
        if found is None:
            column, words = variant_column(plan)
            rows = list(zip(words, (f"{arm.x} v {arm.o}" for arm in plan.arms), strict=True))
            columns = column, Column("players", 26, 1, grows=True, role="dim")
            variants = Table(
                columns, rows, tuple, self.arms, heads=False, title="variants", right=right
            )
            body = Stack((self.question(), variants))
        else:
            comes = comes and not found.is_over
            if not note and found.trouble:
                note = f"Finished trials cannot be saved: {found.trouble}"
            told, said = list[Words](), self.entry.prediction
            if said:
                told = [(("You predicted: ", "dim"), (said, "remark"))]
            if plan.answer:
                told.append(((f"{plan.answer_heading}: ", "truth"), (plan.answer, "text")))
            answer = Text(told, title="answer", least=ANSWER, rank=1)
            body = Stack((self.chart(), self.verdicts(found), *[answer] * self.is_done))
        return Page(
            "EXPERIMENT",
            body,
            keys=self.keys(),
            right=self.status(),
            title=((source(plan), plan.title), (f"{len(plan.arms)} variants", right)),
            note=note,
            work=self.look(LOOK_SECONDS if found else FIRST_SECONDS) if comes else None,
        )

    def list_page(self) -> Page:
        running = self.running
        plans = Table(
            PLANS,
            self.entries,
            plan_cells,
            self.plans,
            title="experiments",
            right=f"{self.plans.cursor + 1} of {len(self.entries)}",
        )
        return Page(
            "EXPERIMENTS",
            Stack((plans, self.question())),
            keys=(
                Key("enter", "open", self.open, "open this experiment"),
                replace(BACK, help="back to the lab; a run continues"),
            ),
            title=(("the book's", "and your own"),),
            right="" if running is None else f"▶ {source(running.plan)}",
        )

    def keys(self) -> tuple[Key, ...]:
        plan = self.plan
        arm, after = plan.arms[self.arms.cursor], (self.metric_number + 1) % len(plan.metrics)
        keys = [
            Key(
                "o",
                "try it",
                lambda: to_lab(self.lab.set_up(Settings(arm.x, arm.o))),
                "play with this variant's players",
            )
        ]
        if self.entry.is_running:
            keys.insert(0, Key("K", "stop", self.stop, "stop; finished trials are kept"))
        elif not self.is_done:
            keys.insert(0, Key("enter space", "run", self.run, "run it, or what is left of it"))
        if self.results is not None:
            look = partial(self.look, number=after)
            keys.append(Key("right", "metric", look, "show the next metric"))
        return (*keys, replace(BACK, do=self.close, help="back; a run continues"))

    def status(self) -> str:
        run, found = self.entry.run, self.results
        if run is None or (found is None and run.is_over):
            return ""
        if found is None:
            return "▶"
        if self.is_done:
            return f"✓ {duration(found.seconds)}"
        if run.is_over:
            return "stopped"
        left = found.seconds_left
        return "▶ compiling" if left is None else f"▶ {duration(left)} left"

    def question(self) -> Text:
        """Return the question, and what is measured."""
        plan = self.plan
        said: list[Words] = [plan.question] * bool(plan.question)
        if plan.measured:
            said += ["", (("Measured: ", "title"), (plan.measured, "dim"))]
        if plan.prediction:
            said += ["", (("Predict: ", "title"), (plan.prediction, "key"))]
        return Text(said, title=plan.title, right=plan.source, rank=1)

    def chart(self) -> Curve:
        """Return the curves of the metric over the games."""
        plan, metric, many = self.plan, self.metric, len(self.plan.metrics)
        series = []
        for n, (line, told) in enumerate(zip(self.lines, variants(plan), strict=True)):
            letter, name, role = told
            x, is_known = list(map(float, line.x)), not np.isnan(line.y).any()
            ends = [y.tolist() for y in (line.low, line.high) if y is not None]
            band: list[Any] = list(zip(x, *ends, strict=True)) if is_known and ends else []
            points = list(zip(x, line.y.tolist(), strict=True)) if is_known else []
            dim = len(plan.arms) > MOST_CURVES and n != self.arms.cursor
            sign = "" if dim else letter
            series.append(Series(points, band, role, sign, f"{letter} {name}", dim))
        exact = {line.reference for line in self.lines if line.reference is not None}
        return Curve(
            series=series,
            levels=[Level(value, f"exact {number_told(value)}") for value in sorted(exact)],
            x_range=(float(plan.points[0]), float(plan.games)),
            log_x=plan.log,
            right=f"metric {self.metric_number + 1} of {many}" if many > 1 else "",
            title=f"{metric.symbol}, mean and 95% interval ({metric.band_kind})",
            rank=3,
        )

    def verdicts(self, found: Results) -> Table:
        """Return what each variant comes to by the current metric."""
        metric, said = self.metric, "at the end"
        if not self.is_done:
            before = f", {found.resumed:,} from before" if found.resumed else ""
            said = f"{found.done:,} of {self.plan.trials:,} trials{before}"
        return results_table(
            found,
            metric,
            at=self.arms,
            title=f"exact, {said}",
            right=f"greedy {metric.side.mark}, 95% interval: {metric.band_kind}",
            footer=metric.metric.meaning,
            rank=2,
        )


def results_table(found: Results, metric: SidedMetric, **more: Any) -> Table:
    """Return what each variant comes to by a metric, and its exact verdict.

    `more` are other fields of the table.
    """
    column, variants = variant_column(found.plan)
    columns = (
        column,
        Column("run" if found.plan.over_run else "final", 7, 1, False, role="strong"),
        Column("95% interval", 13, 2, False, "in {}", role="dim"),
        Column("exact", 6, 8, False, "exact {}", role="truth"),
        Column("beatable", 8, 3, False, "beatable {}"),
        Column("P(better)", 9, 6, False, "better with probability {}"),
    )

    def cells(row: tuple[Words, ArmResults]) -> tuple[Cell | Words, ...]:
        words, arm = row
        final, exact = arm.figure(metric), reference(arm.arm, metric)
        better, judged = found.improvement(metric, arm), arm.verdicts(metric.side)
        band: Words = NONE
        beaten: Cell | Words = NONE
        if final is not None and final.low is not None and final.high is not None:
            band = f"[{number_told(final.low)},{number_told(final.high)}]"
        if judged:
            many, seeds = sum(verdict[BEATABLE] for verdict in judged), len(judged)
            told = f"{many}/{seeds}", "worse" if many else "truth"
            beaten = Cell((told,), f"{many} of {seeds}")
        return (
            words,
            number_told(None if final is None else final.mean),
            band,
            number_told(None if exact is None else exact.value),
            beaten,
            aligned(None if better is None else better.mean, 2),
        )

    return Table(columns, list(zip(variants, found.arms, strict=True)), cells, **more)


def variants(plan: Plan) -> list[tuple[str, str, str]]:
    """Return a letter, a name and a colour for each variant; its name can begin with the letter."""
    marks = zip(cycle(ascii_uppercase), plan.arms, cycle(ROLES), strict=False)
    return [(letter, arm.name.removeprefix(f"{letter} "), role) for letter, arm, role in marks]


def variant_column(plan: Plan) -> tuple[Column, list[Words]]:
    """Return the column of the variants, and its cells."""
    found = variants(plan)
    wide = min(20, max(len(name) + 2 for _, name, _ in found))
    cells: list[Words] = [((letter, role), (f" {name}", "text")) for letter, name, role in found]
    return Column("variant", wide), cells


def number_told(value: float | None) -> str:
    """Return a metric as text: four decimals, or one for large counts."""
    if value is not None and abs(value) >= 10:
        return f"{value:,.1f}"
    return aligned(value, PLACES)


def source(plan: Plan) -> str:
    """Return the short source of a question: `exercise 1.4`."""
    return plan.source.removeprefix("S&B ").partition(",")[0] or plan.name


def plan_cells(entry: PlanEntry) -> tuple[Words, ...]:
    plan, run = entry.plan, entry.run
    state: Words = ""
    if entry.is_running:
        state = (("▶ running", "key"),)
    elif run is not None:
        is_done = run.snapshot.done == plan.trials
        state = (("✓ done", "truth") if is_done else ("stopped", "remark"),)
    origin = plan.source.removesuffix(", on this game") or "your own"
    return (origin, plan.title, short(plan.games), state)


def open_on(lab: LabController, data: object, text: str) -> Opened:
    if lab.experiments is None:
        lab.experiments = Experiments(lab)
    if text:
        lab.experiments.open_text(text)
    made: Opened = lab.experiments.page
    return made
