"""Which engine played a run: a hash of the sources of its kernel, the players' rules included."""

from __future__ import annotations

from functools import cache

from learners.kernel.compiler import kernel_hash
from learners.kernel.hooks import Hooks, engine_with_hooks
from learners.kernel.memory import Layout
from learners.kernel.parameters import parameters
from learners.rules.spec import PlayerSpec


@cache
def engine_hash(x: PlayerSpec, o: PlayerSpec) -> str:
    """The hash for two players who learn from each other; empty where sources are not at hand."""
    layout = Layout.of(x, o)
    sides = (
        Hooks.of(spec.rule, not spec.learns, parameters(table, layout, not spec.learns))
        for spec, table in ((x, layout.x), (o, layout.o))
    )
    try:
        return kernel_hash(engine_with_hooks(*sides))
    except OSError:
        return ""
