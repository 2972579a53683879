"""Update rules, opponents, the engine that runs them, and runs that can be replayed anywhere.

A user's own rule imports all it needs from here: `from learners import Rule, backup, options`; so
does a script or a notebook: `from learners import Board, open_run, train`. Importing the package is
cheap; each name is loaded when first used.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from game import Board
    from learners.engine.backups import backup, no_backup, step_size, write
    from learners.engine.choices import epsilon_greedy
    from learners.library import (
        from_openspiel,
        from_pettingzoo,
        judge_agent,
        open_policy,
        open_run,
        train,
    )
    from learners.rules import options
    from learners.rules.base import Rule
    from learners.rules.equation import Equation, TargetKind, Term, TermRole

__all__ = [
    "Board",
    "Equation",
    "Rule",
    "TargetKind",
    "Term",
    "TermRole",
    "backup",
    "epsilon_greedy",
    "from_openspiel",
    "from_pettingzoo",
    "judge_agent",
    "no_backup",
    "open_policy",
    "open_run",
    "options",
    "step_size",
    "train",
    "write",
]

_HOMES = {
    "Board": "game",
    "Equation": "learners.rules.equation",
    "Rule": "learners.rules.base",
    "TargetKind": "learners.rules.equation",
    "Term": "learners.rules.equation",
    "TermRole": "learners.rules.equation",
    "backup": "learners.engine.backups",
    "epsilon_greedy": "learners.engine.choices",
    "from_openspiel": "learners.library",
    "from_pettingzoo": "learners.library",
    "judge_agent": "learners.library",
    "no_backup": "learners.engine.backups",
    "open_policy": "learners.library",
    "open_run": "learners.library",
    "step_size": "learners.engine.backups",
    "train": "learners.library",
    "write": "learners.engine.backups",
}
"""The module of each name."""


def __getattr__(name: str) -> Any:
    if name == "options":
        return import_module("learners.rules.options")
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
