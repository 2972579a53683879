"""`afterstate address`: a saved run, and a place in it, in one line of text."""

from __future__ import annotations

from pathlib import Path

import click

from tui.cli import parameters


@click.command()
@click.option(
    "--run",
    "run_name",
    required=True,
    metavar="NAME",
    help="A saved run, or an address.",
    shell_complete=parameters.completed("runs"),
)
@click.option("--at", metavar="GAME[.PLY[.EVENT]]", help="A place in it; its end by default.")
@click.option(
    "--engine", is_flag=True, help="Name the engine, too, so that it is told where it differs."
)
@parameters.player_files
def address(run_name: str, at: str | None, engine: bool, files: tuple[Path, ...]) -> None:
    """Print the address of a saved run: a line of text that opens it anywhere, to the bit."""
    from learners.addresses import is_address
    from learners.addresses.address import Address, AddressPlace
    from tui.cli.saved import address_of_stored, opened_address

    wanted = None if at is None else AddressPlace.parse(at)
    if is_address(run_name):
        found = Address.parse(run_name)
        found = found if wanted is None else found.at(wanted)
    else:
        found = address_of_stored(run_name, files).at(wanted)
    if wanted is not None or engine:
        opened = opened_address(str(found), files)
        if engine:
            from dataclasses import replace

            from learners.addresses.opening import address_of

            hashed = address_of(opened.run, opened.script, with_engine=True).engine
            found = replace(found, engine=hashed)
    click.echo(str(found))
