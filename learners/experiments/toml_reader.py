"""Read TOML key by key; whatever is wrong is one sentence with file, line, key and remedy."""

from __future__ import annotations

import difflib
import re
import tomllib
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any, Final

from learners.errors import UsageError, printable, shown

LARGEST_FILE: Final = 200_000
"""Characters of the longest plan."""
LONGEST_KEY: Final = 8
"""Parts of a key such as measure.points; no key of a plan has more than two."""


class PlanError(UsageError):
    """A plan cannot be run as it stands: a typo, a value out of range, or too much of something."""


@dataclass(frozen=True)
class Source:
    """The text of a plan and what to call it."""

    name: str
    text: str

    def table(self) -> dict[str, Any]:
        """The file's top table.

        Raises:
            PlanError: it is no TOML.
        """
        if len(self.text) > LARGEST_FILE:
            raise PlanError(f"{self.label}: a plan has at most {LARGEST_FILE:,} characters")
        if longest_key(self.text) > LONGEST_KEY:
            raise PlanError(f"{self.label}: a key has more than {LONGEST_KEY} parts")
        try:
            return tomllib.loads(self.text)
        except (ValueError, RecursionError) as error:
            what = "it is too deeply nested, or has a number of too many digits"
            if isinstance(error, tomllib.TOMLDecodeError):
                what = " ".join(str(error).split())
            raise PlanError(f"{self.label} is no valid TOML: {printable(what)[:200]}") from None

    @property
    def label(self) -> str:
        """The name as it may be printed."""
        return printable(self.name)[:200]

    def error(self, path: tuple[str | int, ...], problem: str) -> PlanError:
        """The error for what is wrong at a key."""
        line = line_of(self.text, path)
        place = "" if line is None else f", line {line}"
        return PlanError(f"{self.label}{place}: {dotted(path)}{': ' if path else ''}{problem}")


@dataclass(frozen=True)
class Reader:
    """One table of a plan. What it does not know is a typo.

    Args:
        source: the file.
        table: the table's keys and values.
        path: where the table is; a number counts the tables of a list from 0.
        known: the keys that it may have.
    """

    source: Source
    table: Mapping[str, Any]
    path: tuple[str | int, ...]
    known: Collection[str]

    def __post_init__(self) -> None:
        for key in self.table:
            if key not in self.known:
                near = difflib.get_close_matches(key, self.known, n=1)
                hint = f"did you mean {near[0]}?" if near else f"known: {', '.join(self.known)}"
                raise self.source.error((*self.path, key), f"there is no such key; {hint}")

    def error(self, key: str, problem: str) -> PlanError:
        """The error for what is wrong with one of the keys."""
        return self.source.error((*self.path, key), problem)

    def text(self, key: str, default: str | None = None, *, longest: int = 100) -> str:
        """A text; line breaks and runs of blanks become one blank.

        Raises:
            PlanError: it is missing, no text, too long or unprintable.
        """
        value = self.value(key, default)
        if not isinstance(value, str):
            raise self.error(key, f"must be a text, not {shown(value)}")
        words = " ".join(value.split())
        if not words and default is None:
            raise self.error(key, "is empty")
        if len(words) > longest:
            raise self.error(key, f"has {len(words):,} characters; at most {longest:,} will do")
        if not words.isprintable():
            raise self.error(key, "has characters that cannot be printed")
        return words

    def whole(self, key: str, low: int, high: int, default: int | None = None) -> int:
        """A whole number in a closed range.

        Raises:
            PlanError: it is missing, or no such number.
        """
        value = self.value(key, default)
        if type(value) is not int or not low <= value <= high:
            raise self.error(
                key, f"must be a whole number from {low:,} to {high:,}, not {shown(value)}"
            )
        return value

    def choice(self, key: str, choices: tuple[str, ...]) -> str:
        """One of a few words, the first by default.

        Raises:
            PlanError: it is none of them.
        """
        value = self.value(key, choices[0])
        if value not in choices:
            raise self.error(key, f"must be {' or '.join(choices)}, not {shown(value)}")
        return str(value)

    def items(self, key: str, most: int) -> list[Any]:
        """A list that is not empty.

        Raises:
            PlanError: it is missing, no list, empty or too long.
        """
        value = self.value(key)
        if not isinstance(value, list) or not 1 <= len(value) <= most:
            raise self.error(key, f"must be a list of 1 to {most:,}, not {shown(value)}")
        return value

    def tables(self, key: str, known: Collection[str], most: int) -> list[Reader]:
        """A list of tables, or one table; none where the key is missing.

        Raises:
            PlanError: it is something else, or too many.
        """
        value = self.table.get(key, [])
        if isinstance(value, Mapping):
            return [Reader(self.source, value, (*self.path, key), known)]
        if not isinstance(value, list) or not all(isinstance(item, Mapping) for item in value):
            raise self.error(key, f"must be tables ([[{key}]]), not {shown(value)}")
        if len(value) > most:
            raise self.error(key, f"{len(value):,} are too many; at most {most:,} will do")
        return [
            Reader(self.source, item, (*self.path, key, n), known) for n, item in enumerate(value)
        ]

    def value(self, key: str, default: Any = None) -> Any:
        """What stands at a key.

        Raises:
            PlanError: nothing does, and there is no default.
        """
        if key in self.table:
            return self.table[key]
        if default is None:
            raise self.source.error(self.path, f"{key} is missing")
        return default


def longest_key(text: str) -> int:
    """The most parts that a dotted key of some TOML has, at least; more of a number or a date.

    Reading a key takes time and memory with the square of its parts, so they are counted before.
    """
    bare = QUOTED_OR_SAID.sub("", text)
    return 1 + max(piece.count(".") for piece in BETWEEN_KEYS.split(bare))


def dotted(path: tuple[str | int, ...]) -> str:
    """A place in a file as a person says it: arms[2].x is the x of the second arm."""
    text = ""
    for part in path:
        text += f"[{part + 1}]" if isinstance(part, int) else f".{printable(part)[:60]}"
    return text.removeprefix(".")


QUOTED_OR_SAID: Final = re.compile(
    r'"""(?:[^\\]|\\.)*?"{3,5}'
    r"|'''.*?'{3,5}"
    r'|"(?:[^"\\\n]|\\.)*"'
    r"|'[^'\n]*'"
    r"|#[^\n]*",
    re.DOTALL,
)
"""Texts and comments of TOML, in which a dot means nothing."""
BETWEEN_KEYS: Final = re.compile(r"[=\[\]{},\n]")
HEADER = re.compile(r"\s*\[(\[)?\s*([A-Za-z0-9_-]+)\s*\]")


def line_of(text: str, path: tuple[str | int, ...]) -> int | None:
    """The line (from 1) on which a key is set, or its table begins; None where it is not found.

    It follows table headers and plain keys, which is how plans are written; an inline table is
    found by its own key.
    """
    if not path:
        return None
    table = tuple(path[:-1]) if isinstance(path[-1], str) else tuple(path)
    key = path[-1] if isinstance(path[-1], str) else None
    place: tuple[str | int, ...] = ()
    counts: dict[str, int] = {}
    quoted, header = "", None
    for number, line in enumerate(text.splitlines(), 1):
        if quoted:
            quoted = "" if quoted in line else quoted
            continue
        if found := HEADER.match(line):
            name = found[2]
            counts[name] = counts.get(name, -1) + 1
            place = (name, counts[name]) if found[1] else (name,)
            header = number if place == table else header
            if place == path:
                return number
        elif place == table and key is not None and sets(line, key):
            return number
        quoted = next((q for q in ('"""', "'''") if line.count(q) % 2), "")
    if header is not None or not table:
        return header
    return line_of(text, table[:-1] if isinstance(table[-1], int) else table)


def sets(line: str, key: str) -> bool:
    """Whether a line of TOML sets a plain key of the table that it stands in."""
    return re.match(rf"\s*[\"']?{re.escape(key)}[\"']?\s*[=.]", line) is not None
