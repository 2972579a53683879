"""The matchbox of a board: its beads by colour, the one that is drawn, what the game adds or takes.

Whether a player has boxes is asked of its rule: it learns, and its numbers are no estimates.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum, auto
from typing import TYPE_CHECKING

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

    from afterstate_lab.learners.kernel.memory import Layout
    from afterstate_lab.learners.rules.spec import PlayerSpec
    from afterstate_lab.tui.lab.session import Session


class BoxEvent(Enum):
    """What is told of a box."""

    LOOK = auto()
    """What is in it."""
    NEXT = auto()
    """It is drawn from next."""
    DRAW = auto()
    """A bead was drawn."""
    RESULT = auto()
    """The result of the game added or took beads of a colour."""
    REFILL = auto()
    """The last bead was gone: it was filled anew."""
    EMPTY = auto()
    """There was no bead to draw: the player resigned."""


@dataclass(frozen=True)
class Box:
    """A box at one moment."""

    event: BoxEvent
    side: Side
    """Whose box it is."""
    spec: PlayerSpec
    board: Board
    """As it lay in the game: the colours are told by its cells."""
    before: tuple[Colour, ...]
    """The beads before what happened."""
    after: tuple[Colour, ...]
    new: tuple[float, ...]
    """The beads of each colour in a new box."""
    written: tuple[int, ...]
    """How often each colour was written."""
    played: int | None = None
    """The cell that was marked in the game, 0-8."""
    choice: str = ""
    """How the move was chosen, where that is the event."""
    result: str = ""
    """X, O or draw, once the game is over."""
    place: TapePosition | None = None
    """The event on the tape."""

    @property
    def total(self) -> int:
        """The beads in the box."""
        return round(sum(colour.beads for colour in self.after))

    @property
    def drawn(self) -> Colour | None:
        """The colour of the cell that was marked, as it is after the event."""
        return next((one for one in self.after if self.played in one.cells), None)

    @property
    def changes(self) -> list[tuple[Colour, Colour]]:
        """The colours that the event wrote, before and after it."""
        pairs = zip(self.before, self.after, strict=True)
        return [(old, new) for old, new in pairs if old.beads != new.beads]


def has_boxes(spec: PlayerSpec) -> bool:
    """Whether a player keeps beads in boxes."""
    return spec.rule.learns and not spec.rule.estimates


class BoxReader:
    """Reads boxes from memory.

    Args:
        layout: where the entries lie.
        first: float64[2N], memory when everything was new.
    """

    def __init__(self, layout: Layout, first: NDArray[np.float64]) -> None:
        self.layout = layout
        self.first = first

    def read(
        self, event: BoxEvent, side: Side, board: Board, v: NDArray[np.float64], **told: object
    ) -> Box:
        """The box of a player for a board.

        Args:
            event: what is told of it.
            side: whose box.
            board: the board, in the orientation in which cells are told.
            v: float64[2N], memory.
            **told: what else `Box` has.
        """
        table = self.layout.table(side)
        colours = colours_of(table, v, board.id)
        half = len(v) // 2
        found = Box(
            event=event,
            side=side,
            spec=table.spec,
            board=board,
            before=colours,
            after=colours,
            new=tuple(float(self.first[one.entry]) for one in colours),
            written=tuple(int(v[half + one.entry]) for one in colours),
        )
        return replace(found, **told)  # type: ignore[arg-type]

    def is_boxed(self, side: Side, board: Board) -> bool:
        """Whether a player draws from a box on a board: a forced last move may need none."""
        table = self.layout.table(side)
        if not has_boxes(table.spec) or board.is_over or board.ply % 2 != side:
            return False
        colours = colours_of(table, np.zeros_like(self.first), board.id)
        return all(colour.entry != NO_ENTRY for colour in colours)


def boxes_of_game(session: Session) -> list[Box]:
    """The boxes of the current game up to the place that is looked at, in order of the events."""
    run, timeline = session.run, session.timeline
    reader = BoxReader(run.layout, run.keyframes[0].memory)
    rows = timeline.rows
    events = [timeline.event_at(row) for row in rows if row < timeline.at]
    v = timeline.v.copy()
    half = len(v) // 2
    for event in reversed(events):
        if isinstance(event, Backup):
            v[event.entry] = event.old
            v[half + event.entry] -= 1
    drawing = [side for side in Side if seat_of(session, side) is not Seat.HUMAN]
    over = next((event for event in timeline.events_of_game() if isinstance(event, GameOver)), None)
    result = "" if over is None else over.result
    found: list[Box] = []
    board = Board()
    for row, event in enumerate(events):
        place = TapePosition(timeline.game, row)
        if isinstance(event, Move):
            side, at = Side.parse(event.player), Board.from_id(event.board)
            if side in drawing and reader.is_boxed(side, at):
                told = {"played": event.cell, "choice": event.choice, "place": place}
                found.append(reader.read(BoxEvent.DRAW, side, at, v, **told))
            board = Board.from_id(event.afterstate)
        elif isinstance(event, Backup):
            v[event.entry] = event.new
            v[half + event.entry] += 1
            take_backup(found, reader, event, v, place, result)
        elif isinstance(event, GameOver) and event.resigned:
            side = Side(board.ply % 2)
            if reader.is_boxed(side, board):
                told = {"place": place, "result": event.result}
                found.append(reader.read(BoxEvent.EMPTY, side, board, v, **told))
    side = Side(board.ply % 2)
    is_waiting = not events or not isinstance(events[-1], Backup | GameOver)
    if is_waiting and side in drawing and reader.is_boxed(side, board):
        found.append(reader.read(BoxEvent.NEXT, side, board, v))
    return found


def take_backup(
    found: list[Box],
    reader: BoxReader,
    event: Backup,
    v: NDArray[np.float64],
    place: TapePosition,
    result: str,
) -> None:
    """Add what a backup did to the box of its colour: the first one is the result, then refills."""
    side = Side.parse(event.player)
    of_box = [
        box
        for box in found
        if box.side is side and event.entry in {colour.entry for colour in box.after}
    ]
    if not of_box:
        return
    opened, last = of_box[0], found[-1]
    is_refill = of_box[-1].event is not BoxEvent.DRAW
    kind = BoxEvent.REFILL if is_refill else BoxEvent.RESULT
    told = {"played": opened.played, "place": place, "result": result, "before": of_box[-1].after}
    if is_refill and last.event is BoxEvent.REFILL and last.board == opened.board:
        found.pop()
        told |= {"before": last.before}
    found.append(reader.read(kind, side, opened.board, v, **told))


def seat_of(session: Session, side: Side) -> Seat:
    """Who sits on a side in the game that is looked at."""
    run, game = session.run, session.timeline.game
    seats = run.seating_of(game) if game < run.games else run.seating
    return seats.o if side else seats.x


def box_of_opening(session: Session, memory: NDArray[np.float64]) -> Box | None:
    """The first box of a player that has some: of the empty board, or O's that is used most."""
    boards = (Board(), *(Board().play(cell) for cell in (4, 0, 1)))
    sides = [side for side in Side if seat_of(session, side) is not Seat.HUMAN]
    found = [box_of(session, board, memory) for board in boards]
    boxes = [box for box in found if box is not None and box.side in sides]
    return max(boxes, key=lambda box: (box.side is Side.X, sum(box.written)), default=None)


def box_of(session: Session, board: Board, memory: NDArray[np.float64]) -> Box | None:
    """The box of a board, of whose turn it is; None where there is none.

    Args:
        session: the lab.
        board: the board.
        memory: what was learned.
    """
    reader, side = (
        BoxReader(session.run.layout, session.run.keyframes[0].memory),
        Side(board.ply % 2),
    )
    is_boxed = reader.is_boxed(side, board)
    return reader.read(BoxEvent.LOOK, side, board, memory) if is_boxed else None


def no_boxes() -> Outcome:
    """What is said where no player keeps beads."""
    names = [rule.name for rule in rules().values() if rule.learns and not rule.estimates]
    return refusal(f"No player here draws from matchboxes: {', '.join(names)} do.")


def matchbox(session: Session) -> Outcome:
    """Show the boxes of the current game; in a training, the first one."""
    if not any(has_boxes(spec) for spec in (session.run.x, session.run.o)):
        return no_boxes()
    boxes = [] if session.mode is Mode.TRAIN else boxes_of_game(session)
    if not boxes:
        snapshot = session.snapshot
        memory = session.timeline.v if snapshot is None else snapshot.memory
        first = box_of_opening(session, memory)
        boxes = [] if first is None else [first]
    return Open(Screen.MATCHBOX, tuple(boxes)) if boxes else no_boxes()
