"""Be the learner: boards, a question and the verdict, and nothing that reveals the answer."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from afterstate_lab.game import Board
from afterstate_lab.learners.ask.be import (
    ByHand,
    GivenAnswer,
    QuizKind,
    QuizQuestion,
    ShownBoard,
    WordsAndNumbers,
)
from afterstate_lab.learners.errors import UsageError
from afterstate_lab.tui.blocks.block import Beside, Block, Part, Stack
from afterstate_lab.tui.blocks.cells import BoardRow, Cells, CellView, marked
from afterstate_lab.tui.blocks.lists import Choice, Question
from afterstate_lab.tui.blocks.speech import board_words
from afterstate_lab.tui.lab.outcomes import sentence
from afterstate_lab.tui.pages.page import BACK, Key, Leave, Opened, Page
from afterstate_lab.tui.theme.numerals import compact, decimals

if TYPE_CHECKING:
    from afterstate_lab.tui.lab.controller import LabController

OPERATORS: Final = ("+ ", "− ", "× ")
SHORT: Final = 1e-12
"""Tolerance for three decimals: `.3` can be .30000000000000004."""
NAMES: Final[Mapping[QuizKind, str]] = {
    QuizKind.VALUE: "the number",
    QuizKind.ENTRY: "which values",
    QuizKind.GREEDY: "which moves",
    QuizKind.TARGET: "the target",
}


class Quiz:
    """A question, the cursor, and the verdict on the answer.

    A right answer leads to the next question at once: a key a question.
    """

    def __init__(self, answers: ByHand) -> None:
        self.answers = answers
        self.is_over = False
        self.last: GivenAnswer | None = None
        """The previous answer, if the next question followed at once."""
        self._begin()

    def _begin(self) -> None:
        self.told: GivenAnswer | None = None
        """The latest answer, until the next question."""
        self.cursor = 0

    @property
    def question(self) -> QuizQuestion:
        return self.answers.question if self.told is None else self.told.question

    @property
    def part(self) -> str:
        """The number of the question, and of how many."""
        return f"{len(self.answers.given) + (self.told is None)} of {len(self.answers.questions)}"

    # what can be done

    def digit(self, key: str) -> Key | None:
        """Answer by number; a number to type begins with its digit."""
        if self.question.is_number:
            return self.typing(key)
        if not key.isdecimal() or not 0 < int(key) <= len(self.question.choices):
            raise UsageError(f"answer {wanted(self.question)}")
        self._take(float(key) - 1)
        return None

    def typing(self, given: str = "") -> Key:
        key = "enter slash" if self.question.is_number else "slash"
        return Key(key, "type it", self.type, asks=wanted(self.question), given=given)

    def shift(self, by: int) -> None:
        """Move the cursor by a choice."""
        self.cursor = max(0, min(self.cursor + by, len(self.question.choices) - 1))

    def answer(self) -> Leave | None:
        """Submit the answer under the cursor, or show the next question."""
        if self.is_over:
            return Leave()
        if self.told is None:
            self._take(float(self.cursor))
        elif self.answers.is_over:
            self.is_over = True
        else:
            self.last = None
            self._begin()
        return None

    def type(self, text: str) -> None:
        """Take a typed answer."""
        given = self.question.read(text)
        if given is None:
            raise UsageError(f"answer {wanted(self.question)}")
        self._take(given)

    def _take(self, given: float) -> None:
        self.cursor = int(given)
        self.told = self.last = self.answers.take(given)
        if self.told.is_right and not self.answers.is_over:
            self._begin()

    def click(self, row: int) -> None:
        """Submit the clicked choice."""
        if self.told is None:
            self._take(float(row))

    # in lines, without a page: one question after the other

    def lines(self) -> list[str]:
        """Return the current question, or the score."""
        if self.answers.is_over:
            score, *more = self.result_lines()
            return [f"The game is over: {score}", *more]
        return [f"Question {self.part}.", *self._shown().say(), *self._asked().say()]

    def answered(self, text: str) -> list[str] | None:
        """Return the verdict on an answer and the next question, or None for an invalid text."""
        given = self.question.read(text)
        if given is None:
            return [f"Answer {wanted(self.question)}."] if text.isdecimal() else None
        self.told = self.answers.take(given)
        *_, said = self._asked().say()
        if not self.answers.is_over:
            self._begin()
        return [said, *self.lines()]

    # what is shown

    def page(self) -> Page:
        is_greedy = self.question.kind is QuizKind.GREEDY
        body: Part = self._score()
        if not self.is_over:
            asked, shown = self._asked(), self._shown()
            body = Beside((asked, shown)) if is_greedy else Stack((shown, asked))
        title = ("be", str(self.answers.spec)), ("you play", self.question.player)
        return Page("BE", body, keys=self._keys(), title=(("question", self.part), *title))

    def _keys(self) -> tuple[Key, ...]:
        if self.is_over:
            return Key("enter", "done", self.answer, "leave"), BACK
        if self.told is not None:
            then = "score" if self.answers.is_over else "next question"
            return Key("enter", then, self.answer, f"the {then}"), BACK
        digits = [
            Key(str(n), "", lambda n=n: self.digit(str(n)), "this answer", hidden=True)
            for n in range(10)
        ]
        choosing = (
            Key("left up k", "", lambda: self.shift(-1), "the previous choice"),
            Key("right down j", "choose", lambda: self.shift(1), "the next choice"),
            Key("enter", "this one", self.answer, "this is the answer"),
        )
        signs = "0-9" if self.question.is_number else f"1-{len(self.question.choices)}"
        digits[1] = Key("1", "answer", lambda: self.digit("1"), "answer by number", signs=signs)
        return (
            *digits,
            Key("full_stop", "", lambda: self.digit("."), "type a number", hidden=True),
            *(() if self.question.is_number else choosing),
            self.typing(),
            BACK,
        )

    def _shown(self) -> Block:
        """Return what the player knows: its time steps, or what each move leads to."""
        if self.question.kind is QuizKind.GREEDY:
            return self._candidates()
        shown = self.question.boards
        return BoardRow(
            boards=[
                marked(one.cells, one.moved, one.placed, is_named=False, title=one.name)
                for one in shown
            ],
            values=[values_of(one) for one in shown],
            title=f"what {self.question.player} knows",
            rank=1,
        )

    def _candidates(self) -> Block:
        """Return the board to move on, with what each move leads to."""
        question, known = self.question, dict(self.question.facts)
        cells = []
        for n, mark in enumerate(question.board):
            told = known.get(f"cell {n + 1}")
            value, note = (told, "") if isinstance(told, float) else (None, told or "")
            cells.append(CellView(mark.strip("."), str(n + 1), value, note=str(note)))
        said = "; ".join(f"{label} {words(told)}" for label, told in question.facts)
        return Cells(
            cells=cells,
            least_columns=27,
            title=f"{question.player} to move",
            said=f"{board_words(Board.parse(question.board))} {said}.",
        )

    def _asked(self) -> Question:
        question, told = self.question, self.told
        is_number = question.is_number
        before: tuple[tuple[str, str], ...] = ()
        if self.last is not None and told is None:
            before = (("✓ ", "better"), (words(self.last.question.why), "dim"))
        return Question(
            before=before,
            prompt=question.prompt,
            facts=[
                (label, words(known))
                for label, known in question.facts
                if question.kind is not QuizKind.GREEDY
            ],
            choices=[
                Choice(str(place + 1), one, None if told is None else place == question.right)
                for place, one in enumerate(question.choices)
            ],
            wanted=wanted(question),
            cursor=None if is_number else self.cursor,
            guess=number_words(told.given) if told and is_number else "",
            verdict=verdict(told) if told else "",
            why=words(question.why) if told else "",
            title=NAMES[question.kind],
            right=self.part,
            clicked=self.click,
            spot=True,
        )

    def _score(self) -> Question:
        facts = self.ends()
        for kind in dict.fromkeys(answer.question.kind for answer in self.answers.given):
            of = [answer.is_right for answer in self.answers.given if answer.question.kind is kind]
            facts.append((NAMES[kind], f"{sum(of)} of {len(of)}"))
        return Question(prompt=total(self.answers), facts=facts, title="your score", spot=True)

    def ends(self) -> list[tuple[str, str]]:
        """Return the first wrong answer."""
        first = self.answers.result()["first_wrong"]
        if first is None:
            return []
        what, rule = NAMES[QuizKind(first["kind"])], self.answers.spec.rule.name
        said = (
            f"question {first['n']}, ply {first['ply']}, {what}: you said "
            f"{words(first['yours'])}, {rule} {words(first['right'])}"
        )
        return [("first wrong", said)]

    def result_lines(self) -> list[str]:
        told = (sentence(f"{label}: {text}") for label, text in self.ends())
        return [total(self.answers), *told]


def values_of(shown: ShownBoard) -> list[str]:
    """Return the values of a time step as text."""
    if len(shown.values) == 1:
        return [number_words(shown.values[0][1])]
    return [f"{symbol[:2]} {number_words(value)}" for symbol, value in shown.values] or ["?"]


def right_json(asked: QuizQuestion) -> Any:
    right = asked.text(asked.right)
    return right if asked.is_number else [right]


def question_json(asked: QuizQuestion) -> dict[str, Any]:
    """Return a question without its answer."""
    place = {"game": asked.place.game + 1, "ply": asked.ply, "event": asked.place.row + 1}
    facts = [
        {"label": label, "value": words(told) if isinstance(told, str | tuple) else told}
        for label, told in asked.facts
    ]
    boards = [
        {"name": one.name, "board": one.cells, "values": dict(one.values)}
        | ({} if one.placed is None else {"cell": one.placed + 1})
        for one in asked.boards
    ]
    return {
        "kind": asked.kind.value,
        **place,
        "player": asked.player,
        "board": asked.board,
        "question": asked.prompt,
        "facts": facts,
        "boards": boards,
        "choices": list(asked.choices),
    }


def wanted(question: QuizQuestion) -> str:
    """Describe the valid answers."""
    if question.is_number:
        return "a number such as .42"
    many = len(question.choices)
    return "1 or 2" if many == 2 else f"1 to {many}"


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
    return (("right", "better") if answer.is_right else ("wrong", "worse"),)


def total(answers: ByHand) -> str:
    told = answers.result()
    return f"You did {told['score']} of {told['of']} events right."


def open_on(lab: LabController, answers: ByHand, text: str) -> Opened:
    return Quiz(answers).page, None
