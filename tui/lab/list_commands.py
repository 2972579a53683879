"""What the lists and the screens of their kind can be asked for: keys, footers and help.

A controller, or the screen itself, has a handler for each. Light: help and the palette name these
without opening the screens.
"""

from __future__ import annotations

from typing import Final

from tui.lab.commands import EXPLAIN, NEXT_PANE, ZOOM, Command

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


LISTS: Final[dict[str, tuple[Command, ...]]] = {
    "what if": WHAT_IF_COMMANDS,
}
"""By the titles of their help pages."""
