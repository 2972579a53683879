"""A user's own rule: a class in a Python file, a learner like the others but trusted less.

The file is run when its rule is named, as any program that its owner starts. What its rule then
does is checked: it writes by `backup` or `write` alone, to its own entries, and finite numbers; and
the compiler watches every index.
"""

from __future__ import annotations

import hashlib
import inspect
import sys
from functools import cache
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

from learners.backups import BACKUP, record
from learners.errors import UsageError, printable, shown
from learners.files import opened
from learners.memory import LARGEST_VALUE
from learners.rule import Rule

HOOKS = {
    "after_step": ["v", "tape", "me", "steps", "greedy", "t", "over", "game"],
    "after_game": ["v", "tape", "me", "steps", "greedy", "t", "over", "game"],
    "choose": ["v", "game", "me", "row", "n", "ply", "low", "high", "threshold"],
}
LARGEST_FILE = 1_000_000


class RuleFileError(UsageError):
    """A rule's file cannot be used, or its rule did what no rule may do."""


@cache
def user_rule(path: str, class_name: str) -> type[Rule]:
    """The rule that a file defines.

    Raises:
        RuleFileError: the file is missing or broken, or has no such rule.
    """
    module = loaded(path)
    found = getattr(module, class_name, None)
    if not (isinstance(found, type) and issubclass(found, Rule)) or found is Rule:
        known = [
            name
            for name, value in vars(module).items()
            if isinstance(value, type)
            and issubclass(value, Rule)
            and value.__module__ == module.__name__
        ]
        rest = f"; it has {', '.join(known)}" if known else ""
        raise RuleFileError(f"{shown(path)} defines no rule {shown(class_name)}{rest}")
    check_hooks(found, path)
    found.name = f"{path}:{class_name}"
    found.is_trusted = False
    check_declarations(found, path)
    return found


def loaded(path: str) -> ModuleType:
    """The module that a file makes.

    Raises:
        RuleFileError: it is missing, too large, or fails.
    """
    try:
        with opened(Path(path)) as file:
            source = file.read(LARGEST_FILE + 1)
    except OSError as error:
        why = (error.strerror or "it cannot be read").lower()
        raise RuleFileError(f"the rule file {shown(path)} cannot be read: {why}") from None
    if len(source) > LARGEST_FILE:
        raise RuleFileError(f"the rule file {shown(path)} is larger than a megabyte")
    name = f"afterstate_rule_{hashlib.sha256(str(Path(path).resolve()).encode()).hexdigest()[:12]}"
    module = ModuleType(name)
    module.__file__ = str(Path(path).resolve())
    sys.modules[name] = module
    try:
        exec(compile(source, module.__file__, "exec"), vars(module))
    except SyntaxError as error:
        line = f" in line {error.lineno}" if error.lineno else ""
        raise RuleFileError(
            f"the rule file {shown(path)} has a syntax error{line}: {printable(error.msg)}"
        ) from None
    except (Exception, SystemExit) as error:
        raise RuleFileError(
            f"the rule file {shown(path)} fails{line_of(error, module.__file__)}: {told(error)}"
        ) from None
    return module


def check_hooks(rule: type[Rule], path: str) -> None:
    """Refuse hooks that the engine could not call.

    Raises:
        RuleFileError: a hook is no plain function with the right parameters, or none learns.
    """
    for hook, wanted in HOOKS.items():
        function = getattr(rule, hook)
        if not isinstance(function, FunctionType):
            raise RuleFileError(f"{hook} in {shown(path)} must be a plain function (def {hook}(…))")
        names = list(inspect.signature(function).parameters)
        if len(names) != len(wanted):
            raise RuleFileError(
                f"{hook} in {shown(path)} takes {len(names)} parameters; it must take "
                f"{len(wanted)}: {', '.join(wanted)}"
            )
    if rule.after_step is Rule.after_step and rule.after_game is Rule.after_game:
        raise RuleFileError(f"{rule.__name__} in {shown(path)} has no after_step and no after_game")


def check_declarations(rule: type[Rule], path: str) -> None:
    """Refuse a rule of which no player can be made: it is put on both sides, and judged.

    Raises:
        RuleFileError: its options, its entries or what they begin with are not what they must be.
    """
    from learners.evaluation import evaluate_memory
    from learners.memory import Layout
    from learners.players import parameters
    from learners.spec import PlayerSpec

    try:
        if rule.human:
            raise ValueError("a person plays by no rule")
        spec = PlayerSpec(rule)
        layout = Layout.of(spec, spec)
        for table in (layout.x, layout.o):
            parameters(table, layout, frozen=False)
            if table.entries.counted < 1:
                raise ValueError("it has no entry to learn")
        memory = layout.fresh()
        if not (abs(memory) <= LARGEST_VALUE).all():
            raise ValueError("it begins with a number that is not finite, or beyond 1e30")
        evaluate_memory(layout, memory)
    except Exception as error:
        where = line_of(error, str(Path(path).resolve()))
        raise RuleFileError(
            f"no player can be made of {rule.__name__} in {shown(path)}{where}: {told(error)}"
        ) from None


def line_of(error: BaseException, file: str) -> str:
    """Where in a file an error arose, in words."""
    traceback, line = error.__traceback__, 0
    while traceback is not None:
        if traceback.tb_frame.f_code.co_filename == file:
            line = traceback.tb_lineno
        traceback = traceback.tb_next
    return f" in line {line}" if line else ""


def told(error: BaseException) -> str:
    """An error in one line that can be printed."""
    text = " ".join(str(error).split()) or type(error).__name__
    return text if text.isprintable() else ascii(text)


def check(me: Any, entry: Any, new: Any) -> None:
    """Refuse a write outside the player's own table, or of a number that is not finite."""
    if entry < me.start or entry >= me.rewards:
        raise ValueError("it writes to an entry that is not its own")
    if not (-LARGEST_VALUE <= new <= LARGEST_VALUE):
        raise ValueError("it writes a number that is not finite, or beyond 1e30")


def checked_backup(v, tape, me, entry, target, step):  # type: ignore[no-untyped-def]
    """`learners.backups.backup`, checked."""
    checked_write(v, tape, me, entry, target, step, 1.0, v[entry] + step * (target - v[entry]))


def checked_write(v, tape, me, entry, target, step, trace, new):  # type: ignore[no-untyped-def]
    """`learners.backups.write`, checked."""
    check(me, entry, new)
    if tape is not None:
        record(tape, BACKUP, 0, entry, v[entry], target, step, trace, new)
    v[entry] = new
    v[entry + me.visits] += 1.0


CHECKED = {"backup": checked_backup, "write": checked_write}
"""The checked functions under the names by which a rule calls them."""


def failed(rules: list[type[Rule]], error: Exception) -> RuleFileError:
    """The error for rules that went wrong while a game was played."""
    names = " or ".join(dict.fromkeys(shown(rule.name) for rule in rules))
    where = "".join(
        line_of(error, str(Path(rule.name.rpartition(":")[0]).resolve())) for rule in rules[:1]
    )
    return RuleFileError(f"the rule {names} failed{where}: {told(error)}")
