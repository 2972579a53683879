"""A quiz in the lab: the questions one by one, the answers, their score and a streak."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from learners.queries.quiz.question import QuizFact, QuizKind, QuizQuestion
from learners.queries.quiz.quiz import quiz
from tui.lab.commands import Screen
from tui.lab.list_controller import ListController
from tui.lab.outcomes import Close, Message, Open, Outcome, Question, Search, refusal
from tui.theme.numerals import decimals
from tui.views.quiz import ChoiceLine, QuizView
from tui.views.update import AfterstateView, MarkView

if TYPE_CHECKING:
    from learners.tape.recording import TapePosition
    from learners.tape.run import Run
    from tui.lab.session import Session

QUESTIONS: Final = 10
"""Questions of a quiz where nobody says how many."""
COARSE: Final = 10
"""Small steps in a large one."""
GOOD: Final = 0.5
"""A streak goes on where an answer earns at least this."""
SAME: Final[Mapping[str, str]] = {"+": "up", "-": "down", "−": "down", "=": "the same",
    "same": "the same", "y": "yes", "n": "no"}  # fmt: skip
"""Other words for a choice."""
NAMES: Final[Mapping[QuizKind, str]] = {
    QuizKind.WAY: "up or down", QuizKind.VALUE: "the number", QuizKind.LEARNS: "does it learn",
    QuizKind.ENTRY: "which entry", QuizKind.GREEDY: "which move", QuizKind.TARGET: "two rules",
}  # fmt: skip


@dataclass(frozen=True)
class GivenAnswer:
    """An answer."""

    question: QuizQuestion
    given: float | None
    """The place of the choice, or the number; None for a question that was passed over."""

    @property
    def score(self) -> float:
        return 0.0 if self.given is None else self.question.score(self.given)

    @property
    def text(self) -> str | None:
        """The answer as it was meant."""
        if self.given is None:
            return None
        choices = self.question.choices
        return choices[int(self.given)] if choices else f"{self.given:g}"


class QuizAnswers:
    """The questions of a quiz, and how far it has come.

    Args:
        questions: at least one.
    """

    def __init__(self, questions: Sequence[QuizQuestion]) -> None:
        self.questions = tuple(questions)
        self.given: list[GivenAnswer] = []
        self.streak = 0
        """Good answers in a row, the latest included."""
        self.best_streak = 0

    @property
    def is_over(self) -> bool:
        return len(self.given) >= len(self.questions)

    @property
    def question(self) -> QuizQuestion:
        """The question that waits for an answer."""
        return self.questions[len(self.given)]

    @property
    def score(self) -> float:
        """What was earned."""
        return math.fsum(answer.score for answer in self.given)

    @property
    def chance(self) -> float:
        """What guesses would have earned."""
        return math.fsum(answer.question.chance for answer in self.given)

    def take(self, given: float | None) -> GivenAnswer:
        """Take an answer to the question that waits."""
        answer = GivenAnswer(self.question, given)
        self.given.append(answer)
        self.streak = self.streak + 1 if answer.score >= GOOD else 0
        self.best_streak = max(self.best_streak, self.streak)
        return answer

    def json(self) -> dict[str, Any]:
        """Questions, answers and scores."""
        return {
            "score": self.score,
            "of": len(self.given),
            "chance": self.chance,
            "best_streak": self.best_streak,
            "questions": [answer_json(answer) for answer in self.given],
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
            {"label": fact.label, "value": fact.text if fact.value is None else fact.value}
            for fact in asked.facts
        ],
        "choices": list(asked.choices),
        "answer": asked.number
        if asked.is_number
        else [asked.choices[place] for place in sorted(asked.right)],
        "given": answer.given if asked.is_number else answer.text,
        "score": answer.score,
        "chance": asked.chance,
    }


def read_answer(question: QuizQuestion, text: str) -> float | None:
    """The answer that a text means: a number, a choice, or its place from 1; None for no such."""
    word = SAME.get(text.strip().lower(), text.strip())
    if question.is_number:
        try:
            number = float(word.replace("−", "-"))
        except ValueError:
            return None
        return number if math.isfinite(number) and len(word) <= 30 else None
    names = [name.lower() for name in question.choices]
    if word.lower() in names:
        return float(names.index(word.lower()))
    if question.kind is QuizKind.ENTRY and word.isascii() and word.isdigit() and len(word) < 3:
        return float(int(word) - 1) if 1 <= int(word) <= len(names) else None
    return None


def wanted(question: QuizQuestion) -> str:
    """What may be answered, in words."""
    if question.is_number:
        return "a number such as .42"
    if question.kind is QuizKind.ENTRY:
        return f"the number of an entry, 1 to {len(question.choices)}"
    if question.kind is QuizKind.GREEDY:
        return f"a cell: {', '.join(question.choices)}"
    return " or ".join(question.choices)


def fact_words(fact: QuizFact) -> str:
    """What a fact says."""
    if fact.value is None:
        return fact.text
    return f"{fact.value:g}" if fact.value == round(fact.value) else decimals(fact.value, 4)


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
        """The question that is shown."""
        return self.answers.question if self.told is None else self.told.question

    def perform(self, name: str, key: str = "") -> Outcome:
        """Do what a command asks for; a digit chooses by its number, or by the cell."""
        if name != "choose":
            return super().perform(name, key)
        self.note = ""
        place = read_answer(self.question, key)
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
            given = read_answer(question, text)
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

    def board_view(self) -> AfterstateView:
        """The board that the question is about."""
        question = self.question
        who = f"{question.player}, game {question.place.game + 1:,}"
        return AfterstateView(
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
            guess=fact_words(QuizFact("", self.guess)) if question.is_number else "",
            verdict="" if told is None else ((verdict(told), role_of(told)),),
            why="" if told is None else question.why,
            title=NAMES[question.kind],
            right=f"{self.number} of {len(self.answers.questions)}",
        )

    @property
    def _cursor(self) -> int:
        """The choice under the cursor, or the one that was given."""
        if self.told is None or self.told.given is None:
            return self.window.cursor
        return int(self.told.given)

    def _marks(self) -> tuple[MarkView, ...]:
        """What is known on the number line, the guess, and the answer once that is told."""
        question, told = self.question, self.told
        if not question.is_number:
            return ()
        known = [
            MarkView(value, label, "dim" if label == "old" else "key", GLYPHS.get(label, "┃"))
            for label, value in question.marks
        ]
        given = self.guess if told is None or told.given is None else told.given
        known.append(MarkView(given, "you", "strong", "▲"))
        if told is not None:
            known.append(MarkView(question.number, "right", "better", "○"))
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
    return "better" if answer.score >= GOOD else "worse"
