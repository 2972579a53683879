"""Checked writes for user rules: only to their own entries, only finite numbers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from afterstate_lab.learners.engine.backups import BACKUP, SEVERAL, record
from afterstate_lab.learners.errors import RuleFileError, shown
from afterstate_lab.learners.kernel.memory import LARGEST_VALUE
from afterstate_lab.learners.rules import options
from afterstate_lab.learners.rules.base import Rule


def check(me: Any, entry: Any, read: Any, new: Any) -> None:
    """Refuse a write outside the player's own table, or of a number that is not finite."""
    if entry < me.start or entry >= me.rewards:
        raise ValueError("it writes to a value that is not its own")
    if read < SEVERAL or read >= me.visits:
        raise ValueError("it reads a value that is not in memory")
    if not (-LARGEST_VALUE <= new <= LARGEST_VALUE):
        raise ValueError("it writes a number that is not finite, or beyond 1e30")


def checked_backup(v, tape, me, entry, read, reward, step):  # type: ignore[no-untyped-def]
    """`learners.engine.backups.backup`, checked."""
    target = reward + me.gamma * v[read]
    new = v[entry] + step * (target - v[entry])
    checked_write(v, tape, me, entry, read, target, step, 1.0, new)


def checked_write(v, tape, me, entry, read, target, step, trace, new):  # type: ignore[no-untyped-def]
    """`learners.engine.backups.write`, checked."""
    check(me, entry, read, new)
    if tape is not None:
        record(tape, BACKUP, 0, entry, read, v[entry], target, step, trace, new)
    v[entry] = new
    v[entry + me.visits] += 1.0


NEEDED = (
    "Equation",
    "Rule",
    "SEVERAL",
    "backup",
    "backup_towards",
    "no_backup",
    "options",
    "step_size",
    "write",
)
"""What a rule needs of the public API."""
BACKUP_CALL = "backup(v, tape, me, entry, read, reward, step)"
WRITE_CALL = "write(v, tape, me, entry, read, target, step, trace, new)"
CHECKED = {"backup": checked_backup, "write": checked_write}
"""The checked functions by the names that rules call."""


def line_of(error: BaseException, file: str) -> str:
    """Return the line of a file that raised an error, as ` in line 7`; empty if it was
    elsewhere."""
    traceback, line = error.__traceback__, 0
    while traceback is not None:
        if traceback.tb_frame.f_code.co_filename == file:
            line = traceback.tb_lineno
        traceback = traceback.tb_next
    return f" in line {line}" if line else ""


def error_text(error: BaseException) -> str:
    """Return an error's message in one printable line."""
    text = " ".join(str(error).split()) or type(error).__name__
    text = f"SystemExit: {text}" if isinstance(error, SystemExit) else text
    if isinstance(error, NameError | AttributeError):
        text += advice(error)
    return text if text.isprintable() else ascii(text)


def advice(error: NameError | AttributeError) -> str:
    """Return what is right instead of an unknown name, or nothing."""
    name = error.name or ""
    if isinstance(error, AttributeError):
        is_option = hasattr(error.obj, "rewards") and hasattr(error.obj, "counter")
        return f" (list the option {name} in `options`)" * is_option
    if name == "self":
        return " (a hook has no self: its options are me.alpha and so on)"
    if hasattr(options, name.upper()):
        return f" (an option is me.{name})"
    if name in NEEDED:
        return f" (from afterstate_lab import {name})"
    modules = {"np": "numpy as np", "numpy": "numpy", "math": "math"}
    return f" (import {modules[name]})" if name in modules else ""


def failed(rules: list[type[Rule]], error: BaseException) -> RuleFileError:
    """Return the error for rules that failed during a game."""
    names = " or ".join(dict.fromkeys(shown(rule.name) for rule in rules))
    where = "".join(
        line_of(error, str(Path(rule.name.rpartition(":")[0]).resolve())) for rule in rules[:1]
    )
    text = error_text(error)
    if isinstance(error, TypeError) and ("backup() missing" in text or "write() missing" in text):
        text = f"it gives too few numbers. Call {BACKUP_CALL} or {WRITE_CALL}"
    return RuleFileError(f"the rule {names} failed{where}: {text}")
