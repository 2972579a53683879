"""What a user can ask for: keys, footer, palette and help, and plain mode's words.

`@command(...)` above a function that takes the lab makes it one. The first sentence of its
docstring is its help; the rest says how plain mode's word is used. `tui.lab.verbs` imports all.
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
"""In plain mode a line waits until a training is over."""
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
    """What it does, to follow the word and a colon; only the word by itself has help."""
    usage: tuple[str, ...] = ()
    """How it is used, in sentences."""

    @property
    def word(self) -> str:
        """Its first word."""
        return self.line.partition(" ")[0]

    @property
    def is_word(self) -> bool:
        """Whether it is a word by itself, with help."""
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
    """Textual's names of the keys; none where the screen shows it unasked, or elsewhere."""
    shown: str
    """The keys as the footer and help write them."""
    label: str
    """In the footer: a word or two."""
    help: str
    """In help and palette: what it does."""
    modes: frozenset[Mode] = ALL
    footer: int = 0
    """Place in the footer, the smallest first; 0 is not there."""
    second: str = ""
    """A key that does the same, as help writes it beside the first."""
    plain: Plain | None = None
    same: str = ""
    """The line of another command by which plain mode does it."""
    usual: tuple[str, ...] = ()
    """The keys that it has by default, however they are named; only where it was given others."""

    @property
    def all_shown(self) -> str:
        """The keys as help writes them, those for other keyboards too."""
        return f"{self.shown} {self.second}".rstrip()

    def answers_to(self, key: str) -> bool:
        """Return whether a key asks for it by default, by Textual's name or as it is written."""
        return key in (self.usual or (self.shown, self.second, *self.keys))


COMMANDS: list[Command] = []
"""All of them, in the order of the help page."""
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
    """Make a function of the lab a command.

    Args:
        keys: Textual's names of its keys, with blanks between them.
        label: what the footer says.
        modes: where its keys answer.
        plain: what to type for it in plain mode.
        name: where that of the function is taken.
        shown: how the keys are written, where that is not the sign of the first.
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
    """Return the key of a command, as it is written."""
    load_commands()
    return BY_NAME[name].shown


def answers_elsewhere(key: str, mode: Mode) -> str:
    """What a key does in other modes, in a sentence; empty where it does nothing there either."""
    named = (c for c in COMMANDS if key in c.keys and c.help and mode not in c.modes)
    command = next(named, None)
    if command is None:
        return ""
    modes = [m for m in Mode if m in command.modes and m is not Mode.TRAIN]
    where = " or ".join(f"{m.value.upper()} ({key_of(m.value)})" for m in modes)
    return f"{command.shown} answers in {where}: {command.help}." if where else ""


NEEDS_TAPE = frozenset({"move_back", "event_back", "game_back", "go_to", "film", "take_back"})
"""Commands that do nothing before the first move."""


NEEDS_GAME = frozenset({"cell", "help_level"})
"""Commands that do nothing once the person's game is over."""
LAST = frozenset({"explain", "help"})
"""Commands that every page has at the end of its footer."""
NEEDS_TRAINING = frozenset({"run", "stop"})
"""Commands that do something else once a training is over."""


def footer(
    mode: Mode, *, is_empty: bool = False, is_over: bool = False
) -> tuple[list[tuple[str, Command]], list[Command]]:
    """Return the commands of a mode: those of the footer with their keys as it writes them, then
    the rest.

    Keys without a word join the next: `← → phase`.

    Args:
        mode: what the lab does.
        is_empty: nothing was played yet.
        is_over: the person's game, or the training, is over.
    """
    left_out = {mode.value} | (NEEDS_TAPE if is_empty else set())
    first: list[Command] = []
    if is_over and mode is Mode.PLAY:
        left_out |= NEEDS_GAME
        first = [replace(BY_NAME["mark"], label="review", footer=1)]
    elif is_over and mode is Mode.TRAIN:
        left_out = left_out - {mode.value} | NEEDS_TRAINING
    of_mode = [c for c in COMMANDS if mode in c.modes]
    near = [c for c in (*first, *of_mode) if c.footer and c.name not in (*left_out, *LAST)]
    shown: list[tuple[str, Command]] = []
    joined = ""
    for command in sorted(near, key=lambda c: c.footer):
        joined += f"{command.shown} "
        if command.label:
            shown.append((joined.rstrip(), command))
            joined = ""
    named = {command.name for _, command in shown}
    return shown, [c for c in of_mode if c.name not in named]
