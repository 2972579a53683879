"""`afterstate evaluate`: exact verdicts on a saved policy."""

from __future__ import annotations

import json
from pathlib import Path

import click

from tui.cli import parameters
from tui.cli.report import evaluation_lines


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@parameters.json_flag
def evaluate(file: Path, as_json: bool) -> None:
    """Judge the players saved in FILE.npz exactly: nothing is sampled."""
    from learners.evaluation import evaluate_memory
    from learners.policy_file import load_policy

    policy = load_policy(file)
    sides = evaluate_memory(policy.layout, policy.memory)
    if as_json:
        told = {
            name: None if side is None else side.as_json()
            for name, side in zip("XO", sides, strict=True)
        }
        click.echo(json.dumps(told))
        return
    for line in evaluation_lines(*sides):
        click.echo(line)
