"""Read TOML files by the keys that their tables can have.

    ARM = {"name": (words, 40), "games": (whole, 1, 100)}
    place = TomlText("mine.toml", content)
    place.read(place.table(), ARM, {"baseline": (any_words, 40)})

A mistake is reported with file, key and what is valid; one of TOML itself with its line.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple, Self, TypeVar

from afterstate_lab.learners.errors import UsageError, hint, printable, shown, shown_path
from afterstate_lab.learners.files import reading

LARGEST_FILE: Final = 200_000
"""Maximum number of characters of a file."""
LONGEST_KEY: Final = 8
"""Maximum number of parts of a key such as measure.points."""

T = TypeVar("T")
Keypath = tuple[str | int, ...]
"""The keys that lead to a value; a number is an index into a list of tables, from 0."""

Check = Callable[..., Any]
"""Returns what a value stands for, or raises a `UsageError` that explains what is valid."""
Keys = Mapping[str, tuple[Any, ...]]
"""The keys of a table: the check of each value, and its limits."""


class TomlError(UsageError):
    """A file is invalid: a typo, a value out of range, or too many of something."""


class TomlText(NamedTuple):
    """A file of TOML, or a table in it: what messages call the file, and what it contains."""

    name: str
    text: str
    path: Keypath = ()
    """The keys that lead to the table."""

    @classmethod
    def load(cls, path: Path, kind: str) -> Self:
        """Read a file, such as a plan."""
        largest = 4 * LARGEST_FILE + 8
        with reading(path, TomlError, f"the {kind} ") as file:
            data = file.read(largest)
        try:
            text = data.decode(errors="strict" if len(data) < largest else "ignore")
        except UnicodeDecodeError:
            raise TomlError(f"{shown_path(path)} is not a {kind}: it is not UTF-8 text") from None
        return cls(str(path), text.replace("\r\n", "\n"))

    def table(self) -> dict[str, Any]:
        """Return the file's top table."""
        if len(self.text) > LARGEST_FILE:
            raise TomlError(f"{self.label}: it can have at most {LARGEST_FILE:,} characters")
        # The parser's time and memory grow with the square of a key's parts. This is an upper bound
        # of their number: numbers and dates count as keys.
        bare = QUOTED_OR_SAID.sub("", self.text)
        if max(piece.count(".") for piece in BETWEEN_KEYS.split(bare)) >= LONGEST_KEY:
            raise TomlError(f"{self.label}: a key has more than {LONGEST_KEY} parts")
        import tomllib  # only where a file is read: every command imports this module

        try:
            return tomllib.loads(self.text)
        except (ValueError, RecursionError) as error:
            what = "it is too deeply nested, or has a number of too many digits"
            if isinstance(error, tomllib.TOMLDecodeError):
                what = " ".join(str(error).split())
            raise TomlError(f"{self.label} is not valid TOML: {printable(what)[:200]}") from None

    @property
    def label(self) -> str:
        return printable(self.name)[:200]

    def error(self, problem: object, *names: str) -> TomlError:
        """Return an error that names a key: arms[2].x is the x of the second arm."""
        said = ""
        for part in (*self.path, *names):
            said += f"[{part + 1}]" if isinstance(part, int) else f".{printable(part)[:60]}"
        dotted = f"{said.removeprefix('.')}: " if said else ""
        return TomlError(f"{self.label}: {dotted}{problem}")

    def checked(self, name: str, check: Callable[..., T], *values: Any) -> T:
        """Return what a check makes of values of a key; add file and key to its refusal."""
        try:
            return check(*values)
        except UsageError as error:
            raise self.error(error, name) from None

    def read(self, table: Mapping[str, Any], required: Keys, optional: Keys) -> dict[str, Any]:
        """Return the values of a table, each checked."""
        known = {**required, **optional}
        for name in table:
            if name not in known:
                raise self.error(f"unknown key{hint(name, known)}", name)
        for name in required:
            if name not in table:
                raise self.error(f"{name} is missing")
        return {
            name: self.checked(name, check, table[name], *limits)
            for name, (check, *limits) in known.items()
            if name in table
        }


def packaged(path: Path) -> dict[str, Any]:
    """Return the top table of a file of the package."""
    return TomlText(path.name, path.read_text(encoding="utf-8")).table()


def tables(value: Any, name: str, most: int) -> list[tuple[Keypath, Mapping[str, Any]]]:
    """Check a list of tables, or one table; return each with the keys that lead to it."""
    if isinstance(value, Mapping):
        return [((name,), value)]
    if not isinstance(value, list) or not all(isinstance(item, Mapping) for item in value):
        raise UsageError(f"must be tables ([[{name}]]), not {shown(value)}")
    if len(value) > most:
        raise UsageError(f"{len(value):,} are too many: at most {most:,} are valid")
    return [((name, n), item) for n, item in enumerate(value)]


def any_words(value: Any, longest: int = 100) -> str:
    """Check a text, possibly empty, and collapse its spaces."""
    if not isinstance(value, str):
        raise UsageError(f"must be a text, not {shown(value)}")
    found = " ".join(value.split())
    if len(found) > longest:
        raise UsageError(f"has {len(found):,} characters; at most {longest:,} are valid")
    if not found.isprintable():
        raise UsageError("has characters that cannot be printed")
    return found


def words(value: Any, longest: int = 100) -> str:
    """Check a text that is not empty."""
    if found := any_words(value, longest):
        return found
    raise UsageError("is empty")


def whole(value: Any, low: int, high: int) -> int:
    """Check a whole number in a closed range."""
    if type(value) is not int or not low <= value <= high:
        raise UsageError(f"must be a whole number from {low:,} to {high:,}, not {shown(value)}")
    return value


def choice(value: Any, *choices: str) -> str:
    """Check one of a few words."""
    if value not in choices:
        known = " or ".join(choices) if len(choices) < 3 else f"one of {', '.join(choices)}"
        raise UsageError(f"must be {known}, not {shown(value)}")
    return str(value)


def items(value: Any, check: Check, most: int) -> tuple[Any, ...]:
    """Check a list without repetitions, and each of its items."""
    if not isinstance(value, list) or not 1 <= len(value) <= most:
        raise UsageError(f"must be a list of 1 to {most:,}, not {shown(value)}")
    found = tuple(map(check, value))
    if len(set(found)) < len(found):
        raise UsageError("one is given twice")
    return found


QUOTED_OR_SAID: Final = re.compile(
    r'"""(?:[^\\]|\\.)*?"{3,5}'
    r"|'''.*?'{3,5}"
    r'|"(?:[^"\\\n]|\\.)*"'
    r"|'[^'\n]*'"
    r"|#[^\n]*",
    re.DOTALL,
)
"""Strings and comments of TOML, whose dots are not counted."""
BETWEEN_KEYS: Final = re.compile(r"[=\[\]{},\n]")
