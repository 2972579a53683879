"""`afterstate runs`: list saved runs, or print the link to one."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import click

from afterstate_lab.learners.errors import UsageError
from afterstate_lab.learners.runs import is_address
from afterstate_lab.learners.runs.address import Address, AddressPlace
from afterstate_lab.learners.runs.listing import RunInfo, RunList
from afterstate_lab.tui.cli import parameters
from afterstate_lab.tui.cli.errors import columns, show

HEADER = ("NAME", "X", "O", "GAMES", "UPDATED", "NOTE")


@click.command()
@click.argument("name", metavar="[NAME|ADDRESS]", required=False)
@parameters.option("--at", "A moment in it; its end by default.", "GAME[.PLY[.EVENT]]")
@parameters.flag("--engine", "Also name the engine, to warn if it differs.")
@parameters.player_files
@parameters.json_flag
def runs(
    name: str | None, at: str | None, engine: bool, files: tuple[Path, ...], as_json: bool
) -> None:
    """List saved runs, or print a one-line link to one.

    Without a NAME, it lists them, newest first. With one, it prints a link that opens the run on
    any machine, with the same bits.
    """
    if name is not None:
        click.echo(link_to(name, at, engine, files))
        return
    if at or engine or files:
        raise UsageError("--at, --engine and --file need the NAME of a run")
    found = RunList.open().list()
    lines = columns([HEADER, *map(cells, found)], left=(0, 1, 2, 4, 5))
    empty = ["No saved runs yet. Start one with afterstate train --run NAME"]
    show(as_json, [info.as_json() for info in found], lines if found else empty)


def cells(info: RunInfo) -> tuple[str, ...]:
    games = f"{info.games:,}" + ("+" if info.in_game else "")
    updated = info.updated.astimezone().strftime("%Y-%m-%d %H:%M")
    return info.name, info.x, info.o, games, updated, info.note


def link_to(name: str, at: str | None, engine: bool, files: tuple[Path, ...]) -> str:
    """Return the address of a run, checked by playing it where a moment or the engine is asked."""
    from afterstate_lab.learners.runs.replay import address_of
    from afterstate_lab.tui.cli.saved import address_of_stored, opened_address

    wanted = None if at is None else AddressPlace.parse(at)
    if is_address(name):
        found = Address.parse(name)
        found = found if wanted is None else found.at(wanted)
    else:
        found = address_of_stored(name, files).at(wanted)
    if wanted is not None or engine:
        opened = opened_address(str(found), files)
        if engine:
            hashed = address_of(opened.run, opened.script, with_engine=True).engine
            found = replace(found, engine=hashed)
    return str(found)
