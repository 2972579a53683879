"""Watch the players, and ask for the next backup."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from afterstate_lab.learners.errors import UsageError, shown
from afterstate_lab.tui.lab.modes import Mode
from afterstate_lab.tui.lab.outcomes import (
    Key,
    Message,
    MessageKind,
    Outcome,
    command_key,
    question,
)

if TYPE_CHECKING:
    from afterstate_lab.learners.tape.events import Backup
    from afterstate_lab.tui.lab.session import Session


def played_sentence(game: int) -> str:
    """Return the message about a game played; its number counts from 1."""
    return f"The history ended here, so game {game:,} was played."


def prediction_question(session: Session, backup: Backup, say: Callable[[str], str] = str) -> Key:
    """Ask for the value after a backup; `say` formats the verdict."""
    from afterstate_lab.learners.ask.questions import QuizKind, QuizQuestion

    asked = QuizQuestion(QuizKind.WAY, session.timeline.place, right=backup.new, start=backup.old)

    def answer(text: str) -> Outcome:
        said = session.predictions.judge(text, asked)
        if said is None:
            raise UsageError(
                f"{shown(text)} is not a prediction. "
                "Try .42, or + for more, - for less, = for the same."
            )
        session.timeline.step_phase()
        return Message(say(said))

    return question(
        "predict",
        "the value to be written, or +, - or =",
        answer,
        usage="predict .42 says what will be written; predict +, predict - or predict = which way.",
    )


def watch_until(session: Session, is_enough: Callable[[Session], bool]) -> Outcome:
    """Watch at least one event; stop if a person's game waits."""
    if session.waits and session.script and session.is_at_end:
        again = command_key("new_game")
        raise UsageError(
            f"Your game is not over: end it, or {again} begins another, before you watch."
        )
    session.is_running = False
    if session.is_at_end and session.run.games:
        said = played_sentence(session.run.games + 1)
        session.say(Message(said, MessageKind.LOG))
    if session.mode is not Mode.STEP or session.is_at_end:
        session.leave_seat()
    if session.mode is not Mode.STEP:
        session.mode = Mode.WATCH

    go_on(session)
    while not is_enough(session):
        go_on(session)
    return None


def go_on(session: Session) -> None:
    """Step one event; at the end of the run, start a game."""
    if not session.timeline.step():
        session.play_game()
        session.timeline.step()


def go_on_a_move(session: Session) -> None:
    """Step to the end of the next move and of its backups."""
    go_on(session)
    while not is_move_watched(session):
        go_on(session)


def is_game_watched(session: Session) -> bool:
    """Return whether the last event of a game is on screen."""
    return session.timeline.at >= session.timeline.rows.stop


def is_move_watched(session: Session) -> bool:
    """Return whether a move and its backups were all shown."""
    from afterstate_lab.learners.tape.events import Move

    timeline = session.timeline
    return is_game_watched(session) or isinstance(timeline.event_at(timeline.at), Move)
