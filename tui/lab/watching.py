"""The commands that watch the players: their next event, move and game, and the speed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Final

from tui.lab import stepping
from tui.lab.modes import Mode, speed_words
from tui.lab.outcomes import Message, MessageKind, Outcome, Steps, command_key, refusal

if TYPE_CHECKING:
    from tui.lab.session import Session


def faster(session: Session) -> Outcome:
    return at_speed(session, 1)


def slower(session: Session) -> Outcome:
    return at_speed(session, -1)


def at_speed(session: Session, by: int) -> Outcome:
    session.faster(by)
    return Message(f"{speed_words(session.speed)}.")


def move_back(session: Session) -> Outcome:
    """Look at the move before, and what was learned from it."""
    session.is_running = False
    return stepping.moved_back(session.watch_move_back())


def game(session: Session) -> Outcome:
    """Go to the next game; watched, the players play on at the end of the run."""
    if session.mode is not Mode.WATCH or session.timeline.next_game():
        session.is_running = False
        return None if session.mode is Mode.WATCH else stepping.game(session)
    session.timeline.seek(session.timeline.recording.size)
    return one_event(session)


def one_event(session: Session) -> Outcome:
    return watch_until(session, lambda: True)


def watch_move(session: Session) -> Outcome:
    """Watch the next move, and what is learned from it."""
    return watch_until(session, lambda: session.is_move_watched)


def watch_game(session: Session) -> Outcome:
    return watch_until(session, lambda: session.is_game_watched)


def watch_until(session: Session, is_enough: Callable[[], bool]) -> Outcome:
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
        session.watch_event()
        yield
        while not is_enough():
            session.watch_event()
            yield

    return Steps(events())


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
