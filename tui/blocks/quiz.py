"""What a question of a quiz shows besides its board."""

from __future__ import annotations

from dataclasses import dataclass

from tui.blocks.number_line import Mark
from tui.views.words import Words


@dataclass(frozen=True, slots=True)
class ChoiceLine:
    """Something that may be answered."""

    key: str
    text: str
    is_right: bool | None = None
    """None as long as that is not told."""


@dataclass(frozen=True, slots=True)
class QuizView:
    """A question: what is known, what may be answered, and what came of the answer."""

    prompt: str
    facts: tuple[tuple[str, str], ...] = ()
    """A label and a number, or words."""
    choices: tuple[ChoiceLine, ...] = ()
    cursor: int | None = None
    """The selected choice."""
    marks: tuple[Mark, ...] = ()
    """On the number line, where a number is asked for."""
    scale: tuple[float, float] | None = None
    guess: str = ""
    """The number that the cursor on the line is at."""
    verdict: Words = ""
    """Once it is answered."""
    why: str = ""
    title: Words = "question"
    right: Words = ""
    focused: bool = True
