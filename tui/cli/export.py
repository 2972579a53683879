"""`afterstate export`: the whole table of a saved policy, or a picture of one board."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from pathlib import Path

import click

from tui.cli import parameters


@click.command()
@parameters.file_or_run
@click.option(
    "--format", "form", type=click.Choice(["csv", "json", "svg"]), default="csv",
    show_default=True, help="How to print it; svg is a picture of one board.",
)  # fmt: skip
@click.option("--board", default=".........", metavar="BOARD", help="The board of an svg.")
def export(
    file: str | None, run_name: str | None, files: tuple[Path, ...], form: str, board: str
) -> None:
    """Print every entry of the players in FILE.npz, of a run or at an ADDRESS.

    The columns are player, board, cell, value and visits.
    """
    from learners.export import HEADER, table_rows
    from tui.cli.saved import saved_memory

    layout, memory = saved_memory(file, run_name, files)
    if form == "svg":
        from game import Board
        from learners.export import board_svg

        sys.stdout.write(board_svg(layout, memory, Board.parse(board)))
        sys.stdout.flush()
        return
    rows = list(table_rows(layout, memory))
    if form == "json":
        sys.stdout.write(json.dumps([asdict(row) for row in rows]) + "\n")
    else:
        sys.stdout.write("\n".join([HEADER, *(row.as_csv() for row in rows)]) + "\n")
    sys.stdout.flush()
