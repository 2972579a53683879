"""The parameters of a player for the engine: one flat named tuple per rule.

The tuple's fields are the common ones below and one for each option of the rule, under its name
(`lambda_` for the option `lambda`, which is no name in Python).
"""

from __future__ import annotations

import hashlib
import sys
from collections import namedtuple
from functools import cache
from keyword import iskeyword
from typing import Any

import numpy as np

from afterstate_lab.learners.engine.backups import CONSTANT, DECAYING, HARMONIC
from afterstate_lab.learners.engine.choices import EPSILON_CONSTANT, EPSILON_LINEAR, EPSILON_PHASES
from afterstate_lab.learners.engine.entries import sharing
from afterstate_lab.learners.kernel.memory import Layout, Table
from afterstate_lab.learners.rules import options
from afterstate_lab.learners.rules.base import Rule
from afterstate_lab.learners.rules.options import ChoiceOption, Option

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
def parameter_type(rule: type[Rule], fields: tuple[str, ...] = ()) -> Any:
    """Return the named tuple of a rule's parameters; a cached kernel finds it by name.

    The name holds a hash of the rule's origin, as two files may both define a `MyRule`. An option
    that is a list keeps its length in the compiled engine, and one of a few words is a constant of
    the compiler (see `learners.kernel.pointers`).
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


def parameters(table: Table, layout: Layout, frozen: bool) -> Any:
    """Return the parameters of the player that moves for this table.

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
        "start": table.base + table.entries.start,
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
        "epsilon_kind": {
            "constant": EPSILON_CONSTANT,
            "linear": EPSILON_LINEAR,
            "phases": EPSILON_PHASES,
        }[kind],
        "epsilons": np.array(rates, dtype=np.float64),
        "phases": len(rates),
        "every": int(settings.get("every", 0)) if schedule == DECAYING and not frozen else 0,
        "over": int(settings.get("over", 1)),
        "alone": not layout.learn_together,
        "second": len(table.entries.boards) * (table.spec.rule.tables - 1),
        "sharing": sharing(table.entries) if rule.draws and rule.learns else np.ones(1, np.uint8),
    }
    own = [option for option in rule.options if option.name not in fields]
    if "gamma" not in settings:
        fields["gamma"] = 1.0
    names = (*fields, *map(field_name, own))  # two of one name are refused
    values = (*fields.values(), *(option.number(settings[option.name]) for option in own))
    return parameter_type(rule, names)(*values)  # type: ignore[arg-type]
