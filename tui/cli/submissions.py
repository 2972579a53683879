"""Judge or grade all submissions of a class, for `judge --csv` and `grade --csv`."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import click

from afterstate_lab.learners.errors import shown_path
from afterstate_lab.learners.files import SHARED_FILE, replace_file
from afterstate_lab.learners.grading import submissions
from afterstate_lab.tui.cli.errors import ENDED_BY_SIGNAL, USAGE, fail
from afterstate_lab.tui.progress import told_to_stop


def write_json(path: Path, told: Mapping[str, object]) -> None:
    replace_file(path, json.dumps(told, indent=2) + "\n", mode=SHARED_FILE)


def work_through(
    pattern: str, path: Path, columns: Sequence[str], ask: submissions.Ask, seconds: float
) -> None:
    """Write a row for each submission of a class; a signal ends it, and a second call continues."""
    is_whole, signals = told_to_stop(
        lambda stop, tell: submissions.in_class(pattern, path, columns, ask, seconds, stop, tell)
    )
    if signals:
        why = f"stopped: the same command continues in {shown_path(path)}"
        fail(why, ENDED_BY_SIGNAL + signals[0])
    click.echo(f"{len(submissions.submissions(pattern)):,} submissions in {shown_path(path)}")
    if not is_whole:
        sys.exit(USAGE)
