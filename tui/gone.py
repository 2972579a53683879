"""What is no longer here, and what does its work: see `gone.toml`."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from afterstate_lab.learners.toml_reader import packaged


@cache
def heirs() -> dict[str, dict[str, str]]:
    return packaged(Path(__file__).with_suffix(".toml"))


def heir(word: str) -> str:
    """Return the end of an error about a command or an option that is gone; empty for others."""
    found = heirs()["shell"].get(word)
    return f": use {found}" if found else ""


def gone(word: str) -> str:
    """Return a sentence about a word or a key that is no longer here; empty for any other."""
    found = heirs()["lab"].get(word)
    return f"{word} is gone. Use {found}." if found else ""
