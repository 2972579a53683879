"""Experiments: the list, and one with its curves, metrics and answer."""

from __future__ import annotations

import re
import shlex
import threading
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import cycle
from pathlib import Path
from string import ascii_uppercase
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from afterstate_lab.learners.chart_geometry import Axis, span
from afterstate_lab.learners.errors import UsageError, shown
from afterstate_lab.learners.experiments.plan import Plan, catalogue, find_plan, is_path
from afterstate_lab.learners.experiments.results import sweep
from afterstate_lab.learners.experiments.run import Experiment
from afterstate_lab.learners.files import data_folder, is_file, path_of
from afterstate_lab.learners.judge import figures as f
from afterstate_lab.learners.toml_reader import TomlError
from afterstate_lab.tui.blocks.block import Stack, Window
from afterstate_lab.tui.blocks.curve import Curve, Level, Series
from afterstate_lab.tui.blocks.lists import Cell, Column, Table
from afterstate_lab.tui.blocks.span import Words
from afterstate_lab.tui.blocks.text import Text
from afterstate_lab.tui.lab.modes import Settings
from afterstate_lab.tui.lab.outcomes import Copy, Work
from afterstate_lab.tui.pages.page import BACK, Key, Leave, Opened, Page
from afterstate_lab.tui.theme.numerals import NONE, aligned, duration, short

if TYPE_CHECKING:
    from afterstate_lab.learners.experiments.plan import SidedMetric
    from afterstate_lab.learners.experiments.results import ArmFigures, Estimate, Results, Sweep
    from afterstate_lab.learners.experiments.results import Curve as Line
    from afterstate_lab.tui.lab.controller import LabController

FIRST_SECONDS, LOOK_SECONDS = 0.25, 1.0
"""Seconds until the first results, and from one to the next: curves are most of the bytes."""
LONGEST_PREDICTION = 200
PLANS = (
    Column("from", 17, 1, role="dim"), Column("experiment", 27),
    Column("variants", 8, 3, False, "{} variants", role="dim"),
    Column("seeds", 5, 4, False, "{} seeds", role="dim"),
    Column("games", 6, 5, False, "{} games", role="dim"), Column("", 11, 2, role="dim"),
)  # fmt: skip
MOST_CURVES: Final = 7
"""With more curves, only the selected variant has a colour."""
START: Final = 0.1
LOG_START: Final = 0.4
"""The share of the axis for the first rise of curves."""
ROLES: Final = ("strong", "bead 1", "bead 8", "bead 4", "bead 3")
"""Colours of variants: not a side's, and not green or red, which have a meaning."""
PLACES: Final = 4
"""Decimals, as in the book's .9948."""
LIKELY: Final = 0.95
"""At this chance one variant counts as better or worse."""


@dataclass(frozen=True, eq=False)
class Digest:
    """The results of an experiment by one metric."""

    results: Results
    metric: SidedMetric
    arms: Sequence[ArmFigures]
    lines: Sequence[Line]
    """Over the games."""
    sweep: Sweep | None


@dataclass(eq=False)
class PlanEntry:
    plan: Plan
    words: tuple[str, ...]
    """The command that does the same, without `afterstate`."""
    prediction: str | None = None
    """The user's prediction; None until asked, empty if skipped."""
    run: Experiment | None = None

    @property
    def is_running(self) -> bool:
        return self.run is not None and not self.run.is_over

    @property
    def command(self) -> str:
        """The shell command that does the same."""
        return shlex.join(["afterstate", *self.words])

    @property
    def folder(self) -> Path | None:
        """The folder of its journal; None without a folder for the user's data."""
        name = re.sub(r"[^\w-]+", "-", self.plan.name).strip("-") or "plan"
        try:
            return data_folder() / "experiments" / name[:80]
        except RuntimeError:
            return None

    @property
    def has_journal(self) -> bool:
        """Whether an experiment of this name has a journal."""
        return self.folder is not None and is_file(str(self.folder / "journal.jsonl"))


class Experiments:
    """The state of the page, which outlives its screen."""

    def __init__(self) -> None:
        self.entries = [PlanEntry(plan, ("experiment", plan.name)) for plan in catalogue()]
        self.plans, self.arms = Window(), Window()
        self.is_open = False
        self.metric_number = 0
        self.shows_all = False
        """Whether the curves show their first games too."""
        self.view_number = 0
        self.digest: Digest | None = None

    @property
    def entry(self) -> PlanEntry:
        return self.entries[self.plans.cursor]

    @property
    def plan(self) -> Plan:
        return self.entry.plan

    @property
    def variants(self) -> str:
        many = len(self.plan.arms)
        return f"{many} variant{'s' * (many != 1)}"

    @property
    def seeds(self) -> str:
        many = len(self.plan.seeds)
        return f"{many:,} seed{'s' * (many != 1)}"

    @property
    def metric(self) -> SidedMetric:
        return self.plan.metrics[self.metric_number]

    @property
    def running(self) -> PlanEntry | None:
        return next((entry for entry in self.entries if entry.is_running), None)

    @property
    def results(self) -> Results | None:
        """The results that are known, by the current metric."""
        return None if self.digest is None else self.digest.results

    @property
    def is_done(self) -> bool:
        return self.results is not None and self.results.done == self.plan.trials

    @property
    def view(self) -> str:
        """What is shown of results: curves against the swept option, over the games, or texts."""
        views = ("sweep",) * any(arm.swept for arm in self.plan.arms) + ("games", "text")
        return views[self.view_number % len(views)]

    def open(self) -> None:
        self.is_open, self.view_number, self.digest = True, 0, None
        self.metric_number %= len(self.plan.metrics)

    def open_text(self, text: str) -> None:
        name = text.strip()
        try:
            path = str(path_of(name))
        except UsageError:
            raise TomlError(f"{shown(name)} is not a file") from None
        plan = find_plan(path if is_path(path) else name)
        known = [n for n, entry in enumerate(self.entries) if entry.plan == plan]
        if known:
            self.plans.cursor = known[0]
        else:
            name = path if is_path(path) else plan.name
            self.add(PlanEntry(plan, ("experiment", name)))
        self.open()

    def add(self, entry: PlanEntry) -> None:
        self.entries.append(entry)
        self.plans.count = len(self.entries)
        self.plans.cursor = len(self.entries) - 1

    def run(self) -> str | Key | None:
        """Run, pause or resume it; ask for the prediction first."""
        entry, running = self.entry, self.running
        if running is entry and entry.run is not None:
            entry.run.resume() if entry.run.is_paused else entry.run.pause()
            return None
        if running is not None:
            return f"{running.plan.title} is still running. Open it and stop it first."
        if entry.prediction is None and entry.plan.prediction:
            return replace(self.predict_key, do=self.predict_and_begin)
        self.begin()
        return None

    def begin(self) -> None:
        self.open()
        self.entry.run = run = Experiment(self.plan, self.entry.folder)
        threading.Thread(target=run.run, daemon=True).start()

    def stop(self) -> str | None:
        running = self.running
        if running is None or running.run is None:
            return "No experiment is running."
        running.run.stop()
        return None

    @property
    def predict_key(self) -> Key:
        asked = self.plan.prediction or "What do you expect?"
        asks = f"{asked} Use your own words, or press Enter to skip it."
        return Key(
            "y",
            "predict",
            self.predict,
            "write down what you expect",
            asks,
            self.entry.prediction or "",
        )

    def predict_and_begin(self, text: str) -> None:
        self.predict(text)
        self.begin()

    def predict(self, text: str) -> None:
        words = " ".join(text.split())
        self.entry.prediction = "".join(c for c in words if c.isprintable())[:LONGEST_PREDICTION]

    def turn_metric(self, by: int) -> Work:
        """Show another metric, as soon as it is computed."""
        return self.look(number=(self.metric_number + by) % len(self.plan.metrics))

    def close(self) -> None:
        self.is_open = False

    def toggle_all(self) -> None:
        self.shows_all = not self.shows_all

    def next_view(self) -> None:
        self.view_number += 1

    def leave_with_arm(self) -> Leave:
        arm = self.plan.arms[self.arms.cursor]
        return Leave(Settings(arm.x, arm.o, self.plan.seeds[0]))

    def look(self, after: float = 0.0, number: int | None = None) -> Work:
        """Compute the current results of a metric in a thread, since bootstraps are slow."""
        run, plan = self.entry.run, self.plan
        number = self.metric_number if number is None else number
        metric = plan.metrics[number]

        def measure(_: object) -> Digest | None:
            if run is None or not run.is_ready:
                return None
            found = run.snapshot
            lines = [arm.curve(metric) for arm in found.arms]
            return Digest(found, metric, found.figures(metric), lines, sweep(found, metric))

        def take(digest: Digest | None) -> None:
            if digest is not None and run is self.entry.run and plan is self.plan:
                self.metric_number, self.digest = number, digest

        return Work(measure, after, then=take)

    @property
    def next_look(self) -> Work | None:
        """The work that waits for more results, where they are shown."""
        run, found = self.entry.run, self.results
        comes = run is not None and (run.is_ready or not run.failure)
        if not comes or self.view == "text" or (found and found.is_over):
            return None
        return self.look(LOOK_SECONDS if found else FIRST_SECONDS)

    # what is shown

    def page(self) -> Page:
        if not self.is_open:
            return self.list_page()
        plan, run = self.plan, self.entry.run
        trouble = "" if self.results is None else self.results.trouble
        note = f"Finished trials cannot be saved: {trouble}" if trouble else ""
        return Page(
            "EXPERIMENT",
            self.body(),
            keys=self.keys(),
            right=self.status(),
            title=(
                (source(plan), plan.title),
                (f"{self.variants} ×", self.seeds),
                (short(plan.games), "games"),
            ),
            note=(run.failure if run is not None else "") or note,
            work=self.next_look,
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
                Key(
                    "slash",
                    "file",
                    self.open_text,
                    "open your own experiment, a TOML file",
                    "a file, the name of an experiment, or an exercise such as 1.4",
                ),
                replace(BACK, help="back to the lab; a run continues"),
            ),
            title=(("the book's", "and your own"),),
            right="" if running is None else f"▶ {source(running.plan)}",
        )

    def keys(self) -> tuple[Key, ...]:
        is_running = self.entry.is_running
        waiting = () if is_running else (self.predict_key,)
        try_it = Key("o", "try it", self.leave_with_arm, "play with this variant's players")
        run = Key("enter space", "run", self.run, "run, pause or resume")
        first, later = (replace(try_it, key="enter o"), ()) if self.is_done else (run, (try_it,))
        running = (
            (Key("K", "stop", self.stop, "stop; finished trials are kept"),) if is_running else ()
        )
        begun = (
            (
                Key("right", "metric", lambda: self.turn_metric(1), "show the next metric"),
                Key(
                    "left",
                    "metric back",
                    lambda: self.turn_metric(-1),
                    "show the previous metric",
                    hidden=True,
                ),
                Key("tab", "view", self.next_view, "show the next view: curves or texts"),
                Key("a", "all", self.toggle_all, "show whole curves, or where they settle"),
            )
            if self.digest is not None
            else ()
        )
        return (
            first,
            *running,
            *waiting,
            *begun,
            *later,
            Key(
                "Y",
                "command",
                lambda: Copy(self.entry.command),
                "copy the command that does the same",
            ),
            replace(BACK, do=self.close, help="back; a run continues"),
        )

    def body(self) -> Stack | Text:
        digest = self.digest
        if digest is None:
            return Stack((replace(self.question(), rank=1), self.variants_table()))
        if self.view == "text":
            return self.question(with_answer=self.is_done)
        shown = self.chart(digest), self.verdicts(digest), *([self.answer()] * self.is_done)
        return Stack(shown)

    def status(self) -> str:
        run, found = self.entry.run, self.results
        if run is None or (found is None and run.is_over):
            return ""
        if found is None:
            return "▶ reading the journal"
        if self.is_done:
            return f"✓ {duration(found.seconds)}"
        if run.is_over or run.is_paused:
            return "stopped" if run.is_over else "‖ paused"
        left = found.seconds_left
        return "▶ compiling" if left is None else f"▶ {duration(left)} left"

    def question(self, *, with_answer: bool = False) -> Text:
        """Return the question, what is measured, and the user's prediction."""
        plan, entry = self.plan, self.entry
        said: list[Words] = [plan.question] * bool(plan.question)
        if plan.measured:
            said += ["", (("Measured: ", "title"), (plan.measured, "dim"))]
        if plan.prediction:
            said += ["", (("Predict: ", "title"), (plan.prediction, "key"))]
        if entry.prediction:
            said.append((("You: ", "title"), (entry.prediction, "text")))
        if with_answer:
            said += ["", *self.answered()]
        return Text(said, title=plan.title, right=plan.source)

    def answer(self) -> Text:
        """Return the answer, next to the user's prediction."""
        said = self.entry.prediction or ""
        return Text(
            self.answered(),
            title="answer",
            right=(("you predicted: ", "dim"), (said, "remark")) if said else "",
            footer="Tab: question and answer",
            rank=1,
        )

    def answered(self) -> list[Words]:
        plan, said = self.plan, list[Words]()
        if self.digest is not None:
            said.append(((f"{plan.run_heading}: ", "title"), (self.ends(self.digest), "text")))
        if plan.answer:
            said.append(((f"{plan.answer_heading}: ", "truth"), (plan.answer, "text")))
        return said

    def ends(self, digest: Digest) -> str:
        """Return which variant is best by the current metric, and who cannot be beaten."""
        metric, names = digest.metric, [label for label, _ in arm_names(self.plan)]
        variants = list(zip(digest.arms, names, strict=True))
        found = [(arm.figure.mean, name) for arm, name in variants if arm.figure]
        if not found:
            return f"{metric}: no variant has this metric."
        (low, worst), (high, best) = min(found), max(found)
        over = ", mean over the run, is" if self.plan.over_run else " ends"
        said = (
            f"{metric}{over} between {number_told(low)} ({worst}) and {number_told(high)} ({best})."
        )
        safe = [name for arm, name in variants if arm.verdict and not arm.verdict["beatable"]]
        if safe:
            said += f" {metric.side.mark} is unbeatable with every seed: {', '.join(safe)}."
        return said

    def variants_table(self) -> Table:
        """Return the variants and their players."""
        arms = zip(arm_names(self.plan), arm_roles(self.plan), self.plan.arms, strict=True)
        rows = [
            (((f"{letter} ", role), (name, "text")), f"{arm.x} v {arm.o}")
            for (letter, name), role, arm in arms
        ]
        columns = (
            Column("variant", max(len(name) for _, name in arm_names(self.plan)) + 2),
            Column("players", 26, 1, grows=True, role="dim"),
        )
        right = f"{self.variants} × {self.seeds}"
        return Table(columns, rows, tuple, self.arms, heads=False, title="variants", right=right)

    def chart(self, digest: Digest) -> Curve:
        """Return the curves of the metric over the games, or against the swept option."""
        plan, metric, sweep = self.plan, digest.metric, None
        if self.view == "sweep" and digest.sweep and any(line.x for line in digest.sweep.lines):
            sweep = digest.sweep
        label, lines, log = sweep or ("games", digest.lines, plan.log)
        ends = span(x for line in lines for x in line.x)
        log = log and ends[0] > 0
        over = f"mean and 95% interval ({metric.band_kind})" if sweep is None else plan.judged_by
        settled: list[float] = []
        exact: dict[float, list[str]] = {}
        if sweep is not None:
            shown = [
                series_of(line, role, line.name.removesuffix(label).strip())
                for line, role in zip(lines, cycle(ROLES), strict=False)
            ]
            for role, one, figures in zip(arm_roles(plan), plan.arms, digest.arms, strict=True):
                if not one.swept and figures.figure is not None:
                    level = [(x, figures.figure.mean) for x in ends]
                    shown.append(Series(level, role=role, label=one.name))
        else:
            shown, start = [], Axis(*ends, log).at(LOG_START if log else START)
            variants = zip(lines, arm_roles(plan), arm_names(plan), strict=True)
            for n, (line, role, (letter, name)) in enumerate(variants):
                is_dim = len(plan.arms) > MOST_CURVES and n != self.arms.cursor
                shown.append(series := series_of(line, role, letter, name, is_dim))
                bands = () if is_dim else series.band
                for x, *ys in (*series.points, *bands):
                    settled += ys * (x >= start)
                if line.reference is not None:
                    exact.setdefault(line.reference, []).append(letter)
        levels = []
        for value, labels in sorted(exact.items(), reverse=True):
            is_some = len(labels) <= 3 and len(labels) < len(plan.arms)
            whose = f"{''.join(labels)} " if is_some else ""
            levels.append(Level(value, f"{whose}exact {number_told(value)}"))
        many = len(plan.metrics)
        return Curve(
            series=shown,
            levels=levels,
            x_range=ends,
            log_x=log,
            x_label=label,
            right=f"metric {self.metric_number + 1} of {many}" if many > 1 else "",
            y_range=span([*settled, *exact]) if settled and not self.shows_all else None,
            title=f"{metric.symbol}, {over}",
            rank=3,
        )

    def verdicts(self, digest: Digest) -> Table:
        """Return the exact metrics of each variant, beginning with the current one."""
        plan, metric, found = self.plan, digest.metric, digest.results
        names, said = arm_names(plan), "at the end"
        if not self.is_done:
            before = f", {found.resumed:,} from before" if found.resumed else ""
            said = f"{found.done:,} of {plan.trials:,} trials{before}"
        columns = (
            Column("variant", min(20, max(len(f"{a} {b}") for a, b in names))),
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
        return Table(
            columns,
            list(zip(names, arm_roles(plan), digest.arms, strict=True)),
            verdict_cells,
            self.arms,
            title=f"exact, {said}",
            right=f"greedy {metric.side.mark}, 95% interval: {metric.band_kind}",
            footer=metric.metric.meaning,
            rank=2,
        )


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


def series_of(line: Line, role: str, label: str, name: str = "", dim: bool = False) -> Series:
    def known(*columns: Sequence[float]) -> list[Any]:
        return [row for row in zip(*columns, strict=True) if np.isfinite(row).all()]

    x, called = list(map(float, line.x)), f"{label} {name}" if name else ""
    ends = [y.tolist() for y in (line.low, line.high) if y is not None]
    band = known(x, *ends) if ends else []
    return Series(known(x, line.y.tolist()), band, role, "" if dim else label, called, dim)


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


def source(plan: Plan) -> str:
    """Return the short source of a question: `exercise 1.4`."""
    return plan.source.removeprefix("S&B ").partition(",")[0] or plan.name


def plan_cells(entry: PlanEntry) -> tuple[Words, ...]:
    plan, run = entry.plan, entry.run
    state: Words = "begun" if entry.has_journal else ""
    if entry.is_running and run is not None:
        state = (("‖ paused" if run.is_paused else "▶ running", "key"),)
    elif run is not None:
        is_done = run.snapshot.done == plan.trials
        state = (("✓ done", "truth") if is_done else ("stopped", "remark"),)
    origin = plan.source.removesuffix(", on this game") or "your own"
    size = str(len(plan.arms)), str(len(plan.seeds)), short(plan.games)
    return (origin, plan.title, *size, state)


def open_on(lab: LabController, data: PlanEntry | None, text: str) -> Opened:
    if lab.experiments is None:
        lab.experiments = Experiments()
    if data is not None:
        lab.experiments.add(data)
        lab.experiments.open()
    elif text:
        lab.experiments.open_text(text)
    return lab.experiments.page, lambda settings: Leave(lab.set_up(settings))
