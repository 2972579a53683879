"""What is saved, as a command opens it: a run of the store, an address, or a policy's file.

Light: the store and the engine are loaded only where they are needed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from learners.addresses import is_address
from learners.addresses.address import Address
from learners.errors import UsageError, printable
from tui.cli.errors import ENDED_BY_SIGNAL, fail
from tui.progress import WorkLine, ended_by_signals

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from learners.addresses.opening import OpenedAddress
    from learners.kernel.memory import Layout
    from learners.store import LoadedRun


def saved_memory(
    file: str | None, run_name: str | None, files: Iterable[Path] = ()
) -> tuple[Layout, NDArray[np.float64]]:
    """The layout and memory of a saved policy, of a run in the store, or at an address.

    Args:
        file: a policy's file, or an address.
        run_name: a run's name, or an address.
        files: the files of players that an address names.

    Raises:
        UsageError: neither or both are given, or it cannot be loaded.
    """
    if (file is None) == (run_name is None):
        raise UsageError("one of FILE.npz and --run NAME is needed")
    named = run_name if file is None else file
    if is_address(named):
        opened = opened_address(str(named), files)
        return opened.run.layout, opened.memory()
    if run_name is not None:
        from learners.store import Store

        with Store.open() as store:
            run = store.load(run_name).run
        return run.layout, run.memory
    from learners.players.policy_file import load_policy

    assert file is not None
    policy = load_policy(Path(file))
    return policy.layout, policy.memory


def opened_address(
    text: str, files: Iterable[Path] = (), *, with_points: bool = False
) -> OpenedAddress:
    """The run of an address, played.

    Raises:
        UsageError: it cannot be read or opened.
    """
    from learners.addresses.opening import PlayerFiles, open_address

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


def begun_with(
    name: str | None, files: Iterable[Path], given: Mapping[str, Any]
) -> tuple[LoadedRun | None, OpenedAddress | None]:
    """The run that the lab goes on with: the saved one of a name, or that of an address.

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
