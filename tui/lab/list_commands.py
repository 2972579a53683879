"""What the lists and the screens of their kind can be asked for: keys, footers and help.

A controller, or the screen itself, has a handler for each. Light: help and the palette name these
without opening the screens.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum
from typing import Final

from tui.lab.commands import COMMANDS, EXPLAIN, NEXT_PANE, ZOOM, Command

HELP: Final = Command("help", ("question_mark", "f1"), "?", "help", "this help", footer=98)

PANES: Final = (ZOOM, NEXT_PANE, EXPLAIN)


def rows(row: str, move: str = "move") -> tuple[Command, ...]:
    """Up and down, by rows and by pages."""
    return (
        Command("up", ("up", "k"), "↑", "", f"to the {row} above", footer=1),
        Command("down", ("down", "j"), "↓", move, f"to the {row} below", footer=2),
        Command("page_up", ("pageup",), "PgUp", "", "a page up"),
        Command("page_down", ("pagedown",), "PgDn", "", "a page down"),
    )


def ends(row: str) -> tuple[Command, ...]:
    """To the first row and to the last."""
    return (
        Command("home", ("home",), "Home", "", f"to the first {row}"),
        Command("end", ("end",), "End", "", f"to the last {row}"),
    )


def closing(to: str) -> tuple[Command, ...]:
    """What every screen ends with: one pane alone, an explanation, help, and back."""
    back = Command("back", ("escape", "q"), "q", "back", f"back to {to} (or Esc)", footer=99)
    return *PANES, HELP, back


DOORS: Final = ("play", "watch", "step", "train", "tour", "lesson")
"""Commands of the lab that home has doors for."""
FROM_LAB: Final = ("setup", "runs", "experiments", "theme", "meter", "explain", "help")
"""Those that it has besides."""
HOME_COMMANDS: Final[tuple[Command, ...]] = (
    Command("go_on", ("c",), "c", "", "go on where you were"),
    *(replace(command, footer=0) for command in COMMANDS if command.name in DOORS),
    Command("up", ("up",), "↑", "", "to the door above"),
    Command("down", ("down",), "↓", "", "to the door below"),
    Command("open", ("enter",), "Enter", "", "through the selected door"),
    *(command for command in COMMANDS if command.name in FROM_LAB),
    Command("back", ("escape",), "Esc", "", "to the lab"),
    Command("quit", ("q",), "q", "quit", "leave the lab; all is saved", footer=99),
)

TABLE_COMMANDS: Final[tuple[Command, ...]] = (
    *rows("entry"),
    *ends("entry"),
    Command("sort", ("S",), "S", "sort", "sort by the next column", footer=4),
    Command("reverse", ("U",), "U", "reverse", "sort the other way round", footer=10),
    Command("sort_by", tuple("123456789"), "1–9", "", "sort by that column; again: reverse"),
    Command("filter", ("slash",), "/", "filter", "show what matches a filter", footer=5),
    Command("class", ("l",), "l", "class", "those like it: its symmetry class", footer=7),
    Command("all", ("backspace", "a"), "a", "all", "show all entries again", footer=8),
    Command("other", ("tab",), "Tab", "X/O", "the other player's table", footer=6),
    Command("matchbox", ("O",), "O", "", "the matchbox of this entry, bead by bead"),
    Command("jump", ("enter", "g"), "Enter", "history", "step from its last write", footer=3),
    *closing("the lab"),
)
"""In the order of the help page, as all of these."""

LESSONS_COMMANDS: Final[tuple[Command, ...]] = (
    *rows("lesson"),
    *ends("lesson"),
    Command("open", ("enter",), "Enter", "begin", "begin this lesson, or go on in it", footer=3),
    Command("begin", tuple("123456789"), "1–9", "", "begin the lesson of this number"),
    *closing("the lab"),
)

PROVENANCE_COMMANDS: Final[tuple[Command, ...]] = (
    *rows("backup"),
    *ends("backup"),
    Command(
        "toggle",
        ("enter",),
        "Enter",
        "unfold",
        "what its target was made of; again: fold it",
        footer=3,
    ),
    Command("unfold", ("right",), "→", "", "unfold it"),
    Command("fold", ("left",), "←", "", "fold it; folded: to the one behind which it stands"),
    Command("go", ("g",), "g", "step there", "step from this backup", footer=4),
    *closing("the lab"),
)

MATCHBOX_COMMANDS: Final[tuple[Command, ...]] = (
    Command("earlier", ("left",), "←", "", "to the box before", footer=1),
    Command("later", ("right",), "→", "box", "to the next box", footer=2),
    *(replace(command, footer=0) for command in rows("box")),
    *ends("box"),
    Command("go", ("enter", "g"), "Enter", "step there", "step from this draw or backup", footer=3),
    *closing("the lab"),
)

REVIEW_COMMANDS: Final[tuple[Command, ...]] = (
    *rows("move"),
    *ends("move"),
    Command("go", ("enter", "g"), "Enter", "step there", "step from this move", footer=3),
    Command("new_game", ("n",), "n", "new", "a new game", footer=4),
    *closing("the lab"),
)

QUIZ_COMMANDS: Final[tuple[Command, ...]] = (
    Command("less", ("left",), "←", "", "the choice before, or a smaller number", footer=1),
    Command("more", ("right",), "→", "choose", "the next choice, or a larger number", footer=2),
    Command("up", ("up", "k"), "↑", "", "the choice above, or a number larger by ten steps"),
    Command("down", ("down", "j"), "↓", "", "the choice below, or one smaller by ten steps"),
    Command("choose", tuple("123456789"), "1–9", "", "choose by number, or by cell"),
    Command("answer", ("enter",), "Enter", "answer", "this is the answer; then: the next question",
        footer=3),
    Command("type", ("slash",), "/", "type it", "type the answer", footer=4),
    Command("go", ("g",), "g", "step there", "step through what was asked, once it is answered",
        footer=5),
    *closing("the lab"),
)  # fmt: skip

WHAT_IF_COMMANDS: Final[tuple[Command, ...]] = (
    Command("phase_back", ("left",), "←", "", "both to the phase before", footer=1),
    Command("phase", ("right",), "→", "phase", "both to the next phase", footer=2),
    Command("event_back", ("left_square_bracket", "comma"), "[", "",
        "both to the event before (or ↑)", footer=3),
    Command("event", ("right_square_bracket", "full_stop"), "]", "event",
        "both to the next event (or ↓)", footer=4),
    Command("up", ("up", "k"), "↑", "", "both to the event above"),
    Command("down", ("down", "j"), "↓", "", "both to the event below"),
    Command("to_difference", ("c",), "c", "", "on to the next difference", footer=5),
    Command("back_to_difference", ("C",), "C", "difference", "back to the difference before",
        footer=6),
    *ends("event"),
    Command("page_up", ("pageup",), "PgUp", "", "a page up"),
    Command("page_down", ("pagedown",), "PgDn", "", "a page down"),
    Command("whole", ("tab",), "Tab", "the whole run", "both whole runs; again: the game",
        footer=7),
    *closing("the lab"),
)  # fmt: skip


class Stage(Enum):
    """What the screen of the experiments shows."""

    LIST = "plans"
    PLAN = "a plan"
    RUNNING = "running"
    STOPPED = "stopped"
    OVER = "over"


ALL_STAGES: Final = frozenset(Stage)
LIST: Final = frozenset({Stage.LIST})
OPEN: Final = ALL_STAGES - LIST
BEGUN: Final = frozenset({Stage.RUNNING, Stage.STOPPED, Stage.OVER})
RUNNING: Final = frozenset({Stage.RUNNING})
WAITING: Final = frozenset({Stage.PLAN, Stage.STOPPED})


@dataclass(eq=False)
class StagedCommand(Command):
    """Something that can be asked for at some stages."""

    stages: frozenset[Stage] = ALL_STAGES


def staged(
    name: str,
    keys: tuple[str, ...],
    shown: str,
    label: str,
    said: str,
    stages: frozenset[Stage] = ALL_STAGES,
    footer: int = 0,
) -> StagedCommand:
    """A command of the experiments."""
    return StagedCommand(name, keys, shown, label, said, footer=footer, stages=stages)


EXPERIMENT_COMMANDS: Final[tuple[StagedCommand, ...]] = (
    staged("open", ("enter",), "Enter", "open", "open the plan", LIST, 3),
    staged("file", ("slash",), "/", "file", "open a plan of your own, a TOML file", LIST, 4),
    staged("up", ("up", "k"), "↑", "", "to the plan or arm above", LIST, 1),
    staged("down", ("down", "j"), "↓", "choose", "to the plan or arm below", LIST, 2),
    staged("run", ("space",), "space", "run/pause", "run the experiment, pause it, or go on",
        RUNNING | WAITING, 1),
    staged("stop", ("K",), "K", "stop", "stop; finished trials are kept", RUNNING, 3),
    staged("predict", ("y",), "y", "predict", "say what you expect", WAITING, 4),
    staged("metric_back", ("left",), "←", "", "by the metric before", BEGUN, 5),
    staged("metric", ("right",), "→", "metric", "by the next metric", BEGUN, 6),
    staged("sweep", ("P",), "P", "sweep", "sweep a parameter: an arm for each value", OPEN, 8),
    staged("seeds", ("I",), "I", "seeds", "another number of seeds", OPEN, 13),
    staged("games", ("G",), "G", "games", "another number of games", OPEN, 14),
    staged("arm", ("o",), "o", "open arm", "set the lab up with the arm's players", OPEN, 9),
    staged("export", ("X",), "X", "export", "write CSV, JSON and SVG to a folder", BEGUN, 10),
    staged("line", ("Y",), "Y", "command", "copy the command that does the same", OPEN, 11),
    staged("view", ("tab",), "Tab", "view", "curves, over a sweep or over games; texts", BEGUN, 7),
    staged("range", ("a",), "a", "all", "all of the curves, or as they settle", BEGUN, 12),
    *(staged(c.name, c.keys, c.shown, c.label, c.help, footer=c.footer) for c in PANES),
    staged("help", ("question_mark", "f1"), "?", "help", "this help", ALL_STAGES, 98),
    staged("back", ("escape", "q"), "q", "back", "back (or Esc); a run goes on", ALL_STAGES, 99),
)  # fmt: skip
"""Up and down answer at every stage."""

SETUP_COMMANDS: Final[tuple[Command, ...]] = (
    Command("up", ("up",), "↑", "", "to the row above; of what is typed: the one above", footer=1),
    Command("down", ("down",), "↓", "move", "to the row below", footer=2),
    Command("less", ("left",), "←", "", "the value before, the player before", footer=3),
    Command("more", ("right",), "→", "change", "the next value, the next player", footer=4),
    Command("other", ("tab",), "Tab", "X/O", "to O, the seed, a recipe; completes what is typed",
        footer=5),
    Command("other_back", ("shift+tab",), "Sh-Tab", "", "back to the one before"),
    Command("page_up", ("pageup",), "PgUp", "", "a page up"),
    Command("page_down", ("pagedown",), "PgDn", "", "a page down"),
    *ends("row"),
    Command("begin", ("enter",), "Enter", "begin", "begin a new run", footer=6),
    Command("help", ("f1",), "F1", "help", "this help", footer=98),
    Command("back", ("escape",), "Esc", "back", "leave the typed line, then the setup", footer=99),
)  # fmt: skip
"""Every letter is typed: it names a player or a value."""

LISTS: Final[dict[str, tuple[Command, ...]]] = {
    "home": HOME_COMMANDS,
    "setup": SETUP_COMMANDS,
    "table": TABLE_COMMANDS,
    "provenance": PROVENANCE_COMMANDS,
    "review": REVIEW_COMMANDS,
    "matchbox": MATCHBOX_COMMANDS,
    "what if": WHAT_IF_COMMANDS,
    "quiz": QUIZ_COMMANDS,
    "experiments": EXPERIMENT_COMMANDS,
    "lessons": LESSONS_COMMANDS,
}
"""By the titles of their help pages."""
