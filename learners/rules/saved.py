"""A saved policy as an opponent: the player of that side from a file, frozen."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from game import space
from learners import registry
from learners.entries import Entries
from learners.errors import LONGEST_NAME, PolicyFileError, SpecError, shown
from learners.rule import Rule
from learners.rules.opponents import ERRS, Opponent

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from learners.policy_file import SavedPolicy

FILES_KEPT = 16
"""Files, each as it was saved at some time, that are not read again when they are named again."""


class FromFile(Opponent):
    """Chooses greedily among values that were learned elsewhere."""

    summary = "a saved policy, frozen"
    options = (ERRS,)
    draws = False


def saved_policy(path: str) -> type[Rule]:
    """The rule that plays what a file holds now.

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
    """The same, for as long as the file is not saved anew."""
    from learners.policy_file import load_policy

    policy: SavedPolicy = load_policy(Path(path))

    class Saved(FromFile):
        """Chooses greedily among the values in the file."""

        name = path

        @classmethod
        def check_side(cls, side: int) -> None:
            if not (policy.x, policy.o)[side].rule.learns:
                name = shown(path, LONGEST_NAME)
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

    return Saved


def player_in_header(text: str) -> tuple[type[Rule], str]:
    """The rule that the header of a file names, and the text of its options.

    A file from elsewhere is only ever read alone: where it names another one, that player's values
    are taken from its own arrays, and code of a user's is never run for it.

    Raises:
        SpecError: there is no such rule.
    """
    name, ending, options = text.rpartition(".npz")
    if ending and (not options or options.startswith(":")):
        return named_policy(name + ending), options[1:]
    if ".py:" in text:
        raise SpecError(f"it learned by the rule {shown(text)}, and no code is run for a file")
    return registry.find_built_in(text)


@cache
def named_policy(path: str) -> type[Rule]:
    """A saved policy of which no more is known than its name."""

    class Named(FromFile):
        """Stands for a player whose values are given with its name."""

        name = path

    return Named
