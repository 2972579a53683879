"""A moment of the timeline in sentences: its phase, the numbers, the board."""

from __future__ import annotations

from typing import TYPE_CHECKING

from afterstate_lab.game import Board
from afterstate_lab.learners.tape.events import Backup, GameOver, Move, NoBackup
from afterstate_lab.learners.tape.timeline import CHOICE, PHASES, REPLY, VALUES, WRITE
from afterstate_lab.tui.blocks.speech import board_words, spoken
from afterstate_lab.tui.lab.microscope.equation import closed
from afterstate_lab.tui.lab.microscope.microscope import Microscope

if TYPE_CHECKING:
    from afterstate_lab.learners.tape.events import Learning
    from afterstate_lab.learners.tape.timeline import Timeline

NOTHING_YET = "This is the start: nothing has happened yet."
RULE_SIGNS = {
    "[": " times (", "]": ")", "+": " plus ", "−": " minus ", "γ(": "γ times (", "×": " times ",
}  # fmt: skip


def place_lines(timeline: Timeline) -> list[str]:
    """Describe the current moment in a few sentences."""
    scope = Microscope.at(timeline)
    if scope is None:
        return [NOTHING_YET]
    event, phase = timeline.event, timeline.phase
    view = scope.equation()
    words = spoken(view.words)
    if isinstance(event, GameOver):
        return [f"End: {words}"]
    if isinstance(event, NoBackup):
        return [f"No backup, {event.player}: {words}", about(event)]
    name = PHASES[phase].capitalize()
    if isinstance(event, Backup):
        lines = [f"{name}, {event.player}: {words}"]
        if phase == WRITE:
            return [*lines, *view.say()]
        return lines if phase == REPLY else [*lines, about(event)]
    assert isinstance(event, Move)
    lines = [f"{name}: {words}"]
    if phase == VALUES:
        first = [f"Game {event.game + 1:,}."] if event.ply == 1 else []
        return [*first, *lines, *scope.choice().ranking()]
    board = event.afterstate if phase == CHOICE else event.board
    return [*lines, board_words(Board.from_id(board))]


def about(event: Learning) -> str:
    """Name the entry of an event."""
    board = Board.from_id(event.board)
    where = f": {board_words(board)}".removesuffix(".") if board.ply else " is empty"
    move = "" if event.cell is None else f"; the move is {event.cell + 1}"
    return f"Its board{where}{move}."


def rule_words(symbols: str) -> str:
    """Return the equation of a rule in words."""
    for sign, words in RULE_SIGNS.items():
        symbols = symbols.replace(sign, words)
    return closed(spoken(symbols))
