"""A question of a quiz, its right answer, and what an answer or a guess earns."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from learners.tape.recording import TapePosition


WordsAndNumbers = tuple[str | float, ...]
"""A sentence in parts; how its numbers are written is left to who shows it."""


class QuizKind(Enum):
    """What is asked."""

    WAY = "way"
    """Whether a backup raises its entry."""
    VALUE = "value"
    """What it writes."""
    LEARNS = "learns"
    """Whether a move backs up anything."""
    ENTRY = "entry"
    """Which entry is written."""
    GREEDY = "greedy"
    """Which move is greedy."""
    TARGET = "target"
    """What the target is, under the player's rule or another."""


@dataclass(frozen=True)
class QuizFact:
    """Something that a question tells."""

    label: str
    value: float | None = None
    text: str | WordsAndNumbers = ""
    """Where it is no number."""


@dataclass(frozen=True)
class QuizQuestion:
    """A question, and its answer."""

    kind: QuizKind
    place: TapePosition
    """The event that it is about."""
    ply: int
    player: str
    board: str
    """Nine characters: the board as it is when it is asked."""
    moved: int | None
    """0-8: the cell marked last."""
    prompt: str
    """One sentence, a question."""
    facts: tuple[QuizFact, ...]
    why: WordsAndNumbers
    """What is said once it is answered, in a sentence."""
    choices: tuple[str, ...] = ()
    """What may be answered; empty where a number is asked for."""
    right: frozenset[int] = frozenset()
    """The choices that are right."""
    number: float = 0.0
    """The number that is asked for."""
    start: float = 0.0
    """A guess as far off as this earns nothing: the old value, or the other rule's target."""
    scale: tuple[float, float] = (0.0, 1.0)
    """The ends of the number line."""
    marks: tuple[tuple[str, float], ...] = ()
    """What is known on the number line, by its label."""
    step: float = 0.005
    """The smallest step on the number line; half of it off is still right."""

    @property
    def is_number(self) -> bool:
        return not self.choices

    @property
    def _reach(self) -> float:
        """A guess so far off earns nothing: as far as where a guess begins, or a little more."""
        return max(abs(self.number - self.start), 2 * self.step)

    def score(self, given: float) -> float:
        """0 to 1 for an answer: the place of a choice, or a number, by its distance."""
        if not self.is_number:
            return float(given in self.right)
        distance = abs(given - self.number)
        if distance <= self.step / 2 * (1 + 1e-9):
            return 1.0
        return max(0.0, 1.0 - distance / self._reach)

    @property
    def chance(self) -> float:
        """The mean score of guesses: any choice, or any number of the line, with equal chance."""
        if not self.is_number:
            return len(self.right) / len(self.choices)
        low, high = self.scale
        return (self._earned(high - self.number) + self._earned(self.number - low)) / (high - low)

    def _earned(self, distance: float) -> float:
        """The scores of all guesses up to a distance on one side, added up (an integral)."""
        half, far = self.step / 2, min(distance, self._reach)
        if far <= half:
            return far
        return far - (far * far - half * half) / (2 * self._reach)
