"""What is no longer here, and what does its work: words of the shell, then words and keys."""

from __future__ import annotations

from typing import Final

GONE: Final = {
    "address": "runs NAME, which prints the link to a run",
    "bench": "the table of speeds in the documentation",
    "completion": "the completion of click: _AFTERSTATE_COMPLETE=bash_source afterstate",
    "follow": "lesson FILE",
    "learners": "players",
    "quiz": "be",
    "museum": "players",
    "recipes": "players",
    "--allow-files": "--trust",
    "--map": "the map in the lab, while it trains",
    "--own-rules": "--trust",
    "--tour": "lesson tour",
}
WORDS: Final = {
    "0": 'cells = "keypad" in the settings',
    "A": "experiments: one with two variants",
    "delete": "runs, then delete 2",
    "note": "runs, then note TEXT",
    "restore": "runs, then undo",
    "compare": "experiments: one with two variants",
    "history": "card, whose first row goes to the last backup",
    "reverse": "sort by with the same column again",
    "lecture": "afterstate lesson FILE",
    "be off": "back",
    "box": "card, the value of a bead with its box",
    "O": "card, the value of a bead with its box",
    "Q": "be td, which asks about a game",
    "quiz": "be td, which asks about a game",
    "remark": "a text editor: a walkthrough is a file",
    "walkthrough": "afterstate lesson FILE",
    "*": "afterstate lesson FILE",
    "e": "hints exact",
    "exact": "hints exact",
    "v": "hints values; while stepping, step, then choice",
    "values": "hints values; while stepping, step, then choice",
    "show": "hints exact, hints values or hints off",
    "equation": "step, then update",
    "=": "step, then update",
    "stairs": "where",
    '"': "a text editor: a walkthrough is a file",
}


def heir(word: str) -> str:
    """Return the end of an error about a command or an option that is gone; empty for others."""
    return f": use {GONE[word]}" if word in GONE else ""


def gone(word: str) -> str:
    """Return a sentence about a word or a key that is no longer here; empty for any other."""
    return f"{word} is gone. Use {WORDS[word]}." if word in WORDS else ""
