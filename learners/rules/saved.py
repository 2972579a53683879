"""A saved policy as an opponent: the player of that side from a file, frozen."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from game import space
from learners.entries import Entries
from learners.errors import PolicyFileError, shown
from learners.rule import Rule
from learners.rules.opponents import ERRS, Opponent

if TYPE_CHECKING:
    from numpy.typing import NDArray


@cache
def saved_policy(path: str) -> type[Rule]:
    """The rule that plays what a file holds.

    Raises:
        PolicyFileError: the file cannot be used.
    """
    from learners.policy_file import load_policy

    policy = load_policy(Path(path))

    class Saved(Opponent):
        """Chooses greedily among the values in the file."""

        name = path
        summary = "a saved policy, frozen"
        options = (ERRS,)
        draws = False

        @classmethod
        def initial_values(
            cls, entries: Entries, settings: Mapping[str, Any]
        ) -> NDArray[np.float64]:
            side = int(space().ply[entries.boards[0]]) % 2
            table = (policy.layout.x, policy.layout.o)[side]
            if not table.spec.rule.learns:
                raise PolicyFileError(f"{shown(path)} holds no learner that plays {'XO'[side]}")
            edges = space().edge_of[entries.boards, entries.cells]
            return np.asarray(table.preferences(policy.memory)[edges])

    return Saved
