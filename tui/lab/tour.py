"""The tour: a dozen lessons, each done by doing it in the real lab."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from tui.lab.lessons import LESSONS, MARK, Lesson, Since
from tui.views.mode import TourView

if TYPE_CHECKING:
    from tui.lab.lazy_session import LazySession
    from tui.lab.modes import Mode
    from tui.views.words import Words


class Tour:
    """Where a user is in the tour.

    Args:
        lazy: the lab in which it is done.
    """

    def __init__(self, lazy: LazySession) -> None:
        self._lazy = lazy
        self.turn_to(0)

    @property
    def lesson(self) -> Lesson:
        """The lesson of now."""
        return LESSONS[self.number]

    def turn_to(self, number: int) -> None:
        """Begin a lesson, where there is one of that number."""
        self.number = min(max(number, 0), len(LESSONS) - 1)
        self._text = self.lesson.said(self._lazy)
        self._since, self._was_done = Since(), False
        if self._lazy.is_started:
            self._since = Since(games=self._lazy.session.run.games)
            self._was_done = self.lesson.done(self._lazy.session, self._since)

    def follow(self, command: str = "") -> None:
        """Take note of a command and go on to the next lesson where this one is done.

        What was done before a lesson began, as when one turned back to it, does not count: then
        one of its own keys must have been pressed.
        """
        if not self._lazy.is_started:
            return
        asked = self._since.asked | {command} if command else self._since.asked
        self._since = replace(self._since, asked=asked)
        is_done = self.lesson.done(self._lazy.session, self._since)
        if is_done and (not self._was_done or asked & self.lesson.commands):
            self.turn_to(self.number + 1)

    @property
    def view(self) -> TourView:
        """The card."""
        lesson = self.lesson
        return TourView(
            f"{self.number + 1}/{len(LESSONS)} {lesson.title}",
            "< > lesson  T ends the tour",
            self._text,
            marked(lesson.todo if self._lazy.mode in lesson.modes else way_to(lesson.modes)),
        )


def way_to(modes: frozenset[Mode]) -> str:
    """How to come to a mode in which a lesson can be done."""
    name = next(iter(modes)).value
    return f"{MARK}{name[0]}{MARK} first: this goes on in {name.upper()}"


def marked(todo: str) -> Words:
    """What is to be done, the keys in it in their own style."""
    pieces = enumerate(todo.split(MARK))
    return tuple((text, "key" if place % 2 else "text") for place, text in pieces if text)
