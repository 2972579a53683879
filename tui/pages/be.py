"""Be the learner: boards, a question and the verdict, and nothing that reveals the answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any, Final

from afterstate_lab.learners.ask.be import ByHand, QuizKind, QuizQuestion, words, written
from afterstate_lab.learners.errors import UsageError
from afterstate_lab.tui.blocks import (
    Beside,
    Block,
    BoardRow,
    Choice,
    Part,
    Question,
    Stack,
    Words,
    marked,
)
from afterstate_lab.tui.pages.page import BACK, Key, LabController, Leave, Opened, Page

NAMES: Final[Mapping[QuizKind, str]] = {
    "value": "the number",
    "entry": "which values",
    "greedy": "which moves",
    "target": "the target",
}


class Quiz:
    """A game by hand.

    A right answer leads to the next question at once: a key a question. After a wrong answer, and
    after the last, the verdict waits for Enter.
    """

    def __init__(self, answers: ByHand) -> None:
        self.answers = answers
        self.waits = False
        """Whether the verdict on the latest answer is shown."""

    @property
    def number(self) -> int:
        """The index of the question on the page; the number of questions once the score is."""
        return len(self.answers.given) - self.waits

    @property
    def question(self) -> QuizQuestion:
        return self.answers.questions[self.number]

    @property
    def part(self) -> str:
        """The number of the question, and of how many."""
        return f"{self.number + 1} of {len(self.answers.questions)}"

    # what can be done

    def next(self) -> None:
        self.waits = False

    def type(self, text: str) -> None:
        """Take an answer: the number of a choice, or a number."""
        given = self.question.read(text)
        if given is None:
            raise UsageError(f"answer {wanted(self.question)}")
        is_right = self.answers.take(given)
        self.waits = self.answers.is_over or not is_right

    # what is shown

    def page(self) -> Page:
        title = [("be", str(self.answers.spec))]
        if self.number == len(self.answers.questions):
            told, facts = self.answers.result(), []
            if (first := told["first_wrong"]) is not None:
                said = (
                    f"question {first['n']}, ply {first['ply']}, {NAMES[first['kind']]}: "
                    f"you said {words(first['yours'])}, "
                    f"{self.answers.spec.rule.name} {words(first['right'])}"
                )
                facts.append(("first wrong", said))
            prompt = f"You did {told['score']} of {told['of']} events right."
            score = Question(prompt=prompt, facts=facts, title="your score", spot=True)
            done = Key("enter", "done", Leave, "the next page")
            return Page("BE", score, keys=(done, BACK), title=title)
        body: Part = Stack((self._known(), self._asked()))
        if self.question.kind == "greedy":
            body = Beside((self._asked(), self._candidates()))
        title = [("question", self.part), *title, ("you play", self.question.player)]
        return Page("BE", body, keys=self._keys(), title=title)

    def _keys(self) -> tuple[Key, ...]:
        question = self.question
        if self.waits:
            then = "score" if self.answers.is_over else "next question"
            return Key("enter", then, self.next, "the next page"), BACK
        if question.is_number:
            typing = partial(Key, "enter slash", "type it", self.type, asks=wanted(question))
            begin = [
                Key(key, "", partial(typing, given=sign), "type a number")
                for key, sign in (("full_stop", "."), *((str(n), str(n)) for n in range(10)))
            ]
            return (*begin, typing(), BACK)
        digits = [Key(str(n), "", partial(self.type, str(n)), "this answer") for n in range(2, 10)]
        signs, one = f"1-{len(question.choices)}", partial(self.type, "1")
        return (Key("1", "answer", one, "answer by number", signs=signs), *digits, BACK)

    def _known(self) -> Block:
        """Return the time steps of the player."""
        boards = self.question.boards
        return BoardRow(
            boards=[
                marked(one.cells, one.moved, one.placed, is_named=False, title=one.name)
                for one in boards
            ],
            values=[
                [
                    f"{symbol[:2]} {written(value)}" if len(one.values) > 1 else written(value)
                    for symbol, value in one.values
                ]
                or ["?"]
                for one in boards
            ],
            title=f"what {self.question.player} knows",
            rank=1,
        )

    def _candidates(self) -> Block:
        """Return the board to move on, with what each move leads to."""
        question = self.question
        known, board = dict(question.facts), marked(question.board)
        cells = []
        for cell in board.cells:
            told = known.get(f"cell {cell.label}", "")
            cell = cell._replace(note=told) if isinstance(told, str) else cell._replace(value=told)
            cells.append(cell)
        said = "; ".join(f"{label} {words(told)}" for label, told in question.facts)
        return replace(
            board,
            cells=cells,
            least_columns=27,
            title=f"{question.player} to move",
            said=f"{board.said} {said}.",
        )

    def _asked(self) -> Question:
        question, given = self.question, self.answers.given
        before: Words = ""
        verdict: Words = ""
        if given:
            last = self.answers.questions[len(given) - 1]
            is_right = last.is_right(given[-1])
            if self.waits:
                verdict = (("right", "better") if is_right else ("wrong", "worse"),)
            elif is_right:
                before = (("✓ ", "better"), (last.why, "dim"))
        return Question(
            before=before,
            prompt=question.prompt,
            facts=[
                (label, words(told)) for label, told in question.facts if question.kind != "greedy"
            ],
            choices=[
                Choice(str(n + 1), one, n == question.right if self.waits else None)
                for n, one in enumerate(question.choices)
            ],
            wanted=wanted(question),
            cursor=int(given[-1]) if verdict and question.choices else None,
            guess=written(given[-1]) if verdict and question.is_number else "",
            verdict=verdict,
            why=question.why,
            title=NAMES[question.kind],
            right=self.part,
            clicked=None if self.waits else lambda row: self.type(str(row + 1)),
            spot=True,
        )


def question_json(asked: QuizQuestion) -> dict[str, Any]:
    """Return a question without its answer."""
    return {
        "kind": asked.kind,
        "game": asked.place.game + 1,
        "ply": asked.ply,
        "event": asked.place.row + 1,
        "player": asked.player,
        "board": asked.board,
        "question": asked.prompt,
        "facts": [{"label": label, "value": told} for label, told in asked.facts],
        "boards": [
            {"name": one.name, "board": one.cells, "values": dict(one.values)}
            | ({} if one.placed is None else {"cell": one.placed + 1})
            for one in asked.boards
        ],
        "choices": list(asked.choices),
    }


def wanted(question: QuizQuestion) -> str:
    """Describe the valid answers."""
    if question.is_number:
        return "a number such as .42"
    many = len(question.choices)
    return "1 or 2" if many == 2 else f"1 to {many}"


def open_on(lab: LabController, answers: ByHand, text: str) -> Opened:
    return Quiz(answers).page
