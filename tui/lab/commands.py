"""The commands: keys, footer, palette, help, and plain mode's words.

`@command(...)` makes a function that takes the lab a command. The first paragraph of its
docstring is the help; the rest is the usage of its word in plain mode.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import Enum, auto
from importlib import import_module
from typing import Any, TypeVar

from afterstate_lab.tui.lab.key_names import written
from afterstate_lab.tui.lab.modes import Mode

Do = Callable[[Any], Any]
"""Takes the lab and returns an outcome (`tui.lab.outcomes`)."""
D = TypeVar("D", bound=Do)
ALL = frozenset(Mode)
PLAY = frozenset({Mode.PLAY})
WATCH = frozenset({Mode.WATCH})
STEP = frozenset({Mode.STEP})
TRAIN = frozenset({Mode.TRAIN})
PLAIN = ALL - TRAIN
"""Plain mode reads no line until a training run ends."""
NOWHERE: frozenset[Mode] = frozenset()
"""A word of plain mode without a key: the screen shows it all the time, or has it in a list."""


class Tells(Enum):
    """What plain mode tells once a command is done; the screen shows it all the time."""

    NOTHING = auto()
    PLACE = auto()
    """The place on the tape."""
    FOUND = auto()
    """The same, and its number."""
    STEPPING = auto()
    """The same where stepping begins."""
    BRANCH = auto()
    """The place, the players and the board of another branch."""
    SELECTION = auto()
    BOARD = auto()
    """The board, or how the game ended."""
    GAME = auto()
    """A new game."""
    MOVE = auto()
    """The person's move, and the replies to it."""
    WHERE = auto()
    VALUES = auto()
    EXACT = auto()
    EQUATION = auto()
    STATS = auto()
    TOUR = auto()
    LESSON = auto()


@dataclass(frozen=True)
class Plain:
    """What to type for a command in plain mode."""

    line: str
    """A word, or a word and what follows it: `next event`."""
    short: str = ""
    modes: frozenset[Mode] = PLAIN
    also: tuple[str, ...] = ()
    """Other lines for the same."""
    done: str = ""
    """Said where the command was done and has nothing else to say."""
    tells: Tells = Tells.NOTHING
    wrong: str = ""
    """Said of a `{text}` after the word that means nothing; without it the text is ignored."""
    first: str = ""
    """The command that takes what follows the word, before this one is done."""
    help: str = ""
    """Help for the word without an argument."""
    usage: tuple[str, ...] = ()
    """How it is used, in sentences."""

    @property
    def word(self) -> str:
        """Its first word."""
        return self.line.partition(" ")[0]

    @property
    def is_word(self) -> bool:
        """Whether the word needs no argument and has help."""
        return " " not in self.line

    @property
    def names(self) -> str:
        """Everything that it answers to: `undo, u`."""
        aliases = (name for name in self.also if " " not in name)
        return ", ".join(filter(None, (self.line, self.short, *aliases)))


class Screen(Enum):
    """What can be opened: the name of its file in `tui.screens`, where `open_on` has how."""

    HOME = "home"
    TABLE = "table"
    VALUE = "value"
    RUNS = "runs"
    EXPERIMENTS = "experiments"
    LESSONS = "lessons"
    SETUP = "setup"
    PROVENANCE = "provenance"
    REVIEW = "review"
    MATCHBOX = "matchbox"
    QUIZ = "quiz"
    FILM = "film"
    WHAT_IF = "what_if"
    COMPARISON = "comparison"
    HELP = "help"
    EXPLAIN = "explain"


@dataclass(eq=False)
class Command:
    """Something that can be asked for; a user may give it other keys (`tui.lab.own_keys`)."""

    name: str
    do: Do
    keys: tuple[str, ...]
    """Textual's names of the keys; may be empty."""
    shown: str
    """The keys as the footer and help write them."""
    label: str
    """A word or two for it."""
    help: str
    """In the palette: what it does."""
    modes: frozenset[Mode] = ALL
    plain: Plain | None = None
    same: str = ""
    """The line of another command by which plain mode does it."""
    usual: tuple[str, ...] = ()
    """The keys that it has by default, however they are named; only where it was given others."""

    def answers_to(self, key: str) -> bool:
        """Whether a key asks for it by default, by Textual's name or as it is written."""
        keys = self.usual or self.keys
        return key in keys or key in map(written, keys)


TAUGHT = frozenset((*"←→+−↑↓ni?pwst", "Enter", "Esc", "space", "1–9", "q"))
"""The signs of the keys that texts name; for other commands they name the word."""
COMMANDS: list[Command] = []
"""Every command, in the order of the help page."""
BY_NAME: dict[str, Command] = {}


def command(
    keys: str = "",
    label: str = "",
    modes: frozenset[Mode] = ALL,
    *,
    plain: Plain | None = None,
    name: str = "",
    shown: str | None = None,
    **rest: Any,
) -> Callable[[D], D]:
    """Make a function that takes the lab a command.

    Args:
        keys: Textual's names of its keys, separated by spaces.
        label: a word or two for the footer.
        modes: where its keys work.
        plain: its word in plain mode.
        name: its name; by default the function's.
        shown: how the keys are written; by default the sign of the first.
        rest: other fields of `Command`.
    """

    def add(do: D) -> D:
        says, _, usage = inspect.cleandoc(do.__doc__ or "").partition("\n\n")
        says = " ".join(says.split())
        word, own, known = plain, tuple(keys.split()), name or do.__name__
        if word is not None and word.is_word:
            word = replace(word, help=says[:1].lower() + says[1:], usage=tuple(usage.splitlines()))
        sign = written(own[0]) if own and shown is None else shown or ""
        help_text = (says[:1].lower() + says[1:]).removesuffix(".") if modes else ""
        made = Command(known, do, own, sign, label, help_text, modes, plain=word, **rest)
        COMMANDS.append(made)
        BY_NAME[known] = made
        return do

    return add


def load_commands() -> None:
    """Import the files that make the commands: they know the lab, which knows only this table."""
    import_module("afterstate_lab.tui.verbs")


def key_of(name: str) -> str:
    """Return the key of a command as it is taught: one of a dozen, its own, or `:` and its word."""
    load_commands()
    command = BY_NAME[name]
    word = command.same or (command.plain.line if command.plain is not None else "")
    is_taught = command.shown in TAUGHT or command.usual or not word
    return command.shown if is_taught else f":{word}"


def answers_elsewhere(key: str, mode: Mode) -> str:
    """What a key does in other modes, in a sentence; empty where it does nothing there either."""
    named = (c for c in COMMANDS if key in c.keys and c.help and mode not in c.modes)
    command = next(named, None)
    modes = [m for m in Mode if command and m in command.modes and m is not Mode.TRAIN]
    if command is None or not modes:
        return ""
    where = " or ".join(f"{m.value.upper()} ({key_of(m.value)})" for m in modes)
    return f"{command.shown} answers in {where}: {command.help}."


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
    Mode.PLAY: {"move": ("take_back", "put_back")},
}
"""How far one key goes back and on in each mode: the commands, the usual ones first."""
