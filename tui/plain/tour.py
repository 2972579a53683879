"""The tour's lessons as text: the lab's own, with what to type instead of what to press."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from learners.errors import shown
from learners.rules.spec import PlayerSpec
from tui.lab.lazy_session import Opening
from tui.lab.modes import Settings
from tui.lab.tour import Tour
from tui.plain.speech import spoken

if TYPE_CHECKING:
    from tui.plain.session import PlainSession

TYPE_THIS: Final = {
    "a value": "watch event tells the move that is made.",
    "an afterstate": "watch event tells what is learned from having come here.",
    "a backup": "watch game goes on to the end of the game.",
    "experience": "train 2000 trains them in a blink.",
    "the microscope": "step steps through the last game.",
    "five phases": "next, until it says: Write.",
    "the error": "back takes the write back, to the last bit.",
    "exploration": "break exploratory, then C: back to such a move.",
    "no backup": "next event, until it says: No backup.",
    "the truth": "table tells V and the exact value side by side.",
    "you against it": "play, then 5 takes the centre.",
    "help while you play": "show exact tells what each move is worth.",
    "that is all": "tour ends the tour; help lists all words.",
}
"""By the lesson's title, what to type."""


class Opened(Opening):
    """What the tour looks at: a session that is there already.

    Args:
        session: the session.
    """

    def __init__(self, session: PlainSession) -> None:
        super().__init__(session.settings)
        self.session = session


class Touring:
    """A tour through a session.

    Args:
        session: where it is done.
    """

    def __init__(self, session: PlainSession) -> None:
        self._session = session
        self._tour: Tour | None = None

    def ask(self, text: str) -> list[str]:
        """Begin the tour in a new run, end it, or turn to another lesson."""
        tour = self._tour
        if text not in ("", "next", "back", "off"):
            return [f"{shown(text)} is no part of the tour: tour, tour next, tour back, tour off."]
        if tour is None:
            if text:
                return ["No tour goes on: tour begins one."]
            td = PlayerSpec.parse("td")
            self._session.start(Settings(td, td, self._session.run.seed))
            self._tour = Tour(Opened(self._session))
            return ["The tour, in a new run of td against td; tour ends it.", *self._lesson()]
        if text in ("", "off"):
            self._tour = None
            return ["The tour is over; tour begins it again."]
        tour.turn_to(tour.number + (1 if text == "next" else -1))
        return self._lesson()

    def follow(self, name: str) -> list[str]:
        """Take note of a command by the lab's name for it; the next lesson, where one begins."""
        tour = self._tour
        if tour is None:
            return []
        before = tour.number
        tour.follow(name)
        return self._lesson() if tour.number != before else []

    def _lesson(self) -> list[str]:
        assert self._tour is not None
        view = self._tour.view
        lines = [f"Lesson {view.title}. {spoken(view.text)}"]
        return [*lines, f"Type: {TYPE_THIS[self._tour.lesson.title]}"]
