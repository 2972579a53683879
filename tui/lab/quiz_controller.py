"""A quiz on the screen: what is chosen, where the cursor is, and what is shown."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from learners.ask.questions import GivenAnswer, QuizAnswers, QuizKind, QuizQuestion
from tui.blocks.number_line import Mark
from tui.blocks.quiz import ChoiceLine, QuizView
from tui.blocks.small_board import SmallBoard
from tui.lab.list_commands import QUIZ_COMMANDS
from tui.lab.list_controller import ListController
from tui.lab.outcomes import Close, Message, Outcome, Question, refusal
from tui.lab.quiz import NAMES, fact_words, number_words, total, verdict, wanted, words

if TYPE_CHECKING:
    from learners.tape.recording import TapePosition
    from tui.lab.commands import Command

ANSWERING: Final = ("less", "more", "up", "down", "choose", "type")
"""Commands that an answered question has no use for."""
COARSE: Final = 10
"""Small steps in a large one."""


class QuizController(ListController):
    """A question, the choice or the number under the cursor, and what came of the answer.

    Args:
        answers: the quiz.
    """

    def __init__(self, answers: QuizAnswers) -> None:
        super().__init__(
            {
                "answer": self.answer,
                "type": self.type_answer,
                "less": lambda: self.shift(-1),
                "more": lambda: self.shift(1),
                "up": lambda: self.shift(COARSE, -1),
                "down": lambda: self.shift(-COARSE, 1),
                "go": self.go,
                "back": lambda: Close(None),
            }
        )
        self.answers = answers
        self.told: GivenAnswer | None = None
        """The answer that was just given: it is told until the next question is asked for."""
        self.is_over = False
        """Whether the score is shown."""
        self._begin()

    def _begin(self) -> None:
        """Ask the question that waits."""
        self.told = None
        question = self.answers.question
        self.guess = question.marks[0][1] if question.marks else question.scale[0]
        self.window.cursor = 0
        self.window.hold(len(question.choices))

    @property
    def question(self) -> QuizQuestion:
        return self.answers.question if self.told is None else self.told.question

    @property
    def available(self) -> tuple[Command, ...]:
        """The commands that do something now; Enter has the word for what it does."""
        if self.told is None:
            return tuple(command for command in QUIZ_COMMANDS if command.name != "go")
        then = "next question" if not self.answers.is_over else "score"
        useless = (*ANSWERING, "go") if self.is_over else ANSWERING
        return tuple(
            replace(command, label="done" if self.is_over else then)
            if command.name == "answer"
            else command
            for command in QUIZ_COMMANDS
            if command.name not in useless
        )

    def perform(self, name: str, key: str = "") -> Outcome:
        """Do what a command asks for; a digit chooses by its number, or by the cell."""
        if name != "choose":
            return super().perform(name, key)
        self.note = ""
        place = self.question.read(key)
        if place is None and not self.question.is_number and int(key) <= self.window.count:
            place = int(key) - 1
        if self.told is None and not self.question.is_number and place is not None:
            self.window.go_to(int(place))
        return None

    def shift(self, steps: int, rows: int | None = None) -> None:
        """Move the guess by so many small steps, or the cursor by so many rows."""
        question = self.question
        if self.told is not None or self.is_over:
            return
        if not question.is_number:
            self.window.move(steps if rows is None else rows)
            return
        low, high = question.scale
        self.guess = min(max(self.guess + steps * question.step, low), high)

    def answer(self) -> Outcome:
        """Take the answer under the cursor; once it is told, ask the next question."""
        if self.is_over:
            return Close(None)
        if self.told is None:
            self._take(self.guess if self.question.is_number else float(self.window.cursor))
        elif self.answers.is_over:
            self.is_over = True
        else:
            self._begin()
        return None

    def _take(self, given: float) -> None:
        self.told = self.answers.take(given)

    def type_answer(self) -> Outcome:
        """Ask for the answer as a text."""
        if self.told is not None or self.is_over:
            return self.answer()
        question = self.question

        def take(text: str) -> Outcome:
            given = question.read(text)
            if given is None:
                return refusal(wanted(question))
            self._take(given)
            return None

        return Question("answer", wanted(question), take, hint=wanted(question))

    def go(self) -> Outcome:
        """Leave for the place that the question was about, once that is answered."""
        if self.told is None:
            return Message("That would tell it: answer first.")
        place: TapePosition = self.told.question.place
        return Close(place)

    def choose(self, row: int) -> None:
        """Select a choice that was clicked."""
        if self.told is None and 0 <= row < self.window.count:
            self.window.go_to(row)

    @property
    def number(self) -> int:
        """The number of the question that is shown, from 1."""
        return len(self.answers.given) + (self.told is None)

    def board_view(self) -> SmallBoard:
        """The board that the question is about."""
        question = self.question
        who = f"{question.player}, game {question.place.game + 1:,}"
        return SmallBoard(
            cells=question.board,
            title=who,
            moved=() if question.moved is None else (question.moved,),
        )

    def view(self) -> QuizView:
        """The question, or the score."""
        if self.is_over:
            return self._score_view()
        question, told = self.question, self.told
        return QuizView(
            prompt=question.prompt,
            facts=tuple((fact.label, fact_words(fact)) for fact in question.facts),
            choices=tuple(
                ChoiceLine(
                    str(place + 1) if question.kind is not QuizKind.GREEDY else "",
                    choice,
                    None if told is None else place in question.right,
                )
                for place, choice in enumerate(question.choices)
            ),
            cursor=None if question.is_number else self._cursor,
            marks=self._marks(),
            scale=question.scale if question.is_number else None,
            guess=number_words(self.guess) if question.is_number else "",
            verdict="" if told is None else ((verdict(told), role_of(told)),),
            why="" if told is None else words(question.why),
            title=NAMES[question.kind],
            right=f"{self.number} of {len(self.answers.questions)}",
        )

    @property
    def _cursor(self) -> int:
        """The choice under the cursor, or the one that was given."""
        if self.told is None or self.told.given is None:
            return self.window.cursor
        return int(self.told.given)

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

    def _score_view(self) -> QuizView:
        answers = self.answers
        kinds = dict.fromkeys(answer.question.kind for answer in answers.given)
        facts = []
        for kind in kinds:
            of = [answer for answer in answers.given if answer.question.kind is kind]
            earned = math.fsum(answer.score for answer in of)
            facts.append((NAMES[kind], f"{earned:.1f} of {len(of)}"))
        return QuizView(prompt=total(answers), facts=tuple(facts), title="your score")


GLYPHS: Final = {"old": "●", "target": "┃"}


def role_of(answer: GivenAnswer) -> str:
    """The colour of a verdict."""
    return "better" if answer.score >= 0.5 else "worse"
