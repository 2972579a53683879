"""What the engine needs of two rules: their functions, bound to it, and their parameters.

A specialized function has the same code object with other globals: each name of a hook is bound to
that hook, and every plain Python function that the code refers to is specialized in turn. So one
source runs interpreted and compiled, and a user's own rule is treated like any other; its writes
are checked: only to its own entries, only finite numbers.
"""

from __future__ import annotations

import hashlib
import sys
from collections import namedtuple
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache, lru_cache
from keyword import iskeyword
from pathlib import Path
from types import FunctionType, MappingProxyType
from typing import Any, Final, NamedTuple

import numpy as np

from afterstate_lab.learners.engine import play
from afterstate_lab.learners.engine.backups import (
    BACKUP,
    CONSTANT,
    DECAYING,
    HARMONIC,
    SEVERAL,
    STEP_SIZES,
    constant_step,
    decaying_step,
    record,
)
from afterstate_lab.learners.engine.choices import EXPLORATION_RATES, RATES
from afterstate_lab.learners.engine.dice import dice_word, game_key
from afterstate_lab.learners.engine.entries import sharing
from afterstate_lab.learners.errors import RuleFileError, shown
from afterstate_lab.learners.kernel.memory import LARGEST_VALUE, Layout, Table
from afterstate_lab.learners.rules import options
from afterstate_lab.learners.rules.base import Rule
from afterstate_lab.learners.rules.options import ChoiceOption, Option

Bindings = Mapping[str, Any]
"""A function, a function `WithHooks`, or a constant for each name."""


@dataclass(frozen=True, eq=False)
class WithHooks:
    """A function and its hooks, not yet specialized."""

    function: Any
    hooks: Bindings = field(default_factory=dict)


class Specializer:
    """Specializes functions, each once for its hooks, and passes every one through `finish`.

    Args:
        finish: turns a specialized Python function into what is called: a compiler's decorator; by
            default it is called itself, by the interpreter.
    """

    def __init__(
        self, finish: Callable[[FunctionType], Callable[..., Any]] = lambda function: function
    ) -> None:
        self._finish = finish
        self._done: dict[tuple[FunctionType, int], Callable[..., Any]] = {}

    def specialize(self, generic: WithHooks) -> Callable[..., Any]:
        """Return the function bound to its hooks; shared if it uses none."""
        hooks = generic.hooks if self._needs(generic.function, generic.hooks, set()) else {}
        key = (generic.function, id(generic.hooks) if hooks else 0)
        if key not in self._done:
            self._done[key] = self._finish(self._rebuilt(WithHooks(generic.function, hooks)))
        return self._done[key]

    def _needs(self, function: Any, hooks: Bindings, seen: set[Any]) -> bool:
        seen.add(function)
        for name in function.__code__.co_names:
            if name in hooks:
                return True
            found = function.__globals__.get(name)
            is_new = isinstance(found, FunctionType) and found not in seen
            if is_new and self._needs(found, hooks, seen):
                return True
        return False

    def _rebuilt(self, generic: WithHooks) -> FunctionType:
        function = generic.function
        names = dict(function.__globals__)
        for name in function.__code__.co_names:
            found = generic.hooks.get(name, names.get(name))
            if isinstance(found, WithHooks):
                names[name] = self.specialize(found)
            elif isinstance(found, FunctionType):
                names[name] = self.specialize(WithHooks(found, generic.hooks))
            elif name in generic.hooks:
                names[name] = found
        rebuilt = FunctionType(
            function.__code__, names, function.__name__, function.__defaults__, function.__closure__
        )
        rebuilt.__module__ = function.__module__
        rebuilt.__qualname__ = function.__qualname__
        return rebuilt


def checked_backup(v, tape, me, entry, read, reward, step):  # type: ignore[no-untyped-def]
    """`learners.engine.backups.backup`, checked."""
    target = reward + me.gamma * v[read]
    new = v[entry] + step * (target - v[entry])
    checked_write(v, tape, me, entry, read, target, step, 1.0, new)


def checked_write(v, tape, me, entry, read, target, step, trace, new):  # type: ignore[no-untyped-def]
    """`learners.engine.backups.write`, but only of finite numbers to the player's own table."""
    if entry < me.start or entry >= me.rewards:
        raise ValueError("it writes to a value that is not its own")
    if read < SEVERAL or read >= me.visits:
        raise ValueError("it reads a value that is not in memory")
    if not (-LARGEST_VALUE <= new <= LARGEST_VALUE):
        raise ValueError("it writes a number that is not finite, or beyond 1e30")
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
MODULES = {"np": "numpy as np", "numpy": "numpy", "math": "math"}
"""What a rule may need to import, by its usual name."""
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
    """Return an error's message in one printable line, with what is right for an unknown name."""
    text = " ".join(str(error).split()) or type(error).__name__
    text = f"SystemExit: {text}" if isinstance(error, SystemExit) else text
    if isinstance(error, AttributeError):
        if hasattr(error.obj, "rewards") and hasattr(error.obj, "counter"):
            text += f" (list the option {error.name} in `options`)"
    elif isinstance(error, NameError):
        name = error.name or ""
        if name == "self":
            text += " (a hook has no self: its options are me.alpha and so on)"
        elif hasattr(options, name.upper()):
            text += f" (an option is me.{name})"
        elif name in NEEDED:
            text += f" (from afterstate_lab import {name})"
        elif name in MODULES:
            text += f" (import {MODULES[name]})"
    return text if text.isprintable() else ascii(text)


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


class DiceAhead(dict[int, list[int]]):
    """The random words of a block of games: for each counter (4 ply + purpose), a word for every
    game.

    The words of a counter are computed on first use.

    Args:
        seed_low: first word of the seed.
        seed_high: second word of the seed.
        first: number of the first game.
        last: number after the last game.
    """

    def __init__(self, seed_low: int, seed_high: int, first: int, last: int) -> None:
        super().__init__()
        self._low, self._high = game_key(seed_low, seed_high, np.arange(first, last))

    def __missing__(self, counter: int) -> list[int]:
        words: list[int] = dice_word(self._low, self._high, 0, counter).tolist()
        self[counter] = words
        return words


def word_ahead(dice: DiceAhead, place: int, ply: int, purpose: int) -> int:
    """Replace `dice_word`, for the game at an index of the block."""
    return dice[4 * ply + purpose][place]


def key_ahead(dice: DiceAhead, first: int, game: int) -> tuple[DiceAhead, int]:
    """Replace `game_key`: return the block's words and the game's index in it."""
    return dice, game - first


AHEAD: Final[dict[str, Any]] = {"dice_word": word_ahead, "game_key": key_ahead}
"""Replacements of the engine's functions of these names."""


class Hooks(NamedTuple):
    """The hooks of one side; equal for players that choose alike and do not learn."""

    choose: Callable[..., Any]
    after_step: Callable[..., Any]
    after_game: Callable[..., Any]
    step_size: Callable[..., Any]
    exploration_rate: Callable[..., Any]
    counts_moves: bool
    is_trusted: bool = True
    """Whether its writes are unchecked."""

    @classmethod
    def of(cls, rule: type[Rule], frozen: bool, me: Any) -> Hooks:
        """Return the hooks of a rule, without learning if the player is frozen.

        Args:
            rule: the player's rule.
            frozen: whether it chooses greedily and does not learn.
            me: its parameters, which name its schedules of step size and epsilon.
        """
        rate = EXPLORATION_RATES[me.epsilon_kind]
        if frozen or not rule.learns:
            choose = rule.choose_frozen if frozen and rule.learns else rule.choose
            return cls(choose, play.no_op, play.no_op, constant_step, rate, False)
        step = STEP_SIZES[me.schedule]
        hooks = rule.choose, rule.after_step, rule.after_game
        return cls(*hooks, step, rate, step is decaying_step, rule.is_trusted)

    def names(self) -> dict[str, Any]:
        """Return the hooks by the names that the engine and the rules call."""
        named = self._asdict()
        return named if self.is_trusted else named | CHECKED


def engine_with_hooks(x: Hooks, o: Hooks, others: Bindings = MappingProxyType({})) -> WithHooks:
    """Return `play.play_games` with the hooks of both sides.

    Args:
        x: the hooks of X.
        o: the hooks of O.
        others: what else is bound in the whole engine, by name.
    """
    of_x = {**x.names(), **others}
    of_o = of_x if x == o else {**o.names(), **others}
    return WithHooks(
        play.play_games,
        {
            **others,
            "turn_x": WithHooks(play.turn, of_x),
            "turn_o": WithHooks(play.turn, of_o),
            "conclude_x": WithHooks(play.conclude, of_x),
            "conclude_o": WithHooks(play.conclude, of_o),
            "rate_x": x.exploration_rate,
            "rate_o": o.exploration_rate,
        },
    )


@cache
def interpreted(x: Hooks, o: Hooks, *, ahead: bool = False) -> Callable[..., int]:
    """Return the engine for two sides, in plain Python.

    Args:
        x: the hooks of X.
        o: the hooks of O.
        ahead: it gets, in place of the words of the seed, `DiceAhead` and its first game.
    """
    return Specializer().specialize(engine_with_hooks(x, o, AHEAD if ahead else {}))


FIXED = (
    "side", "human", "draws", "by_state", "start", "rewards", "counter", "visits", "schedule",
    "epsilon_kind", "alone", "second", "nothing",
)  # fmt: skip
"""Fields that are constants to the compiler."""
TOLD_BY_OTHERS = (options.SYMMETRY, options.STEP, options.LEARN)
"""Word options that memory or hooks already determine, so machine code is shared."""
DECAYS = 4096
"""Number of decays of the step size; alpha stays constant after them."""


def field_name(option: Option) -> str:
    return option.name + "_" if iskeyword(option.name) else option.name


@cache
def parameter_type(rule: type[Rule], fields: tuple[str, ...]) -> Any:
    """Return the named tuple of a rule's parameters; a cached kernel finds it by name.

    The name holds a hash of the rule's origin, as two files may both define a `MyRule`. An option
    that is a list keeps its length in the compiled engine, and one of a few words is a constant of
    the compiler (see `learners.kernel.compiler`).
    """
    origin = getattr(sys.modules.get(rule.__module__), "__file__", None)
    digest = hashlib.sha256(f"{origin}:{rule.__module__}:{rule.__qualname__}".encode()).hexdigest()
    name = f"{rule.__name__}_{digest[:12]}"
    make: Any = namedtuple
    made = make(name, fields, module=__name__)
    words = (option for option in rule.options if isinstance(option, ChoiceOption))
    told = (field_name(option) for option in words if option not in TOLD_BY_OTHERS)
    undiscounted = () if any(option.name == "gamma" for option in rule.options) else ("gamma",)
    made.fixed = frozenset((*FIXED, *told, *undiscounted))
    globals()[name] = made
    return made


@lru_cache(maxsize=4)
def parameters(table: Table, layout: Layout, frozen: bool) -> Any:
    """Return the parameters of the player that moves for this table, which nobody changes.

    Args:
        table: the player's part of memory.
        layout: the whole memory.
        frozen: whether it chooses greedily and does not learn.
    """
    rule, settings = table.player.rule, table.player.settings
    kind, rates = rule.exploration(table.side, settings)
    if frozen and rule.learns:
        kind, rates = "constant", (0.0,)
    decay = float(settings.get("decay", 1.0))
    schedule = CONSTANT
    if settings.get("step") == "1/n":
        schedule = HARMONIC
    elif decay < 1.0:
        schedule = DECAYING
    alpha = float(settings.get("alpha", 0.0))
    alphas = [alpha]
    for _ in range(DECAYS if schedule == DECAYING else 0):
        alphas.append(alphas[-1] * decay)
    of_state = table.entries.of_state
    state_entry = np.zeros(1) if of_state is None else table.base + of_state
    fields = {
        "side": int(table.side),  # a plain number: the compiler would make a type of an enumeration
        "human": rule.human,
        "draws": rule.draws and not (frozen and rule.learns),
        "by_state": rule.by_state,
        "start": table.base,
        "rewards": table.rewards,
        "nothing": table.rewards,  # the unused slot of no result
        "counter": table.counter,
        "visits": layout.values,
        "state_entry": state_entry.astype(np.uint32),
        "schedule": schedule,
        "alpha": alpha,
        "alphas": np.array(alphas),
        "last_alpha": len(alphas) - 1,
        "epsilon": float(rates[0]),
        "epsilon_kind": RATES.index(kind),
        "epsilons": np.array(rates, dtype=np.float64),
        "phases": len(rates),
        "every": int(settings.get("every", 0)) if schedule == DECAYING and not frozen else 0,
        "over": int(settings.get("over", 1)),
        "alone": not (layout.is_shared and layout.x.stand_in is layout.o.stand_in is None),
        "second": len(table.entries.boards) * (table.rule.tables - 1),
        "sharing": sharing(table.entries) if rule.draws and rule.learns else np.ones(1, np.uint8),
    }
    own = [option for option in rule.options if option.name not in fields]
    if "gamma" not in settings:
        fields["gamma"] = 1.0
    names = (*fields, *map(field_name, own))  # two of one name are refused
    values = (*fields.values(), *(option.number(settings[option.name]) for option in own))
    return parameter_type(rule, names)(*values)  # type: ignore[arg-type]
