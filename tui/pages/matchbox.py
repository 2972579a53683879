"""The matchbox of a board: its beads by colour, the drawn bead, and what the game adds or takes.

A player has boxes if its rule learns and its numbers are not estimates.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from afterstate_lab.game import Board, Side
from afterstate_lab.learners.ask.conditions import position
from afterstate_lab.learners.errors import UsageError
from afterstate_lab.learners.rules.base import Rule
from afterstate_lab.learners.rules.spec import PlayerSpec, rules
from afterstate_lab.learners.tape.events import Backup, GameOver, Move
from afterstate_lab.learners.tape.recording import Cursor, TapePosition
from afterstate_lab.learners.tape.run import Seat
from afterstate_lab.tui.blocks.block import Beside, Stack, Window
from afterstate_lab.tui.blocks.cells import Cells, CellView
from afterstate_lab.tui.blocks.marks import in_a_row
from afterstate_lab.tui.blocks.span import Words
from afterstate_lab.tui.blocks.speech import board_words
from afterstate_lab.tui.blocks.table import Cell, Column, Table
from afterstate_lab.tui.blocks.text import Text
from afterstate_lab.tui.lab.controller import LabController
from afterstate_lab.tui.lab.labels import player_label, side_role
from afterstate_lab.tui.lab.microscope.reading import NO_ENTRY, Colour, colours_of
from afterstate_lab.tui.lab.modes import Mode
from afterstate_lab.tui.lab.outcomes import Work
from afterstate_lab.tui.lab.session import Session
from afterstate_lab.tui.pages.page import BACK, Key, Leave, Opened, Page
from afterstate_lab.tui.theme.numerals import signed

REFRESH_SECONDS = 1.0
"""Seconds between two updates during training."""
COLOURS = (
    Column("", 1, say=""),
    Column("cells", 7, say="cells {}"),
    Column("beads", 5, left=False, say="{} beads"),
    Column("by", 4, 3, left=False, say="by {}", role="written"),
    Column("share", 5, 1, left=False),
    Column("new", 4, 2, left=False, say="{} when new", role="dim"),
    Column("", 6, 4, role="key"),
)


@dataclass(frozen=True)
class Box:
    """A box at one moment."""

    event: str
    """Why it is on screen: `look`; the `next` draw is from it; a `draw`; the `result` added or took
    beads; a `refill` after the last bead; it was `empty`, and the player resigned."""
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
    session: Session, event: str, side: Side, board: Board, v: NDArray[np.float64], **told: Any
) -> Box | None:
    """Return the box of a player for a board; a forced last move has None.

    Args:
        session: the lab.
        event: why the box is on screen.
        side: the owner of the box.
        board: the board as played.
        v: float64[2N], memory.
        **told: the other fields of `Box`.
    """
    run = session.run
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
    timeline = session.timeline
    events = [timeline.event_at(row) for row in timeline.rows if row < timeline.at]
    ends = (event.result for event in timeline.events_of_game() if isinstance(event, GameOver))
    result = next(ends, "")
    v, half = Cursor(timeline.recording, timeline.rows.start).v.copy(), len(timeline.v) // 2
    found: list[Box] = []

    def add(kind: str, board: Board, side: Side, **told: Any) -> None:
        box = read_box(session, kind, side, board, v, **told)
        if box is not None:
            found.append(box)

    sides, board = drawing(session), Board()
    for row, event in enumerate(events):
        place, mover = TapePosition(timeline.game, row), Side(board.ply % 2)
        if isinstance(event, Move):
            if mover in sides:
                add("draw", board, mover, played=event.cell, choice=event.choice,
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
            opened, before, kind = of_box[0], of_box[-1].after, "result"
            if of_box[-1].event != "draw":  # the first is the result, then refills
                kind = "refill"
                if found[-1].event == "refill" and found[-1].board == opened.board:
                    before = found.pop().before
            add(kind, opened.board, side, before=before, played=opened.played, place=place,
                result=result)  # fmt: skip
        elif isinstance(event, GameOver) and event.resigned:
            add("empty", board, mover, place=place, result=event.result)
    is_waiting = not events or not isinstance(events[-1], Backup | GameOver)
    if is_waiting and Side(board.ply % 2) in sides:
        add("next", board, Side(board.ply % 2))
    return found


def box_of(session: Session, board: Board) -> Box | None:
    """Return the box of the player to move, if it has one."""
    return read_box(session, "look", Side(board.ply % 2), board, session.known[0])


def boxes_shown(session: Session) -> tuple[Box, ...]:
    """Return the boxes of the current game; while training, only the first box.

    The first box is for the empty board, or the box that O uses most.
    """
    if session.mode is not Mode.TRAIN and (boxes := boxes_of_game(session)):
        return tuple(boxes)
    found = [box_of(session, board) for board in
             (Board(), *(Board().play(cell) for cell in (4, 0, 1)))]  # fmt: skip
    opened = [box for box in found if box is not None and box.side in drawing(session)]
    if not opened:
        names = ", ".join(rule.name for rule in rules().values() if has_boxes(rule))
        raise UsageError(f"No player here draws from matchboxes: {names} do")
    return tuple(sorted(opened, key=lambda box: (box.side is Side.X, sum(box.written)))[-1:])


class Matchbox:
    """The boxes of a game, with the latest selected."""

    def __init__(self, boxes: tuple[Box, ...], training: Session | None = None) -> None:
        self.boxes, self.training = boxes, training
        self.at = Window(len(boxes) - 1)

    @property
    def selected(self) -> Box:
        return self.boxes[self.at.cursor]

    def refresh(self, _: object = None) -> None:
        if self.training is not None:
            self.training.look_at_training()
            box = box_of(self.training, self.selected.board)
            self.boxes = self.boxes if box is None else (box,)

    def page(self) -> Page:
        box = self.selected
        game = () if box.place is None else (("game", f"{box.place.game + 1:,}"),)
        again = Work(lambda _: None, REFRESH_SECONDS, then=self.refresh)
        return Page(
            "BOX",
            Beside((Stack((self.board(), self.words())), Stack((self.colours(), self.moments())))),
            title=((box.side.mark, player_label(box.spec)), *game),
            of_run=True,
            work=None if self.training is None or self.training.training is None else again,
            keys=(
                Key("enter g", "step", lambda: Leave(self.selected.place), "step from this moment"),
                Key("right", "later", lambda: self.at.move(1), "to the next moment"),
                Key("left", "earlier", lambda: self.at.move(-1), "to the previous moment"),
                BACK,
            ),
        )

    def board(self) -> Cells:
        """Return the box, with its beads in their cells."""
        box = self.selected
        return Cells(
            cells=tuple(box_cell(box, cell, mark) for cell, mark in enumerate(str(box.board))),
            title=(("box of ", "title"), (box.side.mark, side_role(box.side.mark, strong=True))),
            right=f"{box.total:,} beads" if box.total else "empty",
            least_columns=33,
        )

    def words(self) -> Text:
        box = self.selected
        times = sum(box.written)
        often = f"{times:,} times" if times != 1 else "once"
        changed = f"Its beads were changed {often}." if times else "Its beads are as when new."
        said = [((box_sentence(box), "strong"),),
                *(((more, "dim"),) for more in (changed, board_words(box.board)))]  # fmt: skip
        return Text(said, title="what happens to it", rank=-1, least=4)

    def colours(self) -> Table:
        """Return a row for each colour, the fullest first."""
        box = self.selected
        rows = sorted(
            zip(box.before, box.after, box.new, strict=True),
            key=lambda row: (-row[1].beads, row[1].cells),
        )
        return Table(
            COLOURS, rows, lambda row: colour_cells(box, *row), None, title="its colours",
            right=colours_words(box), rank=-1, least_columns=43,
        )  # fmt: skip

    def moments(self) -> Table:
        """Return a row for each moment of the game."""
        return Table(
            (Column("", 40),), self.boxes,
            lambda box: (Cell(box_line(box), box_sentence(box).removesuffix(".")),),
            self.at, heads=False, title="boxes of the game",
        )  # fmt: skip


def colour_cells(box: Box, old: Colour, new: Colour, first: float) -> tuple[Words, ...]:
    """Return a colour: its cells, its beads, its share of the box, and its change."""
    is_played = box.played in new.cells
    cells, done = " ".join(str(cell + 1) for cell in new.cells), "played"
    if box.event == "draw":
        done = "drawn" if box.choice == "drawn" else "taken"
    by = signed(new.beads - old.beads, 0) if old.beads != new.beads else ""
    return (
        (("●", f"bead {new.number}"),), ((cells, "strong" if is_played else "text"),),
        f"{new.beads:,.0f}", by, f"{new.share:.0%}", f"{first:,.0f}", done if is_played else "",
    )  # fmt: skip


def box_cell(box: Box, cell: int, mark: str) -> CellView:
    """Return a cell of the box: a mark, or the beads of its colour."""
    if mark != ".":
        return CellView(mark=mark, label=str(cell + 1))
    at = next(n for n, colour in enumerate(box.after) if cell in colour.cells)
    old, new = box.before[at], box.after[at]
    note = f"{new.share:.0%}" if cell == new.cells[0] else f"as {new.cells[0] + 1}"
    is_drawn = cell == box.played and box.event == "draw"
    most = max(colour.beads for colour in box.after)
    return CellView(
        label=str(cell + 1), beads=round(new.beads), came=round(new.beads - old.beads),
        drawn=is_drawn, colour=new.number, best=new.beads == most and len(box.after) > 1,
        note="" if is_drawn or new.beads != old.beads else ((note, "dim"),),
    )  # fmt: skip


def many(number: float) -> str:
    return f"{number:,.0f} bead{'s' * (round(number) != 1)}"


def colours_words(box: Box) -> str:
    return f"{len(box.after)} colour{'s' * (len(box.after) != 1)}"


def box_line(box: Box) -> Words:
    """Describe a moment in a few words."""
    said: Words = ((many(box.total), "text"),)
    if box.event == "next":
        said = (("draws next", "key"),)
    elif box.event == "refill":
        said = ((f"refilled: {box.total:,}", "written"),)
    elif box.event == "empty":
        said = (("empty: resigns", "worse"),)
    elif box.played is not None:
        old, new = box.drawn
        said = ((f"{old.beads:,.0f}→{new.beads:,.0f}", "written"),)
        if box.event == "draw":
            said = (("→ ", "dim"), (f"{new.share:.0%}", "text"))
    side, board = box.side.mark, in_a_row(str(box.board), box.played)
    assert not isinstance(said, str)
    return ((f"{side} ", side_role(side, strong=True)), *board, ("  ", ""), *said)


def box_sentence(box: Box) -> str:
    who = box.side.mark
    if box.event == "empty":
        return f"{who} opens the box and finds no bead: it resigns."
    if box.event == "refill":
        return f"That was its last bead, so the box is refilled: {many(box.total)}."
    if box.event == "result":
        return result_sentence(box, who)
    if box.event == "draw":
        return draw_sentence(box, who)
    if not box.total:
        return f"The box of {who} is empty: {who} would resign."
    chance = "draws from" if box.spec.rule.draws else "looks into"
    when = "next" if box.event == "next" else "on this board"
    return f"{who} {chance} this box {when}: {many(box.total)} of {colours_words(box)}."


def draw_sentence(box: Box, who: str) -> str:
    """Describe how a move was drawn."""
    _, drawn = box.drawn
    cell = (box.played or 0) + 1
    if box.choice == "scripted":
        return f"{who} had to mark {cell}; the box has {many(drawn.beads)} for it."
    of = f"{drawn.beads:,.0f} of its {many(box.total)}"
    if box.choice == "drawn":
        cells = " ".join(str(cell + 1) for cell in drawn.cells)
        alike = f", shared by cells {cells}" if len(drawn.cells) > 1 else ""
        return f"{who} draws a bead for cell {cell}{alike}: {of}, {drawn.share:.0%}."
    takes = "a colour at random" if box.choice == "exploratory" else "a fullest colour"
    return f"{who} takes {takes}: cell {cell}, with {of}."


def result_sentence(box: Box, who: str) -> str:
    """Describe what the result adds or takes."""
    old, new = (colour.beads for colour in box.drawn)
    ended = "drew" if box.result == "draw" else "won" if box.result == who else "lost"
    colour, more = f"the colour of cell {(box.played or 0) + 1}", abs(new - old)
    change = f"{old:,.0f} to {new:,.0f}"
    if new > old:
        said = f"{many(more)} drop{'s' * (more == 1)} in for {colour}, {change}."
    elif old - new == 1:
        said = f"the bead that was played leaves, {change}."
    elif new < old:
        said = f"{many(more)} of {colour} leave, {change}."
    else:
        said = f"{many(new)} of {colour} stay, as none can leave."
    return f"{who} {ended}: {said}{'' if box.total else ' The box is empty now.'}"


def open_on(lab: LabController, data: object, text: str) -> Opened:
    session = lab.session
    boxes = (named_box(session, text),) if text else boxes_shown(session)
    training = session if session.is_training else None
    return Matchbox(boxes, training).page, lab.step_to


def named_box(session: Session, text: str) -> Box:
    """Return the box of a board named in plain mode."""
    board = position(text.upper())
    box = box_of(session, board)
    if box is None:
        boxes_shown(session)
        raise UsageError(f"nobody draws from a box on this board: {board_words(board)}")
    return box
