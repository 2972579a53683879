"""Update rules, opponents, the engine that runs them, and runs that can be replayed anywhere.

A user's own rule imports all it needs from here: `from learners import Rule, backup, options`.
Importing the package is cheap; each name is loaded when first used.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from learners.engine.backups import backup, no_backup, step_size, write
    from learners.engine.choices import epsilon_greedy
    from learners.rules import options
    from learners.rules.base import Rule
    from learners.rules.equation import Equation, TargetKind, Term, TermRole

__all__ = [
    "Equation",
    "Rule",
    "TargetKind",
    "Term",
    "TermRole",
    "backup",
    "epsilon_greedy",
    "no_backup",
    "options",
    "step_size",
    "write",
]

_HOMES = {
    "Equation": "learners.rules.equation",
    "Rule": "learners.rules.base",
    "TargetKind": "learners.rules.equation",
    "Term": "learners.rules.equation",
    "TermRole": "learners.rules.equation",
    "backup": "learners.engine.backups",
    "epsilon_greedy": "learners.engine.choices",
    "no_backup": "learners.engine.backups",
    "step_size": "learners.engine.backups",
    "write": "learners.engine.backups",
}
"""The module of each name."""


def __getattr__(name: str) -> Any:
    if name == "options":
        return import_module("learners.rules.options")
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
