"""Open what a command names: a stored run, an address or a policy file.

Light: the store and the engine are loaded only where they are needed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from learners.addresses import is_address
from learners.errors import UsageError, printable
from tui.progress import abandonable

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from learners.addresses.address import Address
    from learners.addresses.opening import OpenedAddress
    from learners.kernel.memory import Layout
    from learners.store import LoadedRun


def saved_memory(
    file: str | None, run_name: str | None, files: Iterable[Path] = ()
) -> tuple[Layout, NDArray[np.float64]]:
    """The layout and memory of a saved policy, of a stored run, or at an address.

    Args:
        file: a policy's file, or an address.
        run_name: a run's name, or an address.
        files: the files of players that an address names.

    Raises:
        UsageError: neither or both are given, or it cannot be loaded.
    """
    if (file is None) == (run_name is None):
        raise UsageError("one of FILE.npz and --run NAME is needed")
    named = str(file or run_name)
    if is_address(named):
        opened = opened_address(named, files)
        return opened.run.layout, opened.memory()
    if run_name is not None:
        run = saved_run(named).run
        return run.layout, run.memory
    from learners.players.policy_file import load_policy

    policy = load_policy(Path(named))
    return policy.layout, policy.memory


def saved_run(name: str, files: Iterable[Path] = ()) -> LoadedRun | OpenedAddress:
    """A stored run by its name, or the run of an address.

    Raises:
        UsageError: it cannot be opened.
    """
    if is_address(name):
        return opened_address(name, files, with_points=True)
    from learners.store import Store

    with Store.open() as store:
        return store.load(name)


def opened_address(
    text: str, files: Iterable[Path] = (), *, with_points: bool = False
) -> OpenedAddress:
    """The run of an address, played.

    Raises:
        UsageError: it cannot be read or opened.
    """
    from learners.addresses.address import Address
    from learners.addresses.opening import PlayerFiles, open_address

    address, players = Address.parse(text), PlayerFiles(map(str, files))
    opened = abandonable(
        lambda line: open_address(
            address,
            players,
            advance=line.told(f"of {address.games:,} games"),
            with_points=with_points,
        )
    )
    assert opened is not None
    if opened.warning:
        click.echo(f"afterstate: {printable(opened.warning)}", err=True)
    return opened


def begun_with(
    name: str | None, files: Iterable[Path], given: Mapping[str, Any]
) -> tuple[LoadedRun | None, OpenedAddress | None]:
    """The run that the lab continues: a saved one, or that of an address.

    Args:
        name: a run's name, which may be new, or an address; None for a new run.
        files: the files of players that an address names.
        given: those of x, o and seed that the user gave; a saved run must have the same.

    Raises:
        UsageError: it cannot be opened, or the saved run has others.
    """
    if name is None:
        return None, None
    if is_address(name):
        return None, opened_address(name, files, with_points=True)
    from tui.cli.stored_run import named_run

    return named_run(name, given), None


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
