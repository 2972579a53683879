"""A quiz on the games of the run. Light: the first paint uses it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from afterstate_lab.tui.lab.outcomes import Open, Outcome, Work, refusal

if TYPE_CHECKING:
    from afterstate_lab.learners.ask.be import ByHand
    from afterstate_lab.learners.ask.bugs import Diagnosis
    from afterstate_lab.learners.ask.questions import QuizQuestion
    from afterstate_lab.learners.tape.run import Run
    from afterstate_lab.tui.lab.session import Session

QUESTIONS: Final = 10
"""Questions of a quiz by default."""


def ask_quiz(session: Session) -> Outcome:
    """Make a quiz on the games of the run; play one if there is none."""
    if not session.run.games:
        session.leave_seat()
        session.play_until_change()
    run, number = session.run, session.quizzes
    session.quizzes += 1

    def found(questions: tuple[QuizQuestion, ...]) -> Outcome:
        from afterstate_lab.learners.ask.questions import QuizAnswers

        if not questions:
            return refusal("A quiz needs a learner: nobody learns in this run.")
        return Open("quiz", QuizAnswers(questions))

    return Work(
        lambda stop: questions_of(run, QUESTIONS, number, stop=stop),
        says="ten questions", then=found, run=run,
    )  # fmt: skip


def be_learner(session: Session, text: str) -> Outcome:
    """Make a game of a learner to play by hand, and the questions about your bug."""
    from afterstate_lab.learners.ask.be import ByHand
    from afterstate_lab.learners.players.resolve import parse_player

    number = session.quizzes
    session.quizzes += 1

    def made(stop: Callable[[], bool]) -> tuple[ByHand, Diagnosis | None]:
        by_hand = ByHand(parse_player(text), number)
        return by_hand, by_hand.diagnosis

    return Work(
        made, says="a game to play by hand", run=session.run,
        then=lambda found: Open("quiz", found[0]),
    )  # fmt: skip


def questions_of(run: Run, many: int, seed: int, **rest: Any) -> tuple[QuizQuestion, ...]:
    """Return a quiz on a run; for many games, compile first."""
    from afterstate_lab.learners.ask.quiz import quiz

    if run.games:
        run.make_ready(run.games // 2)
    return quiz(run, many, seed, **rest)
