"""Complete player specs: names, options and their values, and files of players.

The setup page and the shell use it. Nothing is run to complete a spec, so the options of a user's
rule are unknown.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from afterstate_lab.learners.errors import UsageError
from afterstate_lab.learners.files import check_lock
from afterstate_lab.learners.players.python_file import names_in
from afterstate_lab.learners.players.resolve import find
from afterstate_lab.learners.rules.base import Rule
from afterstate_lab.learners.rules.museum import PIECES, PREFIX
from afterstate_lab.learners.rules.options import (
    BeadsOption,
    ChoiceOption,
    IntegerOption,
    Option,
    RateOption,
)
from afterstate_lab.learners.rules.spec import BUILT_IN, rules, runs_code

SHARES: Final = (0, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99, 1)
"""Usual values from 0 to 1: step sizes, rates and discounts."""
WORTHS: Final = (-1, -0.5, 0, 0.25, 0.5, 0.75, 1)
"""Usual rewards and initial values."""
COUNTS: Final = (-10, -5, -3, -2, -1, 0, *(n * 10**k for k in range(6) for n in (1, 2, 5)), 10**6)
FEW: Final = 20
"""Maximum size of a range that is offered completely."""
FALLING: Final = (".3..0", "1..0")
BEADS: Final = ("1", "2", "4", "10", "4/3/2/1", "8/4/2/1")
FILES: Final = {".npz": "", ".csv": "", ".json": "", ".py": ":"}
"""Endings of players' files, and what follows them in a spec."""


@dataclass(frozen=True)
class Completion:
    """A completion of a spec."""

    text: str
    """The whole spec."""
    label: str
    """The added name, option or value."""
    says: str
    """Its explanation."""


def completions(text: str) -> tuple[Completion, ...]:
    """Return the completions of a text, in the order of the lists."""
    prefix, separator, name = "", "", text
    if text.startswith(PREFIX):
        prefix, name = PREFIX, text.removeprefix(PREFIX)
    elif ".py:" in text:
        prefix, separator, name = text.partition(".py:")
    name, colon, options = name.partition(":")
    name = f"{prefix}{separator}{name}"
    if not colon and separator:
        path, _, start = text.rpartition(":")
        found = [known for known in names_in(path) if known.startswith(start)]
        return tuple(Completion(f"{path}:{known}", known, "in this file") for known in found)
    if not colon:
        return tuple(names(text))
    try:
        rule = Rule if runs_code(name) else find(f"{name}:")[0]
    except UsageError:
        return ()
    done, comma, last = options.rpartition(",")
    before = f"{name}:{done}{comma}"
    key, equals, value = last.partition("=")
    if equals:
        chosen = [option for option in rule.options if option.name == key]
        return tuple(each for o in chosen for each in values_after(f"{before}{key}=", o, value))
    given = {part.partition("=")[0] for part in done.split(",")}
    return tuple(
        Completion(f"{before}{option.name}=", option.name, option.help)
        for option in told_options(rule)
        if option.name.startswith(key) and option.name not in given
    )


def names(text: str) -> Iterator[Completion]:
    """Yield the players whose names start with a text: built-in players, bugs and files."""
    if text.startswith(PREFIX):
        for name, rule in PIECES.items():
            if f"{PREFIX}{name}".startswith(text):
                yield Completion(f"{PREFIX}{name}", name, rule.summary)
        return
    for name in BUILT_IN:
        if name.startswith(text):
            yield Completion(name, name, rules()[name].summary)
    if text:
        if PREFIX.startswith(text):
            yield Completion(PREFIX, PREFIX, "rules with a mistake, from the bug museum")
        yield from player_files(text)


def player_files(text: str) -> Iterator[Completion]:
    """Yield the files of players, and folders, whose paths start with a text."""
    folder, slash, start = text.rpartition("/")
    where = Path(folder or slash or ".")
    try:
        check_lock(where)
        found = sorted(where.iterdir())
    except (OSError, ValueError):
        return
    for path in found:
        name, is_folder = path.name, path.is_dir()
        is_hidden = name.startswith(".") and not start
        if name.startswith(start) and name.isprintable() and not is_hidden:
            ending = "/" if is_folder else FILES.get(path.suffix)
            if ending is not None:
                says = "a folder" if is_folder else "a file"
                yield Completion(f"{folder}{slash}{name}{ending}", name + ending, says)


def values_after(before: str, option: Option, start: str) -> Iterator[Completion]:
    """Yield the values of an option that start with a text, with or without the leading zero."""
    for value in values(option):
        if value.startswith(start) or value.removeprefix("0").startswith(start):
            says = "the usual value" if value == option.format(option.default) else ""
            yield Completion(before + value, value, says)


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
