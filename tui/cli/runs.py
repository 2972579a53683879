"""`afterstate runs`: what is in the user's store."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

from tui.cli import parameters

if TYPE_CHECKING:
    from learners.store import RunInfo

HEADER = ("NAME", "X", "O", "GAMES", "UPDATED", "NOTE")
TO_THE_RIGHT = HEADER.index("GAMES")


@click.command()
@parameters.json_flag
def runs(as_json: bool) -> None:
    """List the saved runs, the latest first."""
    from learners.store import saved_runs

    found = saved_runs()
    if as_json:
        click.echo(json.dumps([info.as_json() for info in found]))
        return
    if not found:
        click.echo("no runs are saved yet: afterstate train --run NAME begins one")
        return
    for line in table([HEADER, *map(cells, found)]):
        click.echo(line)


def cells(info: RunInfo) -> tuple[str, ...]:
    games = f"{info.games:,}" + ("+" if info.in_game else "")
    updated = info.updated.astimezone().strftime("%Y-%m-%d %H:%M")
    return info.name, info.x, info.o, games, updated, info.note


def table(rows: list[tuple[str, ...]]) -> list[str]:
    """Rows as lines with aligned columns, by the cells' width on a terminal."""
    from rich.cells import cell_len

    widths = [max(map(cell_len, column)) for column in zip(*rows, strict=True)]
    lines = []
    for row in rows:
        padded = []
        for place, (text, width) in enumerate(zip(row, widths, strict=True)):
            space = " " * (width - cell_len(text))
            padded.append(space + text if place == TO_THE_RIGHT else text + space)
        lines.append("  ".join(padded).rstrip())
    return lines
