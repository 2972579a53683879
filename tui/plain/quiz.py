"""A quiz in sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING

from afterstate_lab.game import Board
from afterstate_lab.tui.blocks.speech import board_words, spoken
from afterstate_lab.tui.lab.quiz import total, verdict, wanted, words

if TYPE_CHECKING:
    from afterstate_lab.learners.ask.questions import GivenAnswer, QuizAnswers, QuizQuestion


def question_lines(answers: QuizAnswers) -> list[str]:
    """The question that waits; the score where none does."""
    if answers.is_over:
        return [f"The quiz is over: {total(answers)}"]
    question, number = answers.question, len(answers.given) + 1
    board = board_words(Board.parse(question.board))
    lines = [
        f"Question {number} of {len(answers.questions)}. {board}",
        spoken(question.prompt),
    ]
    facts = [spoken(f"{label} {words(told)}".lstrip()) for label, told in question.facts]
    if facts:
        lines.append(f"{'; '.join(facts)}.")
    return [*lines, offered(question)]


def offered(question: QuizQuestion) -> str:
    """What may be answered, each entry with its number."""
    entries = [f"{n}. {name}" for n, name in enumerate(question.choices, 1)]
    listed = max(map(len, question.choices), default=0) == 9 or "@" in "".join(question.choices)
    return f"Answer {wanted(question)}{': ' + '; '.join(entries) if listed else ''}."


def answered(answers: QuizAnswers, text: str) -> list[str] | None:
    """What is said of an answer, and the next question; None where the text is no answer."""
    given = answers.question.read(text)
    return None if given is None else verdict_lines(answers.take(given), answers)


def verdict_lines(answer: GivenAnswer, answers: QuizAnswers) -> list[str]:
    """What is said of an answer, and the next question."""
    said = verdict(answer).capitalize()
    streak = f" {answers.streak} in a row." if answers.streak > 1 else ""
    return [f"{said}. {spoken(words(answer.question.why))}{streak}", *question_lines(answers)]
