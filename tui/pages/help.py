"""Help: what can be asked for, the keys that answer now first."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from afterstate_lab.tui.blocks.block import Window
from afterstate_lab.tui.blocks.table import Column, Table
from afterstate_lab.tui.lab.commands import ALL, COMMANDS
from afterstate_lab.tui.lab.modes import Mode
from afterstate_lab.tui.pages.page import Key, Leave, Opened, Page
from afterstate_lab.tui.views.words import Words

if TYPE_CHECKING:
    from afterstate_lab.tui.lab.controller import LabController

Sections = Sequence[tuple[str, Sequence[tuple[str, str]]]]
"""Name, and key with what it does."""
COLUMNS = Column("key", 8, role="key"), Column("", 68)


class Help:
    """Sections of keys.

    Args:
        title: what they are the keys of.
        sections: the keys.
    """

    def __init__(self, title: str, sections: Sections) -> None:
        self.title = title
        self.rows: list[tuple[Words, Words]] = []
        for name, keys in sections:
            self.rows += [("", "")] * bool(self.rows)
            self.rows += [("", ((name, "title"),)), *keys]
        self.at = Window()

    def page(self) -> Page:
        table = Table(COLUMNS, self.rows, tuple, self.at, title=self.title, heads=False)
        leave = "escape q question_mark f1 enter space"
        return Page("HELP", table, keys=(Key(leave, "back", Leave, "back to where you were"),))


def sections_of(mode: Mode) -> Sections:
    """Return the keys of a mode first, then those of everywhere, then the other modes."""

    def keys(modes: set[Mode] | None) -> list[tuple[str, str]]:
        return [
            (command.all_shown, command.help)
            for command in COMMANDS
            if command.help
            and command.keys
            and (command.modes == ALL if modes is None else modes <= command.modes != ALL)
        ]

    others = [(other.value, keys({other})) for other in Mode if other is not mode]
    return [(f"{mode.value} (now)", keys({mode})), ("everywhere", keys(None)), *others]


def open_on(lab: LabController, data: None, text: str) -> Opened:
    return Help("keys", sections_of(lab.lazy.mode)).page, None
