"""Going through a lesson by its keys or words, and seeing that all it says is true: `--check`.

Nothing is drawn; the commands, the run and the dice are those of the lab. What does not hold is one
sentence with the lesson's file, line and key.
"""

from __future__ import annotations

import re
import textwrap
from typing import Final

from afterstate_lab.learners.rules.spec import PlayerSpec
from afterstate_lab.tui.lab.commands import COMMANDS
from afterstate_lab.tui.lab.controller import LabController
from afterstate_lab.tui.lab.lazy_session import LazySession
from afterstate_lab.tui.lab.lessons.lesson_file import MARK, Lesson, LessonStep, marked
from afterstate_lab.tui.lab.lessons.numbers import CLAIM, LIVE, check_holds, filled
from afterstate_lab.tui.lab.modes import Mode, Settings
from afterstate_lab.tui.lab.outcomes import (
    Message,
    MessageKind,
    Open,
    Outcome,
    Question,
    Search,
    Steps,
    Train,
)
from afterstate_lab.tui.plain.dialogue import Dialogue, seated_run
from afterstate_lab.tui.theme.glyphs import ASCII

CARD: Final = 56
"""Columns inside the card of the smallest terminal, in which two lines of text must do."""
TEXT_ROWS: Final = 2
NAMED: Final = re.compile(r"(?:S&B|Section|Chapter|Figure|[Ee]xercise) [0-9.]+")
"""A place in the book, which is no number that could be false."""
DIGITS: Final = re.compile(r"(?<![\w.])[−-]?(?:[0-9][0-9,]*(?:\.[0-9]+)?|\.[0-9]+)", re.ASCII)
MOST_PRESSED: Final = 60
"""A step is done after its last key was pressed, or its last line typed, fewer times."""


def rehearse(lesson: Lesson) -> list[tuple[str, ...]]:
    """Go through a lesson by its keys; what was pressed and typed, of each step.

    Raises:
        UsageError: it cannot be gone through, or something that it says is not so.
    """
    rehearsal = Rehearsal()
    return rehearsal.go_through(lesson)


class Rehearsal:
    """A lab without a screen, in which a lesson is done."""

    def __init__(self) -> None:
        td = PlayerSpec.parse("td")
        self.lab = LabController(LazySession(Settings(td, td)))
        self.keys: list[str] = []
        """What was pressed and typed in the step that goes on."""
        self.question: Question | None = None
        self.typed = ""
        self.is_covered = False
        """Whether a screen stands in front of the lab."""
        self.refused = ""
        """Why a command did nothing."""

    def go_through(self, lesson: Lesson) -> list[tuple[str, ...]]:
        """Do every step by its keys, and return those."""
        pressed = []
        self.take(self.lab.lessons.begin(lesson))
        for number, step in enumerate(lesson.steps):
            if self.refused and step.address is not None:
                raise step.error("at" if step.at else "address", self.why)
            self.check(step)
            if step.done.kind != "never":
                self.do(step, number)
                pressed.append(tuple(self.keys))
        return pressed

    @property
    def why(self) -> str:
        """Why a command did nothing, to follow a colon."""
        return self.refused[:1].lower() + self.refused[1:].removesuffix(".")

    def check(self, step: LessonStep) -> None:
        """See that what a step says is true and fits the card."""
        session = self.lab.session
        for claim in step.holds:
            step.checked("holds", check_holds, claim, session)
        text = step.checked("text", filled, step.text, session)
        check_literals(step)
        rows = len(textwrap.wrap(ASCII.text(text), CARD, break_on_hyphens=False))
        if rows > TEXT_ROWS:
            raise step.error(
                "text", f"takes {rows} lines of {CARD} characters; the card has {TEXT_ROWS}"
            )
        todo = len(ASCII.text(step.do.replace(MARK, "")))
        if todo > CARD - 2:
            raise step.error("do", f"has {todo} characters; the card has room for {CARD - 2}")

    def do(self, step: LessonStep, number: int) -> None:
        """Press the keys of a step until the next one begins."""
        self.keys, keys = [], step.solution or step.keys
        if step.answer:
            keys = (*keys, filled(step.answer, self.lab.session), "Enter")
        for key in keys:
            self.press(step, key)
        while self.is_covered or self.question is not None:
            self.press(step, "Esc")
        guide = self.lab.lessons.guide
        assert guide is not None
        for _ in range(MOST_PRESSED):
            if guide.number <= number:
                self.press(step, keys[-1])
        if guide.number <= number:
            condition = step.table.values.get("done", "asked lesson")
            says = f": {self.why}" if self.refused else ""
            raise step.error("done", f"{condition} is not met by what the step says{says}")

    def press(self, step: LessonStep, key: str) -> None:
        """Press a key as a card names it, or write a word into a question."""
        self.refused = ""
        self.keys.append(key)
        if self.question is not None:
            self.answer(key)
        elif self.is_covered:
            self.is_covered = key not in ("Esc", "q")
        elif key in "123456789" and self.lab.session.mode is Mode.PLAY:
            self.take(self.lab.press_digit(int(key)))
            self.lab.lessons.note("cell")
        else:
            mode = self.lab.session.mode
            command = next((c for c in COMMANDS if mode in c.modes and c.answers_to(key)), None)
            if command is None:
                raise step.error("do", f"{key} does nothing in {mode.value}")
            self.take(self.lab.perform(command.name))
            self.lab.lessons.note(command.name)
        if self.question is None and not self.is_covered:
            self.take(self.lab.lessons.follow())

    def answer(self, key: str) -> None:
        """Type into a question, answer it, or leave it."""
        question = self.question
        assert question is not None
        if key == "Esc":
            self.question, self.typed = None, ""
        elif key != "Enter":
            self.typed = key
        else:
            outcome = question.answer(self.typed or question.default)
            if isinstance(outcome, Message) and outcome.kind is MessageKind.REFUSAL:
                self.refused = outcome.text or question.hint
            else:
                self.question, self.typed = None, ""
                self.take(outcome)

    def take(self, outcome: Outcome) -> None:
        """Do what comes of a command."""
        if isinstance(outcome, Message):
            self.refused = outcome.text if outcome.kind is MessageKind.REFUSAL else ""
        elif isinstance(outcome, Question):
            self.question = outcome
        elif isinstance(outcome, Steps):
            for _ in outcome.events:
                pass
        elif isinstance(outcome, Search):
            self.take(outcome.found(outcome.work(lambda part: None, lambda: False)))
        elif isinstance(outcome, Train):
            training = self.lab.session.begin_training(outcome.goal)
            training.work()
            self.lab.end_training()
        elif isinstance(outcome, Open):
            self.is_covered = True


def check_literals(step: LessonStep) -> None:
    """See that a number which is written into a text is asserted, too.

    Raises:
        UsageError: nothing holds the text to it.
    """
    claimed = {found[3] for claim in step.holds if (found := CLAIM.fullmatch(claim))}
    for key, text in (
        ("text", step.text),
        ("do", "".join(step.do.split(MARK)[::2])),
        ("ask", step.ask),
    ):
        for found in DIGITS.finditer(LIVE.sub("", NAMED.sub("", text))):
            said = found[0].rstrip(",")
            if said not in claimed and said.replace(",", "") not in claimed:
                raise step.error(key, f"names {said}, and nothing in holds asserts it")


def rehearse_plain(lesson: Lesson) -> list[str]:
    """Go through a lesson by its lines; all that was told.

    Raises:
        UsageError: a line of it does not do what it should.
    """
    human, td = PlayerSpec.parse("human"), PlayerSpec.parse("td")
    dialogue = Dialogue(seated_run(human, td, 0), "none")
    told = dialogue.begin(lesson)
    guide = dialogue.controller.lessons.guide
    assert guide is not None
    for number, step in enumerate(lesson.steps[:-1]):
        lines = step.solution or marked(step.type)
        if step.answer:
            lines = (f"answer {filled(step.answer, dialogue.session)}",)
        for line in (*lines, *[lines[-1]] * MOST_PRESSED):
            if guide.number <= number:
                told += dialogue.answer(line)
        if guide.number <= number:
            raise step.error("type", f"typing {' and '.join(lines)} does not do the step")
    return told
