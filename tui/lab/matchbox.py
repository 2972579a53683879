"""The matchbox of a board: its beads by colour, the one that is drawn, what the game adds or takes.

Whether a player has boxes is asked of its rule: it learns, and its numbers are no estimates.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum, auto
from typing import TYPE_CHECKING, Final

import numpy as np

from game import Board, Side
from learners.rules.registry import rules
from learners.tape.events import Backup, GameOver, Move
from learners.tape.recording import TapePosition
from learners.tape.state import Seat
from tui.lab.commands import Screen
from tui.lab.labels import side_role
from tui.lab.list_controller import ListController
from tui.lab.microscope.inputs import NO_ENTRY, Colour, colours_of
from tui.lab.modes import Mode
from tui.lab.outcomes import Close, Open, Outcome, refusal
from tui.theme.numerals import signed
from tui.views.lab import BoardView, CellView, LogView
from tui.views.words import Words

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from learners.kernel.memory import Layout
    from learners.rules.spec import PlayerSpec
    from tui.lab.session import Session

HEADS: Final = f"{'':<2}{'cells':<7} {'beads':>5} {'by':>4} {'share':>5} {'new':>4}"


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
    training = session if session.is_training else None
    return Open(Screen.MATCHBOX, BoxController(tuple(boxes), training)) if boxes else no_boxes()


class BoxController(ListController):
    """The boxes of a game under a cursor, which stands on the last.

    Args:
        boxes: one at least.
        training: a lab that trains: its box is looked into again and again.
    """

    def __init__(self, boxes: tuple[Box, ...], training: Session | None = None) -> None:
        super().__init__({"go": lambda: Close(self.selected.place), "back": Close})
        self.handlers |= {"earlier": self.handlers["up"], "later": self.handlers["down"]}
        self.boxes = boxes
        self.training = training
        self.window.hold(len(boxes))
        self.window.go_to(len(boxes) - 1)

    def refresh(self) -> None:
        """Look into the box again, with what the training has learned by now."""
        session = self.training
        if session is None:
            return
        session.look_at_training()
        if session.snapshot is not None:
            box = box_of(session, self.selected.board, session.snapshot.memory)
            self.boxes = self.boxes if box is None else (box,)

    @property
    def selected(self) -> Box:
        """The box under the cursor."""
        return self.boxes[self.window.cursor]


def many(number: float) -> str:
    return f"{number:,.0f} bead{'s' * (round(number) != 1)}"


def cells_words(colour: Colour) -> str:
    """The cells of a colour: `cell 5`, `cells 1 3 7 9`."""
    cells = " ".join(str(cell + 1) for cell in colour.cells)
    return f"cell{'s' * (len(colour.cells) > 1)} {cells}"


def box_view(box: Box) -> BoardView:
    """The box: its beads lie in the cells that they stand for."""
    return BoardView(
        cells=tuple(box_cell(box, cell, mark) for cell, mark in enumerate(str(box.board))),
        title=(("box of ", "title"), (box.side.mark, side_role(box.side.mark, strong=True))),
        right=f"{box.total:,} beads" if box.total else "empty",
    )


def box_cell(box: Box, cell: int, mark: str) -> CellView:
    """A cell of the box: a mark, or the beads of its colour."""
    if mark != ".":
        return CellView(mark=mark, label=str(cell + 1))
    at = next(n for n, colour in enumerate(box.after) if cell in colour.cells)
    old, new = box.before[at], box.after[at]
    is_first = cell == new.cells[0]
    is_drawn = cell == box.played and box.event is BoxEvent.DRAW
    most = max(colour.beads for colour in box.after)
    note: Words = (
        ((f"{new.share:.0%}", "dim"),) if is_first else ((f"as {new.cells[0] + 1}", "dim"),)
    )
    return CellView(
        label=str(cell + 1),
        beads=round(new.beads),
        came=round(new.beads - old.beads),
        drawn=is_drawn,
        colour=new.number,
        note="" if is_drawn or new.beads != old.beads else note,
        best=new.beads == most and len(box.after) > 1,
    )


def colour_lines(box: Box) -> tuple[Words, ...]:
    """A line for each colour, the fullest first; then how often the box was written."""
    lines: list[Words] = []
    rows = zip(box.before, box.after, box.new, strict=True)
    for old, new, first in sorted(rows, key=lambda row: (-row[1].beads, row[1].cells)):
        cells = " ".join(str(cell + 1) for cell in new.cells)
        by = signed(new.beads - old.beads, 0) if old.beads != new.beads else ""
        is_played = box.played in new.cells
        lines.append(
            (
                ("● ", f"bead {new.number}"),
                (f"{cells:<7} ", "strong" if is_played else "text"),
                (f"{new.beads:>5,.0f}", "text"),
                (" " * (5 - len(by)), "text"),
                (by, "written"),
                (f" {new.share:>5.0%}", "text"),
                (f" {first:>4,.0f}", "dim"),
                (f"  {mark_of_colour(box)}", "key") if is_played else ("", "dim"),
            )
        )
    return tuple(lines)


def colours_view(box: Box) -> LogView:
    return LogView(
        colour_lines(box), heads=HEADS, jump=1, title="its colours", right=colours_words(box)
    )


def words_view(box: Box) -> LogView:
    """What happens to the box, in sentences."""
    lines: tuple[Words, ...] = tuple(((said, "strong"),) for said in box_sentences(box)[:1])
    rest = tuple(((said, "dim"),) for said in box_sentences(box)[1:])
    return LogView((*lines, *rest), jump=1, title="what happens to it")


def mark_of_colour(box: Box) -> str:
    """What the game did with the colour that it is about."""
    if box.event is BoxEvent.DRAW:
        return "drawn" if box.choice == "drawn" else "taken"
    return "played"


def box_lines(controller: BoxController) -> LogView:
    """A line for each moment of the game."""
    return LogView(
        tuple(box_line(box) for box in controller.boxes),
        cursor=controller.window.cursor,
        jump=1,
        title="boxes of the game",
        focused=True,
    )


def box_line(box: Box) -> Words:
    """A moment in a few words."""
    side = box.side.mark
    who = ((f"{side} ", side_role(side, strong=True)), (f"{box.board} ", "text"))
    cell = "" if box.played is None else f"@{box.played + 1}"
    match box.event:
        case BoxEvent.LOOK:
            return (*who, (many(box.total), "text"))
        case BoxEvent.NEXT:
            return (*who, ("draws next", "key"))
        case BoxEvent.DRAW:
            drawn = box.drawn
            share = "" if drawn is None else f"  {drawn.share:.0%}"
            return (*who, (f"→ {cell[1:]}", "strong"), (share, "dim"))
        case BoxEvent.REFILL:
            return (*who, (f"filled anew: {box.total:,}", "written"))
        case BoxEvent.EMPTY:
            return (*who, ("empty: resigns", "worse"))
    old, new = changed(box)
    return (*who, (f"{cell}  ", "text"), (f"{old:,.0f}→{new:,.0f}", "written"))


def changed(box: Box) -> tuple[float, float]:
    """The beads of the colour played, before and after the result."""
    pairs = zip(box.before, box.after, strict=True)
    return next((old.beads, new.beads) for old, new in pairs if box.played in new.cells)


def box_sentences(box: Box) -> list[str]:
    who = box.side.mark
    told = [sentence_of(box, who)]
    times = sum(box.written)
    often = f"{times:,} times" if times != 1 else "once"
    told.append(f"Its beads were changed {often}." if times else "Its beads are as when new.")
    return told


def sentence_of(box: Box, who: str) -> str:
    """What the event does to the box."""
    if box.event is BoxEvent.EMPTY:
        return f"{who} opens the box and finds no bead: it resigns."
    if box.event is BoxEvent.REFILL:
        return f"That was its last bead, so the box is filled anew: {many(box.total)}."
    if box.event is BoxEvent.RESULT:
        return result_sentence(box, who)
    if box.event is BoxEvent.DRAW:
        return draw_sentence(box, who)
    if not box.total:
        return f"The box of {who} is empty: {who} would resign."
    chance = "draws from" if box.spec.rule.draws else "looks into"
    when = "next" if box.event is BoxEvent.NEXT else "on this board"
    return f"{who} {chance} this box {when}: {many(box.total)} of {colours_words(box)}."


def colours_words(box: Box) -> str:
    return f"{len(box.after)} colour{'s' * (len(box.after) != 1)}"


def draw_sentence(box: Box, who: str) -> str:
    """How a move came out of the box."""
    drawn = box.drawn
    assert drawn is not None and box.played is not None
    cell = box.played + 1
    if box.choice == "scripted":
        return f"{who} was told to mark {cell}; the box has {many(drawn.beads)} for it."
    of = f"{drawn.beads:,.0f} of its {many(box.total)}"
    if box.choice == "drawn":
        shared = f", shared by {cells_words(drawn)}" if len(drawn.cells) > 1 else ""
        return f"{who} draws a bead for cell {cell}{shared}: {of}, {drawn.share:.0%}."
    if box.choice == "exploratory":
        return f"{who} takes a colour at random: cell {cell}, with {of}."
    return f"{who} takes a fullest colour: cell {cell}, with {of}."


def result_sentence(box: Box, who: str) -> str:
    """What the result puts in or takes."""
    old, new = changed(box)
    ended = "drew" if box.result == "draw" else "won" if box.result == who else "lost"
    colour = f"the colour of cell {(box.played or 0) + 1}"
    if new > old:
        verb = "drops" if new - old == 1 else "drop"
        said = f"{who} {ended}: {many(new - old)} {verb} in for {colour}, {old:,.0f} to {new:,.0f}."
    elif new < old:
        said = f"{who} {ended}: {many(old - new)} of {colour} leave, {old:,.0f} to {new:,.0f}."
        if old - new == 1:
            said = f"{who} {ended}: the bead that was played leaves, {old:,.0f} to {new:,.0f}."
    else:
        said = f"{who} {ended}: {many(new)} of {colour} stay, as none can leave."
    return said if box.total else f"{said} The box is empty now."
