"""The commands that go along the tape or watch it grow, predict what is written, and fork it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Final

from afterstate_lab.game import IllegalMoveError
from afterstate_lab.tui.lab.modes import SPEEDS, Mode, speed_words
from afterstate_lab.tui.lab.outcomes import (
    Message,
    MessageKind,
    Outcome,
    Question,
    Steps,
    command_key,
    refusal,
    sentence,
)

if TYPE_CHECKING:
    from afterstate_lab.learners.tape.events import Backup
    from afterstate_lab.learners.tape.recording import TapePosition
    from afterstate_lab.learners.tape.timeline import Timeline
    from afterstate_lab.tui.lab.session import Session

IS_YOURS: Final = refusal(
    f"The next move is yours: {command_key('return_to_game')} goes back there."
)
NOBODY_LEARNS: Final = Message(
    "Nobody learns here: these two have played without writing anything."
)


def phase(session: Session) -> Outcome:
    """Go to the next phase; where writes are predicted, ask before each."""
    backup = session.backup_to_predict if session.predictions.wanted else None
    if backup is not None:
        return prediction_question(session, backup)
    return None if session.timeline.step_phase() else play_on(session, by_phase=True)


def phase_back(session: Session) -> Outcome:
    """Go to the phase before."""
    return moved_back(session.timeline.step_phase_back())


def event(session: Session) -> Outcome:
    """Go to the next event."""
    return None if session.timeline.step() else play_on(session)


def event_back(session: Session) -> Outcome:
    """Go to the event before."""
    session.is_running = False
    return moved_back(session.timeline.step_back())


def game_back(session: Session) -> Outcome:
    """Go to the game before."""
    session.is_running = False
    return moved_back(session.timeline.previous_game())


def moved_back(has_moved: bool) -> Outcome:
    """Say so where the run began."""
    return None if has_moved else refusal("This is the start of the run.")


def play_on(session: Session, *, by_phase: bool = False) -> Outcome:
    """At the end of the tape play the next game, and go to its first event, or phase."""
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
    """What is said where going on has played a game, whose number counts from 1."""
    return f"The tape ended here, so game {game:,} was played."


def first_change(session: Session) -> Outcome:
    """Play until a backup changes a value, and go to the last one that does."""
    session.leave_seat()
    if not session.play_until_change():
        return NOBODY_LEARNS
    game, back = session.timeline.game + 1, command_key("phase_back")
    return Message(f"Game {game:,} was just played. This backup is its last; {back} takes it back.")


def change_played(session: Session) -> Outcome:
    """At the end of the tape play until a backup changes a value, and go to it."""
    if session.waits and session.script:
        return IS_YOURS
    session.leave_seat()
    if not session.play_until_change(at_last=False):
        return NOBODY_LEARNS
    at_change(session)
    return Message(played_sentence(session.timeline.game + 1))


def at_change(session: Session, after: int = 0, before: int = 0) -> Message | None:
    """Show a backup that changes a value: before its write, where writes are predicted.

    Args:
        session: at that backup.
        after: the row of the window from which it was gone to.
        before: its own; the backups between the two are passed.
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


def predict(session: Session) -> Outcome:
    """Ask before every write what will be written, or no more."""
    predictions = session.predictions
    predictions.wanted = not predictions.wanted
    wanted = "You are asked before every write."
    return Message(wanted if predictions.wanted else "No more predictions.")


def prediction(session: Session) -> Outcome:
    """Ask what will be written next."""
    backup = session.backup_to_predict
    if backup is None:
        return refusal("Go on to a target first: what is written next can be predicted there.")
    return prediction_question(session, backup, sentence)


def prediction_question(
    session: Session, backup: Backup, say: Callable[[str], str] = str
) -> Outcome:
    """Ask what a backup will write; `say` puts the verdict into a sentence."""

    def answer(text: str) -> Outcome:
        said = session.predictions.judge(text, backup.old, backup.new)
        if said is None:
            return refusal("")
        session.timeline.step_phase()
        return Message(say(said))

    return Question(
        "predict",
        "the value to be written, or +, - or =",
        answer,
        kind="number",
        hint="a number such as .42, or + for more, - for less, = for the same",
        usage="predict .42 says what will be written; predict +, predict - or predict = which way.",
    )


def home(session: Session) -> Outcome:
    """Go to the first event of the run."""
    if session.run.games:
        session.timeline.go_to(0)
    return None


def end(session: Session) -> Outcome:
    """Go to the last event of the run."""
    if session.run.games:
        session.timeline.go_to(session.run.games - 1, at_end=True)
    return None


def go_to(session: Session) -> Question | Message:
    """Ask for the place to go to."""
    session.is_running = False
    if not (session.run.games or session.timeline.recording.size):
        return refusal(f"No game yet: {command_key('step')} plays one.")
    games = max(1, session.run.games)
    return Question(
        "go to",
        f"a game from 1 to {games:,}, or game.ply.event.phase",
        lambda text: go_to_place(session, text),
        kind="game",
        hint="a number such as 424, or 424.5 for its fifth move",
        usage=f"Go where? go 123 goes to a game, 1 to {games:,}; go 123.4 to its fourth move.",
    )


def go_to_place(session: Session, text: str) -> Outcome:
    """Go to the place that a user typed: a game, a ply of it, an event of that, a phase."""
    from afterstate_lab.learners.runs.address import AddressError, AddressPlace
    from afterstate_lab.learners.runs.replay import go_to, place_of

    place = AddressPlace.read(text.strip().replace(",", "").replace("_", "").removesuffix("."))
    if place is None:
        return refusal("")
    before = place_of(session.timeline)
    try:
        go_to(session.timeline, place)
    except AddressError as error:
        if before is not None:
            go_to(session.timeline, before)
        return refusal(sentence(error))
    return None


def fork(session: Session) -> Outcome:
    """Ask for the cell to mark instead, in a branch of its own."""

    def answer(text: str) -> Outcome:
        if text.strip() not in list("123456789"):
            return refusal("")
        try:
            session.fork(int(text) - 1)
        except IllegalMoveError as error:
            return refusal(error)
        back = command_key("other_line")
        return Message(f"A line of its own; {back} goes back to the old one.")

    move = session.move_looked_at
    instead = "" if move is None else f" of {move.player}→{move.cell + 1}"
    return Question(
        "fork",
        f"the cell to mark instead{instead}, 1 to 9",
        answer,
        kind="cell",
        hint="a cell from 1 to 9",
        usage="Fork needs a cell from 1 to 9, to be marked instead.",
    )


def other_line(session: Session) -> Outcome:
    """Go to the branch that was forked, and back."""
    if session.next_branch():
        return None
    return refusal(f"There is no other line; {command_key('fork')} makes one, while stepping.")


def at_speed(session: Session, by: int) -> Outcome:
    """Change the speed by so many steps."""
    at = SPEEDS.index(session.speed) + by
    session.speed = SPEEDS[min(max(at, 0), len(SPEEDS) - 1)]
    return Message(f"{speed_words(session.speed)}.")


def move_back(session: Session) -> Outcome:
    """Look at the move before, and what was learned from it."""
    session.is_running = False
    timeline = session.timeline
    has_moved = timeline.step_back()
    while has_moved and not is_move_watched(session) and timeline.step_back():
        pass
    return moved_back(has_moved)


def game(session: Session) -> Outcome:
    """Go to the next game; at the end of the run one is played, or watched."""
    is_there = session.timeline.next_game()
    if not is_there and session.mode is Mode.WATCH:
        session.timeline.seek(session.timeline.recording.size)
        return watch_until(session, lambda session: True)
    session.is_running = False
    return None if is_there else play_on(session)


def watch_until(session: Session, is_enough: Callable[[Session], bool]) -> Outcome:
    """Watch event by event, one at least; not while a person's game waits."""
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

    def events() -> Iterator[None]:
        go_on(session)
        yield
        while not is_enough(session):
            go_on(session)
            yield

    return Steps(events())


def go_on(session: Session) -> None:
    """Go on by one event; at the end of the run, by a new game."""
    if not session.timeline.step():
        session.play_game()
        session.timeline.step()


def go_on_a_move(session: Session) -> None:
    """Go on to the end of the next move and of what is learned from it."""
    go_on(session)
    while not is_move_watched(session):
        go_on(session)


def is_game_watched(session: Session) -> bool:
    """Whether the last event of a game is looked at."""
    return session.timeline.at >= session.timeline.rows.stop


def is_move_watched(session: Session) -> bool:
    """Whether a move and all that was learned from it have been looked at."""
    from afterstate_lab.learners.tape.events import Move

    timeline = session.timeline
    return is_game_watched(session) or isinstance(timeline.event_at(timeline.at), Move)


def go_to_event(timeline: Timeline, place: TapePosition) -> None:
    """Go to the event at a place."""
    from afterstate_lab.learners.tape.recording import row_at

    if place.game != timeline.game:
        timeline.go_to(place.game)
    timeline.seek(row_at(timeline.recording, place) + 1)


METHODS: Final[Mapping[str, Callable[[Session], Outcome]]] = {
    "faster": lambda session: at_speed(session, 1),
    "slower": lambda session: at_speed(session, -1),
    "one_event": lambda session: watch_until(session, lambda session: True),
    "watch_move": lambda session: watch_until(session, is_move_watched),
    "watch_game": lambda session: watch_until(session, is_game_watched),
    **{
        method.__name__: method
        for method in (
            *(phase, phase_back, event, event_back, move_back, game, game_back, home, end),
            *(predict, prediction, fork, other_line),
        )
    },
}
"""What each command does that goes along the tape, predicts, forks or watches."""
