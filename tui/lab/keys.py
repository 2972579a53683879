"""One meaning a key over all screens: what every key means, and where it answers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from tui.lab.commands import ALL, COMMANDS, Command
from tui.lab.list_commands import LISTS

SHARED: Final[Mapping[str, tuple[str, frozenset[str]]]] = {
    "enter": (
        "do it to what is under the cursor",
        frozenset({"mark", "open", "jump", "go", "answer", "begin", "toggle"}),
    ),
    "escape": ("stop or leave what is in front", frozenset({"stop", "give_up", "back"})),
    "q": ("leave: the lab from home only", frozenset({"quit", "back", "go_home"})),
    "up": ("to the one above", frozenset({"select_back", "cursor_up", "up"})),
    "down": ("to the one below", frozenset({"select", "cursor_down", "down"})),
    "left": (
        "one back: phase, move, cell, curve, number; fold",
        frozenset(
            {
                "phase_back",
                "move_back",
                "cursor_left",
                "measure_back",
                "metric_back",
                "less",
                "earlier",
                "fold",
            }
        ),
    ),
    "right": (
        "one on: phase, move, cell, curve, number; unfold",
        frozenset(
            {"phase", "watch_move", "cursor_right", "measure", "metric", "unfold", "more", "later"}
        ),
    ),
    "tab": ("the other one: number, player, view", frozenset({"select", "other", "whole", "view"})),
    "shift+tab": ("the one before", frozenset({"select_back", "other_back"})),
    "pageup": ("a page up", frozenset({"scroll_up", "page_up"})),
    "pagedown": ("a page down", frozenset({"scroll_down", "page_down"})),
    "slash": (
        "say which: a filter, a text, a file, an answer",
        frozenset({"filter", "search", "file", "type"}),
    ),
    "c": (
        "go on: to the breakpoint, to a difference, with the run that waits",
        frozenset({"to_break", "to_difference", "go_on"}),
    ),
    "C": (
        "back: to the breakpoint, to a difference",
        frozenset({"back_to_break", "back_to_difference"}),
    ),
    "O": ("the matchbox of a board", frozenset({"matchbox"})),
    "g": ("go to a place in the run", frozenset({"go_to", "jump", "go"})),
    "o": ("set the lab up", frozenset({"setup", "arm"})),
    "space": ("run: play, train, or on to a change", frozenset({"run", "next_change"})),
    "backspace": ("back: to the last change, to all entries", frozenset({"change_back", "all"})),
    "a": ("show all", frozenset({"all", "range"})),
    "u": ("undo", frozenset({"take_back", "undo"})),
    "home": ("to the first one", frozenset({"home"})),
    "end": ("to the last one", frozenset({"end"})),
    "Y": ("copy what leads here: an address, a command", frozenset({"address", "line"})),
    "X": ("write to files", frozenset({"export"})),
    "right_square_bracket": ("to the next event", frozenset({"event", "one_event"})),
    "full_stop": ("to the next event", frozenset({"event", "one_event"})),
} | {
    digit: (
        "choose by number: a cell, a column, an answer, a lesson",
        frozenset({"cell", "sort_by", "choose", "begin"}),
    )
    for digit in "123456789"
}
"""Keys of several commands: what these have in common, and their names."""


class KeyMeaning(NamedTuple):
    """What a key means, wherever it answers."""

    shown: str
    meaning: str
    where: str


def tables() -> Iterator[tuple[str, Command]]:
    """Every command with a key, and where it answers."""
    for command in COMMANDS:
        modes = [mode.value for mode in sorted(command.modes, key=lambda mode: mode.value)]
        yield "the lab" if command.modes == ALL else ", ".join(modes), command
    for name, commands in LISTS.items():
        for command in commands:
            yield name, command


def key_meanings() -> list[KeyMeaning]:
    """Every key once, letters in the order of the alphabet, then the others."""
    found: dict[str, list[tuple[str, Command]]] = {}
    for where, command in tables():
        for key in command.keys:
            if key not in "23456789":
                found.setdefault(key, []).append((where, command))
    rows = []
    for key in sorted(found, key=order):
        first = found[key][0][1]
        same = SHARED.get(key) or SHARED.get(first.keys[0])
        if same and not {command.name for _, command in found[key]} <= same[1]:
            same = None
        shown = first.shown if first.keys[0] == key else first.second or key
        places = dict.fromkeys(where for where, _ in found[key])
        where = "; ".join(places) if len(places) < len(LISTS) else "everywhere"
        rows.append(KeyMeaning(NAMES.get(key, shown), same[0] if same else first.help, where))
    return rows


NAMES: Final = {
    "1": "1–9", "equals_sign": "=", "enter": "Enter", "escape": "Esc", "tab": "Tab",
    "shift+tab": "Sh-Tab", "backspace": "Bksp", "delete": "Del", "left": "←", "right": "→",
    "up": "↑", "down": "↓", "f1": "F1", "pageup": "PgUp", "pagedown": "PgDn",
}  # fmt: skip
"""Keys that stand second in their command, as they are shown."""


def order(key: str) -> tuple[bool, str, bool, str]:
    """Letters first, small before capital."""
    is_letter = len(key) == 1 and key.isalpha()
    return not is_letter, key.lower(), key.isupper(), key
