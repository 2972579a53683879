"""User rules: classes in Python files, learners like the others but trusted less.

Naming a rule runs its file. What the rule then does is checked: it writes only by `backup` or
`write`, only to its own entries, and finite numbers; the compiler checks every index. A rule that
writes in any other way is refused before it plays, since stepping back would be wrong.
"""

from __future__ import annotations

import ast
import ctypes
import hashlib
import inspect
import sys
import textwrap
import threading
import time
import traceback
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any, Final

import numpy as np

from afterstate_lab.learners.engine.backups import BACKUP, backup, write
from afterstate_lab.learners.engine.dice import seed_words
from afterstate_lab.learners.engine.play import turn
from afterstate_lab.learners.errors import RuleFileError, printable, shown, shown_path
from afterstate_lab.learners.files import source_of
from afterstate_lab.learners.judge.evaluation import evaluate_memory
from afterstate_lab.learners.kernel.hooks import (
    BACKUP_CALL,
    WRITE_CALL,
    checked_backup,
    checked_write,
    error_text,
    line_of,
    parameters,
)
from afterstate_lab.learners.kernel.kernel import (
    EVENTS_A_GAME,
    GAMES_COMPARED,
    Kernel,
    empty_columns,
    new_tally,
)
from afterstate_lab.learners.kernel.memory import LARGEST_VALUE, Layout
from afterstate_lab.learners.rules.base import Rule
from afterstate_lab.learners.rules.equation import UNDECLARED, Equation
from afterstate_lab.learners.rules.spec import PlayerSpec
from afterstate_lab.learners.tape.recording import Cursor, Recording, counts_greedy_moves
from afterstate_lab.learners.tape.run import Stop

MODULE: Final = "afterstate_rule_"
POLL: Final = 0.05
SECONDS: Final = 10.0
"""The time in which a rule must load and play the games that check it."""
HOOKS: Final = ("after_step", "after_game", "choose")
WRITERS: Final = {f.__code__ for f in (backup, write, checked_backup, checked_write, turn)}
"""The code that can write to memory; everything is recorded except the count of greedy moves
(`turn`)."""


class Endless(BaseException):
    """Raised in a user's rule that is not done in time, or that the user gave up."""


@contextmanager
def in_time(stop: Stop | None = None) -> Iterator[None]:
    """End a user's code in this thread if it is not done in time, or once `stop` returns true.

    Raises:
        RuleFileError: it was not done.
    """
    thread, lock, is_over = threading.get_ident(), threading.Lock(), threading.Event()

    def watch() -> None:
        until = time.monotonic() + SECONDS
        while not (stop() if stop is not None else time.monotonic() > until):
            if is_over.wait(POLL):
                return
        with lock:
            if not is_over.is_set():
                number, error = ctypes.c_ulong(thread), ctypes.py_object(Endless)
                ctypes.pythonapi.PyThreadState_SetAsyncExc(number, error)

    try:
        threading.Thread(target=watch, daemon=True).start()
        try:
            yield
        finally:
            with lock:
                is_over.set()
    except Endless as error:
        what, where = "the rule", ""
        for frame, line in traceback.walk_tb(error.__traceback__):
            if frame.f_globals.get("__name__", "").startswith(MODULE):
                what, where = shown(Path(frame.f_code.co_filename).name), f", in line {line}"
        raise RuleFileError(
            f"{what} was not done after {SECONDS:g} s{where}: does it loop forever?"
        ) from None


@cache
@in_time()
def user_rule(path: str, class_name: str) -> type[Rule]:
    """Run a file as a module, and return its rule as a player."""
    source, place = source_of(Path(path), "rule file"), str(Path(path).resolve())
    module = ModuleType(f"{MODULE}{hashlib.sha256(place.encode()).hexdigest()[:12]}")
    module.__file__ = place
    sys.modules[module.__name__] = module
    why = ""
    try:
        exec(compile(source, place, "exec"), vars(module))
    except SyntaxError as error:
        line = f" in line {error.lineno}" if error.lineno else ""
        why = f"has a syntax error{line}: {printable(error.msg)}"
    except (Exception, SystemExit) as error:
        why = f"fails{line_of(error, place)}: {error_text(error)}"
    if why:
        raise RuleFileError(f"the rule file {shown_path(path)} {why}")
    values = vars(module).items()
    rules = {name: one for name, one in values if isinstance(one, type) and issubclass(one, Rule)}
    found = rules.get(class_name)
    if found is None or found is Rule:
        known = [name for name, one in rules.items() if one.__module__ == module.__name__]
        rest = f" (rules: {', '.join(known)})" if known else ""
        raise RuleFileError(f"{shown_path(path)} defines no rule {shown(class_name)}{rest}")
    return admitted(found, path, f"{path}:{class_name}")


@in_time()
def admitted(rule: type[Rule], place: str, name: str) -> type[Rule]:
    """Return a user's rule as a player that is checked at every write.

    Args:
        place: its file, or the module of a notebook.
        name: of the player.
    """
    check_hooks(rule, place)
    rule.name = name
    rule.is_trusted = False
    check_declarations(rule, place)
    check_writes(PlayerSpec(rule))
    return rule


def check_hooks(rule: type[Rule], path: str) -> None:
    """Refuse hooks that the engine cannot call."""
    place = shown_path(path)
    for hook in HOOKS:
        function, wanted = getattr(rule, hook), inspect.signature(getattr(Rule, hook)).parameters
        if not isinstance(function, FunctionType):
            raise RuleFileError(f"{hook} in {place} must be a plain function (def {hook}(…))")
        taken, needed = list(inspect.signature(function).parameters), len(wanted)
        if len(taken) != needed:
            self = ", and no self" if taken[:1] == ["self"] else ""
            raise RuleFileError(
                f"{hook} in {place} takes {len(taken)} parameters; "
                f"it must take {needed}{self}: {', '.join(wanted)}"
            )
        if hook in function.__code__.co_names:
            raise RuleFileError(
                f"{hook} in {place} calls the {hook} of another rule, and the engine cannot: "
                "write what it does there"
            )
    if rule.preferences is not Rule.preferences:
        raise RuleFileError(
            f"preferences in {place} is not a hook: a rule prefers what its values say. Define "
            "choose for another choice"
        )
    if rule.after_step is Rule.after_step and rule.after_game is Rule.after_game:
        raise RuleFileError(f"{rule.__name__} in {place} has no after_step and no after_game")


def check_declarations(rule: type[Rule], path: str) -> None:
    """Refuse a rule that cannot make a player on both sides, or be judged."""
    try:
        declared: object = rule.equation
        rule.equation = declared if isinstance(declared, Equation) else UNDECLARED
        if rule.human:
            raise ValueError("a person plays by no rule")
        spec = PlayerSpec(rule)
        for term in rule.equation.terms:
            float(spec.settings.get(term.option, 1.0))
        layout = Layout.of(spec, spec)
        for table in layout:
            parameters(table, layout, frozen=False)
            if not table.entries.counted.any():
                raise ValueError("it has no value to learn")
        memory = layout.fresh()
        if not (abs(memory) <= LARGEST_VALUE).all():
            raise ValueError("it begins with a number that is not finite, or beyond 1e30")
        evaluate_memory(layout, memory)
    except (Exception, SystemExit) as error:
        where = line_of(error, str(Path(path).resolve()))
        raise RuleFileError(
            f"no player can be made of {rule.__name__} in {shown_path(path)}{where}: "
            f"{error_text(error)}"
        ) from None


class GuardedMemory(list[float]):
    """Memory that refuses all writes except the engine's."""

    frame: tuple[str, int] | None = None
    """File and line of the first refused write."""

    def __setitem__(self, index: Any, value: Any) -> None:
        frame = sys._getframe(1)
        if frame.f_code not in WRITERS:
            self.frame = self.frame or (frame.f_code.co_filename, frame.f_lineno)
            raise ValueError("it writes to memory directly")
        super().__setitem__(index, value)


@in_time()
def check_writes(spec: PlayerSpec) -> None:
    """Refuse a rule whose writes are not all recorded.

    Its hooks are searched for stores to memory. Then it plays some games against itself, with and
    without a tape, and with one again: no other code can write, the recorded writes must make the
    final memory, and the same games the same memory. Other errors in these games are reported when
    it plays.
    """
    for file, line in stores(spec.rule):
        raise written_by_itself(spec.rule, file, line)
    layout = Layout.of(spec, spec)
    kernel, before = Kernel(layout, 0), layout.fresh()
    columns = empty_columns(GAMES_COMPARED * EVENTS_A_GAME)
    played = []
    for tape in (columns, None, empty_columns(len(columns.meta))):
        memory, tally = GuardedMemory(before.tolist()), new_tally().tolist()
        try:
            kernel.play_watched(memory, 0, GAMES_COMPARED, tally, None, tape)
        except (Exception, SystemExit):
            if memory.frame is None:
                return
        if memory.frame is not None:
            raise written_by_itself(spec.rule, *memory.frame)
        played.append(np.array(memory))
    counting = (0, counts_greedy_moves(spec), counts_greedy_moves(spec))
    tape = columns.until(int(columns.at[0]))
    recording = Recording(layout, seed_words(0), 0, before, tape, (counting,))
    told = Cursor(recording, recording.size).v
    who = f"the rule {shown(spec.rule.name)}"
    if played[0].tobytes() != played[2].tobytes():
        raise RuleFileError(
            f"{who} learns something else when it plays the same games again: it counts or draws "
            "its own random numbers. An entry's visits are v[entry + me.visits]"
        )
    if not (recording.kinds == BACKUP).any() and (line := next(returns(spec.rule), 0)):
        raise RuleFileError(
            f"{who} returns a value in line {line}, which nothing reads: call {BACKUP_CALL} instead"
        )
    if not all(memory.tobytes() == told.tobytes() for memory in played):
        raise RuleFileError(
            f"{who} records other writes than it makes: it must write "
            "by backup(…) or write(…) alone, and never to the tape"
        )


def stores(rule: type[Rule]) -> Iterator[tuple[str, int]]:
    """Yield file and line of every statement that stores into memory, in a rule's hooks and in the
    functions that they pass memory to.
    """
    handed = [(inspect.unwrap(getattr(rule, hook)), 0) for hook in HOOKS]
    for function, position in handed:
        if function.__module__.partition(".")[0] == "afterstate_lab":
            continue
        tree, before = parsed(function)
        names = names_of_memory(tree, function.__code__.co_varnames[position])
        for node in ast.walk(tree):
            if isinstance(node, ast.Subscript) and not isinstance(node.ctx, ast.Load):
                if is_memory(node.value, names):
                    yield function.__code__.co_filename, before + node.lineno
            elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                called = function.__globals__.get(node.func.id)
                called = getattr(called, "py_func", called)
                for place, argument in enumerate(node.args):
                    to = (called, place)
                    if isinstance(called, FunctionType) and to not in handed:
                        handed += [to] * is_memory(argument, names)


def parsed(function: Any) -> tuple[ast.AST, int]:
    """Return the tree of a function's source, and the number of lines before it."""
    try:
        lines, first = inspect.getsourcelines(function)
        return ast.parse(textwrap.dedent("".join(lines))), first - 1
    except (OSError, SyntaxError, TypeError):
        return ast.Module([], []), 0


def returns(rule: type[Rule]) -> Iterator[int]:
    """Yield the lines in which a rule's learning hooks return a value."""
    for hook in (rule.after_step, rule.after_game):
        tree, before = parsed(hook)
        for node in ast.walk(tree):
            if isinstance(node, ast.Return) and node.value is not None:
                yield before + node.lineno


def names_of_memory(tree: ast.AST, memory: str) -> set[str]:
    """Return the names of memory, or of its slices, in a function."""
    names: set[str] = set()
    more = {memory}
    while more - names:
        names |= more
        for node in ast.walk(tree):
            if isinstance(node, ast.Assign | ast.NamedExpr) and is_memory(node.value, names):
                found = (part for part in ast.walk(node) if isinstance(part, ast.Name))
                more |= {part.id for part in found if isinstance(part.ctx, ast.Store)}
    return names


def is_memory(node: ast.AST, names: Collection[str]) -> bool:
    """Return whether an expression can be memory or a slice of it."""
    if isinstance(node, ast.Name):
        return node.id in names
    if isinstance(node, ast.Subscript):
        return isinstance(node.slice, ast.Slice) and is_memory(node.value, names)
    if not isinstance(node, ast.NamedExpr | ast.IfExp | ast.Tuple):
        return False
    return any(is_memory(part, names) for part in ast.iter_child_nodes(node))


def written_by_itself(rule: type[Rule], file: str, line: int) -> RuleFileError:
    """Return the error for a rule that writes to memory in this line."""
    path = rule.name.rpartition(":")[0]
    where = "" if file == str(Path(path).resolve()) else f" of {shown(Path(file).name)}"
    return RuleFileError(
        f"the rule {shown(rule.name)} writes to memory directly in line {line}{where}, and no "
        f"tape would know of it: call {BACKUP_CALL} there, or {WRITE_CALL}"
    )
