"""A quiz: the questions one by one, the answers, their score and a streak."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from afterstate_lab.learners.ask.questions import (
    GivenAnswer,
    QuizAnswers,
    QuizKind,
    QuizQuestion,
    WordsAndNumbers,
    quiz,
)
from afterstate_lab.tui.lab.commands import Screen
from afterstate_lab.tui.lab.outcomes import Open, Outcome, Search, refusal
from afterstate_lab.tui.theme.numerals import compact, decimals

if TYPE_CHECKING:
    from afterstate_lab.learners.tape.run import Run
    from afterstate_lab.tui.lab.session import Session

QUESTIONS: Final = 10
"""Questions of a quiz where nobody says how many."""
OPERATORS: Final = ("+ ", "− ", "× ")
SHORT: Final = 1e-12
"""A number has three decimals where it is no farther from them: `.3` may be .30000000000000004."""
NAMES: Final[Mapping[QuizKind, str]] = {
    QuizKind.WAY: "up or down", QuizKind.VALUE: "the number", QuizKind.LEARNS: "does it learn",
    QuizKind.ENTRY: "which entry", QuizKind.GREEDY: "which move", QuizKind.TARGET: "two rules",
}  # fmt: skip


def quiz_json(answers: QuizAnswers) -> dict[str, Any]:
    """Questions, answers and scores."""
    return {
        "score": answers.score,
        "of": len(answers.given),
        "chance": answers.chance,
        "best_streak": answers.best_streak,
        "questions": [answer_json(answer) for answer in answers.given],
    }


def answer_json(answer: GivenAnswer) -> dict[str, Any]:
    """A question, its answer and what was answered."""
    asked = answer.question
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
        "answer": asked.number
        if asked.is_number
        else [asked.choices[place] for place in sorted(asked.right)],
        "given": answer.given if asked.is_number else answer.text,
        "score": answer.score,
        "chance": asked.chance,
    }


def wanted(question: QuizQuestion) -> str:
    """What may be answered, in words."""
    if question.is_number:
        return "a number such as .42"
    if question.kind is QuizKind.ENTRY:
        return f"the number of an entry, 1 to {len(question.choices)}"
    if question.kind is QuizKind.GREEDY:
        return f"a cell: {', '.join(question.choices)}"
    return " or ".join(question.choices)


def words(told: float | str | WordsAndNumbers) -> str:
    """A sentence, its numbers written as on all screens; a negative term in parentheses."""
    text = ""
    for part in told if isinstance(told, tuple) else (told,):
        written = part if isinstance(part, str) else number_words(part)
        is_term = written.startswith("−") and text.endswith(OPERATORS)
        text += f"({written})" if is_term else written
    return text


def number_words(number: float) -> str:
    """A number with four decimals, or with those that it has where they are three at most."""
    is_short = math.isclose(number, round(number, 3), rel_tol=0.0, abs_tol=SHORT)
    return compact(number, 3) if is_short else decimals(number, 4)


def verdict(answer: GivenAnswer) -> str:
    """What is said of an answer, in a word or two."""
    if answer.score >= 1:
        return "right"
    if answer.question.is_number and answer.score > 0:
        return f"near: {answer.score:.2f}"
    return "wrong" if answer.given is not None else "passed over"


def total(answers: QuizAnswers) -> str:
    """The score in a sentence, and what guesses would have earned."""
    of = len(answers.given)
    return (
        f"{answers.score:.1f} of {of}; guessing earns {answers.chance:.1f}. "
        f"Longest streak: {answers.best_streak}."
    )


def ask_quiz(session: Session) -> Outcome:
    """Make up a quiz on the games of the run; where none was played, one is."""
    if not session.run.games:
        session.leave_seat()
        session.play_until_change()
    run = session.run
    number = session.quizzes
    session.quizzes += 1

    def found(questions: tuple[QuizQuestion, ...]) -> Outcome:
        if not questions:
            return refusal("There is nothing to ask of this run: nobody learns in it.")
        return Open(Screen.QUIZ, QuizAnswers(questions))

    return Search(
        "ten questions",
        lambda progress, stop: questions_of(run, QUESTIONS, number, stop=stop),
        found,
        run,
    )


def questions_of(run: Run, many: int, seed: int, **rest: Any) -> tuple[QuizQuestion, ...]:
    """A quiz on a run; for many games the machine code is made first."""
    if run.games:
        run.make_ready(run.games // 2)
    return quiz(run, many, seed, **rest)
