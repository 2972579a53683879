"""The user's own keys for commands; clashes are refused by name.

They are set before the screens are imported, which bind the keys.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping
from typing import Final

from afterstate_lab.learners.errors import UsageError, shown
from afterstate_lab.tui.lab.commands import COMMANDS, Command, load_commands
from afterstate_lab.tui.lab.key_names import CONTROL, NAMED, SIGNS, name_of, written

OwnKeys = Mapping[str, tuple[str, ...]]
"""Textual's names of a command's keys, by command."""
MOST: Final = 4
"""Maximum number of keys of a command."""
TAKEN: Final = {"colon": "the palette"}
"""Keys with a fixed meaning everywhere."""
ASIDE: Final = re.compile(r" \((?:or )?(?:[A-Z↑↓]|Tab|Shift\+Tab|Esc|Del)\)")
"""A second key in a help text."""


load_commands()


def key_named(text: object) -> str:
    """Return Textual's name of a key: a character, or a name such as `f6`, `ctrl+t`.

    Raises:
        UsageError: there is no such key, or it is reserved.
    """
    if not isinstance(text, str):
        raise UsageError(f"a key is a text such as 'x', 'f6' or 'ctrl+t', not {shown(text)}")
    key = name_of(text) if len(text) == 1 else text.lower()
    if not (key.isalnum() and len(key) == 1) and key not in SIGNS | NAMED | CONTROL:
        raise UsageError(f"{shown(text)} is not a key: try 'x', '?', 'f6', 'ctrl+t' or 'enter'")
    if key in TAKEN:
        raise UsageError(f"{text} is the key of {TAKEN[key]}")
    return key


def keys_named(name: str, value: object) -> tuple[str, ...]:
    """Return a user's keys for a command: one, or a list.

    Raises:
        UsageError: there is no such command or key, or the command's keys are fixed.
    """
    if name not in names():
        near = difflib.get_close_matches(name, names(), n=1)
        fixed = any(command.name == name and command.keys for command in COMMANDS)
        if fixed:
            raise UsageError("its keys are fixed")
        hint = f"did you mean {near[0]}?" if near else "the keys of pages cannot be changed"
        raise UsageError(f"there is no such command; {hint}")
    keys = value if isinstance(value, list) else [value]
    if not 1 <= len(keys) <= MOST:
        raise UsageError(f"must be a key, or a list of 1 to {MOST}")
    return tuple(dict.fromkeys(map(key_named, keys)))


def has_own(command: Command) -> bool:
    """Return whether you can change a command's keys; the digits of cells and columns are fixed."""
    is_one = len(command.shown.split()) == 1 and command.shown not in ("1–9", "arrows")
    return bool(command.keys and command.help) and is_one


def names() -> tuple[str, ...]:
    """Return the commands whose keys can change."""
    return tuple(dict.fromkeys(c.name for c in COMMANDS if has_own(c)))


def clash(name: str, own: OwnKeys) -> str:
    """Return a sentence about a key that another command has; empty if none."""
    for command in (c for c in COMMANDS if c.name == name and has_own(c)):
        for other in COMMANDS:
            keys = own.get(other.name, other.keys) if has_own(other) else other.keys
            both = [key for key in own[name] if key in keys]
            if both and other.name != name and command.modes & other.modes:
                said = f" ({other.help})" if other.help else ""
                return f"{written(both[0])} is the key of {other.name}{said}"
    return ""


def give_keys(own: OwnKeys) -> None:
    """Set the user's keys; they must not clash."""
    for command in COMMANDS:
        if command.name in own and has_own(command):
            command.usual = command.usual or command.keys
            command.keys = own[command.name]
            command.shown = written(command.keys[0])
            command.help = ASIDE.sub("", command.help)
