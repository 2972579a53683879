"""The experiments: which plan, what of it is looked at, what runs, and what can be asked for."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from learners.errors import UsageError, shown
from learners.experiments.plan import catalogue, find_plan, is_path
from learners.files import path_of
from learners.toml_reader import TomlError
from tui.lab.experiments.experiment import (
    SHAPE,
    Digest,
    Digester,
    ExperimentRun,
    PlanEntry,
    export,
    swept,
)
from tui.lab.experiments.words import arm_names
from tui.lab.goal import games_of
from tui.lab.list_commands import EXPERIMENT_COMMANDS, Stage, StagedCommand
from tui.lab.list_controller import ListController
from tui.lab.modes import Settings
from tui.lab.outcomes import Background, Close, Copy, Message, Outcome, Question, refusing
from tui.views.words import Words

if TYPE_CHECKING:
    from learners.experiments.plan import SidedMetric

LONGEST_PREDICTION: Final = 200


class ExperimentsController(ListController):
    """All plans, the one that is open, and one method for each command. It outlives the screen."""

    def __init__(self) -> None:
        super().__init__(
            {
                "open": self.open_or_run,
                "file": self.file_question,
                "run": self.run,
                "stop": self.stop_this,
                "predict": self.prediction_question,
                "metric": lambda: self.turn_metric(1),
                "metric_back": lambda: self.turn_metric(-1),
                "sweep": self.sweep_question,
                "seeds": lambda: self.size_question(games=False),
                "games": lambda: self.size_question(games=True),
                "arm": lambda: Close(self.settings()),
                "export": self.export_question,
                "line": self.command_line,
                "view": self.next_view,
                "range": self.toggle_range,
                "back": self.back,
            }
        )
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
        self.room_for_note = 70
        """Characters that the border of a pane has for the note; a longer one gets a pane."""
        self.digest: Digest | None = None
        self._digester = Digester()

    @property
    def available(self) -> tuple[StagedCommand, ...]:
        """The commands of the current stage."""
        stage = self.stage
        return tuple(command for command in EXPERIMENT_COMMANDS if stage in command.stages)

    def perform(self, name: str, key: str = "") -> Outcome:
        """Do what a command asks for; one of another stage does nothing."""
        self.note = ""
        answers = {"up", "down", "open", *(command.name for command in self.available)}
        return super().perform(name, key) if name in answers else None

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

    def scroll(self, by: int) -> None:
        """One plan or arm for each turn of the wheel."""
        self.move(1 if by > 0 else -1)

    def open_or_run(self) -> Outcome:
        """Open the plan that is selected; of an open one, run it."""
        if not self.is_open:
            self.open()
        elif not self.entry.is_running:
            return self.run()
        return None

    def back(self) -> Outcome:
        """Back to the list, and from there to the lab."""
        if not self.is_open:
            return Close()
        self.close()
        return None

    def open(self) -> None:
        """Open the plan that is selected."""
        self.is_open = True
        self._look_afresh()

    def close(self) -> None:
        """Back to the list."""
        self.is_open = False

    def file_question(self) -> Question:
        """Ask for a plan."""

        def answer(text: str) -> None:
            if not text.strip():
                raise TomlError("a TOML file, such as ~/plans/mine.toml")
            self.open_text(text)

        prompt = "a TOML file, a plan's name, or an exercise such as 1.4"
        return Question("plan", prompt, refusing(answer))

    def open_text(self, text: str) -> None:
        """Open the plan that a user names: a file, a name, or the number of an exercise.

        Raises:
            TomlError: there is none, or it cannot be run as it stands.
        """
        name = text.strip()
        try:
            path = str(path_of(name))
        except UsageError:
            raise TomlError(f"{shown(name)} is no file") from None
        plan = find_plan(path if is_path(path) else name)
        known = [n for n, entry in enumerate(self.entries) if entry.plan == plan]
        if known:
            self.at = known[0]
        else:
            self._add(PlanEntry(plan, path if is_path(path) else plan.name))
        self.open()

    def run(self) -> Outcome:
        """Run the open plan, pause or resume it; the user predicts first what will be seen."""
        running, entry = self.running, self.entry
        if running is entry:
            self.pause()
            return None
        if running is not None:
            return Message(f"{running.plan.title} is running; K there stops it first.")
        if entry.prediction is None and entry.plan.prediction:
            return self.prediction_question(then_run=True)
        return self._work()

    def _work(self) -> Background:
        run = self.begin()
        return Background(lambda _: run.work(), lambda _: None, is_detached=True)

    def begin(self) -> ExperimentRun:
        """A run of the open plan; its `work` is to be called in a thread."""
        self.entry.run = ExperimentRun(self.entry.plan, self.entry.folder)
        self._look_afresh()
        return self.entry.run

    def pause(self) -> None:
        run = self.entry.run
        if run is not None and run.is_paused:
            run.resume()
        elif run is not None:
            run.pause()

    def stop_this(self) -> Outcome:
        """Stop the open experiment."""
        if not self.entry.is_running:
            return Message("Nothing runs here.")
        self.stop()
        return None

    def stop(self) -> None:
        """Stop whatever runs; its finished trials stay in the journal."""
        running = self.running
        if running is not None and running.run is not None:
            running.run.stop()

    def turn_metric(self, by: int) -> None:
        """Look at it by the next metric, or the one before."""
        self.metric_number = (self.metric_number + by) % len(self.entry.plan.metrics)

    def toggle_range(self) -> None:
        """Show the curves from their very start, or as they settle."""
        self.wants_all = not self.wants_all

    def next_view(self) -> None:
        """Show the curves over games after those of a sweep, then question and answer."""
        if not self.reads and self.shows_sweep:
            self.wants_sweep = False
        else:
            self.reads, self.wants_sweep = not self.reads, True

    def prediction_question(self, *, then_run: bool = False) -> Question:
        """Ask what the user expects."""

        def answer(text: str) -> Outcome:
            self.predict(text)
            return self._work() if then_run else None

        asked = self.entry.plan.prediction or "What will be seen?"
        prompt = f"{asked} In your own words; Enter alone skips it."
        return Question("predict", prompt, answer, self.entry.prediction or "")

    def predict(self, text: str) -> None:
        """Keep what the user expects."""
        words = " ".join(text.split())
        self.entry.prediction = "".join(c for c in words if c.isprintable())[:LONGEST_PREDICTION]

    def sweep_question(self) -> Question:
        """Ask for an option of the selected arm, and its values."""
        label = arm_names(self.entry.plan)[self.arm][0]
        arm = self.entry.plan.arms[self.arm]
        has_alpha = any(
            option.name == "alpha" for spec in (arm.x, arm.o) for option in spec.rule.options
        )
        example = f"{label}.alpha=.05,.1,.2" if has_alpha and not arm.swept else ""
        return Question("sweep", SHAPE.format(label), refusing(self.sweep), example)

    def sweep(self, text: str) -> None:
        """Open the plan with an arm for each value of an option.

        Raises:
            TomlError: that is no sweep of this plan.
        """
        plan = swept(self.entry.plan, text)
        plan = replace(plan, title=f"{self.entry.plan.title}, swept", answer="")
        sweeps = (*self.entry.sweeps, text.strip())
        self._add(replace(self.entry, plan=plan, sweeps=sweeps, run=None))
        self.open()

    def size_question(self, *, games: bool) -> Outcome:
        """Ask for another number of games, or of seeds."""
        if self.entry.is_running:
            return Message("It is running; K stops it first.")
        plan = self.entry.plan
        number = plan.games if games else len(plan.seeds)
        return Question(
            "games" if games else "seeds",
            "how many: 20, 5000, 100k, 1m",
            refusing(lambda text: self.resize(text, games=games)),
            str(number),
        )

    def resize(self, text: str, *, games: bool) -> None:
        """Take another number of seeds, or of games.

        Raises:
            TomlError: it is no number, or too large.
        """
        number = games_of(text)
        if number is None:
            raise TomlError("a whole number such as 20, 5000, 100k or 1m")
        old = self.entry
        if games:
            new = replace(old, plan=old.plan.with_games(number), games=number)
        else:
            new = replace(old, plan=old.plan.with_seeds(number), seeds=number)
        self.entries[self.at] = replace(new, run=None)
        self._look_afresh()

    def settings(self) -> Settings:
        """The players of the arm that is selected, as the lab is set up with them."""
        arm = self.entry.plan.arms[self.arm]
        return Settings(arm.x, arm.o, self.entry.plan.seeds[0])

    def export_question(self) -> Outcome:
        """Ask for a folder, and write the figures to it."""
        digest = self.digest
        if digest is None:
            return Message("There is nothing to export yet.")

        def answer(text: str) -> Outcome:
            if not text.strip():
                raise TomlError("the name of a folder; it is made where there is none")
            return Background(lambda _: export(digest.snapshot.results, text.strip()), Message)

        prompt = "a folder for metrics.csv, results.json and the charts as SVG"
        name = f"afterstate-{self.entry.plan.name}"
        return Question("export", prompt, refusing(answer), name)

    def command_line(self) -> Outcome:
        """The command that does the same."""
        command = self.entry.command
        if not self.entry.sweeps:
            return Copy(command)
        sweeps = "; ".join(self.entry.sweeps)
        return Message(f"{command}, with [[sweep]] in the plan's file: {sweeps}")

    def take_digest(self, run: ExperimentRun | None, digest: Digest | None) -> None:
        """Show the figures of a run, and what is wrong with it."""
        self.digest = digest
        if run is not None and run.trouble:
            self.note = run.trouble
        elif digest is not None and digest.snapshot.trouble:
            self.note = f"Finished trials cannot be saved: {digest.snapshot.trouble}"

    def take_stock(self) -> Digest | None:
        """The current figures; to be called in a thread. None where there are none yet."""
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
