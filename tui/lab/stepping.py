"""The commands that step, watch, predict and fork."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from afterstate_lab.learners.errors import shown
from afterstate_lab.tui.lab.modes import SPEEDS, Mode, speed_words
from afterstate_lab.tui.lab.outcomes import (
    Key,
    Message,
    MessageKind,
    Outcome,
    command_key,
    question,
    refusal,
    sentence,
)

if TYPE_CHECKING:
    from afterstate_lab.learners.tape.events import Backup
    from afterstate_lab.tui.lab.session import Session

IS_YOURS: Final = refusal(
    f"The next move is yours: {command_key('return_to_game')} goes back there."
)
NOBODY_LEARNS: Final = Message("Neither player learns: their games changed no value.")


def go_on_a_phase(session: Session) -> Outcome:
    """Go to the next phase; ask before each backup if predictions are on."""
    backup = session.backup_to_predict if session.predictions.wanted else None
    if backup is not None:
        return prediction_question(session, backup)
    return None if session.timeline.step_phase() else play_on(session, by_phase=True)


def moved_back(has_moved: bool) -> Outcome:
    """Report when you are at the start of the run."""
    return None if has_moved else refusal("This is the start of the run.")


def play_on(session: Session, *, by_phase: bool = False) -> Outcome:
    """At the end of the history, play the next game, and go to its first event or phase."""
    if session.waits and session.script:
        return IS_YOURS
    session.leave_seat()
    session.play_game()
    if by_phase:
        session.timeline.step_phase()
    else:
        session.timeline.step()
    return Message(played_sentence(session.timeline.game + 1))


def played_sentence(game: int) -> str:
    """Return the message about a game played; its number counts from 1."""
    return f"The history ended here, so game {game:,} was played."


def first_change(session: Session) -> Outcome:
    """Play until a backup changes a value, and go to the last such backup of its game."""
    session.leave_seat()
    if not session.play_until_change():
        return NOBODY_LEARNS
    key, does = command_key("phase_back"), "takes it back"
    if not session.details:
        session.timeline.step_phase_back()
        key, does = command_key("phase"), "writes it"
    game = session.timeline.game + 1
    return Message(f"Game {game:,} was just played. This backup is its last; {key} {does}.")


def change_played(session: Session) -> Outcome:
    """At the end of the history, play until a backup changes a value, and go to it."""
    if session.waits and session.script:
        return IS_YOURS
    session.leave_seat()
    if not session.play_until_change(at_last=False):
        return NOBODY_LEARNS
    at_change(session)
    return Message(played_sentence(session.timeline.game + 1))


def at_change(session: Session, after: int = 0, before: int = 0) -> Message | None:
    """Show a backup that changes a value; before its write if it is to be predicted.

    Args:
        session: at that backup.
        after: the row of the window that was left.
        before: the row of the backup; the backups between are skipped.
    """
    from afterstate_lab.learners.tape.events import Backup

    timeline = session.timeline
    passed = sum(isinstance(timeline.event_at(row), Backup) for row in range(after + 1, before))
    if session.predictions.wanted:
        timeline.step_phase_back()
    if not passed:
        return None
    backups = "1 backup that changes" if passed == 1 else f"{passed} backups that change"
    return Message(f"Passed over {backups} nothing.")


def prediction_question(session: Session, backup: Backup, say: Callable[[str], str] = str) -> Key:
    """Ask for the value after a backup; `say` formats the verdict."""
    from afterstate_lab.learners.ask.questions import QuizKind, QuizQuestion

    asked = QuizQuestion(QuizKind.WAY, session.timeline.place, right=backup.new, start=backup.old)

    def answer(text: str) -> Outcome:
        said = session.predictions.judge(text, asked)
        if said is None:
            return refusal(
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


def go_to_place(session: Session, text: str) -> Outcome:
    """Go to a typed moment: a game, a ply, an event, a phase."""
    from afterstate_lab.learners.runs.address import AddressError, AddressPlace
    from afterstate_lab.learners.runs.replay import go_to, place_of

    place = AddressPlace.read(text.strip().replace(",", "").replace("_", "").removesuffix("."))
    if place is None:
        return refusal(f"{shown(text)} is not a moment. Try 424, or 424.5 for its fifth move.")
    before = place_of(session.timeline)
    try:
        go_to(session.timeline, place)
    except AddressError as error:
        if before is not None:
            go_to(session.timeline, before)
        return refusal(sentence(error))
    return None


def at_speed(session: Session, by: int) -> Outcome:
    at = SPEEDS.index(session.speed) + by
    session.speed = SPEEDS[min(max(at, 0), len(SPEEDS) - 1)]
    return Message(f"{speed_words(session.speed)}.")


def watch_until(session: Session, is_enough: Callable[[Session], bool]) -> Outcome:
    """Watch at least one event; stop if a person's game waits."""
    if session.waits and session.script and session.is_at_end:
        again = command_key("new_game")
        return refusal(
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
