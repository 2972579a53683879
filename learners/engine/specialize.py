"""Specialize engine functions to the hooks of two rules, for the interpreter or for the compiler.

A specialized function has the same code object with other globals: each name of a hook is bound to
that hook, and every plain Python function that the code refers to is specialized in turn. So one
source runs interpreted and compiled, and a user's own rule is treated like any other.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import FunctionType
from typing import Any

Bindings = Mapping[str, Any]
"""A function, a function `WithHooks`, or a constant for each name."""


@dataclass(frozen=True, eq=False)
class WithHooks:
    """A function and its hooks, not yet specialized."""

    function: Any
    hooks: Bindings = field(default_factory=dict)


def identity(function: FunctionType) -> Callable[..., Any]:
    """Return the function itself: the interpreter needs nothing else."""
    return function


class Specializer:
    """Specializes functions, each once for its hooks, and passes every one through `finish`.

    Args:
        finish: turns a specialized Python function into what is called: a compiler's decorator.
    """

    def __init__(self, finish: Callable[[FunctionType], Callable[..., Any]] = identity) -> None:
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
