"""The lessons and their topics."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from afterstate_lab.tui.blocks.block import Window
from afterstate_lab.tui.blocks.lists import Item, Menu
from afterstate_lab.tui.lab.scripts import NAMES
from afterstate_lab.tui.lab.scripts.script import find_script
from afterstate_lab.tui.pages.page import BACK, Key, Leave, Opened, Page

if TYPE_CHECKING:
    from afterstate_lab.tui.lab.controller import LabController

ABOUT: Final = "You do each lesson in the lab itself. Press Enter for its next step."


class Lessons:
    def __init__(self) -> None:
        self.items = lesson_items()
        self.at = Window()

    def begin(self, number: int | None = None) -> Leave:
        """Start a lesson by its number from 0, or the selected one."""
        return Leave(NAMES[self.at.cursor if number is None else number])

    def page(self) -> Page:
        menu = Menu(title="lessons", items=self.items, at=self.at, about=ABOUT, clicked=self.begin)
        digits = (
            Key(one.key, "", lambda n=n: self.begin(n), f"begin lesson {one.key}")
            for n, one in enumerate(self.items)
        )
        begin = Key("enter", "begin", self.begin, "begin this lesson")
        return Page("LESSONS", menu, keys=(begin, *digits, BACK))


def lesson_items() -> list[Item]:
    lessons = enumerate(map(find_script, NAMES), 1)
    return [Item(str(n), one.title, one.about, f"{one.minutes} minutes") for n, one in lessons]


def open_on(lab: LabController, data: None, text: str) -> Opened:
    return Lessons().page, lambda name: Leave(lab.begin_lesson(name))
