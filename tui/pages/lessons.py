"""The lessons and their topics."""

from __future__ import annotations

from functools import partial
from typing import Final

from afterstate_lab.tui.blocks import Item, Menu, Window
from afterstate_lab.tui.lab.scripts import NAMES
from afterstate_lab.tui.lab.scripts.script import find_script
from afterstate_lab.tui.pages.page import BACK, Key, LabController, Leave, Opened, Page, to_lab

ABOUT: Final = "You do each lesson in the lab itself. Press Enter for its next step."


class Lessons:
    def __init__(self, lab: LabController) -> None:
        self.lab, self.items, self.at = lab, lesson_items(), Window()

    def begin(self, number: int) -> Leave:
        return to_lab(self.lab.begin_lesson(NAMES[number]))

    def page(self) -> Page:
        menu = Menu(title="lessons", items=self.items, at=self.at, about=ABOUT, clicked=self.begin)
        digits = (
            Key(str(n + 1), "", partial(self.begin, n), f"begin lesson {n + 1}")
            for n in range(len(NAMES))
        )
        begin = Key("enter", "begin", lambda: self.begin(self.at.cursor), "begin this lesson")
        return Page("LESSONS", menu, keys=(begin, *digits, BACK))


def lesson_items() -> list[Item]:
    lessons = enumerate(map(find_script, NAMES), 1)
    return [Item(str(n), one.title, one.about, f"{one.minutes} minutes") for n, one in lessons]


def open_on(lab: LabController, data: None, text: str) -> Opened:
    return Lessons(lab).page
