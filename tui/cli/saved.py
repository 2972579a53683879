"""What was learned, from a file or from a run in the store."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from learners.errors import UsageError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from learners.kernel.memory import Layout


def file_or_run(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add FILE and --run, of which one is to be given."""
    command = click.option("--run", "run_name", metavar="NAME", help="A saved run, for a file.")(
        command
    )
    return click.argument("file", required=False, type=click.Path(path_type=Path))(command)


def learned(file: Path | None, run_name: str | None) -> tuple[Layout, NDArray[np.float64]]:
    """The memory in a file or of a run.

    Raises:
        UsageError: neither or both are given, or it cannot be used.
    """
    if (file is None) == (run_name is None):
        raise UsageError("one of FILE.npz and --run NAME is needed")
    if run_name is not None:
        from learners.store import Store

        with Store.open() as store:
            run = store.load(run_name).run
        return run.layout, run.memory
    from learners.players.policy_file import load_policy

    assert file is not None
    policy = load_policy(file)
    return policy.layout, policy.memory
