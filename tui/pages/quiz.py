"""The quiz: a board, a question, and what came of the answer; nothing else that could tell."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from afterstate_lab.learners.ask.questions import GivenAnswer, QuizAnswers, QuizKind, QuizQuestion
from afterstate_lab.learners.errors import UsageError
from afterstate_lab.tui.blocks.block import Beside
from afterstate_lab.tui.blocks.number_line import Mark
from afterstate_lab.tui.blocks.quiz import Choice, Question
from afterstate_lab.tui.blocks.small_board import SmallBoard
from afterstate_lab.tui.lab.quiz import (
    NAMES,
    number_words,
    total,
    verdict,
    wanted,
    words,
)
from afterstate_lab.tui.pages.page import Key, Leave, Page

if TYPE_CHECKING:
    from afterstate_lab.learners.tape.recording import TapePosition
    from afterstate_lab.tui.lab.controller import LabController
    from afterstate_lab.tui.lab.outcomes import Outcome

COARSE: Final = 10
"""Small steps in a large one."""
BOARD_COLUMNS: Final = 27
GLYPHS: Final = {"old": "●", "target": "┃"}


class Quiz:
    """A question, the choice or the number under the cursor, and what came of the answer.

    Args:
        answers: the quiz.
    """

    def __init__(self, answers: QuizAnswers) -> None:
        self.answers = answers
        self.is_over = False
        """Whether the score is shown."""
        self._begin()

    def _begin(self) -> None:
        """Ask the question that waits."""
        self.told: GivenAnswer | None = None
        """The answer that was just given, until the next question is asked for."""
        question = self.answers.question
        self.guess = question.marks[0][1] if question.marks else question.scale[0]
        self.cursor = 0

    @property
    def question(self) -> QuizQuestion:
        return self.answers.question if self.told is None else self.told.question

    # what can be done

    def digit(self, key: str) -> None:
        """Choose by number, or by cell."""
        question = self.question
        place = None if question.is_number else question.read(key)
        if place is None and not question.is_number and int(key) <= len(question.choices):
            place = int(key) - 1
        if place is not None:
            self.cursor = int(place)

    def shift(self, steps: int, rows: int | None = None) -> None:
        """Move the guess by so many small steps, or the cursor by so many rows."""
        question = self.question
        if question.is_number:
            low, high = question.scale
            self.guess = min(max(self.guess + steps * question.step, low), high)
        else:
            last = len(question.choices) - 1
            self.cursor = min(max(self.cursor + (steps if rows is None else rows), 0), last)

    def answer(self) -> Leave | None:
        """Take the answer under the cursor; once it is told, ask the next question."""
        if self.is_over:
            return Leave()
        if self.told is None:
            self._take(self.guess if self.question.is_number else float(self.cursor))
        elif self.answers.is_over:
            self.is_over = True
        else:
            self._begin()
        return None

    def type(self, text: str) -> None:
        """Take an answer that was typed."""
        given = self.question.read(text)
        if given is None:
            raise UsageError(wanted(self.question))
        self._take(given)

    def _take(self, given: float) -> None:
        self.told = self.answers.take(given)

    def click(self, row: int) -> None:
        """The choice that was clicked is the answer."""
        if self.told is None:
            self.cursor = row
            self._take(float(row))

    def go(self) -> Leave | str:
        """Leave for the place that the question was about, once that is answered."""
        if self.told is None:
            return "That would tell it: answer first."
        return Leave(self.told.question.place)

    # what is shown

    def page(self) -> Page:
        answers = self.answers
        number = len(answers.given) + (self.told is None)
        return Page(
            "QUIZ",
            Beside((self._score() if self.is_over else self._asked(number), self._board())),
            keys=self._keys(),
            title=(
                ("question", f"{min(number, len(answers.questions))}"),
                ("score", f"{answers.score:.1f}"),
                ("streak", str(answers.streak)),
            ),
            of_run=True,
        )

    def _keys(self) -> tuple[Key, ...]:
        """What does something now; Enter has the word for what it does."""
        back = Key("escape q", "back", Leave, "back to the lab")
        if self.is_over:
            return Key("enter", "done", self.answer, "leave the quiz"), back
        if self.told is not None:
            then = "score" if self.answers.is_over else "next question"
            there = Key("g", "step there", self.go, "step through what was asked")
            return Key("enter", then, self.answer, f"the {then}"), there, back
        digits = (Key(n, "", lambda n=n: self.digit(n), "choose by number, or by cell", hidden=True)
                  for n in "123456789")  # fmt: skip
        return (
            Key("left", "", lambda: self.shift(-1), "the previous choice, or a smaller number"),
            Key("right", "choose", lambda: self.shift(1), "the next choice, or a larger number"),
            Key("up k", "", lambda: self.shift(COARSE, -1), "the choice above, or ten steps more"),
            Key("down j", "", lambda: self.shift(-COARSE, 1), "the choice below, or ten less"),
            *digits,
            Key("enter", "answer", self.answer, "this is the answer"),
            Key("slash", "type it", self.type, "type the answer", asks=wanted(self.question)),
            Key("g", "", self.go, "step through what was asked, once it is answered"),
            back,
        )

    def _board(self) -> SmallBoard:
        question = self.question
        return SmallBoard(
            cells=question.board,
            title=f"{question.player}, game {question.place.game + 1:,}",
            moved=() if question.moved is None else (question.moved,),
            least_columns=BOARD_COLUMNS,
        )

    def _asked(self, number: int) -> Question:
        question, told = self.question, self.told
        cursor = self.cursor if told is None or told.given is None else int(told.given)
        return Question(
            prompt=question.prompt,
            facts=[(label, words(told)) for label, told in question.facts],
            choices=[
                Choice(
                    str(place + 1) if question.kind is not QuizKind.GREEDY else "",
                    choice,
                    None if told is None else place in question.right,
                )
                for place, choice in enumerate(question.choices)
            ],
            cursor=None if question.is_number else cursor,
            marks=self._marks(),
            scale=question.scale if question.is_number else None,
            guess=number_words(self.guess) if question.is_number else "",
            verdict="" if told is None else ((verdict(told), role_of(told)),),
            why="" if told is None else words(question.why),
            title=NAMES[question.kind],
            right=f"{number} of {len(self.answers.questions)}",
            chosen=self.click,
            spot=True,
        )

    def _marks(self) -> tuple[Mark, ...]:
        """What is known on the number line, the guess, and the answer once that is told."""
        question, told = self.question, self.told
        if not question.is_number:
            return ()
        known = [
            Mark(value, label, "dim" if label == "old" else "key", GLYPHS.get(label, "┃"))
            for label, value in question.marks
        ]
        given = self.guess if told is None or told.given is None else told.given
        known.append(Mark(given, "you", "strong", "▲"))
        if told is not None:
            known.append(Mark(question.number, "right", "better", "○"))
        return tuple(known)

    def _score(self) -> Question:
        facts = []
        for kind in dict.fromkeys(answer.question.kind for answer in self.answers.given):
            of = [answer for answer in self.answers.given if answer.question.kind is kind]
            earned = math.fsum(answer.score for answer in of)
            facts.append((NAMES[kind], f"{earned:.1f} of {len(of)}"))
        return Question(prompt=total(self.answers), facts=facts, title="your score", spot=True)


def role_of(answer: GivenAnswer) -> str:
    """The colour of a verdict."""
    return "better" if answer.score >= 0.5 else "worse"


def open_on(
    lab: LabController, answers: QuizAnswers, text: str
) -> tuple[Callable[[], Page], Callable[[TapePosition | None], Outcome]]:
    return Quiz(answers).page, lab.step_to
