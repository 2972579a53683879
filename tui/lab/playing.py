"""The commands for playing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from afterstate_lab.game import IllegalMoveError
from afterstate_lab.tui.lab.modes import Help, Mode
from afterstate_lab.tui.lab.outcomes import Message, Outcome, command_key, refusal

if TYPE_CHECKING:
    from afterstate_lab.tui.lab.session import Session

SHOWS: Final = {"values": Help.VALUES, "exact": Help.EXACT, "none": Help.OFF}
"""What plain mode can print before the other side moves, as levels of help."""


def mark_cell(session: Session, cell: int) -> Outcome:
    """Mark a cell (0-8) for the person who plays."""
    if session.mode is Mode.PLAY and not session.game_goes_on:
        return refusal(f"Game over. Press {command_key('new_game')} for a new game.")
    try:
        session.move(cell)
    except IllegalMoveError as error:
        return refusal(error)
    return None


def move_cursor(session: Session, by: int) -> None:
    """Choose the next free cell, or the previous one (-1)."""
    cells = session.board.legal_cells
    if cells:
        after = [cell for cell in cells if session.cursor is None or cell > session.cursor]
        before = [cell for cell in cells if session.cursor is not None and cell < session.cursor]
        session.cursor = (*after, cells[0])[0] if by > 0 else (cells[-1], *before)[-1]


def change_help(session: Session, by: int) -> Outcome:
    """Show more on the board (1), or less (-1), round and round."""
    session.help = session.help.next(by)
    return Message(f"Help: {session.help.value}.")
