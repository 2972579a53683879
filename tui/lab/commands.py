"""The table of commands: keys, footer, palette, help, and plain mode's words; what is gone.

`@command(...)` makes a function that takes the lab a command. The first paragraph of its
docstring is the help; the rest is the usage of its word in plain mode. `tui.verbs` fills the
table; what opens a lab imports it.
"""

from __future__ import annotations

import inspect
import unicodedata
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeVar

from afterstate_lab.learners import lean_dataclass
from afterstate_lab.learners.toml_reader import packaged
from afterstate_lab.tui.lab.modes import Mode

Do = Callable[..., Any]
"""Takes the lab, maybe the `text` after its word; returns an outcome (`tui.lab.outcomes`)."""
D = TypeVar("D", bound=Do)
ALL = frozenset(Mode)
PLAY = frozenset({Mode.PLAY})
WATCH = frozenset({Mode.WATCH})
STEP = frozenset({Mode.STEP})
TRAIN = frozenset({Mode.TRAIN})
PLAIN = ALL - TRAIN
"""Plain mode reads no line until a training run ends."""
NOWHERE: frozenset[Mode] = frozenset()
"""A word without a key: the screen always shows it, or has it in a list."""


@lean_dataclass(frozen=False)
class Command:
    """A command of the lab."""

    name: str
    do: Do
    keys: tuple[str, ...]
    """Textual's names of the keys; may be empty."""
    shown: str
    """The keys as the footer and help write them."""
    label: str
    help: str
    """Its description in the palette."""
    modes: frozenset[Mode] = ALL
    words: tuple[str, ...] = ()
    """What plain mode types for it: `undo` or `next event`; then its letter and other lines."""
    within: frozenset[Mode] = PLAIN
    """Where plain mode takes these; by default where its keys work."""
    wrong: str = ""
    """The reply to a wrong `{text}` after the word; without it the text is ignored."""
    says: str = ""
    """Help for its word."""
    usage: tuple[str, ...] = ()
    same: str = ""
    """The line of another command that does it in plain mode."""

    @property
    def line(self) -> str:
        """What plain mode types for it; may be empty."""
        return self.words[0] if self.words else self.same

    @property
    def short(self) -> str:
        """The letter that plain mode takes for its word; may be empty."""
        return next((word for word in self.words if len(word) == 1), "")

    @property
    def names(self) -> str:
        """All its words: `undo, u`."""
        return ", ".join(word for word in self.words if " " not in word)

    @property
    def takes_text(self) -> bool:
        """Whether it takes the text after its word, not its question or the page it opens."""
        return "text" in inspect.signature(self.do).parameters


TAUGHT = frozenset((*"←→+−↑↓ni?pwst", "Enter", "Esc", "space", "1–9", "q"))
"""Signs of the keys that texts name; other commands are named by their word."""
COMMANDS: list[Command] = []
"""Every command, in the order of the help page."""
BY_NAME: dict[str, Command] = {}


class Back(NamedTuple):
    """One way of a command that goes both ways."""

    name: str
    keys: str
    says: str
    """Its description."""
    words: str = ""


def command(
    keys: str = "",
    label: str = "",
    modes: frozenset[Mode] | None = None,
    *,
    words: str = "",
    name: str = "",
    shown: str = "",
    back: Back | None = None,
    **rest: Any,
) -> Callable[[D], D]:
    """Make a function that takes the lab a command.

    Args:
        keys: Textual's names of its keys, separated by spaces.
        label: a word or two for the footer.
        modes: where its keys work; by default everywhere.
        words: what plain mode types for it, separated by commas.
        name: its name; by default the function's.
        shown: how the keys are written; by default the sign of the first.
        back: the way back, if the function goes both ways: it is called with `by=-1`.
        rest: other fields of `Command`.
    """
    if modes is not None:
        rest.setdefault("within", modes & PLAIN)

    def add(do: D) -> D:
        says, _, usage = inspect.cleandoc(do.__doc__ or "").partition("\n\n")
        ways: dict[Do, Back] = {do: Back(name or do.__name__, keys, says, words)}
        if back is not None:
            ways[partial(do, by=-1)] = back
        for way, told in ways.items():
            own = tuple(told.keys.split())
            sign = "" if told is back else shown
            sign = sign or (written(own[0]) if own else "")
            where = modes if modes is not None else ALL if sign else NOWHERE
            says = " ".join((told.says[:1].lower() + told.says[1:]).split())
            made = Command(
                told.name,
                way,
                own,
                sign,
                label if told is not back else "",
                says.removesuffix(".") if where else "",
                where,
                tuple(filter(None, told.words.split(", "))),
                says=says,
                usage=tuple(usage.splitlines()),
                **rest,
            )
            COMMANDS.append(made)
            BY_NAME[made.name] = made
        return do

    return add


def key_of(name: str) -> str:
    """Return the key of a command as taught: one of a dozen, its own, or `:` and its word."""
    command = BY_NAME[name]
    is_taught = command.shown in TAUGHT or not command.line
    return command.shown if is_taught else f":{command.line}"


def answers_elsewhere(key: str, mode: Mode | None) -> str:
    """Describe what a key does in other modes, or on a page in any; empty if nothing."""
    named = (c for c in COMMANDS if key in c.keys and c.help and mode not in c.modes)
    command = next(named, None)
    if command is None:
        return ""
    modes = [m for m in Mode if m in command.modes - TRAIN]
    where = " or ".join(f"{m.value.upper()} ({key_of(m.value)})" for m in modes)
    where = where if len(modes) < 3 else "the four tabs at the top"
    return f"{command.shown} works in {where}: {command.help.partition('. ')[0]}."


STRIDES: dict[Mode, dict[str, tuple[str, str]]] = {
    Mode.STEP: {
        "phase": ("phase_back", "phase"),
        "event": ("event_back", "event"),
        "game": ("game_back", "game"),
        "milestone": ("mark_back", "next_mark"),
        "break": ("back_to_break", "to_break"),
    },
    Mode.WATCH: {
        "move": ("move_back", "watch_move"),
        "game": ("game_back", "game"),
        "milestone": ("mark_back", "next_mark"),
    },
    Mode.TRAIN: {"milestone": ("mark_back", "next_mark")},
}
"""How far one key moves back and forward in each mode: the commands, the default first."""


def arrows(mode: Mode) -> tuple[str, str]:
    """Return the two commands whose keys step back and forward, whatever the stride."""
    return next(iter(STRIDES[Mode.WATCH if mode is Mode.TRAIN else mode].values()))


NAMED: Final = {
    "less_than_sign": "<",
    "greater_than_sign": ">",
    "slash": "/",
    "backslash": "\\",
    "at": "@",
    "plus": "+",
    "underscore": "_",
    "space": "space",
    "home": "Home",
    "end": "End",
    "enter": "Enter",
    "escape": "Esc",
    "tab": "Tab",
    "shift+tab": "Sh-Tab",
    "backspace": "Bksp",
    "left": "←",
    "right": "→",
    "up": "↑",
    "down": "↓",
    "minus": "−",
    "pageup": "PgUp",
    "pagedown": "PgDn",
}
"""Keys as written that have no name in Unicode, or another."""


def written(key: str) -> str:
    """Return a key as the footer and help write it."""
    try:
        return NAMED.get(key) or unicodedata.lookup(key.replace("_", " "))
    except KeyError:
        return key


# what is no longer here


@cache
def heirs() -> dict[str, dict[str, str]]:
    """Return what does the work of commands, options, words and keys that are no longer here."""
    return packaged(Path(__file__).with_name("gone.toml"))


def heir(word: str) -> str:
    """Return the end of an error about a command or an option that is gone; empty for others."""
    found = heirs()["shell"].get(word)
    return f": use {found}" if found else ""


def gone(word: str) -> str:
    """Return a sentence about a word or a key that is no longer here; empty for any other."""
    found = heirs()["lab"].get(word)
    return f"{word} is gone. Use {found}." if found else ""
