"""`afterstate evaluate` and `export`: measure or print a saved policy."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict

import click
import numpy as np
from numpy.typing import NDArray

from afterstate_lab.game import Board
from afterstate_lab.learners.export import HEADER, board_svg, table_rows
from afterstate_lab.learners.judge import figures as f
from afterstate_lab.learners.judge.evaluation import (
    Evaluation,
    evaluate_memory,
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
    "--format", "form", type=click.Choice(["csv", "json", "svg"]), default="csv",
    show_default=True, help="Output format; svg draws one board.",
)  # fmt: skip
@parameters.option("--board", "Board for svg, such as X...O....", "BOARD", default=".........")
def export(named: Named, form: str, board: str) -> None:
    """Export what a player has learned, as CSV, JSON or SVG.

    The columns are player, board, cell, value and visits. --format svg draws one board.
    """
    layout, memory = memory_of(named)
    if form == "svg":
        text = board_svg(layout, memory, Board.parse(board))
    elif form == "json":
        text = json.dumps([asdict(row) for row in table_rows(layout, memory)]) + "\n"
    else:
        rows = (row.as_csv() for row in table_rows(layout, memory))
        text = "\n".join([HEADER, *rows]) + "\n"
    click.echo(text, nl=False)


def memory_of(named: Named) -> tuple[Layout, NDArray[np.float64]]:
    text = named.one("a FILE.npz, an ADDRESS")
    return saved_memory(text, named.files, is_run=named.run is not None)


def evaluation_lines(sides: Sequence[Evaluation | None], *, counted_once: bool) -> Iterator[str]:
    """Yield the exact metrics of X and of O, a few lines each.

    Args:
        sides: the exact metrics of X and of O; None for one that does not learn.
        counted_once: whether both share one table; it is then counted with X's.
    """
    for mark, side in zip("XO", sides, strict=True):
        if side is None:
            yield f"{mark} is not a learner"
            continue
        yield from (f"{mark} {side.spec}, exact, greedy play:", *play_lines(side))
        (written, of), rms, told = side[f.COVERAGE], side[f.RMS_MINIMAX], []
        if not counted_once or mark == "X":
            whose = " in the table that X and O share" if counted_once else ""
            told.append(f"{written:,} of {of:,} values visited{whose}")
        if rms is not None:
            told.append(f"RMS error against minimax {rms:.4f}")
        if told:
            yield f"  {', '.join(told)}"
        if side.as_played is not None:
            yield f"{mark} as it plays, with its random moves:"
            yield from play_lines(side.as_played)


def play_lines(found: Evaluation) -> list[str]:
    """Return the metrics of play, greedy or as the learner plays."""
    right, decisions = found[f.OPTIMAL]
    beaten = f"yes, with probability up to {found[f.WORST_LOSS]:.4f}"
    return [
        f"  beatable: {beaten if found[f.BEATABLE] else 'no'}",
        f"  against random: wins {found[f.WIN]:.4f}, draws {found[f.DRAW]:.4f}, "
        f"loses {found[f.LOSS]:.4f}; "
        f"against perfect: draws {found[f.PERFECT_DRAW]:.4f}, loses {found[f.PERFECT_LOSS]:.4f}",
        f"  optimal moves in {right:,} of {decisions:,} positions; "
        f"{found[f.MISSED_WINS]:,} immediate wins missed",
    ]
