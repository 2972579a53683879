"""Lessons, games played by hand, and the drill."""

from __future__ import annotations

from functools import partial

from afterstate_lab.learners.errors import UsageError, shown
from afterstate_lab.learners.players.resolve import parse_player
from afterstate_lab.tui.lab.commands import PLAIN, Back, command
from afterstate_lab.tui.lab.controller import LabController
from afterstate_lab.tui.lab.outcomes import Open, Outcome, Work, question
from afterstate_lab.tui.lab.scripts.script import NAMES
from afterstate_lab.tui.lab.state import reading


@command(words="answer")
def answer(lab: LabController) -> Outcome:
    """Answer the question of a lesson, or predict the next backup.

    answer .75, answer X: what the lesson asked for.
    """
    if lab.question is None:
        raise UsageError("There is no question to answer here.")
    return lab.question


@command("T", words="tour")
def tour(lab: LabController, text: str = "") -> Outcome:
    """Begin the tour, or end the current lesson.

    tour next: its next step.  tour back: the previous one.  tour off: end it.
    """
    if text not in ("", "off"):
        raise UsageError(
            f"{shown(text)} is not part of the tour: tour, tour next, tour back, tour off."
        )
    return lab.lessons.end() if text else lab.lessons.tour()


@command(
    "greater_than_sign",
    words="tour next",
    back=Back("lesson_back", "less_than_sign", "Go to the previous step of a lesson.", "tour back"),
)
def lesson(lab: LabController, by: int = 1) -> Outcome:
    """Show the lessons; in one, go to the next step."""
    return lab.lessons.next() if by > 0 else lab.lessons.turn(-1)


@command(words="lessons")
def lessons(lab: LabController, text: str = "") -> Outcome:
    """Show the lessons, or begin one.

    lessons 3, lessons menace: begin that lesson.
    tour next: its next step.  tour back: the previous one.  tour off: end it.
    """
    if not text:
        return Open("lessons")

    name = {str(number): name for number, name in enumerate(NAMES, 1)}.get(text, text)
    if name not in NAMES:
        known = f"{', '.join(NAMES)}, or 1 to {len(NAMES)}"
        raise UsageError(f"There is no lesson {shown(text)}: {known}.")
    return lab.lessons.begin(name)


@command(modes=PLAIN, words="be")
def be(lab: LabController) -> Outcome:
    """Be the learner: do its updates by hand for one game.

    be td, be q: choose by number and type the last value.
    """
    lab.pause()
    session = lab.session

    def begin(text: str) -> Outcome:
        from afterstate_lab.learners.ask.be import ByHand

        number = next(session.quizzes)
        work = Work(
            lambda stop: ByHand(parse_player(text), number),
            says="a game to play by hand",
            run=session.run,
            then=partial(Open, "be"),
        )
        return reading([text], lambda: work)

    return question(
        "be",
        "the learner to be, such as td, mc, q or menace",
        begin,
        "td",
        usage="be td plays a game in which you do the updates of td.",
    )


@command(words="drill", shown=":drill")
def drill(lab: LabController) -> Outcome:
    """Prove that you cannot be beaten, as X or as O.

    drill: as X.  drill O: as O.
    Answer with a cell wherever your answers leave the game open.
    """
    lab.pause()
    return Open("drill")
