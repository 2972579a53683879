"""An address in a command: its run is played, with a bar, until it is there or Ctrl-C comes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import click

from learners.addresses.address import Address
from learners.addresses.opening import OpenedAddress, PlayerFiles, open_address
from learners.errors import printable
from tui.cli.errors import ENDED_BY_SIGNAL, fail
from tui.progress import WorkLine, ended_by_signals

if TYPE_CHECKING:
    from pathlib import Path


def opened_address(
    text: str, files: Iterable[Path] = (), *, with_points: bool = False
) -> OpenedAddress:
    """The run of an address, played.

    Raises:
        UsageError: it cannot be read or opened.
    """
    address, work = Address.parse(text), WorkLine()
    with ended_by_signals(work) as signals:
        try:
            opened = open_address(
                address,
                PlayerFiles(map(str, files)),
                advance=work.told(f"of {address.games:,} games"),
                stopped=work.is_stopped,
                with_points=with_points,
            )
        finally:
            work.clear()
    if opened is None:
        fail("stopped", ENDED_BY_SIGNAL + signals[0])
    if opened.warning:
        click.echo(f"afterstate: {printable(opened.warning)}", err=True)
    return opened


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
