"""The tour: a dozen lessons, each done by doing it in the real lab."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tui.lab.modes import Help, Mode

if TYPE_CHECKING:
    from tui.lab.session import Session

Done = Callable[["Session", frozenset[str]], bool]
"""Whether a lesson is done: the lab, and the commands asked for since the lesson began."""


@dataclass(frozen=True)
class Lesson:
    """One thing to understand, and what to do to see it."""

    title: str
    text: str
    """What there is to see."""
    todo: str
    """What to press."""
    done: Done


@dataclass(frozen=True, slots=True)
class TourView:
    """The card of a lesson."""

    title: str
    right: str
    text: str
    todo: str
    focused: bool = True


def at(kind: str) -> Done:
    """Done where the event of now is of a kind: `Move`, `Backup`, `NoBackup`, `GameOver`."""
    return lambda session, asked: type(session.timeline.event).__name__ == kind


def written(session: Session, asked: frozenset[str]) -> bool:
    """Done where a backup is looked at with its new value written."""
    from learners.timeline import WRITE

    return at("Backup")(session, asked) and session.timeline.phase == WRITE


def explored(session: Session, asked: frozenset[str]) -> bool:
    """Done where an exploratory move is looked at."""
    return bool(getattr(session.timeline.event, "exploratory", False))


LESSONS: tuple[Lesson, ...] = (
    Lesson(
        "what X believes",
        "An empty cell shows the value of the board X would make there: .5, no idea.",
        ". lets X make its first move",
        lambda session, asked: "one_event" in asked,
    ),
    Lesson(
        "an afterstate",
        "X marked a cell. The board right after one's own move is an afterstate.",
        ". shows what X learns from having come here",
        at("Backup"),
    ),
    Lesson(
        "a backup",
        "The value before moved towards the value now; both .5, so nothing changed.",
        "space plays on, and pauses; wait for the end of a game",
        lambda session, asked: session.run.games > 1,
    ),
    Lesson(
        "experience",
        "Only wins and losses are told; the rest is learned from later guesses.",
        "t, then 2000 and Enter, trains them in a blink",
        lambda session, asked: session.run.games >= 1000 and not session.is_training,
    ),
    Lesson(
        "the microscope",
        "Every one of those games can be looked at again, update by update.",
        "s steps through the last game",
        lambda session, asked: session.mode is Mode.STEP,
    ),
    Lesson(
        "five phases",
        "Reply seen, moves valued, dice and choice, target known, value written.",
        "→ goes on; stop where a value is written",
        written,
    ),
    Lesson(
        "the error",
        "δ is target minus old; V moves by α of it: one game is only one game.",
        "← takes the write back, to the last bit",
        lambda session, asked: "phase_back" in asked,
    ),
    Lesson(
        "exploration",
        "Now and then a move is drawn at random, though another is valued higher.",
        "b, then exploratory and Enter, then c runs on to one",
        explored,
    ),
    Lesson(
        "no lesson from a whim",
        "Such a move teaches nothing about the value before it (see Figure 1.1).",
        "] goes on to where it says: no backup",
        at("NoBackup"),
    ),
    Lesson(
        "the truth",
        "The game is small enough to solve: v* is exact. See how far V still is.",
        "v opens the whole table; Esc comes back",
        lambda session, asked: "table" in asked,
    ),
    Lesson(
        "you against it",
        "Play it yourself: the coach tells what each of your moves did.",
        "p plays; 5 takes the centre",
        lambda session, asked: session.mode is Mode.PLAY and "cell" in asked,
    ),
    Lesson(
        "help while you play",
        "Hints, ranks, its values and the exact truth can stand on the board.",
        "h goes through them; stop at: exact",
        lambda session, asked: session.help is Help.EXACT,
    ),
    Lesson(
        "that is all",
        "Beatable or not is computed, never sampled: train until unbeatable.",
        "T ends the tour; ? tells all keys",
        lambda session, asked: False,
    ),
)


class Tour:
    """Where a user is in the tour."""

    def __init__(self) -> None:
        self.number = 0
        self._asked: frozenset[str] = frozenset()

    @property
    def lesson(self) -> Lesson:
        """The lesson of now."""
        return LESSONS[self.number]

    def follow(self, session: Session, command: str = "") -> None:
        """Take note of a command and go on to the next lesson where this one is done."""
        self._asked |= {command}
        if self.number + 1 < len(LESSONS) and self.lesson.done(session, self._asked):
            self.number += 1
            self._asked = frozenset()

    @property
    def view(self) -> TourView:
        """The card."""
        lesson = self.lesson
        return TourView(
            f"{self.number + 1}/{len(LESSONS)} {lesson.title}",
            "T ends the tour",
            lesson.text,
            lesson.todo,
        )
