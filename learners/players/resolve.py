"""From a text to a player: a built-in rule, a saved policy, or a user's own rule."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from game import space
from learners.engine.entries import Entries
from learners.errors import PolicyFileError, shown_path
from learners.players.policy_file import load_policy, runs_code
from learners.rules import registry
from learners.rules.base import Rule
from learners.rules.opponents import FromFile
from learners.rules.spec import PlayerSpec

if TYPE_CHECKING:
    from numpy.typing import NDArray

TABLE = re.compile(r"\.(?:csv|json)(?::|$)")
"""In the name of an agent that is a table."""
FILES_KEPT = 16
"""Number of saved policies, each in one version of its file, that are cached."""


def saved_policy(path: str) -> type[Rule]:
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
    """`saved_policy` for one version of the file."""
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


def find(text: str) -> tuple[type[Rule], str]:
    """The rule that a spec names, and the text of its options.

    Raises:
        SpecError: there is no such rule.
        PolicyFileError: the file of a saved policy cannot be used.
        RuleFileError: the file of a user's own rule, or of a plug-in, cannot be used.
    """
    path, ending, options = text.rpartition(".npz")
    if ending and (not options or options.startswith(":")):
        return saved_policy(path + ending), options[1:]
    if runs_code(text) or TABLE.search(text):
        from learners.players.agents import find_agent

        if (agent := find_agent(text)) is not None:
            return agent
    path, ending, rest = text.rpartition(".py:")
    if ending:
        from learners.players.user_rule import user_rule

        class_name, _, options = rest.partition(":")
        return user_rule(f"{path}.py", class_name), options
    if text.partition(":")[0] not in (*registry.BUILT_IN, "museum"):
        from learners.players.plugins import as_file

        if (named := as_file(text)) is not None:
            return find(named)
    return registry.find(text)


def parse_player(text: str) -> PlayerSpec:
    """The player that a spec names, files included.

    Raises:
        SpecError: an unknown name or option, or a value out of range.
        PolicyFileError: the file of a saved policy cannot be used.
        RuleFileError: the file of a user's own rule cannot be used.
        AgentError: an agent cannot be used, or its file is not the one that the spec names.
    """
    spec = PlayerSpec.parse(text, find)
    if spec.rule.is_asked:
        from learners.players.agents import with_digest

        return with_digest(spec)
    if spec.given and not spec.rule.is_trusted:
        from learners.players.user_rule import check_writes

        check_writes(spec)
    return spec
