"""Textual's names of keys, and how they are written."""

from __future__ import annotations

import unicodedata
from typing import Final

RENAMED: Final = {
    "solidus": "slash",
    "reverse_solidus": "backslash",
    "commercial_at": "at",
    "hyphen_minus": "minus",
    "plus_sign": "plus",
    "low_line": "underscore",
}
"""Textual's names of characters that differ from Unicode's."""


def name_of(character: str) -> str:
    """Return Textual's name of a character's key."""
    name = unicodedata.name(character, "").lower().replace("-", "_").replace(" ", "_")
    return character if character.isalnum() else RENAMED.get(name, name)


def is_sign(character: str) -> bool:
    """Return whether a character is neither a letter nor a digit."""
    return character.isprintable() and not character.isalnum()


SIGNS: Final = {name_of(c): c for c in map(chr, range(33, 0x180)) if is_sign(c)}
"""Characters by Textual's names."""
NAMED: Final = {
    "space": "space",
    "insert": "Ins",
    "home": "Home",
    "end": "End",
    "enter": "Enter",
    "escape": "Esc",
    "tab": "Tab",
    "shift+tab": "Sh-Tab",
    "backspace": "Bksp",
    "delete": "Del",
    "left": "←",
    "right": "→",
    "up": "↑",
    "down": "↓",
    "minus": "−",
    "pageup": "PgUp",
    "pagedown": "PgDn",
} | {f"f{number}": f"F{number}" for number in range(1, 13)}
"""Other keys, as written."""


def written(key: str) -> str:
    """Return a key as the footer and help write it."""
    return (SIGNS | NAMED).get(key, key)
