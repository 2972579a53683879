"""A question about a game, its score, and the answers so far.

The games played by hand (`learners.ask.be`) and the predictions of the lab ask them. A question
shows what you need to answer it, and hides the answer.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import Final, NamedTuple

from afterstate_lab.learners.tape.recording import TapePosition

WordsAndNumbers = tuple[str | float, ...]
"""A sentence in parts, whose numbers each screen formats."""
Fact = tuple[str, float | str | WordsAndNumbers]
"""A fact that a question gives: a label, and a number or words."""
NEAR: Final = 0.0005
"""Tolerance of a typed number: half of the third decimal."""
WAYS: Final = ("up", "down", "the same")
SIGNS: Final[Mapping[str, str]] = {
    "+": "up",
    "-": "down",
    "−": "down",
    "=": "the same",
    "same": "the same",
}
"""Other words for a direction."""
AS_FAR: Final[Mapping[str, float]] = {"up": math.inf, "down": -math.inf, "the same": 0.0}
"""A predicted direction as a change."""


class QuizKind(Enum):
    WAY = "way"
    VALUE = "value"
    LEARNS = "learns"
    ENTRY = "entry"
    GREEDY = "greedy"
    TARGET = "target"


class ShownBoard(NamedTuple):
    """A time step of the player, as a question shows it."""

    name: str
    """Its symbol: S₁, or for a move S₁,A₁."""
    cells: str
    """The board as nine characters."""
    values: tuple[tuple[str, float], ...] = ()
    """Its values by symbol; none while they would reveal the answer."""
    moved: int | None = None
    """0-8: the cell marked last."""
    placed: int | None = None
    """0-8: the cell of the valued move."""


@dataclass(frozen=True)
class QuizQuestion:
    kind: QuizKind
    place: TapePosition
    """The event that it is about."""
    ply: int = 0
    player: str = ""
    board: str = ""
    """The board as nine characters."""
    prompt: str = ""
    facts: tuple[Fact, ...] = ()
    why: WordsAndNumbers = ()
    """The explanation, shown after the answer."""
    choices: tuple[str, ...] = ()
    """The possible answers; empty if the answer is a number."""
    right: float = 0.0
    """The index of the right choice, or the right number."""
    number: float = 0.0
    """The number behind the right choice, if there is one."""
    start: float = 0.0
    """A guess that earns nothing: the old value."""
    step: float = 2 * NEAR
    """Half of it off is still right."""
    boards: tuple[ShownBoard, ...] = ()

    @property
    def is_number(self) -> bool:
        return not self.choices

    def typed(self, step: float) -> QuizQuestion:
        """Return the question without choices."""
        return replace(self, choices=(), right=self.number, step=step)

    def text(self, given: float) -> str | float:
        """Return an answer as a choice, or as the number."""
        return given if self.is_number else self.choices[int(given)]

    def read(self, text: str) -> float | None:
        """Read an answer: a number, a choice, or its position from 1; None for anything else."""
        word = text.strip()
        if self.is_number:
            way = SIGNS.get(word) if self.kind is QuizKind.WAY else None
            return read_number(word) if way is None else self.start + AS_FAR[way]
        if word in map(str, range(1, len(self.choices) + 1)):
            return float(int(word) - 1)
        word = SIGNS.get(word.lower(), word.lower())
        names = [name.lower() for name in self.choices]
        number = read_number(word)
        same = [name for name in names if name == word or number == read_number(name) is not None]
        found = same or [name for name in names if word and name.startswith(word)]
        return float(names.index(found[0])) if len(found) == 1 else None

    def is_right(self, given: float) -> bool:
        if not self.is_number:
            return given == self.right
        return abs(given - self.right) <= self.step / 2 * (1 + 1e-9)


def read_number(text: str) -> float | None:
    """Read a finite number of at most 30 characters; None for anything else."""
    try:
        number = float(text.replace("−", "-"))
    except ValueError:
        return None
    return number if math.isfinite(number) and len(text) <= 30 else None


def way_of(old: float, new: float) -> str:
    return WAYS[0 if new > old else 1 if new < old else 2]


class GivenAnswer(NamedTuple):
    question: QuizQuestion
    given: float
    """The index of the choice, or the number."""

    @property
    def is_right(self) -> bool:
        return self.question.is_right(self.given)

    @property
    def is_the_way(self) -> bool:
        """Whether a number is right, or at least its direction."""
        asked = self.question
        ways = (way_of(asked.start, one) for one in (self.given, asked.right))
        return self.is_right or len(set(ways)) == 1


class QuizAnswers:
    """Questions, and the answers so far.

    Args:
        questions: what is asked.
    """

    def __init__(self, questions: Sequence[QuizQuestion] = ()) -> None:
        self.questions = list(questions)
        self.given: list[GivenAnswer] = []

    @property
    def is_over(self) -> bool:
        return len(self.given) >= len(self.questions)

    @property
    def question(self) -> QuizQuestion:
        """The current question."""
        return self.questions[len(self.given)]

    def take(self, given: float) -> GivenAnswer:
        """Answer the current question."""
        answer = GivenAnswer(self.question, given)
        self.given.append(answer)
        return answer


class Predictions(QuizAnswers):
    """Your predictions of backups, each a number or a direction."""

    wanted = False
    """Whether to ask before each backup."""

    def judge(self, text: str, asked: QuizQuestion) -> str | None:
        """Score `.55`, `+`, `-` or `=`; return None for anything else."""
        given = asked.read(text)
        if given is None:
            return None
        self.questions.append(asked)
        answer = self.take(given)
        said = "right" if answer.is_right else "the right way"
        said = said if answer.is_the_way else "the other way"
        many = sum(one.is_the_way for one in self.given)
        changed = f"{asked.start:.3f} becomes {asked.right:.3f}"
        return f"{said}: {changed}. So far {many} of {len(self.given)}."
