"""What comes of a command: a message, a question, work to do, an answer to whoever waits for one.

Controllers return these; the screens and plain mode each show them in their own way.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum, auto
from typing import Any

from learners.errors import UsageError


class Kind(Enum):
    """Where a message belongs."""

    NOTE = auto()
    """One sentence, until the next command."""
    REFUSAL = auto()
    """Why a command did nothing, or what is wrong with an answer."""


@dataclass(frozen=True)
class Message:
    """A sentence for the user."""

    text: str
    kind: Kind = Kind.NOTE


@dataclass(frozen=True)
class Question:
    """One line to ask for."""

    title: str
    prompt: str
    """What may be answered."""
    answer: Callable[[str], Outcome]
    """Takes the text; a refusal says what is wrong with it, and the question stays."""
    default: str = ""


@dataclass(frozen=True)
class Background:
    """Work for a thread."""

    work: Callable[[Callable[[], bool]], Any]
    """The work; it may ask the function it is given whether to give up."""
    done: Callable[[Any], Outcome]
    """Takes what the work returned, on the thread of the user interface."""
    message: str = ""
    """What is said meanwhile."""
    exclusive: bool = False
    """Whether earlier work that is not done yet is given up."""
    is_detached: bool = False
    """Whether it goes on when the screen is left; what it returns is then dropped."""


class Screen(Enum):
    """What can be opened."""

    COMPARISON = auto()


@dataclass(frozen=True)
class Open:
    """A screen to open."""

    screen: Screen
    data: Any = None


@dataclass(frozen=True)
class Close:
    """The screen is left, with an answer to whoever opened it."""

    answer: Any = None


@dataclass(frozen=True)
class Copy:
    """A text to show, and to copy where the terminal can."""

    text: str


Outcome = Message | Question | Background | Open | Close | Copy | None


def refusing(answer: Callable[[str], Outcome]) -> Callable[[str], Outcome]:
    """An answer of a question that refuses what raises a `UsageError`, with its message."""

    def answered(text: str) -> Outcome:
        try:
            return answer(text)
        except UsageError as error:
            return Message(str(error), Kind.REFUSAL)

    return answered
