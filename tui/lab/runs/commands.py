"""What can be asked for in the list of runs: key, footer and help are made from it."""

from __future__ import annotations

from tui.lab.commands import Command

RUNS_COMMANDS: tuple[Command, ...] = (
    Command("up", ("up", "k"), "↑", "", "to the run above", footer=1),
    Command("down", ("down", "j"), "↓", "move", "to the run below", footer=2),
    Command("page_up", ("pageup",), "PgUp", "", "a page up"),
    Command("page_down", ("pagedown", "space"), "PgDn", "", "a page down (or space)"),
    Command("home", ("home",), "Home", "", "to the first run"),
    Command("end", ("end",), "End", "", "to the last run"),
    Command("open", ("enter",), "Enter", "open", "go on with this run", footer=3),
    Command("search", ("slash",), "/", "search", "show runs by name, note or player", footer=4),
    Command("all", ("backspace", "a"), "a", "", "show all runs again"),
    Command("rename", ("e",), "e", "rename", "give this run another name", footer=7),
    Command("note", ("n",), "n", "note", "write a note to this run", footer=8),
    Command("mark", ("m",), "m", "compare", "mark this run; on another: compare them", footer=5),
    Command("delete", ("d",), "d", "delete", "delete this run", footer=9),
    Command("undo", ("u",), "u", "undo", "bring back the run deleted last", footer=10),
    Command("export", ("x",), "x", "export", "write what it has learned to a file", footer=6),
    Command("verify", ("v",), "v", "", "play it again and compare, bit by bit"),
    Command("help", ("question_mark", "f1"), "?", "help", "this help", footer=98),
    Command("back", ("escape", "q"), "q", "back", "back to the lab (or Esc)", footer=99),
)
"""In the order of the help page."""
