"""Errors in what a user gave to the learners, one class for each cause."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

LONGEST_NAME = 300
"""Maximum number of characters of a file's name in a message."""


class UsageError(ValueError):
    """An error of the user; the message shows what is wrong, then what is right."""


class SpecError(UsageError):
    """A player spec names no known learner, no known option, or a value out of range."""


class ConditionError(UsageError):
    """A breakpoint is not a known condition, or can never come true in this run."""


class PolicyFileError(UsageError):
    """A saved policy cannot be read: missing, broken, hostile, or of a newer format."""


class RuleFileError(UsageError):
    """A rule's file cannot be used, or its rule did something that is not allowed."""


class AgentError(UsageError):
    """An agent cannot be asked, or has no legal move for a board that its games reach."""


class StoreError(UsageError):
    """The store of runs, or a run in it, cannot be used; saved runs are unchanged."""


class DamagedError(StoreError):
    """A part of a stored run is damaged; the message names it, to follow a colon."""


def shown(text: object, limit: int = 60) -> str:
    """Return a text from outside escaped, quoted and cut to `limit` characters."""
    try:
        full = str(text)
    except (ValueError, RecursionError):
        # A number of thousands of digits, or infinitely nested lists.
        full = f"{type(text).__name__} too large to print"
    return repr(full if len(full) <= limit else full[: limit - 1] + "…")


def did_you_mean(word: str, known: Collection[str]) -> str:
    """Return a question that suggests the nearest known word, or an empty string."""
    import difflib  # a word that is right needs none

    near = difflib.get_close_matches(word[:60], known, n=1)
    return f". Did you mean {near[0]}?" if near else ""


def shown_path(path: Path | str) -> str:
    """Return a path in printable form."""
    return shown(path, LONGEST_NAME)


def reason(error: OSError | ValueError) -> str:
    """Return why a file cannot be used, in a few words."""
    if not isinstance(error, OSError):
        return "it is not a path"
    return (error.strerror or type(error).__name__).lower()


def printable(text: str) -> str:
    """Return a text with its control characters escaped, without quotes."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def hint(name: str, known: Collection[str]) -> str:
    """Return the known name nearest to a wrong one as a question, or all known names."""
    return did_you_mean(name, known) or f". Known: {', '.join(known)}"
