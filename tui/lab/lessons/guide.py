"""The lesson that goes on: which step, whether it is done, and what its card says."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from learners.errors import UsageError
from tui.lab.commands import ALL, COMMANDS, key_of
from tui.lab.lessons.done import Since
from tui.lab.lessons.lesson_file import MARK, Lesson, LessonStep
from tui.lab.lessons.numbers import filled, number_in
from tui.lab.modes import Mode
from tui.lab.outcomes import Message, Outcome, refusal
from tui.views.lab import TourView

if TYPE_CHECKING:
    from tui.lab.lazy_session import LazySession
    from tui.views.words import Words


class LessonGuide:
    """Where a user is in a lesson.

    Args:
        lesson: the lesson.
        lazy: the lab's session.
    """

    def __init__(self, lesson: Lesson, lazy: LazySession) -> None:
        self.lesson = lesson
        self._lazy = lazy
        self.number = 0
        self._has_begun = False
        self._since, self._was_done = Since(), False
        self.text = ""
        """What the card says of the step, with the numbers of its beginning."""

    @property
    def step(self) -> LessonStep:
        return self.lesson.steps[self.number]

    @property
    def is_last(self) -> bool:
        return self.number == len(self.lesson.steps) - 1

    def turn_to(self, number: int) -> None:
        """Go to a step, where there is one of that number; it begins once its place is there."""
        self.number = min(max(number, 0), len(self.lesson.steps) - 1)
        self._has_begun, self.text = False, "One moment: the games of this step are played."

    def begin(self) -> None:
        """Begin the step at the place where the lab is."""
        lazy = self._lazy
        self._has_begun, self._since, self._was_done = True, Since(), False
        try:
            self.text = (
                filled(self.step.text, lazy.session) if "{" in self.step.text else (self.step.text)
            )
        except UsageError as error:
            self.text = f"Its numbers are elsewhere: {error}. < goes back a step."
        if lazy.is_started:
            session = lazy.session
            self._since = Since(games=session.run.games, predictions=session.predictions.asked)
            self._was_done = self.step.done.is_met(session, self._since)

    def note(self, command: str) -> None:
        """Take note of a command that was asked for."""
        if self._lazy.is_started and self._has_begun:
            asked = self._since.asked | {(command, self._lazy.session.mode)}
            self._since = replace(self._since, asked=asked)

    @property
    def is_done(self) -> bool:
        """Whether the step is done by now.

        What was done before a step began, as when one turned back to it, does not count: then one
        of its own keys must have been pressed.
        """
        lazy = self._lazy
        if not lazy.is_started or not self._has_begun or self.is_last:
            return False
        own = {name for name, _ in self._since.asked} & self.step.commands
        return self.step.done.is_met(lazy.session, self._since) and not (self._was_done and not own)

    def take_answer(self, text: str) -> Outcome:
        """Judge an answer to the step's question."""
        right = filled(self.step.answer, self._lazy.session)
        if not is_same(text, right):
            return refusal("That is not it: try again, or Esc and > go on.")
        self._since = replace(self._since, is_answered=True)
        return Message(f"Right: {right}.")

    def view(self, size: tuple[int, int]) -> TourView:
        """The card of the step in a terminal of this size."""
        step, lazy = self.step, self._lazy
        wide, high = step.screen
        text = self.text
        if size[0] < wide or size[1] < high:
            text = f"This step needs a terminal of {wide}×{high}: make it larger, or > goes on."
        here = lazy.mode in step.modes
        return TourView(
            f"{self.number + 1}/{len(self.lesson.steps)} {step.title}",
            f"< > step  {key_of('tour')} ends",
            text,
            key_words(step.do, step.modes) if here else key_words(way_to(step.modes)),
        )


def is_same(said: str, right: str) -> bool:
    """Whether an answer is right; a number to the decimals of the right one."""
    said = said.strip()
    number, meant = number_in(said), number_in(right)
    if number is None or meant is None:
        return said.casefold() == right.casefold()
    return abs(number - meant) <= 0.5 * 10.0 ** -len(right.partition(".")[2]) + 1e-9


def way_to(modes: frozenset[Mode]) -> str:
    """How to come to a mode in which a step can be done."""
    name = min(modes or ALL, key=list(Mode).index).value
    return f"{MARK}{name[0]}{MARK} first: this goes on in {name.upper()}"


def key_words(todo: str, modes: frozenset[Mode] = ALL) -> Words:
    """What is to be done, the keys in it in their own style, and as the user has them."""
    pieces = enumerate(todo.split(MARK))
    return tuple(
        (own_key(text, modes), "key") if place % 2 else (text, "text")
        for place, text in pieces
        if text
    )


def own_key(key: str, modes: frozenset[Mode]) -> str:
    """The key that a user has in place of one, in some modes."""
    own = (c.shown for c in COMMANDS if c.usual and c.modes & modes and c.answers_to(key))
    return next(own, key)
