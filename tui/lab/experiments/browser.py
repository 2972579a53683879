"""A walk through the experiments: which plan, what of it is looked at, and what runs."""

from __future__ import annotations

from dataclasses import replace
from enum import Enum
from typing import TYPE_CHECKING, Final

from learners.errors import UsageError, shown
from learners.experiments.plan import catalogue, find_plan
from learners.experiments.toml_reader import PlanError
from learners.files import path_of
from tui.lab.experiments.digest import Digest, Digester
from tui.lab.experiments.experiment import ExperimentRun, PlanEntry
from tui.lab.experiments.sweep import swept
from tui.lab.modes import Settings
from tui.views.words import Words

if TYPE_CHECKING:
    from learners.experiments.metrics import SidedMetric

LONGEST_PREDICTION: Final = 200
SUFFIXES: Final = {"k": 1_000, "m": 1_000_000}


class Stage(Enum):
    """What the screen shows."""

    LIST = "plans"
    PLAN = "a plan"
    RUNNING = "running"
    STOPPED = "stopped"
    OVER = "over"


class ExperimentBrowser:
    """All plans, the one that is open, and what is looked at. It outlives the screen."""

    def __init__(self) -> None:
        self.entries = [PlanEntry(plan, plan.name) for plan in catalogue()]
        self.at = 0
        """The plan that is selected in the list."""
        self.is_open = False
        self.arm = 0
        """The arm that is selected."""
        self.metric_number = 0
        self.wants_all = False
        """Whether the chart has room for the first games too, and so less for the rest."""
        self.wants_sweep = True
        """Whether a sweep is shown against its option, not over games."""
        self.reads = False
        """Whether the texts are shown instead of the curves."""
        self.note = ""
        """One sentence for the user, until the next thing happens."""
        self.room_for_note = 70
        """Characters that the border of a pane has for it; a longer one gets a pane."""
        self.digest: Digest | None = None
        self._digester = Digester()

    @property
    def entry(self) -> PlanEntry:
        """The plan that is selected."""
        return self.entries[self.at]

    @property
    def running(self) -> PlanEntry | None:
        """The plan that a thread works on."""
        return next((entry for entry in self.entries if entry.is_running), None)

    @property
    def stage(self) -> Stage:
        """What is to be shown."""
        if not self.is_open:
            return Stage.LIST
        run = self.entry.run
        if run is None or (run.trouble and self.digest is None):
            return Stage.PLAN
        shot = None if self.digest is None else self.digest.snapshot
        if shot is not None and shot.done == shot.total:
            return Stage.OVER
        return Stage.STOPPED if run.is_over and shot is not None else Stage.RUNNING

    @property
    def has_long_note(self) -> bool:
        """Whether the note needs a pane of its own."""
        return len(self.note) > self.room_for_note

    @property
    def footer(self) -> Words:
        """The note in the border of a pane."""
        return "" if self.has_long_note or not self.note else ((self.note, "remark"),)

    @property
    def metric(self) -> SidedMetric:
        """What is measured by."""
        metrics = self.entry.plan.metrics
        return metrics[self.metric_number % len(metrics)]

    @property
    def shows_sweep(self) -> bool:
        """Whether the chart is drawn against the option that is swept."""
        return self.wants_sweep and any(arm.swept for arm in self.entry.plan.arms)

    def move(self, by: int) -> None:
        """Select another plan, or another arm of the open one."""
        if self.is_open:
            self.arm = min(max(self.arm + by, 0), len(self.entry.plan.arms) - 1)
        else:
            self.at = min(max(self.at + by, 0), len(self.entries) - 1)

    def open(self) -> None:
        """Open the plan that is selected."""
        self.is_open = True
        self._look_afresh()

    def close(self) -> None:
        """Back to the list."""
        self.is_open = False

    def open_text(self, text: str) -> None:
        """Open the plan that a user names: a file, a name, or the number of an exercise.

        Raises:
            PlanError: there is none, or it cannot be run as it stands.
        """
        name = text.strip()
        try:
            path = path_of(name)
            is_file = path.is_file() or name.endswith(".toml")
        except (OSError, UsageError):
            raise PlanError(f"{shown(name)} is no file") from None
        if path.exists() and not path.is_file():
            raise PlanError(f"{shown(name)} is no file")
        plan = find_plan(str(path) if is_file else name)
        known = [n for n, entry in enumerate(self.entries) if entry.plan == plan]
        if known:
            self.at = known[0]
        else:
            self._add(PlanEntry(plan, str(path) if is_file else plan.name))
        self.open()

    def begin(self) -> ExperimentRun:
        """A run of the open plan; its `work` is to be called in a thread."""
        self.entry.run = ExperimentRun(self.entry.plan, self.entry.folder)
        self._look_afresh()
        return self.entry.run

    def pause(self) -> None:
        """Pause, or go on."""
        run = self.entry.run
        if run is None or run.is_over:
            self.note = "Nothing runs; r runs the experiment."
        elif run.is_paused:
            run.resume()
        else:
            run.pause()

    def stop(self) -> None:
        """Stop whatever runs; its finished trials stay in the journal."""
        running = self.running
        if running is not None and running.run is not None:
            running.run.stop()

    def next_metric(self) -> None:
        """Look at it by the next metric."""
        self.metric_number = (self.metric_number + 1) % len(self.entry.plan.metrics)

    def predict(self, text: str) -> None:
        """Keep what the user expects."""
        words = " ".join(text.split())
        self.entry.prediction = "".join(c for c in words if c.isprintable())[:LONGEST_PREDICTION]

    def sweep(self, text: str) -> None:
        """Open the plan with an arm for each value of an option.

        Raises:
            PlanError: that is no sweep of this plan.
        """
        plan = swept(self.entry.plan, text)
        plan = replace(plan, title=f"{self.entry.plan.title}, swept", answer="")
        sweeps = (*self.entry.sweeps, text.strip())
        self._add(replace(self.entry, plan=plan, sweeps=sweeps, run=None))
        self.open()

    def resize(self, text: str, *, games: bool) -> None:
        """Take another number of seeds, or of games.

        Raises:
            PlanError: it is no number, or too large.
        """
        number = whole(text)
        if number is None:
            raise PlanError("a whole number such as 20, 5000, 100k or 1m")
        old = self.entry
        plan = old.plan.with_games(number) if games else old.plan.with_seeds(number)
        new = replace(old, plan=plan, games=number) if games else replace(
            old, plan=plan, seeds=number
        )  # fmt: skip
        self.entries[self.at] = replace(new, run=None)
        self._look_afresh()

    def settings(self) -> Settings:
        """The players of the arm that is selected, as the lab is set up with them."""
        arm = self.entry.plan.arms[self.arm]
        return Settings(arm.x, arm.o, self.entry.plan.seeds[0])

    def take_stock(self) -> Digest | None:
        """Figures of now; to be called in a thread. None where there are none yet."""
        run, digester, metric = self.entry.run, self._digester, self.metric
        snapshot = None if run is None else run.snapshot
        return None if snapshot is None else digester.digest(snapshot, metric)

    def _add(self, entry: PlanEntry) -> None:
        self.entries.append(entry)
        self.at = len(self.entries) - 1

    def _look_afresh(self) -> None:
        self.arm = min(self.arm, len(self.entry.plan.arms) - 1)
        self.metric_number %= len(self.entry.plan.metrics)
        self.reads, self.digest, self._digester = False, None, Digester()


def whole(text: str) -> int | None:
    """The number that a user typed: `20`, `5,000`, `100k` or `1m`; None where it is none."""
    word = text.strip().lower().replace(",", "").replace("_", "")
    factor = SUFFIXES.get(word[-1:], 1)
    digits = word[:-1] if factor > 1 else word
    if not digits.isascii() or not digits.isdigit() or len(digits) > 12:
        return None
    return int(digits) * factor
