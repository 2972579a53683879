"""Help: the twelve keys, or the keys of a page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from afterstate_lab.tui.blocks.block import Room, Window
from afterstate_lab.tui.blocks.lists import Column, Table
from afterstate_lab.tui.blocks.span import Words
from afterstate_lab.tui.lab.commands import key_of
from afterstate_lab.tui.pages.page import Key, Leave, Opened, Page

if TYPE_CHECKING:
    from afterstate_lab.tui.lab.controller import LabController

Sections = Sequence[tuple[str, Sequence[tuple[str, str]]]]
"""The name of a section, and its keys with their help."""
COLUMNS = Column("key", 8, role="key"), Column("", 68)


class Help:
    """Sections of keys, under the title of their page."""

    def __init__(self, title: str, sections: Sections) -> None:
        self.title = title
        self.rows: list[tuple[Words, Words]] = []
        for name, keys in sections:
            self.rows += [("", "")] * bool(self.rows)
            self.rows += [("", ((name, "title"),))] * bool(name)
            self.rows += keys
        self.at = Window()

    def page(self) -> Page:
        table = Table(
            COLUMNS,
            self.rows,
            tuple,
            self.at,
            title=self.title,
            heads=False,
            height=Room(0, len(self.rows) + 2),
        )
        leave = "escape q question_mark f1 enter space"
        keys = (Key(leave, "back", Leave, "back to where you were"),)
        return Page("HELP", table, keys=keys, is_over=True)


TAUGHT: Final = (
    ("phase_back phase", "back and on in time; while you play, take a move back or redo it"),
    ("", "in Setup and on the knob (:turn alpha), change the value"),
    ("faster slower", "how far they go: phase, event, game, milestone, break"),
    ("", "while you watch, the speed; while you play, more or fewer hints"),
    ("select_back select", "choose a number, a row or a cell"),
    ("card", "open what you chose; answer a question; mark the cell"),
    ("", "in Setup, begin the run; on the knob, keep the setting as a run"),
    ("give_up", "back, and at last home; q does the same, and leaves home"),
    ("step", "in step, everything about this backup, or its picture again"),
    ("run", "run or pause; in step, the next backup that changes a value"),
    ("cell", "mark a cell, or choose an answer"),
    ("new_game", "a new game; in the other tabs, Setup: players, α, ε and seed"),
    ("explain", "explain what you chose; if nothing, this screen in three sentences"),
    ("palette", "any command in words: break flip, go 424.3, players x q"),
    ("play watch step train", "the four tabs at the top"),
)
"""Commands with their taught keys, and what they do in all modes."""


def taught() -> Sections:
    """Return the dozen keys that reach everything."""
    told = [(" ".join(sign_of(name) for name in names.split()), says) for names, says in TAUGHT]
    return [("", [*told, ("", ""), ("", "Every command has a letter, too: : shows it.")])]


def sign_of(name: str) -> str:
    return ":" if name == "palette" else key_of(name)


def open_on(lab: LabController, data: None, text: str) -> Opened:
    return Help("keys", taught()).page, None
