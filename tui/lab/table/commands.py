"""What can be asked for in the table: key, footer and help are made from it."""

from __future__ import annotations

from tui.lab.commands import Command

TABLE_COMMANDS: tuple[Command, ...] = (
    Command("up", ("up", "k"), "↑", "", "to the entry above", footer=1),
    Command("down", ("down", "j"), "↓", "move", "to the entry below", footer=2),
    Command("page_up", ("pageup",), "PgUp", "", "a page up"),
    Command("page_down", ("pagedown", "space"), "PgDn", "", "a page down (or space)"),
    Command("home", ("home",), "Home", "", "to the first entry"),
    Command("end", ("end",), "End", "", "to the last entry"),
    Command("sort", ("s",), "s", "sort", "sort by the next column", footer=4),
    Command("reverse", ("S",), "S", "reverse", "sort the other way round", footer=10),
    Command("sort_by", tuple("123456789"), "1–9", "", "sort by that column; again: reverse"),
    Command("filter", ("slash",), "/", "filter", "show what matches a filter", footer=5),
    Command("class", ("c",), "c", "class", "show the symmetry class of the entry", footer=7),
    Command("all", ("backspace", "a"), "a", "all", "show all entries again", footer=8),
    Command("other", ("tab",), "Tab", "X/O", "the other player's table", footer=6),
    Command("x", ("x",), "x", "", "X's table"),
    Command("o", ("o",), "o", "", "O's table"),
    Command("jump", ("enter", "g"), "Enter", "history", "step from its last write", footer=3),
    Command("help", ("question_mark", "f1"), "?", "help", "this help", footer=98),
    Command("back", ("escape", "q"), "q", "back", "back to the lab (or Esc)", footer=99),
)
"""In the order of the help page."""
