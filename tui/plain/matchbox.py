"""The matchbox in sentences: its colours, and what a game drew, put in and took."""

from __future__ import annotations

from typing import TYPE_CHECKING

from game import Board
from game.board import InvalidBoardError
from learners.errors import shown
from tui.blocks.speech import board_words, spoken
from tui.lab.matchbox import Box, BoxController, box_of
from tui.lab.matchbox_view import box_sentences, cells_words, many

if TYPE_CHECKING:
    from tui.lab.session import Session


def matchbox(session: Session, boxes: BoxController, text: str) -> tuple[list[str], list[str]]:
    """The box of a board that was named, or the latest of the current game; then those before."""
    told = boxes.boxes[::-1]
    if text:
        try:
            board = Board.parse(text.upper())
        except InvalidBoardError:
            return [
                f"{shown(text)} is no board: nine characters of X, O and . from the top left."
            ], []
        box = box_of(session, board, session.timeline.v)
        if box is None:
            return [f"Nobody draws from a box on this board. {board_words(board)}"], []
        told = (box,)
    latest, *earlier = told
    heading = [*moment_lines(latest), *(colour_sentence(latest, at) for at in fullest(latest))]
    return heading, [" ".join(moment_lines(box)) for box in earlier]


def moment_lines(box: Box) -> list[str]:
    """What happens to a box, and its board."""
    return [spoken(box_sentences(box)[0]), board_words(box.board)]


def fullest(box: Box) -> list[int]:
    """The colours of a box by number, the fullest first."""
    return sorted(range(len(box.after)), key=lambda at: -box.after[at].beads)


def colour_sentence(box: Box, at: int) -> str:
    """A colour: its cells, its beads, its share of the box."""
    colour = box.after[at]
    cells = cells_words(colour)
    said = f"{cells[:1].upper()}{cells[1:]}: {many(colour.beads)}, {colour.share:.0%}"
    return f"{said}; {box.new[at]:,.0f} when new."
