"""The list of lessons: what each is about, and how far the user has come in it."""

from __future__ import annotations

from typing import Final

from tui.lab.lessons import NAMES
from tui.lab.lessons.lesson_file import packaged_lesson
from tui.lab.lessons.progress import read_progress
from tui.lab.list_controller import ListController
from tui.lab.outcomes import Close, Outcome
from tui.views.home import Door, DoorsView

ABOUT: Final = "Each is done by doing, in the lab itself. > goes on at any time, T ends a lesson."


def lesson_rows() -> list[tuple[str, str, str, str]]:
    """Name, title, what it is about, and how long it takes or how far the user has come in it."""
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


def first_step(name: str) -> int:
    """The step, from 0, at which a lesson goes on: the one that was reached, or the first.

    A step that needs what was done before it is not begun alone.
    """
    lesson = packaged_lesson(name)
    reached = min(read_progress().get(name, 1), len(lesson.steps)) - 1
    if reached == len(lesson.steps) - 1:
        return 0
    return max(n for n in range(reached + 1) if lesson.steps[n].address is not None)


class LessonsController(ListController):
    """Chooses a lesson."""

    def __init__(self) -> None:
        super().__init__({"open": self.open})
        self.rows = lesson_rows()
        self.window.hold(len(self.rows))

    def perform(self, name: str, key: str = "") -> Outcome:
        """As any list's; a digit begins the lesson of its number."""
        if name == "begin":
            self.window.go_to(int(key) - 1)
            return self.open()
        return super().perform(name, key)

    def open(self) -> Outcome:
        """Begin the lesson under the cursor."""
        return Close(self.rows[self.window.cursor][0])

    @property
    def view(self) -> DoorsView:
        doors = (
            Door(str(n), title, says, how_far)
            for n, (_, title, says, how_far) in enumerate(self.rows, 1)
        )
        remark = self.note or ""
        return DoorsView(tuple(doors), self.window.cursor, ABOUT, remark, title="lessons")
