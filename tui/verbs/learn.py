"""Lessons, walkthroughs and quizzes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from afterstate_lab.learners.errors import UsageError, shown
from afterstate_lab.tui.lab.commands import PLAIN, TRAIN, WATCH, command
from afterstate_lab.tui.lab.controller import LabController
from afterstate_lab.tui.lab.outcomes import Message, Open, Outcome, Work, question

if TYPE_CHECKING:
    from afterstate_lab.learners.ask.questions import QuizQuestion

QUESTIONS: Final = 10
"""Questions of a quiz by default."""


@command("asterisk", words="walkthrough, l, lecture")
def lecture(lab: LabController) -> Outcome:
    """Return to the walkthrough, or skip ahead in it.

    walkthrough: go to its current moment, or skip to its next moment.
    """
    return lab.lectures.come_back()


@command("quotation_mark", words="remark")
def remark(lab: LabController) -> Outcome:
    """Add a caption for your followers.

    remark TEXT: record TEXT with this moment.
    """
    return lab.lectures.remark()


@command("enter", modes=WATCH | TRAIN, words="answer")
def answer(lab: LabController) -> Outcome:
    """Answer the question of a lesson, or predict the next backup.

    answer .75, answer X: what the lesson asked for.
    """
    if lab.question is None:
        raise UsageError("There is no question to answer here.")
    return lab.question


@command("T", words="tour",
    wrong="{text} is not part of the tour: tour, tour next, tour back, tour off.")  # fmt: skip
def tour(lab: LabController) -> Outcome:
    """Begin the tour, or end the current lesson."""
    return lab.lessons.tour()


@command("less_than_sign", words="tour back")
def lesson_back(lab: LabController) -> Outcome:
    """Go to the previous step of a lesson."""
    return lab.lessons.turn(-1)


@command("greater_than_sign", words="tour next")
def lesson(lab: LabController) -> Outcome:
    """Show the lessons; in one, go to the next step."""
    return lab.lessons.next()


@command(words="lessons")
def lessons(lab: LabController, text: str = "") -> Outcome:
    """Show the lessons, or begin one.

    lessons 3, lessons menace: begin that lesson.
    tour next: its next step.  tour back: the previous one.  tour off: end it.
    """
    if not text:
        return Open("lessons")
    from afterstate_lab.tui.lab.scripts.script import NAMES

    name = {str(number): name for number, name in enumerate(NAMES, 1)}.get(text, text)
    if name not in NAMES:
        known = f"{', '.join(NAMES)}, or 1 to {len(NAMES)}"
        raise UsageError(f"There is no lesson {shown(text)}: {known}.")
    return lab.lessons.begin(name)


@command(words="tour off")
def end_tour(lab: LabController) -> Outcome:
    return lab.lessons.end()


@command("Q", modes=PLAIN, words="quiz")
def quiz(lab: LabController) -> Outcome:
    """Answer ten questions on the games of this run, for a score.

    quiz: ten questions. Answer with a word or a number; quiz off ends it.
    """
    from afterstate_lab.learners.ask.questions import QuizAnswers
    from afterstate_lab.learners.ask.quiz import quiz as asked

    lab.pause()
    session = lab.session
    if not session.run.games:
        session.leave_seat()
        session.play_until_change()
    run, number = session.run, next(session.quizzes)

    def found(questions: tuple[QuizQuestion, ...]) -> Outcome:
        if not questions:
            raise UsageError("A quiz needs a learner: nobody learns in this run.")
        return Open("quiz", QuizAnswers(questions))

    return Work(
        lambda stop: asked(run, QUESTIONS, number, stop=stop),
        says="ten questions", then=found, run=run,
    )  # fmt: skip


@command(modes=PLAIN, words="be")
def be(lab: LabController) -> Outcome:
    """Be the learner: do its updates by hand for one game.

    be td, be q: choose by number and type the last value. quiz off ends it.
    """
    lab.pause()
    session = lab.session

    def begin(text: str) -> Outcome:
        from afterstate_lab.learners.ask.be import ByHand
        from afterstate_lab.learners.players.resolve import parse_player

        number = next(session.quizzes)

        def made(stop: object) -> tuple[ByHand, object]:
            by_hand = ByHand(parse_player(text), number)
            return by_hand, by_hand.diagnosis

        return Work(made, says="a game to play by hand", run=session.run,
                    then=lambda found: Open("quiz", found[0]))  # fmt: skip

    return question(
        "be", "the learner to be, such as td, mc, q or menace", begin, "td",
        usage="be td plays a game in which you do the updates of td.",
    )  # fmt: skip


@command(words="quiz off")
def end_quiz(lab: LabController) -> Outcome:
    was, lab.current_quiz = lab.current_quiz, None
    if was is None:
        raise UsageError("No quiz is running.")
    return Message("The quiz is over.")


@command(words="drill", shown=":drill")
def drill(lab: LabController) -> Outcome:
    """Prove that you cannot be beaten, as X or as O.

    drill: as X.  drill O: as O.
    Answer with a cell wherever your answers leave the game open.
    """
    lab.pause()
    return Open("drill")
