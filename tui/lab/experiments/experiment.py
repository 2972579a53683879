"""An experiment in the lab: its plan, what the user predicted, and the thread that runs it."""

from __future__ import annotations

import re
import threading
from dataclasses import dataclass
from pathlib import Path

from learners.errors import UsageError, printable
from learners.experiments.plan import Plan
from learners.experiments.results import Results
from learners.experiments.runner import Experiment, ExperimentSnapshot
from learners.files import data_folder

JOURNALS = "experiments"
"""The folder of the user's data in which each plan has a folder with its journal."""


class ExperimentRun:
    """A plan that is run in a thread, and watched, paused and stopped from others.

    Args:
        plan: what is run.
        folder: where its finished trials are kept, and gone on with; None to keep nothing.
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
        """Hold on."""
        with self._lock:
            self._is_paused = True
            if self._experiment is not None:
                self._experiment.pause()

    def resume(self) -> None:
        """Go on."""
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
        """Whether nothing runs any more."""
        return self._is_over.is_set()

    @property
    def is_paused(self) -> bool:
        """Whether it holds on."""
        return self._is_paused and not self.is_over

    @property
    def snapshot(self) -> ExperimentSnapshot | None:
        """How it stands; None while its journal is read."""
        experiment = self._experiment
        return None if experiment is None else experiment.snapshot


@dataclass(eq=False)
class PlanEntry:
    """A plan that can be opened."""

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
    def is_changed(self) -> bool:
        """Whether it is no longer the plan as it was written."""
        return bool(self.sweeps) or self.seeds is not None or self.games is not None

    @property
    def is_running(self) -> bool:
        """Whether a thread works on it."""
        return self.run is not None and not self.run.is_over

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
    from learners.experiments.export import write_results

    try:
        path = Path(folder).expanduser().absolute()
        files = write_results(results, path)
    except (OSError, RuntimeError, ValueError) as error:
        why = getattr(error, "strerror", None) or str(error)
        return f"{printable(folder)} cannot be written: {printable(why.lower())}"
    return f"{len(files)} files are in {printable(str(path))}"
