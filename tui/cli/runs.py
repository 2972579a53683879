"""`afterstate runs` and `address`: list saved runs, and print links to them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from afterstate_lab.learners.runs import is_address
from afterstate_lab.tui.cli import parameters
from afterstate_lab.tui.cli.errors import show
from afterstate_lab.tui.cli.saved import address_of_stored, opened_address

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from afterstate_lab.learners.runs.listing import RunInfo

HEADER = ("NAME", "X", "O", "GAMES", "UPDATED", "NOTE")


@click.command()
@parameters.json_flag
def runs(as_json: bool) -> None:
    """List saved runs, newest first."""
    from afterstate_lab.learners.runs.store import Store

    found = Store.open().list()
    empty = ["No saved runs yet. Start one with afterstate train --run NAME"]
    lines = table([HEADER, *map(cells, found)]) if found else iter(empty)
    show(as_json, [info.as_json() for info in found], lines)


def cells(info: RunInfo) -> tuple[str, ...]:
    games = f"{info.games:,}" + ("+" if info.in_game else "")
    updated = info.updated.astimezone().strftime("%Y-%m-%d %H:%M")
    return info.name, info.x, info.o, games, updated, info.note


def table(rows: Sequence[tuple[str, ...]]) -> Iterator[str]:
    """Align rows in columns, by their width on a terminal."""
    from rich.cells import cell_len

    widths = [max(map(cell_len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        line = ""
        for name, text, width in zip(HEADER, row, widths, strict=True):
            space = " " * (width - cell_len(text))
            line += (space + text if name == "GAMES" else text + space) + "  "
        yield line.rstrip()


@click.command()
@parameters.run(required=True)
@parameters.option("--at", "A moment in it; its end by default.", "GAME[.PLY[.EVENT]]")
@parameters.flag("--engine", "Also name the engine, to warn if it differs.")
@parameters.player_files
def address(run_name: str, at: str | None, engine: bool, files: tuple[Path, ...]) -> None:
    """Print a one-line link to a saved run.

    The link opens the run on any machine, with the same bits.
    """
    from afterstate_lab.learners.runs.address import Address, AddressPlace

    wanted = None if at is None else AddressPlace.parse(at)
    if is_address(run_name):
        found = Address.parse(run_name)
        found = found if wanted is None else found.at(wanted)
    else:
        found = address_of_stored(run_name, files).at(wanted)
    if wanted is not None or engine:
        opened = opened_address(str(found), files)
        if engine:
            from afterstate_lab.learners.runs.replay import address_of

            hashed = address_of(opened.run, opened.script, with_engine=True).engine
            found = replace(found, engine=hashed)
    click.echo(str(found))
