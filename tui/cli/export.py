"""`afterstate export`: the whole table of a saved policy."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from pathlib import Path

import click


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "--format", "form", type=click.Choice(["csv", "json"]), default="csv", show_default=True,
    help="How to print it.",
)  # fmt: skip
def export(file: Path, form: str) -> None:
    """Print every entry of the players saved in FILE.npz: player, board, cell, value, visits."""
    from learners.export import HEADER, table_rows
    from learners.policy_file import load_policy

    policy = load_policy(file)
    rows = list(table_rows(policy.layout, policy.memory))
    if form == "json":
        sys.stdout.write(json.dumps([asdict(row) for row in rows]) + "\n")
    else:
        sys.stdout.write("\n".join([HEADER, *(row.as_csv() for row in rows)]) + "\n")
    sys.stdout.flush()
