"""`afterstate evaluate`: exact verdicts on a saved policy."""

from __future__ import annotations

import json
from pathlib import Path

import click

from tui.cli import parameters
from tui.cli.report import evaluation_lines


@click.command()
@parameters.file_or_run
@parameters.json_flag
def evaluate(file: Path | None, run_name: str | None, as_json: bool) -> None:
    """Judge the players saved in FILE.npz, or of a run, exactly: nothing is sampled."""
    from learners.judge.evaluation import evaluate_memory, evaluations_json
    from tui.cli.stored_run import saved_memory

    sides = evaluate_memory(*saved_memory(file, run_name))
    if as_json:
        click.echo(json.dumps(evaluations_json(sides)))
        return
    for line in evaluation_lines(sides):
        click.echo(line)
