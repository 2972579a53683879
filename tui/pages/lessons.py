"""The lessons: what each is about, and how far the user is in it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from afterstate_lab.learners.errors import UsageError, shown
from afterstate_lab.tui.blocks.block import Window
from afterstate_lab.tui.blocks.menu import Item, Menu
from afterstate_lab.tui.lab.lessons.guide import read_progress
from afterstate_lab.tui.lab.lessons.lesson_file import NAMES, packaged_lesson
from afterstate_lab.tui.pages.page import Key, Leave, Page

if TYPE_CHECKING:
    from afterstate_lab.tui.lab.controller import LabController
    from afterstate_lab.tui.lab.outcomes import Outcome

ABOUT: Final = "You do each lesson in the lab itself. Press > for its next step, T to end it."


class Lessons:
    """The list, and the lesson that is chosen."""

    def __init__(self) -> None:
        self.rows = lesson_rows()
        self.at = Window()

    def begin(self, number: int | None = None) -> Leave:
        """Begin a lesson, by its number from 0, or the chosen one."""
        return Leave(self.rows[self.at.cursor if number is None else number][0])

    def page(self) -> Page:
        items = [
            Item(str(n), title, says, how_far)
            for n, (_, title, says, how_far) in enumerate(self.rows, 1)
        ]
        menu = Menu(title="lessons", items=items, at=self.at, about=ABOUT, chosen=self.begin)
        digits = (
            Key(str(n), "", lambda n=n: self.begin(n - 1), f"begin lesson {n}")
            for n in range(1, len(items) + 1)
        )
        keys = (
            Key("enter", "begin", self.begin, "begin this lesson, or continue it"),
            *digits,
            Key("escape q", "back", Leave, "back to the lab"),
        )
        return Page("LESSONS", menu, keys=keys)


def lesson_rows() -> list[tuple[str, str, str, str]]:
    """Name, title, what it is about, and how long it takes or how far the user is in it."""
    reached, rows = read_progress(), []
    for name in NAMES:
        lesson = packaged_lesson(name)
        step, steps = reached.get(name, 0), len(lesson.steps)
        how_far = f"{lesson.minutes} minutes"
        if step >= steps:
            how_far = "done"
        elif step > 1:
            how_far = f"at step {step} of {steps}"
        rows.append((name, lesson.title, lesson.about, how_far))
    return rows


def lesson_named(text: str) -> str:
    """The name of the lesson that a user asked for, by its number or its name.

    Raises:
        UsageError: there is no such lesson.
    """
    numbers = [str(number) for number in range(1, len(NAMES) + 1)]
    name = NAMES[numbers.index(text)] if text in numbers else text
    if name not in NAMES:
        known = f"{', '.join(NAMES)}, or 1 to {len(NAMES)}"
        raise UsageError(f"There is no lesson {shown(text)}: {known}")
    return name


def open_on(
    lab: LabController, data: None, text: str
) -> tuple[Callable[[], Page], Callable[[str | None], Outcome]]:
    def take(name: str | None) -> Outcome:
        return None if name is None else lab.lessons.resume(name)

    return Lessons().page, take
