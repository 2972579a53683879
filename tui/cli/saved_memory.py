"""What two players know, wherever it is kept: in a file, in the store, or at an address.

Light: the store and the engine are loaded only where they are needed.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from learners.addresses import is_address
from learners.errors import UsageError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from learners.kernel.memory import Layout


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
        from tui.cli.opened_address import opened_address

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
