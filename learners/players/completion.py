"""The options of a player to choose from, and their usual values."""

from __future__ import annotations

from typing import Any, Final

from afterstate_lab.learners.rules.base import Rule
from afterstate_lab.learners.rules.options import (
    BeadsOption,
    ChoiceOption,
    IntegerOption,
    Option,
    RateOption,
)
from afterstate_lab.learners.rules.spec import rules

SHARES: Final = (0, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99, 1)
"""Usual values from 0 to 1: step sizes, rates and discounts."""
WORTHS: Final = (-1, -0.5, 0, 0.25, 0.5, 0.75, 1)
"""Usual rewards and initial values."""
COUNTS: Final = (-10, -5, -3, -2, -1, 0, *(n * 10**k for k in range(6) for n in (1, 2, 5)), 10**6)
FEW: Final = 20
"""Maximum size of a range that is offered completely."""
FALLING: Final = (".3..0", "1..0")
BEADS: Final = ("1", "2", "4", "10", "4/3/2/1", "8/4/2/1")


def told_options(rule: type[Rule]) -> tuple[Option, ...]:
    """Return the options to choose, first those that no built-in player has."""
    told = [option for option in rule.options if option.is_told]
    return tuple(sorted(told, key=lambda option: not is_own(option)))


def is_own(option: Option) -> bool:
    """Return whether no built-in player has an option of this name."""
    return all(option.name != one.name for rule in rules().values() for one in rule.options)


def values(option: Option) -> tuple[str, ...]:
    """Return values to choose from: all, or the usual values and the default."""
    if isinstance(option, ChoiceOption):
        return option.choices
    usual = option.format(option.default)
    if isinstance(option, BeadsOption):
        return tuple(dict.fromkeys((*BEADS, usual)))
    numbers: tuple[float, ...] = WORTHS if option.low < 0 else SHARES
    if isinstance(option, IntegerOption):
        is_short = option.high - option.low < FEW
        numbers = tuple(range(int(option.low), int(option.high) + 1)) if is_short else COUNTS
    texts = [usual, *(f"{n:.10g}" for n in numbers if option.low <= n <= option.high)]
    texts += FALLING if isinstance(option, RateOption) else ()
    return tuple(sorted({option.format(option.parse(text)) for text in texts}, key=place_of))


def number_of(text: str) -> float | None:
    """Return the number of a text; None for a falling rate or a word."""
    try:
        return float(text)
    except ValueError:
        return None


def place_of(text: str) -> tuple[bool, float, str]:
    """Return where a value is sorted: numbers, then falling rates."""
    return ".." in text, number_of(text) or 0.0, text


def neighbour(option: Option, value: Any, by: int) -> Any:
    """Return the next or previous value of an option: words wrap around, numbers do not.

    Args:
        value: where to begin, which need be none of the usual values.
        by: 1 for the next, -1 for the previous.
    """
    offered, text = [*values(option)], option.format(value)
    if text not in offered:
        if number_of(text) is None:
            return option.parse(offered[-1 if by < 0 else 0])
        offered = sorted([*offered, text], key=place_of)
    at = offered.index(text) + by
    if isinstance(option, ChoiceOption):
        return option.parse(offered[at % len(offered)])
    return option.parse(offered[min(max(at, 0), len(offered) - 1)])
