"""Bind engine functions to the hooks of two rules, for the interpreter or for the compiler.

A bound function is the same code object with other globals: the hooks are put in place of the
names that stand for them, and every plain Python function that the code refers to is bound in turn.
So one source runs interpreted and compiled, and a user's own rule is linked like any other.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import FunctionType
from typing import Any

Hooks = Mapping[str, Any]
"""What stands for a name: a function, a `Bound` one, or a constant."""


@dataclass(frozen=True, eq=False)
class Bound:
    """A function together with the hooks that it is to be bound to."""

    function: Any
    """A plain Python function."""
    hooks: Hooks = field(default_factory=dict)


def identity(function: FunctionType) -> Callable[..., Any]:
    """What the interpreter needs done to a bound function: nothing."""
    return function


class Linker:
    """Binds functions, each once for its hooks, and passes every one through `finish`.

    Args:
        finish: what turns a bound Python function into what is called, e.g. a compiler's decorator.
    """

    def __init__(self, finish: Callable[[FunctionType], Callable[..., Any]] = identity) -> None:
        self._finish = finish
        self._done: dict[tuple[FunctionType, int], Callable[..., Any]] = {}

    def link(self, bound: Bound) -> Callable[..., Any]:
        """The function bound to its hooks, ready to call; shared where no hook matters to it."""
        hooks = bound.hooks if self._needs(bound.function, bound.hooks, set()) else {}
        key = (bound.function, id(bound.hooks) if hooks else 0)
        if key not in self._done:
            self._done[key] = self._finish(self._rebuilt(Bound(bound.function, hooks)))
        return self._done[key]

    def _needs(self, function: Any, hooks: Hooks, seen: set[Any]) -> bool:
        seen.add(function)
        for name in function.__code__.co_names:
            if name in hooks:
                return True
            found = function.__globals__.get(name)
            is_new = isinstance(found, FunctionType) and found not in seen
            if is_new and self._needs(found, hooks, seen):
                return True
        return False

    def _rebuilt(self, bound: Bound) -> FunctionType:
        function = bound.function
        names = dict(function.__globals__)
        for name in function.__code__.co_names:
            found = bound.hooks.get(name, names.get(name))
            if isinstance(found, Bound):
                names[name] = self.link(found)
            elif isinstance(found, FunctionType):
                names[name] = self.link(Bound(found, bound.hooks))
            elif name in bound.hooks:
                names[name] = found
        rebuilt = FunctionType(
            function.__code__, names, function.__name__, function.__defaults__, function.__closure__
        )
        rebuilt.__module__ = function.__module__
        rebuilt.__qualname__ = function.__qualname__
        return rebuilt
