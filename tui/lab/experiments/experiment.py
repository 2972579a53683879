"""An experiment in the lab: its plan, the thread that runs it, and its current figures.

A sweep that the user types: `A.alpha=.1,.2,.4`, or `alpha=…` for every arm.
"""

from __future__ import annotations

import re
import shlex
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from afterstate_lab.learners.errors import UsageError, printable
from afterstate_lab.learners.experiments.plan import Plan, SweepTable
from afterstate_lab.learners.experiments.results import Results, reference
from afterstate_lab.learners.experiments.run import Experiment, ExperimentSnapshot
from afterstate_lab.learners.files import data_folder
from afterstate_lab.learners.toml_reader import TomlError, TomlText
from afterstate_lab.tui.lab.experiments.words import arm_names

if TYPE_CHECKING:
    from collections.abc import Mapping

    from afterstate_lab.learners.experiments.plan import Plan, SidedMetric
    from afterstate_lab.learners.experiments.results import (
        Curve,
        Estimate,
        Reference,
        Results,
        SweepPoint,
        VerdictSummary,
    )
    from afterstate_lab.learners.experiments.run import ExperimentSnapshot

JOURNALS = "experiments"
"""The folder of the user's data in which each plan has a folder with its journal."""


class ExperimentRun:
    """A plan that is run in a thread, and watched, paused and stopped from others.

    Args:
        plan: what is run.
        folder: where finished trials are kept and resumed; None keeps nothing.
    """

    def __init__(self, plan: Plan, folder: Path | None) -> None:
        self.plan = plan
        self.trouble = ""
        """Why it failed, in a sentence; empty where it did not."""
        self._folder = folder
        self._lock = threading.Lock()
        self._experiment: Experiment | None = None
        self._is_over = threading.Event()
        self._is_paused = self._is_stopped = False

    def work(self) -> None:
        """Run what is not in the journal yet; to be called once, in a thread. Never raises."""
        try:
            experiment = Experiment(self.plan, self._folder)
            with self._lock:
                self._experiment = experiment
                if self._is_paused:
                    experiment.pause()
                if self._is_stopped:
                    experiment.stop()
            experiment.work()
        except UsageError as error:
            self.trouble = str(error)
        except Exception as error:
            what = " ".join(printable(str(error)).split()) or type(error).__name__
            self.trouble = f"The experiment could not go on: {what[:200]}"
        finally:
            self._is_over.set()

    def pause(self) -> None:
        with self._lock:
            self._is_paused = True
            if self._experiment is not None:
                self._experiment.pause()

    def resume(self) -> None:
        with self._lock:
            self._is_paused = False
            if self._experiment is not None:
                self._experiment.resume()

    def stop(self) -> None:
        """End; what is finished stays finished."""
        with self._lock:
            self._is_stopped = True
            if self._experiment is not None:
                self._experiment.stop()

    def wait(self, seconds: float | None = None) -> bool:
        """Wait for `work` to end; whether it did."""
        return self._is_over.wait(seconds)

    @property
    def is_over(self) -> bool:
        return self._is_over.is_set()

    @property
    def is_paused(self) -> bool:
        return self._is_paused and not self.is_over

    @property
    def snapshot(self) -> ExperimentSnapshot | None:
        """How it stands; None while its journal is read."""
        experiment = self._experiment
        return None if experiment is None else experiment.snapshot


@dataclass(eq=False)
class PlanEntry:
    plan: Plan
    argument: str
    """What the command line calls it: a name or a file."""
    seeds: int | None = None
    """How many seeds the user wants instead."""
    games: int | None = None
    sweeps: tuple[str, ...] = ()
    """Sweeps that the user added, as typed."""
    prediction: str | None = None
    """What the user expects; None until asked, empty where that was skipped."""
    run: ExperimentRun | None = None
    """Its latest run."""

    @property
    def is_running(self) -> bool:
        return self.run is not None and not self.run.is_over

    @property
    def command(self) -> str:
        """The command that does the same from a shell."""
        words = ["afterstate", "experiment", self.argument]
        if self.seeds is not None:
            words += ["--seeds", str(self.seeds)]
        if self.games is not None:
            words += ["--games", str(self.games)]
        return shlex.join(words)

    @property
    def folder(self) -> Path | None:
        """Where its journal is kept; None where there is no place for the user's data."""
        try:
            base = data_folder()
        except RuntimeError:
            return None
        name = re.sub(r"[^\w-]+", "-", self.plan.name).strip("-") or "plan"
        return base / JOURNALS / name[:80]

    @property
    def has_journal(self) -> bool:
        """Whether trials of it, or of a plan of this name, are kept."""
        try:
            return self.folder is not None and (self.folder / "journal.jsonl").is_file()
        except OSError:
            return False


def export(results: Results, folder: str) -> str:
    """Write the figures to a folder; what came of it, in a sentence. Bootstraps take their time."""
    from afterstate_lab.learners.experiments.results import write_results

    try:
        path = Path(folder).expanduser().absolute()
        files = write_results(results, path)
    except (OSError, RuntimeError, ValueError) as error:
        why = getattr(error, "strerror", None) or str(error)
        return f"{printable(folder)} cannot be written: {printable(why.lower())}"
    return f"{len(files)} files are in {printable(str(path))}"


SHAPE = "an arm and an option with its values, such as {}.alpha=.1,.2,.4; without an arm: every arm"


def swept(plan: Plan, text: str) -> Plan:
    """The plan with an arm, or every arm, for each value of an option.

    Args:
        text: `arm.option=values`, `arm.x.option=values` or `option=values`.

    Raises:
        TomlError: it is none, there is no such arm or option, or a value is out of range.
    """
    head, equals, tail = text.strip().partition("=")
    values = [value.strip() for value in tail.split(",") if value.strip()]
    if not equals or not values or not head.strip():
        raise TomlError(SHAPE.format(arm_names(plan)[0][0]))
    arm, option = split(plan, head.strip())
    table = {"arm": arm, "option": option, "values": values}
    try:
        return plan.swept(SweepTable.read(TomlText("sweep", ""), table)).checked()
    except UsageError as error:
        raise TomlError(str(error).removeprefix("sweep: ")) from None


def split(plan: Plan, head: str) -> tuple[str, str]:
    """The arm, or nothing for all, and the option of `arm.option`."""
    *before, option = head.split(".")
    side = before.pop() if before and before[-1].lower() in ("x", "o") and len(before) > 1 else ""
    name = ".".join(before)
    labels = {label: arm.origin for (label, _), arm in zip(arm_names(plan), plan.arms, strict=True)}
    if not name or (name in ("x", "o") and name not in labels):
        return "", f"{name}.{option}" if name else option
    return labels.get(name, name), f"{side.lower()}.{option}" if side else option


@dataclass(frozen=True, eq=False)
class ArmFigures:
    """One arm, by one metric."""

    curve: Curve
    figure: Estimate | None
    """What the plan judges by: the value at the end, or the mean over the run."""
    better: Estimate | None
    """The chance to do better than the arm that it is compared with."""
    verdict: VerdictSummary | None
    reference: Reference | None


@dataclass(frozen=True, eq=False)
class Digest:
    """An experiment by one metric."""

    snapshot: ExperimentSnapshot
    metric: SidedMetric
    arms: tuple[ArmFigures, ...]
    sweep: Mapping[str, tuple[SweepPoint, ...]]
    """What the plan judges by against the option swept last, by series; empty without a sweep."""


class Digester:
    """Makes digests of one plan; the bootstraps of arms that stand still are not done again."""

    def __init__(self) -> None:
        self._arms: dict[tuple[SidedMetric, int], tuple[tuple[int, int], ArmFigures]] = {}
        self._sweeps: dict[SidedMetric, tuple[int, Mapping[str, tuple[SweepPoint, ...]]]] = {}

    def digest(self, snapshot: ExperimentSnapshot, metric: SidedMetric) -> Digest:
        results = snapshot.results
        arms = tuple(self._figures(results, metric, n) for n in range(len(results.arms)))
        return Digest(snapshot, metric, arms, self._sweep(snapshot, metric))

    def _figures(self, results: Results, metric: SidedMetric, n: int) -> ArmFigures:
        arm, over = results.arms[n], results.baseline(n)
        done = len(arm.trials), 0 if over is None else len(results.arms[over].trials)
        known = self._arms.get((metric, n))
        if known is not None and known[0] == done and arm.trials:
            return known[1]
        figures = ArmFigures(
            curve=arm.curve(metric),
            figure=arm.figure(metric),
            better=results.improvement(metric, n),
            verdict=arm.verdict(metric.side),
            reference=known[1].reference if known is not None else reference(arm.arm, metric),
        )
        self._arms[metric, n] = done, figures
        return figures

    def _sweep(
        self, snapshot: ExperimentSnapshot, metric: SidedMetric
    ) -> Mapping[str, tuple[SweepPoint, ...]]:
        known = self._sweeps.get(metric)
        if known is None or known[0] != snapshot.done:
            known = snapshot.done, snapshot.results.sweep(metric)
            self._sweeps[metric] = known
        return known[1]
