"""The quiz: a board, a question and the verdict, without anything that reveals the answer."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from afterstate_lab.game import Board
from afterstate_lab.learners.ask.questions import (
    GivenAnswer,
    QuizAnswers,
    QuizKind,
    QuizQuestion,
    WordsAndNumbers,
)
from afterstate_lab.learners.errors import UsageError
from afterstate_lab.tui.blocks.block import Beside
from afterstate_lab.tui.blocks.menu import Choice, Question
from afterstate_lab.tui.blocks.number_line import Mark
from afterstate_lab.tui.blocks.small_board import SmallBoard
from afterstate_lab.tui.blocks.speech import board_words
from afterstate_lab.tui.pages.page import BACK, Key, Leave, Opened, Page
from afterstate_lab.tui.theme.numerals import compact, decimals

if TYPE_CHECKING:
    from afterstate_lab.tui.lab.controller import LabController

COARSE: Final = 10
"""Number of small steps in a large step."""
GLYPHS: Final = {"old": "●", "target": "┃"}
OPERATORS: Final = ("+ ", "− ", "× ")
SHORT: Final = 1e-12
"""Tolerance for three decimals: `.3` can be .30000000000000004."""
NAMES: Final[Mapping[QuizKind, str]] = {
    QuizKind.WAY: "up or down", QuizKind.VALUE: "the number", QuizKind.LEARNS: "does it learn",
    QuizKind.ENTRY: "which entry", QuizKind.GREEDY: "which move", QuizKind.TARGET: "two rules",
}  # fmt: skip


class Quiz:
    """A question, the cursor, and the verdict on the answer."""

    def __init__(self, answers: QuizAnswers) -> None:
        self.answers = answers
        self.is_over = False
        self._begin()

    def _begin(self) -> None:
        self.told: GivenAnswer | None = None
        """The latest answer, until the next question."""
        question = self.answers.question
        self.guess = question.marks[0][1] if question.marks else question.scale[0]
        self.cursor = 0

    @property
    def question(self) -> QuizQuestion:
        return self.answers.question if self.told is None else self.told.question

    @property
    def number(self) -> int:
        """The number of the question, from 1."""
        number = len(self.answers.given) + (self.told is None)
        return min(number, len(self.answers.questions))

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
        """Move the guess by small steps, or the cursor by rows."""
        question = self.question
        if question.is_number:
            low, high = question.scale
            self.guess = min(max(self.guess + steps * question.step, low), high)
        else:
            last = len(question.choices) - 1
            self.cursor = min(max(self.cursor + (steps if rows is None else rows), 0), last)

    def answer(self) -> Leave | None:
        """Submit the answer under the cursor, or show the next question."""
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
        """Take a typed answer."""
        given = self.question.read(text)
        if given is None:
            raise UsageError(wanted(self.question))
        self._take(given)

    def _take(self, given: float) -> None:
        self.told = self.answers.take(given)

    def click(self, row: int) -> None:
        """Submit the clicked choice."""
        if self.told is None:
            self.cursor = row
            self._take(float(row))

    def go(self) -> Leave | str:
        """Go to the moment of the answered question."""
        if self.told is None:
            return "That would give it away: answer first."
        return Leave(self.told.question.place)

    # in lines, without a page: one question after the other

    def lines(self) -> list[str]:
        """Return the current question, or the score."""
        if self.answers.is_over:
            return [f"The quiz is over: {total(self.answers)}"]
        board = board_words(Board.parse(self.question.board))
        heading = f"Question {self.number} of {len(self.answers.questions)}. {board}"
        return [heading, *self._asked().say()]

    def answered(self, text: str) -> list[str] | None:
        """Return the verdict on an answer and the next question, or None for an invalid text."""
        given = self.question.read(text)
        if given is None:
            return None
        self._take(given)
        *_, said = self._asked().say()
        streak = f" {self.answers.streak} in a row." if self.answers.streak > 1 else ""
        if not self.answers.is_over:
            self._begin()
        return [f"{said}{streak}", *self.lines()]

    # what is shown

    def page(self) -> Page:
        answers = self.answers
        return Page(
            "QUIZ",
            Beside((self._score() if self.is_over else self._asked(), self._board())),
            keys=self._keys(),
            title=(
                ("question", str(self.number)),
                ("score", f"{answers.score:.1f}"),
                ("streak", str(answers.streak)),
            ),
            of_run=True,
        )

    def _keys(self) -> tuple[Key, ...]:
        if self.is_over:
            return Key("enter", "done", self.answer, "leave the quiz"), BACK
        if self.told is not None:
            then = "score" if self.answers.is_over else "next question"
            there = Key("g", "step there", self.go, "step through what was asked")
            return Key("enter", then, self.answer, f"the {then}"), there, BACK
        digits = (Key(n, "", lambda n=n: self.digit(n), "choose by number, or by cell", hidden=True)
                  for n in "123456789")  # fmt: skip
        return (
            Key("left", "", lambda: self.shift(-1), "the previous choice, or a smaller number"),
            Key("right", "choose", lambda: self.shift(1), "the next choice, or a larger number"),
            Key("up k", "", lambda: self.shift(COARSE, -1), "the previous choice, or ten more"),
            Key("down j", "", lambda: self.shift(-COARSE, 1), "the next choice, or ten less"),
            *digits,
            Key("enter", "answer", self.answer, "this is the answer"),
            Key("slash", "type it", self.type, "type the answer", asks=wanted(self.question)),
            Key("g", "", self.go, "step through what was asked, once it is answered"),
            BACK,
        )

    def _board(self) -> SmallBoard:
        question = self.question
        return SmallBoard(
            question.board, () if question.moved is None else (question.moved,), least_columns=27,
            title=f"{question.player}, game {question.place.game + 1:,}",
        )  # fmt: skip

    def _asked(self) -> Question:
        question, told = self.question, self.told
        is_number = question.is_number
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
            wanted=wanted(question),
            cursor=None if is_number else cursor,
            marks=self._marks() if is_number else (),
            scale=question.scale if is_number else None,
            guess=number_words(self.guess) if is_number else "",
            verdict=verdict(told) if told else "",
            why=words(question.why) if told else "",
            title=NAMES[question.kind],
            right=f"{self.number} of {len(self.answers.questions)}",
            chosen=self.click, spot=True,
        )  # fmt: skip

    def _marks(self) -> tuple[Mark, ...]:
        """Return the known marks on the number line, the guess, and the revealed answer."""
        question, told = self.question, self.told
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
            of = [answer.score for answer in self.answers.given if answer.question.kind is kind]
            facts.append((NAMES[kind], f"{math.fsum(of):.1f} of {len(of)}"))
        return Question(prompt=total(self.answers), facts=facts, title="your score", spot=True)


def quiz_json(answers: QuizAnswers) -> dict[str, Any]:
    return {
        "score": answers.score,
        "of": len(answers.given),
        "chance": answers.chance,
        "best_streak": answers.best_streak,
        "questions": [answer_json(answer) for answer in answers.given],
    }


def answer_json(answer: GivenAnswer) -> dict[str, Any]:
    asked = answer.question
    right: Any = [asked.choices[place] for place in sorted(asked.right)]
    return {
        "kind": asked.kind.value,
        "game": asked.place.game + 1,
        "ply": asked.ply,
        "event": asked.place.row + 1,
        "player": asked.player,
        "board": asked.board,
        "question": asked.prompt,
        "facts": [
            {"label": label, "value": words(told) if isinstance(told, str | tuple) else told}
            for label, told in asked.facts
        ],
        "choices": list(asked.choices),
        "answer": asked.number if asked.is_number else right,
        "given": answer.given if asked.is_number else answer.text,
        "score": answer.score,
        "chance": asked.chance,
    }


def wanted(question: QuizQuestion) -> str:
    """Describe the valid answers."""
    if question.is_number:
        return "a number such as .42"
    if question.kind is QuizKind.ENTRY:
        return f"the number of an entry, 1 to {len(question.choices)}"
    if question.kind is QuizKind.GREEDY:
        return f"a cell: {', '.join(question.choices)}"
    return " or ".join(question.choices)


def words(told: float | str | WordsAndNumbers) -> str:
    """Return a sentence with formatted numbers; a negative term is in parentheses."""
    text = ""
    for part in told if isinstance(told, tuple) else (told,):
        written = part if isinstance(part, str) else number_words(part)
        is_term = written.startswith("−") and text.endswith(OPERATORS)
        text += f"({written})" if is_term else written
    return text


def number_words(number: float) -> str:
    """Return a number with up to three decimals, or with four."""
    is_short = math.isclose(number, round(number, 3), rel_tol=0.0, abs_tol=SHORT)
    return compact(number, 3) if is_short else decimals(number, 4)


def verdict(answer: GivenAnswer) -> tuple[tuple[str, str]]:
    """Return the verdict on an answer, with its colour."""
    said = "wrong" if answer.given is not None else "passed over"
    if answer.score >= 1:
        said = "right"
    elif answer.question.is_number and answer.score > 0:
        said = f"near: {answer.score:.2f}"
    return ((said, "better" if answer.score >= 0.5 else "worse"),)


def total(answers: QuizAnswers) -> str:
    """Describe the score, and the expected score of guesses."""
    return (
        f"{answers.score:.1f} of {len(answers.given)}; guessing earns {answers.chance:.1f}. "
        f"Longest streak: {answers.best_streak}."
    )


def open_on(lab: LabController, answers: QuizAnswers, text: str) -> Opened:
    return Quiz(answers).page, lab.step_to
