"""The lesson that goes on, what its card says, and how far the user has come in the others."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Final

from afterstate_lab.learners.errors import UsageError
from afterstate_lab.learners.files import data_folder, opened, replace_file
from afterstate_lab.learners.toml_reader import TomlText, whole
from afterstate_lab.tui.blocks.lesson import LessonCard
from afterstate_lab.tui.lab.commands import ALL, COMMANDS, key_of
from afterstate_lab.tui.lab.lessons.lesson_file import (
    MARK,
    MOST_STEPS,
    NAMES,
    Lesson,
    LessonStep,
    Since,
)
from afterstate_lab.tui.lab.lessons.numbers import filled, number_in
from afterstate_lab.tui.lab.modes import Mode
from afterstate_lab.tui.lab.outcomes import Message, Outcome, refusal

if TYPE_CHECKING:
    from afterstate_lab.tui.lab.lazy_session import LazySession
    from afterstate_lab.tui.views.words import Words

FILE: Final = "lessons.toml"
"""How far the user has come in each lesson of the package, in the data folder."""
LARGEST: Final = 10_000


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
        self._since: Since | None = None
        """What has happened in the step; None until its place is there."""
        self._was_done = False
        self.text = ""
        """What the card says of the step, with the numbers of its beginning."""

    @property
    def step(self) -> LessonStep:
        return self.lesson.steps[self.number]

    def turn_to(self, number: int) -> None:
        """Go to a step, where there is one of that number; it begins once its place is there."""
        self.number = min(max(number, 0), len(self.lesson.steps) - 1)
        self._since, self.text = None, "One moment: the games of this step are played."

    def begin(self) -> None:
        """Begin the step at the place where the lab is."""
        lazy = self._lazy
        self._since, self._was_done = Since(), False
        try:
            text = self.step.text
            self.text = filled(text, lazy.session) if "{" in text else text
        except UsageError as error:
            self.text = f"Its numbers are elsewhere: {error}. < goes back a step."
        if lazy.is_started:
            session = lazy.session
            self._since = Since(games=session.run.games, predictions=session.predictions.asked)
            self._was_done = self.step.done.is_met(session, self._since)

    def note(self, command: str) -> None:
        """Take note of a command that was asked for."""
        if self._lazy.is_started and self._since is not None:
            self._since.asked.add((command, self._lazy.session.mode))

    @property
    def is_done(self) -> bool:
        """Whether the step is done by now.

        What was done before a step began, as when one turned back to it, does not count: then one
        of its own keys must have been pressed.
        """
        lazy, since = self._lazy, self._since
        if not lazy.is_started or since is None:
            return False
        own = {name for name, _ in since.asked} & self.step.commands
        return self.step.done.is_met(lazy.session, since) and not (self._was_done and not own)

    def take_answer(self, text: str) -> Outcome:
        """Judge an answer to the step's question."""
        right = filled(self.step.answer, self._lazy.session)
        if not is_same(text, right):
            return refusal("That is not it: try again, or Esc and > go on.")
        if self._since is not None:
            self._since.is_answered = True
        return Message(f"Right: {right}.")

    def view(self, size: tuple[int, int]) -> LessonCard:
        """The card of the step in a terminal of this size."""
        step, lazy = self.step, self._lazy
        wide, high = step.screen
        text = self.text
        if size[0] < wide or size[1] < high:
            text = f"This step needs a terminal of {wide}×{high}: make it larger, or > goes on."
        todo = step.do
        if lazy.mode not in step.modes:
            mode = min(step.modes, key=list(Mode).index).value
            todo = f"{MARK}{mode[0]}{MARK} first: this goes on in {mode.upper()}"
        return LessonCard(
            title=f"{self.number + 1}/{len(self.lesson.steps)} {step.title}",
            right=f"< > step  {key_of('tour')} ends",
            text=text,
            todo=key_words(todo, step.modes if todo == step.do else ALL),
        )


def is_same(said: str, right: str) -> bool:
    """Whether an answer is right; a number to the decimals of the right one."""
    said = said.strip()
    number, meant = number_in(said), number_in(right)
    if number is None or meant is None:
        return said.casefold() == right.casefold()
    return abs(number - meant) <= 0.5 * 10.0 ** -len(right.partition(".")[2]) + 1e-9


def key_words(todo: str, modes: frozenset[Mode] = ALL) -> Words:
    """What is to be done, the keys in it in their own style, and as the user has them."""
    changed = [command for command in COMMANDS if command.usual and command.modes & modes]

    def own(key: str) -> str:
        return next((command.shown for command in changed if command.answers_to(key)), key)

    return tuple(
        (own(text), "key") if place % 2 else (text, "text")
        for place, text in enumerate(todo.split(MARK))
        if text
    )


def read_progress() -> dict[str, int]:
    """The step, from 1, that was reached in each lesson; what cannot be read is left out."""
    try:
        with opened(data_folder() / FILE) as file:
            return progress_of(file.read(LARGEST))
    except (OSError, RuntimeError, ValueError):
        return {}


def progress_of(data: bytes) -> dict[str, int]:
    """The same, of the bytes of a file."""
    source = TomlText(FILE, data.decode(errors="replace"))
    found: dict[str, int] = {}
    try:
        table = source.table()
    except UsageError:
        return {}
    for name in NAMES:
        with suppress(KeyError, UsageError):
            found[name] = whole(table[name], 1, MOST_STEPS)
    return found


def keep_progress(name: str, step: int) -> None:
    """Write down how far a lesson of the package has come, if that is farther than before."""
    known = read_progress()
    if name not in NAMES or known.get(name, 0) >= step:
        return
    known[name] = step
    with suppress(OSError, RuntimeError):  # a lesson goes on without it
        lines = (f"{key} = {value}\n" for key, value in known.items())
        replace_file(data_folder() / FILE, "".join(lines))
