"""`afterstate runs`: list saved runs, or print the link to one."""

from __future__ import annotations

from pathlib import Path

import click

from afterstate_lab.learners.runs.listing import RunInfo, RunList
from afterstate_lab.tui.cli import parameters
from afterstate_lab.tui.cli.errors import columns, show

HEADER = ("NAME", "X", "O", "GAMES", "UPDATED", "NOTE")


@click.command
@click.argument("name", metavar="[NAME]", required=False)
@parameters.player_files
@parameters.json_flag
def runs(name: str | None, files: tuple[Path, ...], as_json: bool) -> None:
    """List saved runs, or print a one-line link to one.

    Without a NAME, it lists them, newest first. With one, it prints a link that opens the run on
    any machine, with the same bits.
    """
    if name is not None:
        from afterstate_lab.learners.runs.replay import address_of
        from afterstate_lab.tui.cli.saved import saved_run

        opened = saved_run(None, files, name)
        click.echo(str(address_of(opened.run, opened.script)))
        return
    found = RunList.open().list()
    lines = columns([HEADER, *map(cells, found)], left=(0, 1, 2, 4, 5))
    empty = ["No saved runs yet. Start one with afterstate train --run NAME"]
    show(as_json, [info.as_json() for info in found], lines if found else empty)


def cells(info: RunInfo) -> tuple[str, ...]:
    games = f"{info.games:,}" + ("+" if info.in_game else "")
    updated = info.updated.astimezone().strftime("%Y-%m-%d %H:%M")
    return info.name, info.x, info.o, games, updated, info.note
