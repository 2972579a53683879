"""The matchbox of a board: its beads by colour, the drawn bead, and what the game adds or takes.

A player has boxes if its rule learns and its numbers are not estimates.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto
from typing import TYPE_CHECKING, Any

import numpy as np

from afterstate_lab.game import Board, Side
from afterstate_lab.learners.rules.spec import rules
from afterstate_lab.learners.tape.events import Backup, GameOver, Move
from afterstate_lab.learners.tape.recording import TapePosition
from afterstate_lab.learners.tape.run import Seat
from afterstate_lab.tui.lab.commands import Screen
from afterstate_lab.tui.lab.microscope.reading import NO_ENTRY, Colour, colours_of
from afterstate_lab.tui.lab.modes import Mode
from afterstate_lab.tui.lab.outcomes import Open, Outcome, refusal

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from afterstate_lab.learners.rules.base import Rule
    from afterstate_lab.learners.rules.spec import PlayerSpec
    from afterstate_lab.learners.tape.run import Run
    from afterstate_lab.tui.lab.session import Session


class BoxEvent(Enum):
    """Why a box is on screen."""

    LOOK = auto()
    """Its contents."""
    NEXT = auto()
    """The next draw is from it."""
    DRAW = auto()
    """A bead was drawn."""
    RESULT = auto()
    """The result of the game added or took beads of a colour."""
    REFILL = auto()
    """The last bead was gone, so the box was refilled."""
    EMPTY = auto()
    """There was no bead to draw: the player resigned."""


@dataclass(frozen=True)
class Box:
    """A box at one moment."""

    event: BoxEvent
    side: Side
    spec: PlayerSpec
    board: Board
    """The board as played: its cells give the colours."""
    before: tuple[Colour, ...]
    """The beads before the event."""
    after: tuple[Colour, ...]
    new: tuple[float, ...]
    """The beads of each colour in a new box."""
    written: tuple[int, ...]
    """The visits of each colour."""
    played: int | None = None
    """The cell played, 0-8."""
    choice: str = ""
    """How the move was chosen, if the event is a move."""
    result: str = ""
    """X, O or draw, once the game is over."""
    place: TapePosition | None = None
    """The moment of the event."""

    @property
    def total(self) -> int:
        return round(sum(colour.beads for colour in self.after))

    @property
    def drawn(self) -> tuple[Colour, Colour]:
        """The colour of the played cell, before and after the event."""
        pairs = zip(self.before, self.after, strict=True)
        return next((old, new) for old, new in pairs if self.played in new.cells)


def has_boxes(rule: type[Rule]) -> bool:
    return rule.learns and not rule.estimates


def read_box(
    run: Run, event: BoxEvent, side: Side, board: Board, v: NDArray[np.float64], **told: Any
) -> Box | None:
    """Return the box of a player for a board; a forced last move has None.

    Args:
        event: why the box is on screen.
        side: the owner of the box.
        board: the board as played.
        v: float64[2N], memory.
        **told: the other fields of `Box`.
    """
    table = run.layout.table(side)
    if not has_boxes(table.spec.rule) or board.is_over or board.ply % 2 != side:
        return None
    colours = colours_of(table, v, board.id)
    if any(one.entry == NO_ENTRY for one in colours):
        return None
    first, half = run.keyframes[0].memory, len(v) // 2
    return Box(
        event, side, table.spec, board, told.pop("before", colours), colours,
        tuple(float(first[one.entry]) for one in colours),
        tuple(int(v[half + one.entry]) for one in colours), **told,
    )  # fmt: skip


def drawing(session: Session) -> list[Side]:
    """Return the sides that the computer plays in the current game."""
    run, game = session.run, session.timeline.game
    seats = run.seating_of(game) if game < run.games else run.seating
    return [side for side, seat in zip(Side, (seats.x, seats.o), strict=True)
            if seat is not Seat.HUMAN]  # fmt: skip


def boxes_of_game(session: Session) -> list[Box]:
    """Return the boxes of the current game up to the current moment, in order."""
    run, timeline = session.run, session.timeline
    events = [timeline.event_at(row) for row in timeline.rows if row < timeline.at]
    ends = (event.result for event in timeline.events_of_game() if isinstance(event, GameOver))
    result = next(ends, "")
    v, half = timeline.v.copy(), len(timeline.v) // 2
    for event in reversed(events):
        if isinstance(event, Backup):
            v[event.entry] = event.old
            v[half + event.entry] -= 1
    found: list[Box] = []

    def add(kind: BoxEvent, board: Board, side: Side, **told: Any) -> None:
        box = read_box(run, kind, side, board, v, **told)
        if box is not None:
            found.append(box)

    sides, board = drawing(session), Board()
    for row, event in enumerate(events):
        place, mover = TapePosition(timeline.game, row), Side(board.ply % 2)
        if isinstance(event, Move):
            if mover in sides:
                add(BoxEvent.DRAW, board, mover, played=event.cell, choice=event.choice,
                    place=place)  # fmt: skip
            board = Board.from_id(event.afterstate)
        elif isinstance(event, Backup):
            v[event.entry] = event.new
            v[half + event.entry] += 1
            side = Side.parse(event.player)
            of_box = [box for box in found if box.side is side
                      and event.entry in {colour.entry for colour in box.after}]  # fmt: skip
            if not of_box:
                continue
            opened, before, kind = of_box[0], of_box[-1].after, BoxEvent.RESULT
            if of_box[-1].event is not BoxEvent.DRAW:  # the first is the result, then refills
                kind = BoxEvent.REFILL
                if found[-1].event is BoxEvent.REFILL and found[-1].board == opened.board:
                    before = found.pop().before
            add(kind, opened.board, side, before=before, played=opened.played, place=place,
                result=result)  # fmt: skip
        elif isinstance(event, GameOver) and event.resigned:
            add(BoxEvent.EMPTY, board, mover, place=place, result=event.result)
    is_waiting = not events or not isinstance(events[-1], Backup | GameOver)
    if is_waiting and Side(board.ply % 2) in sides:
        add(BoxEvent.NEXT, board, Side(board.ply % 2))
    return found


def box_of(session: Session, board: Board, memory: NDArray[np.float64]) -> Box | None:
    """Return the box of the player to move, if it has one."""
    return read_box(session.run, BoxEvent.LOOK, Side(board.ply % 2), board, memory)


def matchbox(session: Session) -> Outcome:
    """Show the boxes of the current game; while training, only the first box.

    The first box is for the empty board, or the box that O uses most.
    """
    boxes = [] if session.mode is Mode.TRAIN else boxes_of_game(session)
    if not boxes:
        memory = session.timeline.v if session.snapshot is None else session.snapshot.memory
        first = [Board(), *(Board().play(cell) for cell in (4, 0, 1))]
        opened = [box for board in first if (box := box_of(session, board, memory)) is not None
                  and box.side in drawing(session)]  # fmt: skip
        boxes = sorted(opened, key=lambda box: (box.side is Side.X, sum(box.written)))[-1:]
    if not boxes:
        names = ", ".join(rule.name for rule in rules().values() if has_boxes(rule))
        return refusal(f"No player here draws from matchboxes: {names} do.")
    return Open(Screen.MATCHBOX, tuple(boxes))
