"""The options of a player to choose from, and their usual values."""

from __future__ import annotations

from typing import Any, Final

from afterstate_lab.learners.rules.base import Rule
from afterstate_lab.learners.rules.options import (
    BeadsOption,
    ChoiceOption,
    IntegerOption,
    Option,
)
from afterstate_lab.learners.rules.spec import rules

SHARES: Final = (0, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99, 1)
"""Usual values from 0 to 1: step sizes, rates and discounts."""
WORTHS: Final = (-1, -0.5, 0, 0.25, 0.5, 0.75, 1)
"""Usual rewards and initial values."""
COUNTS: Final = (-10, -5, -3, -2, -1, 0, *(n * 10**k for k in range(6) for n in (1, 2, 5)), 10**6)


def told_options(rule: type[Rule]) -> tuple[Option, ...]:
    """Return the options to choose, first those that no built-in player has."""
    told = [option for option in rule.options if option.is_told]
    return tuple(sorted(told, key=lambda option: not is_own(option)))


def is_own(option: Option) -> bool:
    """Return whether no built-in player has an option of this name."""
    return all(option.name != one.name for rule in rules().values() for one in rule.options)


def values(option: Option) -> tuple[str, ...]:
    """Return values to choose from: all words, or the usual numbers and the default."""
    if isinstance(option, ChoiceOption):
        return option.choices
    numbers: tuple[float, ...] = WORTHS if option.low < 0 else SHARES
    if isinstance(option, IntegerOption | BeadsOption):
        numbers = COUNTS
    texts = (f"{n:.10g}" for n in numbers if option.low <= n <= option.high)
    usual = {option.format(option.parse(text)) for text in texts}
    return tuple(sorted({*usual, option.format(option.default)}, key=place_of))


def place_of(text: str) -> tuple[bool, float]:
    """Return where a value is sorted: numbers, then falling rates and beads of several stages."""
    try:
        return False, float(text)
    except ValueError:
        return True, 0.0


def neighbour(option: Option, value: Any, by: int) -> Any:
    """Return the next or previous value of an option: words wrap around, numbers do not.

    Args:
        value: where to begin, which need be none of the usual values.
        by: 1 for the next, -1 for the previous.
    """
    text = option.format(value)
    if isinstance(option, ChoiceOption):
        at = option.choices.index(text) + by
        return option.parse(option.choices[at % len(option.choices)])
    offered = sorted({*values(option), text}, key=place_of)
    return option.parse(offered[min(max(offered.index(text) + by, 0), len(offered) - 1)])
