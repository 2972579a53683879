"""The opponent that plays by a saved policy."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from game import space
from learners.engine.entries import Entries
from learners.errors import PolicyFileError, shown_path
from learners.players.policy_file import load_policy
from learners.rules.base import Rule
from learners.rules.opponents import FromFile

if TYPE_CHECKING:
    from numpy.typing import NDArray

FILES_KEPT = 16
"""Number of saved policies, each in one version of its file, that are cached."""


def saved_player(path: str) -> type[Rule]:
    """The opponent that plays by a saved policy, from the current version of its file.

    Raises:
        PolicyFileError: the file cannot be used.
    """
    try:
        found = Path(path).stat()
    except (OSError, ValueError):
        return read_policy(path, ())
    return read_policy(path, (found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns))


@lru_cache(maxsize=FILES_KEPT)
def read_policy(path: str, version: tuple[int, ...]) -> type[Rule]:
    """`saved_player` for one version of the file."""
    policy = load_policy(Path(path))

    class FromSavedFile(FromFile):
        """Chooses greedily among the values in the file."""

        name = path

        @classmethod
        def check_side(cls, side: int) -> None:
            if not (policy.x, policy.o)[side].rule.learns:
                name = shown_path(path)
                raise PolicyFileError(f"{name} holds no learner that plays {'XO'[side]}")

        @classmethod
        def initial_values(
            cls, entries: Entries, settings: Mapping[str, Any]
        ) -> NDArray[np.float64]:
            side = int(space().ply[entries.boards[0]]) % 2
            cls.check_side(side)
            table = (policy.layout.x, policy.layout.o)[side]
            edges = space().edge_of[entries.boards, entries.cells]
            return np.asarray(table.preferences(policy.memory)[edges])

    return FromSavedFile
