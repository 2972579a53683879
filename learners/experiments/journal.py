"""What has been finished, one line of JSON a trial, so that nothing is done twice after a kill.

Lines are only ever appended, a batch by one write and one sync. A line that was torn, or that is no
trial of the plan at hand, is passed over: its trial is run again.
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np

from learners.errors import shown
from learners.experiments.plan import Plan
from learners.experiments.toml_reader import PlanError
from learners.experiments.trial import Trial
from learners.files import make_folder, opened, opened_to_append
from learners.judge.curve import count, evaluation_of, number

NAME: Final = "journal.jsonl"
LONGEST_LINE: Final = 2_000_000


class Journal:
    """The journal of a folder.

    Args:
        folder: it is made when the first trial is kept.
    """

    def __init__(self, folder: Path) -> None:
        self._path = folder / NAME
        self._unsaved: list[bytes] = []
        self.trouble = ""
        """Why the latest trials could not be saved; empty when all are."""

    def finished(self, plan: Plan) -> dict[tuple[int, int], Trial]:
        """The plan's trials that are there, by arm and seed.

        Raises:
            PlanError: the file cannot be read.
        """
        arms: dict[str, list[int]] = {}
        for arm, key in enumerate(plan.keys):
            arms.setdefault(key, []).append(arm)
        seeds = set(plan.seeds)
        found: dict[tuple[int, int], Trial] = {}
        shape = len(plan.metrics), len(plan.points)
        for line in self._lines():
            told = read_line(line)
            if told is None or told["key"] not in arms:
                continue
            trial = read_trial(told, shape)
            if trial is not None and trial.seed in seeds:
                found |= {(arm, trial.seed): trial for arm in arms[told["key"]]}
        return found

    def _lines(self) -> Iterator[bytes]:
        try:
            with opened(self._path) as file:
                while line := file.readline(LONGEST_LINE):
                    yield line
        except FileNotFoundError:
            return
        except OSError as error:
            why = (error.strerror or type(error).__name__).lower()
            raise PlanError(f"the journal {shown(self._path)} cannot be read: {why}") from None

    def keep(self, trials: Sequence[tuple[str, Trial]]) -> None:
        """Append finished trials, each with the key of its arm.

        What cannot be written (a full disk) is tried again with the next; see `trouble`.
        """
        self._unsaved += [
            json.dumps({"key": key} | trial.as_json(), allow_nan=False).encode() + b"\n"
            for key, trial in trials
        ]
        if not self._unsaved:
            return
        try:
            make_folder(self._path.parent)
            append(self._path, b"".join(self._unsaved))
        except OSError as error:
            self.trouble = (error.strerror or str(error)).lower()
            return
        self._unsaved, self.trouble = [], ""


def append(path: Path, lines: bytes) -> None:
    """Append whole lines and see them to the disk; after a torn line they begin on a new one."""
    file = opened_to_append(path)
    try:
        size = os.lseek(file, 0, os.SEEK_END)
        if size and os.pread(file, 1, size - 1) != b"\n":
            lines = b"\n" + lines
        view = memoryview(lines)
        while view:
            view = view[os.write(file, view) :]
        os.fsync(file)
    finally:
        os.close(file)


def read_line(line: bytes) -> dict[str, Any] | None:
    """A line's object; None where it is torn or something else."""
    try:
        told = json.loads(line) if line.endswith(b"\n") else None
    except (ValueError, RecursionError):
        return None
    return told if isinstance(told, dict) and isinstance(told.get("key"), str) else None


def read_trial(told: dict[str, Any], shape: tuple[int, int]) -> Trial | None:
    """A trial from a line's object; None where it is not one of these measures.

    Args:
        told: the object.
        shape: how many metrics and points it must have.
    """
    try:
        values = np.array(
            [[math.nan if v is None else float(v) for v in row] for row in told["values"]]
        )
        won_x, drawn, won_o = map(count, told["results"])
        x, o = told["verdicts"]
        sound = type(told["seed"]) is int and values.shape == shape and not np.isinf(values).any()
        verdicts = read_verdict(x), read_verdict(o)
        seconds = number(told["seconds"], math.inf)
    except (KeyError, TypeError, ValueError, OverflowError, AttributeError):
        return None
    return Trial(told["seed"], values, (won_x, drawn, won_o), verdicts, seconds) if sound else None


def read_verdict(told: Any) -> dict[str, Any] | None:
    """What `verdicts.verdict` told, read again number by number.

    Raises:
        KeyError, TypeError, ValueError: it is nothing that it would tell.
    """
    evaluation = evaluation_of(told)
    if evaluation is None:
        return None
    errors = {name: told[name] for name in ("rms_optimal", "rms_behaviour")}
    read = {name: None if e is None else number(e, math.inf) for name, e in errors.items()}
    return evaluation.as_json() | read
