"""`afterstate evaluate` and `export`: measure or print a saved policy."""

from __future__ import annotations

import json
from dataclasses import asdict

import click
import numpy as np
from numpy.typing import NDArray

from afterstate_lab.game import Board
from afterstate_lab.learners.errors import UsageError
from afterstate_lab.learners.export import HEADER, board_svg, table_rows
from afterstate_lab.learners.judge.evaluation import (
    evaluate_memory,
    evaluation_lines,
    evaluations_json,
)
from afterstate_lab.learners.kernel.memory import Layout
from afterstate_lab.tui.cli import parameters
from afterstate_lab.tui.cli.errors import show
from afterstate_lab.tui.cli.parameters import Named
from afterstate_lab.tui.cli.saved import saved_memory


@click.command()
@parameters.file_or_run
@parameters.json_flag
def evaluate(named: Named, as_json: bool) -> None:
    """Measure a saved player exactly, without sampling.

    Give a FILE.npz, an ADDRESS or --run NAME.
    """
    layout, memory = memory_of(named)
    sides = evaluate_memory(layout, memory)
    lines = evaluation_lines(sides, counted_once=layout.is_counted_once)
    show(as_json, evaluations_json(sides), lines)


@click.command()
@parameters.file_or_run
@click.option(
    "--format",
    "form",
    type=click.Choice(["csv", "json", "svg"]),
    default="csv",
    show_default=True,
    help="Output format; svg draws one board.",
)
@parameters.option("--board", "Board for svg, such as X...O....; else the empty one.", "BOARD")
def export(named: Named, form: str, board: str | None) -> None:
    """Export what a player has learned, as CSV, JSON or SVG.

    The columns are player, board, cell, value and visits. --format svg draws one board.
    """
    if board and form != "svg":
        raise UsageError("--board draws one board. Add --format svg")
    layout, memory = memory_of(named)
    if form == "svg":
        text = board_svg(layout, memory, Board.parse(board) if board else Board())
    elif form == "json":
        text = json.dumps([asdict(row) for row in table_rows(layout, memory)]) + "\n"
    else:
        rows = (row.as_csv() for row in table_rows(layout, memory))
        text = "\n".join([HEADER, *rows]) + "\n"
    click.echo(text, nl=False)


def memory_of(named: Named) -> tuple[Layout, NDArray[np.float64]]:
    text = named.one("a FILE.npz, an ADDRESS")
    return saved_memory(text, named.files, is_run=named.run is not None)
