"""Experiments: the list, and one with its curves, metrics and answer."""

from __future__ import annotations

import re
import shlex
import threading
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from afterstate_lab.learners.errors import UsageError, shown
from afterstate_lab.learners.experiments.plan import Plan, catalogue, find_plan, is_path
from afterstate_lab.learners.experiments.run import Experiment
from afterstate_lab.learners.files import data_folder, is_file, path_of
from afterstate_lab.learners.toml_reader import TomlError
from afterstate_lab.tui.blocks.block import Stack, Window
from afterstate_lab.tui.blocks.curve import Curve
from afterstate_lab.tui.blocks.span import Words
from afterstate_lab.tui.blocks.table import Cell, Column, Table
from afterstate_lab.tui.blocks.text import Text
from afterstate_lab.tui.lab.modes import Settings
from afterstate_lab.tui.lab.outcomes import Copy, Work
from afterstate_lab.tui.pages.experiment_results import (
    Digest,
    arm_names,
    arm_roles,
    curves,
    ends,
    players_told,
    size_told,
    verdict_cells,
    verdict_columns,
)
from afterstate_lab.tui.pages.page import BACK, Key, Leave, Opened, Page
from afterstate_lab.tui.theme.numerals import duration, short

if TYPE_CHECKING:
    from afterstate_lab.learners.experiments.plan import SidedMetric
    from afterstate_lab.learners.experiments.results import Results
    from afterstate_lab.tui.lab.controller import LabController

FIRST_SECONDS, LOOK_SECONDS = 0.25, 1.0
"""Seconds until the first results, and from one to the next: curves are most of the bytes."""
LONGEST_PREDICTION = 200
BAR = 16
PLANS = (
    Column("from", 17, 1, role="dim"), Column("experiment", 27),
    Column("variants", 8, 3, False, "{} variants", role="dim"),
    Column("seeds", 5, 4, False, "{} seeds", role="dim"),
    Column("games", 6, 5, False, "{} games", role="dim"), Column("", 11, 2, role="dim"),
)  # fmt: skip


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
    def metric(self) -> SidedMetric:
        return self.plan.metrics[self.metric_number % len(self.plan.metrics)]

    @property
    def running(self) -> PlanEntry | None:
        return next((entry for entry in self.entries if entry.is_running), None)

    @property
    def is_begun(self) -> bool:
        run = self.entry.run
        return run is not None and not (run.failure and self.digest is None)

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
        metric = self.plan.metrics[number % len(self.plan.metrics)]

        def measure(_: object) -> Digest | None:
            return Digest.of(run.snapshot, metric) if run and run.is_ready else None

        def take(digest: Digest | None) -> None:
            if run is self.entry.run and plan is self.plan:
                self.metric_number, self.digest = number, digest or self.digest

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
        arms, seeds = size_told(plan)
        trouble = "" if self.results is None else self.results.trouble
        note = f"Finished trials cannot be saved: {trouble}" if trouble else ""
        return Page(
            "EXPERIMENT",
            self.body(),
            keys=self.keys(),
            right=self.status(),
            title=((source(plan), plan.title), (f"{arms} ×", seeds), (short(plan.games), "games")),
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
                replace(BACK, help="back to the lab (or Esc); a run continues"),
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
            if self.is_begun
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
            replace(BACK, do=self.close, help="back (or Esc); a run continues"),
        )

    def body(self) -> Stack | Text:
        if not self.is_begun:
            return Stack((replace(self.question(), rank=1), self.progress()))
        if self.view == "text":
            return self.question(with_answer=self.is_done)
        chart, verdicts = replace(self.chart(), rank=3), self.verdicts()
        if self.is_done:
            return Stack((chart, replace(verdicts, rank=2), replace(self.answer(), rank=1)))
        return Stack((self.progress(), chart, replace(verdicts, rank=1)))

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
        )

    def answered(self) -> list[Words]:
        plan, said = self.plan, list[Words]()
        if self.digest is not None:
            said.append(((f"{plan.run_heading}: ", "title"), (ends(plan, self.digest), "text")))
        if plan.answer:
            said.append(((f"{plan.answer_heading}: ", "truth"), (plan.answer, "text")))
        return said

    def progress(self) -> Table:
        """Return the variants: players and progress."""
        plan, found = self.plan, self.results
        names, roles, many = arm_names(plan), arm_roles(plan), len(plan.seeds)
        players = players_told(plan)

        def cells(n: int) -> tuple[Cell | Words, ...]:
            done, share = (found.arms[n].done, found.arms[n].share) if found else (0, 0.0)
            return (
                ((f"{names[n][0]} ", roles[n]), (names[n][1], "text")),
                players[n],
                Cell(meter(share, roles[n]) if self.is_begun else "", ""),
                Cell(f"{done}/{many}", f"{done} of {many}"),
            )

        columns = (
            Column("variant", max(len(name) for _, name in names) + 2),
            Column("players", 26, 3, grows=True, role="dim"),
            Column("", BAR, 1),
            Column("", len(str(many)) * 2 + 1, 2, False, "{} trials", role="dim"),
        )
        right = " × ".join(size_told(plan))
        if found is not None:
            before = f", {found.resumed:,} from before" if found.resumed else ""
            right = f"{found.done:,} of {plan.trials:,} trials{before}"
            if self.status() == "▶ compiling":
                right = "the first run compiles for a few seconds"
        rows = range(len(plan.arms))
        return Table(columns, rows, cells, self.arms, heads=False, title="variants", right=right)

    def chart(self) -> Curve:
        return curves(
            self.plan,
            self.digest,
            self.metric,
            self.arms.cursor,
            swept=self.view == "sweep",
            whole=self.shows_all,
        )

    def verdicts(self) -> Table:
        """Return the exact metrics of each variant, beginning with the current one."""
        plan, digest, metric = self.plan, self.digest, self.metric
        names = arm_names(plan)
        figures = digest.arms if digest is not None and digest.metric == metric else ()
        return Table(
            verdict_columns(plan, min(20, max(len(f"{a} {b}") for a, b in names))),
            list(zip(names, arm_roles(plan), figures, strict=False)),
            verdict_cells,
            self.arms,
            title="exact, at the end" if self.is_done else "exact, so far",
            right=f"greedy {metric.side.mark}, 95% interval: {metric.band_kind}",
            footer=metric.metric.meaning,
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


def meter(share: float, role: str) -> Words:
    done = round(share * BAR)
    return (("━" * done, role), ("─" * (BAR - done), "faint"))


def open_on(lab: LabController, data: PlanEntry | None, text: str) -> Opened:
    if lab.experiments is None:
        lab.experiments = Experiments()
    if data is not None:
        lab.experiments.add(data)
        lab.experiments.open()
    elif text:
        lab.experiments.open_text(text)
    return lab.experiments.page, lambda settings: Leave(lab.set_up(settings))
