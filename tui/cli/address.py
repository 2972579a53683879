"""`afterstate address`: a saved run, and a place in it, in one line of text."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from tui.cli import parameters

if TYPE_CHECKING:
    from learners.addresses.address import Address


@click.command()
@click.option(
    "--run", "run_name", required=True, metavar="NAME", help="A saved run, or an address."
)
@click.option("--at", metavar="GAME[.PLY[.EVENT]]", help="A place in it; its end by default.")
@click.option("--engine", is_flag=True, help="Name the engine, too: another one says so.")
@parameters.player_files
def address(run_name: str, at: str | None, engine: bool, files: tuple[Path, ...]) -> None:
    """Print the address of a saved run: a line of text that opens it anywhere, to the bit."""
    from learners.addresses import is_address
    from learners.addresses.address import Address, AddressPlace
    from tui.cli.opened_address import opened_address

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


def address_of_stored(name: str, files: tuple[Path, ...]) -> Address:
    """The address of a run in the store; the rules in these files may be run."""
    from learners.addresses.opening import address_of
    from learners.store import Store

    with Store.open() as store:
        info = store.info(name)
        own = {spec.rpartition(".py:")[0] + ".py" for spec in (info.x, info.o) if ".py:" in spec}
        named = {str(file) for file in files}
        rules = {
            spec.partition(":")[0] + ":" + spec.split(":")[1]
            for spec in (info.x, info.o)
            if ".py:" in spec and own <= named
        }
        loaded = store.load(name, own_rules=rules)
    pending = None if loaded.pending is None else dict(loaded.pending.script)
    return address_of(loaded.run, pending)
