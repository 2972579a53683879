"""The commands of a person who plays."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final

from afterstate_lab.game import IllegalMoveError
from afterstate_lab.learners.errors import UsageError
from afterstate_lab.tui.lab.modes import Mode
from afterstate_lab.tui.lab.outcomes import Message, Outcome, command_key, refusal

if TYPE_CHECKING:
    from afterstate_lab.tui.lab.session import Session


def mark_cell(session: Session, cell: int) -> Outcome:
    """Mark a cell (0-8) for the person who plays."""
    if session.mode is Mode.PLAY and not session.game_goes_on:
        return refusal(f"The game is over: {command_key('new_game')} for a new one.")
    try:
        session.move(cell)
    except IllegalMoveError as error:
        return refusal(error)
    return None


def move_cursor(session: Session, columns: int, rows: int) -> None:
    """Choose another cell with the arrow keys."""
    at = 4 if session.cursor is None else session.cursor
    row, column = divmod(at, 3)
    if session.cursor is not None:
        row, column = (row + rows) % 3, (column + columns) % 3
    session.cursor = 3 * row + column


def mark(session: Session) -> Outcome:
    """Mark the chosen cell; after a game, review it."""
    if not session.game_goes_on:
        from afterstate_lab.tui.lab.review import review

        return review(session)
    return None if session.cursor is None else mark_cell(session, session.cursor)


def take_back(session: Session) -> Outcome:
    """Take back the person's last move."""
    if session.take_back():
        return None
    return refusal("There is no move of yours to take back.")


def new_game(session: Session) -> Outcome:
    """Begin a game; one that is not over is dropped."""
    session.new_game()
    return None


def swap(session: Session) -> Outcome:
    """Begin a game on the other side."""
    try:
        session.swap_sides()
    except UsageError as error:
        return refusal(error)
    return None


def help_level(session: Session) -> Outcome:
    """Let the board say more of the moves, or nothing."""
    session.help = session.help.next()
    return Message(f"Help: {session.help.value}.")


def learning(session: Session) -> Outcome:
    """Let the learner learn from the person's games, or not."""
    session.toggle_learning()
    does = "learns from your games" if session.learner_learns else "is frozen"
    when = ", from the next game on" if session.script else ""
    return Message(f"The learner {does}{when}.")


def return_to_game(session: Session) -> Outcome:
    """Go back to the person's game; where there is none, begin one."""
    if session.return_to_game():
        return Message("Back to your game.")
    return new_game(session)


METHODS: Final[Mapping[str, Callable[[Session], Outcome]]] = {
    "cursor_left": lambda session: move_cursor(session, -1, 0),
    "cursor_right": lambda session: move_cursor(session, 1, 0),
    "cursor_up": lambda session: move_cursor(session, 0, -1),
    "cursor_down": lambda session: move_cursor(session, 0, 1),
    **{
        method.__name__: method
        for method in (mark, take_back, new_game, swap, help_level, learning, return_to_game)
    },
}
"""What each command of a person's game does."""
