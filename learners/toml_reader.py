"""Read TOML key by key; every error is one sentence with file, line, key and remedy."""

from __future__ import annotations

import difflib
import re
import tomllib
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any, Final

from learners.errors import UsageError, printable, shown

LARGEST_FILE: Final = 200_000
"""Maximum number of characters of a file."""
LONGEST_KEY: Final = 8
"""Maximum number of parts of a key such as measure.points; two are needed."""


class TomlError(UsageError):
    """A file is invalid: a typo, a value out of range, or too many of something."""


@dataclass(frozen=True)
class TomlText:
    """The text of a file and its name for messages."""

    name: str
    text: str

    def table(self) -> dict[str, Any]:
        """The file's top table.

        Raises:
            TomlError: it is no TOML.
        """
        if len(self.text) > LARGEST_FILE:
            raise TomlError(f"{self.label}: it may have at most {LARGEST_FILE:,} characters")
        if longest_key(self.text) > LONGEST_KEY:
            raise TomlError(f"{self.label}: a key has more than {LONGEST_KEY} parts")
        try:
            return tomllib.loads(self.text)
        except (ValueError, RecursionError) as error:
            what = "it is too deeply nested, or has a number of too many digits"
            if isinstance(error, tomllib.TOMLDecodeError):
                what = " ".join(str(error).split())
            raise TomlError(f"{self.label} is no valid TOML: {printable(what)[:200]}") from None

    @property
    def label(self) -> str:
        """The name in printable form."""
        return printable(self.name)[:200]

    def error(self, path: tuple[str | int, ...], problem: str) -> TomlError:
        line = line_of(self.text, path)
        place = "" if line is None else f", line {line}"
        return TomlError(f"{self.label}{place}: {dotted(path)}{': ' if path else ''}{problem}")


@dataclass(frozen=True)
class TomlTable:
    """One table of a file; an unknown key is an error.

    Args:
        source: the file.
        table: the table's keys and values.
        path: the table's path; a number is an index into a list of tables, from 0.
        known: the allowed keys.
    """

    source: TomlText
    table: Mapping[str, Any]
    path: tuple[str | int, ...]
    known: Collection[str]

    def __post_init__(self) -> None:
        for key in self.table:
            if key not in self.known:
                near = difflib.get_close_matches(key, self.known, n=1)
                hint = f"did you mean {near[0]}?" if near else f"known: {', '.join(self.known)}"
                raise self.source.error((*self.path, key), f"there is no such key; {hint}")

    def error(self, key: str, problem: str) -> TomlError:
        return self.source.error((*self.path, key), problem)

    def text(self, key: str, default: str | None = None, *, longest: int = 100) -> str:
        """A text with single spaces.

        Raises:
            TomlError: it is missing, no text, too long or unprintable.
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
            TomlError: it is missing, or not in the range.
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
            TomlError: it is another word.
        """
        value = self.value(key, choices[0])
        if value not in choices:
            raise self.error(key, f"must be {' or '.join(choices)}, not {shown(value)}")
        return str(value)

    def items(self, key: str, most: int) -> list[Any]:
        """A nonempty list.

        Raises:
            TomlError: it is missing, no list, empty or too long.
        """
        value = self.value(key)
        if not isinstance(value, list) or not 1 <= len(value) <= most:
            raise self.error(key, f"must be a list of 1 to {most:,}, not {shown(value)}")
        return value

    def tables(self, key: str, known: Collection[str], most: int) -> list[TomlTable]:
        """A list of tables, or one table; empty if the key is missing.

        Raises:
            TomlError: it is something else, or too long.
        """
        value = self.table.get(key, [])
        if isinstance(value, Mapping):
            return [TomlTable(self.source, value, (*self.path, key), known)]
        if not isinstance(value, list) or not all(isinstance(item, Mapping) for item in value):
            raise self.error(key, f"must be tables ([[{key}]]), not {shown(value)}")
        if len(value) > most:
            raise self.error(key, f"{len(value):,} are too many; at most {most:,} will do")
        return [
            TomlTable(self.source, item, (*self.path, key, n), known)
            for n, item in enumerate(value)
        ]

    def value(self, key: str, default: Any = None) -> Any:
        """The value of a key.

        Raises:
            TomlError: it is missing, and there is no default.
        """
        if key in self.table:
            return self.table[key]
        if default is None:
            raise self.source.error(self.path, f"{key} is missing")
        return default


def longest_key(text: str) -> int:
    """An upper bound of the number of parts of a dotted key (numbers and dates count as keys).

    The parser's time and memory grow with the square of a key's parts, so this is checked first.
    """
    bare = QUOTED_OR_SAID.sub("", text)
    return 1 + max(piece.count(".") for piece in BETWEEN_KEYS.split(bare))


def dotted(path: tuple[str | int, ...]) -> str:
    """A path as text: arms[2].x is the x of the second arm."""
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
"""Strings and comments of TOML, whose dots are not counted."""
BETWEEN_KEYS: Final = re.compile(r"[=\[\]{},\n]")
HEADER = re.compile(r"\s*\[(\[)?\s*([A-Za-z0-9_-]+)\s*\]")


def line_of(text: str, path: tuple[str | int, ...]) -> int | None:
    """The line (from 1) that sets a key or starts its table; None if it is not found.

    Understands table headers and plain keys, as in most files; for a key of an inline table it
    finds the table's own key.
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
            if place in (path, (*path, 0)):
                return number
        elif place == table and key is not None and sets(line, key):
            return number
        quoted = next((q for q in ('"""', "'''") if line.count(q) % 2), "")
    if header is not None or not table:
        return header
    return line_of(text, table[:-1] if isinstance(table[-1], int) else table)


def sets(line: str, key: str) -> bool:
    """Whether a line of TOML sets a plain key of its table."""
    return re.match(rf"\s*[\"']?{re.escape(key)}[\"']?\s*[=.]", line) is not None
