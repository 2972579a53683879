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
from afterstate_lab.tui.blocks.span import Words
from afterstate_lab.tui.blocks.speech import board_words
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
    """A game by hand, and the latest answer.

    A right answer leads to the next question at once: a key a question.
    """

    def __init__(self, answers: ByHand) -> None:
        self.answers = answers
        self.last: GivenAnswer | None = None
        """The latest answer, until the question after it is answered or Enter is pressed."""

    @property
    def told(self) -> GivenAnswer | None:
        """The answer whose verdict is shown: one that is wrong, or the last of all."""
        last = self.last
        return last if last and not (last.is_right and not self.answers.is_over) else None

    @property
    def is_over(self) -> bool:
        """Whether the score is shown."""
        return self.answers.is_over and self.last is None

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
        self.type(key)
        return None

    def typing(self, given: str = "") -> Key:
        asks = wanted(self.question)
        return Key("enter slash", "type it", self.type, asks=asks, given=given)

    def next(self) -> Leave | None:
        if self.is_over:
            return Leave()
        self.last = None
        return None

    def type(self, text: str) -> None:
        """Take a typed answer."""
        given = self.question.read(text)
        if given is None:
            raise UsageError(f"answer {wanted(self.question)}")
        self.last = self.answers.take(given)

    def click(self, row: int) -> None:
        """Submit the clicked choice."""
        if self.told is None:
            self.last = self.answers.take(float(row))

    # what is shown

    def page(self) -> Page:
        title = [("be", str(self.answers.spec))]
        if self.is_over:
            return Page("BE", self._score(), keys=self._keys(), title=title)
        asked, shown = self._asked(), self._shown()
        is_greedy = self.question.kind is QuizKind.GREEDY
        body: Part = Beside((asked, shown)) if is_greedy else Stack((shown, asked))
        title = [("question", self.part), *title, ("you play", self.question.player)]
        return Page("BE", body, keys=self._keys(), title=title)

    def _keys(self) -> tuple[Key, ...]:
        if self.is_over or self.told is not None:
            then = "score" if self.answers.is_over else "next question"
            then = "done" if self.is_over else then
            return Key("enter", then, self.next, "the next page"), BACK
        question = self.question
        digits = [
            Key(str(n), "", lambda n=n: self.digit(str(n)), "this answer", hidden=True)
            for n in range(10)
        ]
        signs = "0-9" if question.is_number else f"1-{len(question.choices)}"
        digits[1] = Key("1", "answer", lambda: self.digit("1"), "answer by number", signs=signs)
        if not question.is_number:
            return (*digits, BACK)
        point = Key("full_stop", "", lambda: self.digit("."), "type a number", hidden=True)
        return (*digits, point, self.typing(), BACK)

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
        before: Words = ""
        if self.last is not None and told is None:
            before = (("✓ ", "better"), (words(self.last.question.why), "dim"))
        verdict: Words = ""
        if told is not None:
            verdict = (("right", "better") if told.is_right else ("wrong", "worse"),)
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
            cursor=int(told.given) if told and question.choices else None,
            guess=number_words(told.given) if told and question.is_number else "",
            verdict=verdict,
            why=words(question.why) if told else "",
            title=NAMES[question.kind],
            right=self.part,
            clicked=self.click,
            spot=True,
        )

    def _score(self) -> Question:
        told = self.answers.result()
        prompt = f"You did {told['score']} of {told['of']} events right."
        return Question(prompt=prompt, facts=self.ends(), title="your score", spot=True)

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


def open_on(lab: LabController, answers: ByHand, text: str) -> Opened:
    return Quiz(answers).page, None
