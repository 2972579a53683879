"""The journal of finished trials, one line of JSON each, from which an experiment resumes.

Lines are only appended, a batch with one write and one sync. An incomplete line, or one that is no
trial of the current plan, is skipped: its trial runs again.
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np

from learners.errors import reason, shown
from learners.experiments.plan import Plan
from learners.experiments.trial import Trial
from learners.files import make_folder, opened, opened_to_append
from learners.judge.evaluation import Evaluation
from learners.judge.figures import count, number
from learners.toml_reader import TomlError

NAME: Final = "journal.jsonl"
LONGEST_LINE: Final = 2_000_000


class Journal:
    """The journal of a folder.

    Args:
        folder: the folder; created with the first trial.
    """

    def __init__(self, folder: Path) -> None:
        self._path = folder / NAME
        self._unsaved: list[bytes] = []
        self.trouble = ""
        """Why the latest trials could not be written; empty if all were."""

    def finished(self, plan: Plan) -> dict[tuple[int, int], Trial]:
        """The finished trials of a plan, by arm and seed.

        Raises:
            TomlError: the file cannot be read.
        """
        arms: dict[str, list[int]] = {}
        for arm, key in enumerate(plan.keys):
            arms.setdefault(key, []).append(arm)
        seeds = set(plan.seeds)
        found: dict[tuple[int, int], Trial] = {}
        shape = len(plan.metrics), len(plan.points)
        for line in self._lines():
            record = read_line(line)
            if record is None or record["key"] not in arms:
                continue
            trial = read_trial(record, shape)
            if trial is not None and trial.seed in seeds:
                found |= {(arm, trial.seed): trial for arm in arms[record["key"]]}
        return found

    def _lines(self) -> Iterator[bytes]:
        try:
            with opened(self._path) as file:
                while line := file.readline(LONGEST_LINE):
                    yield line
        except FileNotFoundError:
            return
        except OSError as error:
            name = shown(self._path)
            raise TomlError(f"the journal {name} cannot be read: {reason(error)}") from None

    def keep(self, trials: Sequence[tuple[str, Trial]]) -> None:
        """Append finished trials, each with the key of its arm.

        After a failure (a full disk) they are written with the next ones; see `trouble`.
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
    """Append whole lines and sync them; after an incomplete line, start a new one."""
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
    """A line's object; None if the line is incomplete or malformed."""
    try:
        record = json.loads(line) if line.endswith(b"\n") else None
    except (ValueError, RecursionError):
        return None
    return record if isinstance(record, dict) and isinstance(record.get("key"), str) else None


def read_trial(record: dict[str, Any], shape: tuple[int, int]) -> Trial | None:
    """The trial of a line's object; None if it is malformed.

    Args:
        record: the object.
        shape: the number of metrics and of points that it must have.
    """
    try:
        values = np.array(
            [[math.nan if v is None else float(v) for v in row] for row in record["values"]]
        )
        won_x, drawn, won_o = map(count, record["results"])
        x, o = record["verdicts"]
        sound = type(record["seed"]) is int and values.shape == shape and not np.isinf(values).any()
        verdicts = read_verdict(x), read_verdict(o)
        seconds = number(record["seconds"], math.inf)
    except (KeyError, TypeError, ValueError, OverflowError, AttributeError):
        return None
    if not sound:
        return None
    return Trial(record["seed"], values, (won_x, drawn, won_o), verdicts, seconds)


def read_verdict(told: Any) -> dict[str, Any] | None:
    """Decode the result of `metrics.verdict`, checking every number.

    Raises:
        ValueError: it is malformed.
    """
    evaluation = Evaluation.read(told, at_end=True)
    return None if evaluation is None else evaluation.as_json()
