"""The commands that watch the players: their next event, move and game, and the speed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Final

from tui.lab import stepping
from tui.lab.modes import SPEEDS, Mode, speed_words
from tui.lab.outcomes import Message, MessageKind, Outcome, Steps, command_key, refusal

if TYPE_CHECKING:
    from tui.lab.session import Session


def faster(session: Session) -> Outcome:
    return at_speed(session, 1)


def slower(session: Session) -> Outcome:
    return at_speed(session, -1)


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
    return stepping.moved_back(has_moved)


def game(session: Session) -> Outcome:
    """Go to the next game; watched, the players play on at the end of the run."""
    if session.mode is not Mode.WATCH or session.timeline.next_game():
        session.is_running = False
        return None if session.mode is Mode.WATCH else stepping.game(session)
    session.timeline.seek(session.timeline.recording.size)
    return one_event(session)


def one_event(session: Session) -> Outcome:
    return watch_until(session, lambda session: True)


def watch_move(session: Session) -> Outcome:
    """Watch the next move, and what is learned from it."""
    return watch_until(session, is_move_watched)


def watch_game(session: Session) -> Outcome:
    return watch_until(session, is_game_watched)


def watch_until(session: Session, is_enough: Callable[[Session], bool]) -> Outcome:
    """Watch event by event, one at least; not while a person's game waits."""
    if session.waits and session.script and session.is_at_end:
        again = command_key("new_game")
        return refusal(
            f"Your game is not over: end it, or {again} begins another, before you watch."
        )
    session.is_running = False
    if session.is_at_end and session.run.games:
        said = stepping.played_sentence(session.run.games + 1)
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
    from learners.tape.events import Move

    timeline = session.timeline
    return is_game_watched(session) or isinstance(timeline.event_at(timeline.at), Move)


METHODS: Final[Mapping[str, Callable[[Session], Outcome]]] = {
    "faster": faster,
    "slower": slower,
    "move_back": move_back,
    "game": game,
    "one_event": one_event,
    "watch_move": watch_move,
    "watch_game": watch_game,
}
"""What each command does that watches."""
