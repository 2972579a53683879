"""The lessons and their topics."""

from __future__ import annotations

from functools import partial
from typing import Final

from afterstate_lab.tui.blocks import Item, Menu, Window
from afterstate_lab.tui.lab.scripts import NAMES
from afterstate_lab.tui.lab.scripts.script import find_script
from afterstate_lab.tui.pages.page import BACK, Key, LabController, Leave, Opened, Page

ABOUT: Final = "You do each lesson in the lab itself. Press Enter for its next step."


class Lessons:
    def __init__(self) -> None:
        self.items = lesson_items()
        self.at = Window()

    def page(self) -> Page:
        menu = Menu(
            title="lessons",
            items=self.items,
            at=self.at,
            about=ABOUT,
            clicked=lambda n: Leave(NAMES[n]),
        )
        digits = (
            Key(str(n), "", partial(Leave, name), f"begin lesson {n}")
            for n, name in enumerate(NAMES, 1)
        )
        begin = Key("enter", "begin", lambda: Leave(NAMES[self.at.cursor]), "begin this lesson")
        return Page("LESSONS", menu, keys=(begin, *digits, BACK))


def lesson_items() -> list[Item]:
    lessons = enumerate(map(find_script, NAMES), 1)
    return [Item(str(n), one.title, one.about, f"{one.minutes} minutes") for n, one in lessons]


def open_on(lab: LabController, data: None, text: str) -> Opened:
    return Lessons().page, lambda name: Leave(lab.begin_lesson(name))
