"""A lab for temporal-difference learning on tic-tac-toe: the public API.

A rule of your own imports what it needs from here: `from afterstate_lab import Rule, backup`; so
does a notebook: `from afterstate_lab import Board, open_run, train`. Each name is loaded when it
is first used.
"""

from __future__ import annotations

from importlib import import_module

TYPE_CHECKING = False
"""Without typing and importlib: until they are loaded, Ctrl-C would end in a traceback."""

if TYPE_CHECKING:
    from typing import Any

    from afterstate_lab.game import Board
    from afterstate_lab.learners.engine.backups import (
        SEVERAL,
        backup,
        backup_towards,
        no_backup,
        step_size,
        write,
    )
    from afterstate_lab.learners.engine.choices import epsilon_greedy
    from afterstate_lab.learners.library import (
        from_openspiel,
        from_pettingzoo,
        from_pgx,
        grade,
        judge_agent,
        open_policy,
        open_run,
        train,
    )
    from afterstate_lab.learners.rules import options
    from afterstate_lab.learners.rules.base import Rule
    from afterstate_lab.learners.rules.equation import Equation, TargetKind, Term, TermRole

__all__ = [
    "SEVERAL",
    "Board",
    "Equation",
    "Rule",
    "TargetKind",
    "Term",
    "TermRole",
    "backup",
    "backup_towards",
    "epsilon_greedy",
    "from_openspiel",
    "from_pettingzoo",
    "from_pgx",
    "grade",
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
    "SEVERAL": "learners.engine.backups",
    "TargetKind": "learners.rules.equation",
    "Term": "learners.rules.equation",
    "TermRole": "learners.rules.equation",
    "backup": "learners.engine.backups",
    "backup_towards": "learners.engine.backups",
    "epsilon_greedy": "learners.engine.choices",
    "from_openspiel": "learners.library",
    "from_pettingzoo": "learners.library",
    "from_pgx": "learners.library",
    "grade": "learners.library",
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
        return import_module("afterstate_lab.learners.rules.options")
    if name in _HOMES:
        return getattr(import_module(f"afterstate_lab.{_HOMES[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
