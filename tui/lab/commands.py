"""Everything a user can ask for, once: key, footer, palette and help are made from it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeVar

from tui.lab.modes import Mode

ALL = frozenset(Mode)
PLAY = frozenset({Mode.PLAY})
WATCH = frozenset({Mode.WATCH})
STEP = frozenset({Mode.STEP})
TRAIN = frozenset({Mode.TRAIN})


@dataclass(frozen=True)
class Command:
    """Something that can be asked for."""

    name: str
    """The screen's method for it is `ask_NAME`."""
    keys: tuple[str, ...]
    """Textual's names of the keys."""
    shown: str
    """The keys as the footer and help write them."""
    label: str
    """In the footer: a word or two."""
    help: str
    """In help and palette: what it does."""
    modes: frozenset[Mode] = ALL
    footer: int = 0
    """Place in the footer, the smallest first; 0 is not there."""


CommandType = TypeVar("CommandType", bound=Command)

COMMANDS: tuple[Command, ...] = (
    Command("run", ("space",), "space", "run/pause", "run or pause", WATCH | TRAIN, 1),
    Command("stop", ("escape",), "esc", "stop", "stop training; what was learned stays", TRAIN, 2),
    Command("faster", ("plus", "equals_sign"), "+", "faster", "watch faster", WATCH, 2),
    Command("slower", ("minus",), "−", "slower", "watch slower", WATCH, 3),
    Command("one_event", ("full_stop",), ".", "event", "one event", WATCH, 4),
    Command("phase", ("right",), "→", "phase", "to the next phase of the update", STEP, 2),
    Command("phase_back", ("left",), "←", "", "to the phase before", STEP, 1),
    Command("event_back", ("left_square_bracket",), "[", "", "to the event before", STEP, 3),
    Command("event", ("right_square_bracket",), "]", "event", "to the next event", STEP, 4),
    Command("game_back", ("left_curly_bracket",), "{", "", "to the game before", STEP, 5),
    Command("game", ("right_curly_bracket",), "}", "game", "to the next game", STEP, 6),
    Command(
        "select",
        ("down", "tab"),
        "↓",
        "select",
        "select the next number (Tab); b B r use it",
        STEP,
        15,
    ),
    Command(
        "select_back",
        ("up", "shift+tab"),
        "↑",
        "",
        "select the one before (Shift+Tab); Esc: none",
        STEP,
        14,
    ),
    Command("home", ("home",), "Home", "", "to the first event of the run", STEP),
    Command("end", ("end",), "End", "", "to the last event of the run", STEP),
    Command("go_to", ("g",), "g", "go to", "go to any game, or game.ply", STEP | WATCH, 7),
    Command("to_break", ("c",), "c", "", "run on to the breakpoint", STEP, 8),
    Command("back_to_break", ("C",), "C", "break", "run back to the breakpoint", STEP, 9),
    Command("breaks", ("b",), "b", "", "set the breakpoint", STEP, 7),
    Command("last_writer", ("B",), "B", "writer", "go to who last wrote this value", STEP, 12),
    Command("provenance", ("r",), "r", "whence", "the backups that made this value", STEP, 13),
    Command(
        "what_if", ("W",), "W", "what if", "the same game and dice under another rule", STEP, 12
    ),
    Command("give_up", ("escape",), "esc", "", "give up a search or a selection; else watch", STEP),
    Command("predict", ("y",), "y", "predict", "say what will be written before it is", STEP, 11),
    Command(
        "fork", ("f",), "f", "fork", "play this move differently, in a line of its own", STEP, 10
    ),
    Command("other_line", ("F",), "F", "", "to the line that was forked, and back", STEP | PLAY),
    Command("cell", tuple("123456789"), "1–9", "move", "mark a cell", PLAY, 1),
    Command("cursor_left", ("left",), "arrows", "", "choose a cell; Enter marks it", PLAY),
    Command("cursor_right", ("right",), "", "", "", PLAY),
    Command("cursor_up", ("up",), "", "", "", PLAY),
    Command("cursor_down", ("down",), "", "", "", PLAY),
    Command("mark", ("enter",), "", "", "", PLAY),
    Command("keypad", ("k",), "k", "", "number the cells like a keypad, or like a phone", PLAY),
    Command("take_back", ("u",), "u", "undo", "take back your last move", PLAY, 2),
    Command("new_game", ("n",), "n", "new", "a new game", PLAY, 3),
    Command("swap", ("x",), "x", "sides", "swap sides, in a new game", PLAY, 5),
    Command(
        "help_level",
        ("h",),
        "h",
        "hints",
        "help: off, hint, ranks, the learner's values, exact values",
        PLAY,
        4,
    ),
    Command(
        "learning", ("L",), "L", "learn", "let the learner learn from your games, or not", PLAY
    ),
    Command("scroll_up", ("pageup",), "PgUp", "", "scroll the log back"),
    Command("scroll_down", ("pagedown",), "PgDn", "", "scroll the log on"),
    Command("play", ("p",), "p", "play", "play against a learner", ALL, 22),
    Command("watch", ("w",), "w", "watch", "watch the two players", ALL, 21),
    Command("step", ("s",), "s", "step", "step through what is learned", ALL, 20),
    Command("train", ("t",), "t", "train", "train at full speed", ALL, 23),
    Command("setup", ("o",), "o", "setup", "choose players, options and seed", ALL, 24),
    Command("table", ("v",), "v", "table", "every entry: value, exact value, visits", ALL, 25),
    Command("runs", ("R",), "R", "runs", "saved runs: open, compare, export", ALL, 26),
    Command(
        "experiments",
        ("E",),
        "E",
        "experiments",
        "the book's exercises, with exact verdicts",
        ALL,
        27,
    ),
    Command("go_on", ("c",), "c", "", "go on with the run that was saved last", WATCH | PLAY),
    Command("tour", ("T",), "T", "", "begin the tour of a dozen lessons, or end it"),
    Command("lesson_back", ("less_than_sign",), "< >", "", "in the tour: a lesson back, or on"),
    Command("lesson", ("greater_than_sign",), ">", "", ""),
    Command("theme", ("d",), "d", "", "dark or light"),
    Command("meter", ("M",), "M", "", "show how many bytes go to the terminal"),
    Command("help", ("question_mark", "f1"), "?", "help", "this help", ALL, 98),
    Command("quit", ("q",), "q", "quit", "leave the lab", ALL, 99),
)
"""In the order of the help page."""


def footer(mode: Mode) -> tuple[tuple[str, str], ...]:
    """The keys of the footer in a mode, with their words; keys without a word join the next."""
    return hints(c for c in COMMANDS if mode in c.modes and c.name != mode.value)


def hints(commands: Iterable[Command]) -> tuple[tuple[str, str], ...]:
    """The keys of the commands that have a place in a footer, with their words."""
    keys: list[tuple[str, str]] = []
    joined = ""
    for command in sorted((c for c in commands if c.footer), key=lambda c: c.footer):
        if not command.label:
            joined += f"{command.shown} "
            continue
        keys.append((joined + command.shown, command.label))
        joined = ""
    return tuple(keys)


def hinted(keys: str, commands: Iterable[CommandType]) -> CommandType | None:
    """The command of a hint in a footer; where keys were joined to it, that of the last one."""
    last = keys.rpartition(" ")[2]
    return next((command for command in commands if last and command.shown == last), None)
